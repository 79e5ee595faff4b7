"""A numbered grid of coloured cells with a caption below, as in the papers' charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.draw import svg

SIDE = 26.0
MARGIN = 30.0


@dataclass(frozen=True)
class GridCell:
    """A cell's text, colour and how strongly it is filled; ``framed`` draws a line around it."""

    text: str
    colour: str
    opacity: float = 1.0
    framed: bool = False


def grid_svg(rows: Sequence[Sequence[GridCell]], *, caption: Sequence[str], title: str) -> str:
    """Draw the grid.

    >>> grid_svg([[GridCell("H", svg.ORANGE)]], caption=["one board"], title="chart").count("<rect")
    2
    """
    parts: list[str] = []
    cols = max((len(row) for row in rows), default=0)
    for number in range(1, cols + 1):
        x = MARGIN + (number - 0.5) * SIDE
        parts.append(svg.text(x, MARGIN / 2, str(number), size=10, fill=svg.BLOCKED))
    for row_number, row in enumerate(rows):
        y = MARGIN + row_number * SIDE
        parts.append(svg.text(MARGIN / 2, y + SIDE / 2, str(row_number + 1), size=10, fill=svg.BLOCKED))
        for col_number, cell in enumerate(row):
            x = MARGIN + col_number * SIDE
            parts.append(svg.rect(x, y, SIDE, SIDE, fill=cell.colour, fill_opacity=cell.opacity, stroke=svg.GRID))
            if cell.framed:
                inner = SIDE - 4
                parts.append(svg.rect(x + 2, y + 2, inner, inner, fill="none", stroke=svg.INK, stroke_width=1.5))
            if cell.text:
                parts.append(svg.text(x + SIDE / 2, y + SIDE / 2, cell.text, size=11, fill=svg.INK))
    y = MARGIN + len(rows) * SIDE + 18
    for line in caption:
        parts.append(svg.text(MARGIN, y, line, size=11, anchor="start", fill=svg.INK))
        y += 16
    longest = max((len(line) for line in caption), default=0)
    width = max(MARGIN + cols * SIDE + 10, 2 * MARGIN + 6 * longest)
    return svg.document(width, y, "".join(parts), title=title)
