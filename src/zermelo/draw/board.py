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


@dataclass(frozen=True)
class Domino:
    """Two squares (row, column from 0) that a player has covered; across a seam it is drawn in two halves."""

    squares: tuple[tuple[int, int], tuple[int, int]]
    colour: str


def domino_svg(domino: Domino) -> str:
    """Draw one box over neighbouring squares, or one on each side of the seam."""
    (row, col), (other_row, other_col) = domino.squares
    whole = abs(row - other_row) + abs(col - other_col) == 1
    boxes = [domino.squares] if whole else [(square, square) for square in domino.squares]
    parts = []
    for one, two in boxes:
        top, left = min(one[0], two[0]), min(one[1], two[1])
        high, wide = abs(one[0] - two[0]) + 1, abs(one[1] - two[1]) + 1
        parts.append(
            svg.rect(
                MARGIN + left * SQUARE + 4,
                MARGIN + top * SQUARE + 4,
                wide * SQUARE - 8,
                high * SQUARE - 8,
                rx=7,
                fill=domino.colour,
            )
        )
    return "".join(parts)


INSET = 2.0


def outline(area: Area) -> str:
    """Fill the area's squares and draw a line wherever its border is, so that areas over a seam look right too."""
    members = set(area.squares)
    parts: list[str] = []
    dash: dict[str, str | float] = {"stroke_dasharray": "4 3"} if area.dashed else {}
    for row, col in area.squares:
        left, top = MARGIN + col * SQUARE, MARGIN + row * SQUARE
        parts.append(svg.rect(left, top, SQUARE, SQUARE, fill=area.colour, fill_opacity=0.35))
        # The corners of the outline step inwards only where the area ends.
        x1 = left + (0 if (row, col - 1) in members else INSET)
        x2 = left + SQUARE - (0 if (row, col + 1) in members else INSET)
        y1 = top + (0 if (row - 1, col) in members else INSET)
        y2 = top + SQUARE - (0 if (row + 1, col) in members else INSET)
        sides = {
            (row - 1, col): (x1, y1, x2, y1),
            (row + 1, col): (x1, y2, x2, y2),
            (row, col - 1): (x1, y1, x1, y2),
            (row, col + 1): (x2, y1, x2, y2),
        }
        for neighbour, (a, b, c, d) in sides.items():
            if neighbour not in members:
                parts.append(svg.element("line", x1=a, y1=b, x2=c, y2=d, stroke=area.colour, stroke_width=2.5, **dash))
    return "".join(parts)


def label_place(area: Area) -> tuple[float, float]:
    """Return the middle of the area, or of its first square if it is drawn in two places."""
    rows = [row for row, _ in area.squares]
    cols = [col for _, col in area.squares]
    whole = (max(rows) - min(rows) + 1) * (max(cols) - min(cols) + 1) == len(set(area.squares))
    if not whole:
        rows, cols = rows[:1], cols[:1]
    return (MARGIN + (min(cols) + max(cols) + 1) * SQUARE / 2, MARGIN + (min(rows) + max(rows) + 1) * SQUARE / 2)


def board_svg(
    rows: int,
    cols: int,
    is_free: Callable[[int, int], bool],
    *,
    areas: Iterable[Area] = (),
    dominoes: Iterable[Domino] = (),
    caption: Sequence[str] = (),
    title: str = "board",
) -> str:
    """Draw a board with row and column numbers, areas and dominoes over it and lines of caption below.

    >>> board_svg(2, 2, lambda row, col: True).startswith("<svg")
    True
    """
    parts: list[str] = []
    for row in range(rows):
        parts.append(svg.text(MARGIN / 2, MARGIN + (row + 0.5) * SQUARE, str(row + 1), size=12, fill=svg.BLOCKED))
        for col in range(cols):
            fill = svg.PAPER if is_free(row, col) else svg.BLOCKED
            x, y = MARGIN + col * SQUARE, MARGIN + row * SQUARE
            parts.append(svg.rect(x, y, SQUARE, SQUARE, fill=fill, stroke=svg.GRID))
    for col in range(cols):
        parts.append(svg.text(MARGIN + (col + 0.5) * SQUARE, MARGIN / 2, str(col + 1), size=12, fill=svg.BLOCKED))
    parts += [domino_svg(domino) for domino in dominoes]
    labels: list[str] = []
    for area in areas:
        parts.append(outline(area))
        x, y = label_place(area)
        labels.append(svg.text(x, y, area.label, size=14, fill=svg.INK, font_weight="bold"))
    width = max(2 * MARGIN + cols * SQUARE, 2 * MARGIN + max((len(line) for line in caption), default=0) * 7.2)
    height = 2 * MARGIN + rows * SQUARE
    for index, line in enumerate(caption):
        labels.append(svg.text(MARGIN, height + 18 * index, line, size=13, anchor="start", fill=svg.INK))
    height += 18 * len(caption)
    return svg.document(width, height, "".join(parts + labels), title=title)
