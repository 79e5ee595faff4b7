"""A lattice board with blocked squares, dominoes and labelled areas, as in the papers' figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from zermelo.draw import svg

SQUARE = 40.0
MARGIN = 26.0


@dataclass(frozen=True)
class Area:
    """Squares (row, column from 0) drawn in one colour with a label; ``dashed`` marks a lesser kind."""

    squares: Sequence[tuple[int, int]]
    label: str
    colour: str
    dashed: bool = False


def outline(area: Area, rows: int, cols: int) -> str:
    """Fill the area's squares and draw a line wherever its border is, so that wrapped areas look right too."""
    members = set(area.squares)
    parts: list[str] = []
    for row, col in area.squares:
        x, y = MARGIN + col * SQUARE, MARGIN + row * SQUARE
        parts.append(svg.rect(x, y, SQUARE, SQUARE, fill=area.colour, fill_opacity=0.35))
        for d_row, d_col, x1, y1, x2, y2 in (
            (-1, 0, 0, 0, 1, 0),
            (1, 0, 0, 1, 1, 1),
            (0, -1, 0, 0, 0, 1),
            (0, 1, 1, 0, 1, 1),
        ):
            if (row + d_row, col + d_col) in members:
                continue
            inset = 2.0
            parts.append(
                svg.element(
                    "line",
                    x1=x + x1 * SQUARE + (inset if x1 == 0 else -inset),
                    y1=y + y1 * SQUARE + (inset if y1 == 0 else -inset),
                    x2=x + x2 * SQUARE + (inset if x2 == 0 else -inset),
                    y2=y + y2 * SQUARE + (inset if y2 == 0 else -inset),
                    stroke=area.colour,
                    stroke_width=2.5,
                    **({"stroke_dasharray": "4 3"} if area.dashed else {}),
                )
            )
    return "".join(parts)


def label_place(area: Area) -> tuple[float, float]:
    """Return the middle of the area, or of its first square if it is drawn in two places."""
    rows = [row for row, _ in area.squares]
    cols = [col for _, col in area.squares]
    whole = (max(rows) - min(rows) + 1) * (max(cols) - min(cols) + 1) == len(set(area.squares))
    if not whole:
        rows, cols = rows[:1], cols[:1]
    return (
        MARGIN + (min(cols) + max(cols) + 1) * SQUARE / 2,
        MARGIN + (min(rows) + max(rows) + 1) * SQUARE / 2,
    )


def board_svg(
    rows: int,
    cols: int,
    is_free: Callable[[int, int], bool],
    *,
    areas: Iterable[Area] = (),
    caption: Sequence[str] = (),
    title: str = "board",
) -> str:
    """Draw a board with row and column numbers, areas over it and lines of caption below.

    >>> board_svg(2, 2, lambda row, col: True).startswith("<svg")
    True
    """
    parts: list[str] = []
    for row in range(rows):
        parts.append(
            svg.text(
                MARGIN / 2, MARGIN + (row + 0.5) * SQUARE, str(row + 1), size=12, fill=svg.BLOCKED
            )
        )
        for col in range(cols):
            fill = svg.PAPER if is_free(row, col) else svg.BLOCKED
            x, y = MARGIN + col * SQUARE, MARGIN + row * SQUARE
            parts.append(svg.rect(x, y, SQUARE, SQUARE, fill=fill, stroke=svg.GRID))
    for col in range(cols):
        parts.append(
            svg.text(
                MARGIN + (col + 0.5) * SQUARE, MARGIN / 2, str(col + 1), size=12, fill=svg.BLOCKED
            )
        )
    labels: list[str] = []
    for area in areas:
        parts.append(outline(area, rows, cols))
        x, y = label_place(area)
        labels.append(svg.text(x, y, area.label, size=14, fill=svg.INK, font_weight="bold"))
    width = max(
        2 * MARGIN + cols * SQUARE,
        2 * MARGIN + max((len(line) for line in caption), default=0) * 7.2,
    )
    height = 2 * MARGIN + rows * SQUARE
    for index, line in enumerate(caption):
        labels.append(
            svg.text(MARGIN, height + 18 * index, line, size=13, anchor="start", fill=svg.INK)
        )
    height += 18 * len(caption)
    return svg.document(width, height, "".join(parts + labels), title=title)
