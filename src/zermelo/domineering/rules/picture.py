"""The chart of who wins as a picture: a colour for each outcome, pale where half known, a frame where searched."""

from __future__ import annotations

from zermelo.domineering.rules.outcomes import NAMES, WORDS, is_decided
from zermelo.domineering.rules.table import Cell, Table
from zermelo.draw import svg
from zermelo.draw.table import GridCell, grid_svg

COLOURS = {"V": svg.BLUE, "H": svg.ORANGE, "1": svg.GREEN, "2": svg.PURPLE}
OPEN = "#f2f2f2"


def drawn(cell: Cell) -> GridCell:
    """Return how a cell looks: half-known ones lean towards the player who wins one way."""
    framed = cell.source in ("searched", "evaluated")
    name = NAMES[cell.outcomes]
    if is_decided(cell.outcomes):
        return GridCell(name, COLOURS[name], 0.85, framed)
    if name[0] in "12" and name[-1] in "hv":
        return GridCell(name, COLOURS[name[-1].upper()], 0.3, framed)
    return GridCell("" if cell.name == "." else name, OPEN, 1.0, framed)


def table_svg(table: Table) -> str:
    """Draw the chart with a legend and the counts.

    >>> from zermelo.domineering.rules.facts import FactBook
    >>> from zermelo.domineering.rules.knowledge import Knowledge
    >>> from zermelo.domineering.rules.table import build
    >>> table_svg(build(2, 3, knowledge=Knowledge(FactBook()))).count("<rect")
    7
    """
    counts = ", ".join(f"{number} {status}" for status, number in table.counts.items())
    caption = [
        f"rows down, columns across ({table.topology}): {counts}",
        *(f"{name}: {WORDS[mask]}" for mask, name in NAMES.items() if name in COLOURS),
        "pale: known one way only (1h: H wins moving first)",
        "framed: itself searched or evaluated, at least in part; the others are derived by rules",
    ]
    cells = [[drawn(cell) for cell in row] for row in table.cells]
    return grid_svg(cells, caption=caption, title="Who wins Domineering")
