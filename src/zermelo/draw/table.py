"""The chart of who wins, as a picture: a colour for each outcome, pale where it is half known, a frame where searched."""

from __future__ import annotations

from zermelo.domineering.rules.outcomes import NAMES, WORDS, is_decided
from zermelo.domineering.rules.table import Table
from zermelo.draw import svg

SIDE = 26.0
MARGIN = 30.0
COLOURS = {"V": svg.BLUE, "H": svg.ORANGE, "1": svg.GREEN, "2": svg.PURPLE}
OPEN = "#f2f2f2"


def colour(outcomes: int) -> tuple[str, float]:
    """Return fill and opacity: half-known cells lean towards the player who wins one way."""
    name = NAMES[outcomes]
    if is_decided(outcomes):
        return COLOURS[name], 0.85
    if name[-1] in "hv" and name[0] in "12":
        return COLOURS[name[-1].upper()], 0.3
    return OPEN, 1.0


def table_svg(table: Table) -> str:
    """Draw the chart with a legend and the counts.

    >>> from zermelo.domineering.rules.facts import FactBook
    >>> from zermelo.domineering.rules.knowledge import Knowledge
    >>> from zermelo.domineering.rules.table import build
    >>> table_svg(build(Knowledge(FactBook()), 2, 3)).count("<rect") >= 6
    True
    """
    parts: list[str] = []
    for number in range(1, table.cols + 1):
        x = MARGIN + (number - 0.5) * SIDE
        parts.append(svg.text(x, MARGIN / 2, str(number), size=10, fill=svg.BLOCKED))
    for number, row in enumerate(table.cells, start=1):
        y = MARGIN + (number - 1) * SIDE
        parts.append(svg.text(MARGIN / 2, y + SIDE / 2, str(number), size=10, fill=svg.BLOCKED))
        for cell in row:
            x = MARGIN + (cell.size.cols - 1) * SIDE
            fill, opacity = colour(cell.outcomes)
            parts.append(
                svg.rect(x, y, SIDE, SIDE, fill=fill, fill_opacity=opacity, stroke=svg.GRID)
            )
            if cell.source in ("searched", "evaluated"):
                parts.append(
                    svg.rect(
                        x + 2, y + 2, SIDE - 4, SIDE - 4, fill="none", stroke=svg.INK, stroke_width=1.5
                    )
                )
            if cell.name != ".":
                parts.append(svg.text(x + SIDE / 2, y + SIDE / 2, cell.name, size=11, fill=svg.INK))
    y = MARGIN + table.rows * SIDE + 18
    counts = ", ".join(f"{number} {status}" for status, number in table.counts.items())
    caption = [
        f"rows down, columns across ({table.topology}): {counts}",
        *(f"{name}: {WORDS[mask]}" for mask, name in NAMES.items() if name in COLOURS),
        "pale: one way known (1h: H wins moving first); framed: searched or evaluated itself; else derived",
    ]
    for line in caption:
        parts.append(svg.text(MARGIN, y, line, size=11, anchor="start", fill=svg.INK))
        y += 16
    width = max(MARGIN + table.cols * SIDE + 10, 600)
    return svg.document(width, y, "".join(parts), title="Who wins Domineering")
