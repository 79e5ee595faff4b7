"""A board of an m,n,k game with marks, the pairs of a pairing strategy as coloured letters, and a zone as shading."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from zermelo.draw import svg

SQUARE = 40.0
MARGIN = 26.0


def pairing_svg(
    columns: int,
    rows: int,
    *,
    pairs: Sequence[tuple[int, int]] = (),
    labels: Mapping[int, str] | None = None,
    first: Collection[int] = (),
    second: Collection[int] = (),
    zone: Collection[int] = (),
    caption: Sequence[str] = (),
    title: str = "pairing strategy",
) -> str:
    """Draw a board; square = row * columns + column, row 0 at the bottom. Squares of the zone are shaded.

    >>> pairing_svg(2, 1, pairs=[(0, 1)]).count(">a<")
    3
    """
    names = labels or {}
    parts: list[str] = []

    def corner(square: int) -> tuple[float, float]:
        row, column = divmod(square, columns)
        return MARGIN + column * SQUARE, MARGIN + (rows - 1 - row) * SQUARE

    def letter(index: int) -> str:
        return ("" if index < 26 else letter(index // 26 - 1)) + chr(ord("a") + index % 26)

    for square in range(columns * rows):
        x, y = corner(square)
        fill = "#e4e4e4" if square in zone else svg.PAPER
        parts.append(svg.rect(x, y, SQUARE, SQUARE, fill=fill, stroke=svg.GRID))
        middle = (x + SQUARE / 2, y + SQUARE / 2)
        if square in first or square in second:
            disc = svg.INK if square in first else svg.PAPER
            parts.append(
                svg.element("circle", cx=middle[0], cy=middle[1], r=14, fill=disc, stroke=svg.INK, stroke_width=2)
            )
        elif square in names:
            parts.append(svg.text(*middle, names[square], size=12, fill=svg.BLOCKED))
    for index, pair in enumerate(pairs):
        colour = svg.CYCLE[index % len(svg.CYCLE)]
        for square in pair:
            x, y = corner(square)
            inner = SQUARE - 6
            parts.append(svg.rect(x + 3, y + 3, inner, inner, fill=colour, fill_opacity=0.22))
            middle = (x + SQUARE / 2, y + SQUARE / 2)
            parts.append(svg.text(*middle, letter(index), size=16, fill=svg.INK, font_weight="bold"))
    for column in range(columns):
        x = MARGIN + (column + 0.5) * SQUARE
        y = MARGIN * 1.5 + rows * SQUARE
        parts.append(svg.text(x, y, letter(column), size=12, fill=svg.BLOCKED))
    for row in range(rows):
        y = MARGIN + (rows - 0.5 - row) * SQUARE
        parts.append(svg.text(MARGIN / 2, y, str(row + 1), size=12, fill=svg.BLOCKED))
    height = 2 * MARGIN + rows * SQUARE
    for index, line in enumerate(caption):
        place = height + 18 * index
        parts.append(svg.text(MARGIN, place, line, size=13, anchor="start", fill=svg.INK))
    width = max(2 * MARGIN + columns * SQUARE, 2 * MARGIN + max((len(line) for line in caption), default=0) * 7.2)
    return svg.document(width, height + 18 * len(caption), "".join(parts), title=title)
