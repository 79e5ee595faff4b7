"""The chart of who wins on all boards up to a size: grid, CSV, JSON, picture. It marks searched and derived cells.

This module is the service :class:`zermelo.game.services.Tables` of the game. It is loaded when it is first used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, cast

from zermelo import game
from zermelo.domineering.lattice import Lattice, Topology
from zermelo.domineering.position import Position
from zermelo.domineering.rules.certificate import write_derivation
from zermelo.domineering.rules.charts import Published, published_here
from zermelo.domineering.rules.facts import SHIPPED, FactBook
from zermelo.domineering.rules.knowledge import FULL, Knowledge, knowledge_of, shipped
from zermelo.domineering.rules.known import AboutBoard, Known
from zermelo.domineering.rules.long_boards import Eventual
from zermelo.domineering.rules.outcomes import ANYTHING, EVEN, NAMES, WORDS, H, is_decided, possible, short_name
from zermelo.draw import svg
from zermelo.draw.table import GridCell, grid_svg
from zermelo.game import Report

__all__ = ["chart", "derive", "facts", "kinds", "published", "report", "write_derivation"]

kinds: Mapping[str, str] = {
    "rectangle": "rectangles",
    "hcylinder": "cylinders (H wraps)",
    "vcylinder": "cylinders (V wraps)",
    "torus": "tori",
}
CellSource = Literal["searched", "evaluated", "derived", "open"]
CellStatus = Literal["decided", "half-known", "open"]
LARGEST_TABLE = 120
COLOURS = {"V": svg.BLUE, "H": svg.ORANGE, "1": svg.GREEN, "2": svg.PURPLE}
OPEN = "#f2f2f2"


def board_status(size: Lattice, outcomes: int) -> CellStatus:
    """Say whether one outcome, some or all are left; that a square is ``12`` is no knowledge worth counting."""
    trivial = outcomes == ANYTHING or (size == size.transposed and outcomes == EVEN)
    return "decided" if is_decided(outcomes) else "open" if trivial else "half-known"


def status_counts(boards: Iterable[tuple[Lattice, int]]) -> dict[CellStatus, int]:
    """Count the boards that are decided, half-known and open."""
    found = Counter(board_status(*board) for board in boards)
    return {"decided": found["decided"], "half-known": found["half-known"], "open": found["open"]}


@dataclass(frozen=True)
class Cell(AboutBoard):
    """One board of the chart."""

    size: Lattice
    outcomes: int
    source: CellSource

    @property
    def name(self) -> str:
        """The set's short name; a dot where nothing is known."""
        return short_name(self.outcomes)

    @property
    def status(self) -> CellStatus:
        """Whether one outcome, some or all are left."""
        return board_status(self.size, self.outcomes)


@dataclass(frozen=True)
class Table:
    """A chart: ``cells[row - 1][col - 1]``, and the statements about all longer boards."""

    rows: int
    cols: int
    topology: Topology
    cells: tuple[tuple[Cell, ...], ...]
    eventual: tuple[Eventual, ...]

    @cached_property
    def published(self) -> list[Published]:
        """Published results about these boards that are not confirmed here; one of two mirror images."""
        boards = {cell.size: cell.outcomes for row in self.cells for cell in row}
        flat = (size for size in boards if size.transposed not in boards or size.rows <= size.cols)
        return [each for size in flat for each in published_here(size, boards[size])]

    @property
    def counts(self) -> dict[CellStatus, int]:
        """How many boards are decided, half-known and open."""
        return status_counts((cell.size, cell.outcomes) for row in self.cells for cell in row)

    @property
    def statements(self) -> list[str]:
        """The statements about all longer boards, in words."""
        return [str(each) for each in self.eventual]

    @property
    def legend(self) -> dict[str, str]:
        """Every code that the chart shows, in words."""
        known = sorted({cell.outcomes for row in self.cells for cell in row}, key=lambda each: (each.bit_count(), each))
        return {short_name(each): WORDS.get(each, "nothing is known yet") for each in known}

    def _repr_svg_(self) -> str:
        return table_svg(self)

    def text(self) -> str:
        """Return the grid; a star marks a board that was itself searched or evaluated, at least in part."""
        width = max(3, len(str(self.cols)) + 1)
        lines = [" " * width + "".join(f"{col:>{width}} " for col in range(1, self.cols + 1))]
        for number, row in enumerate(self.cells, start=1):
            marks = ("*" if cell.source in ("searched", "evaluated") else " " for cell in row)
            body = "".join(f"{cell.name:>{width}}{mark}" for cell, mark in zip(row, marks, strict=True))
            lines.append(f"{number:>{width}}{body}".rstrip())
        return "\n".join(lines)

    def csv(self) -> str:
        """Return one line a board. Where several outcomes are left, strokes separate them."""
        lines = (
            f"{cell.rows},{cell.cols},{'/'.join(possible(cell.outcomes))},{cell.status},{cell.source}\n"
            for row in self.cells
            for cell in row
        )
        return "rows,cols,outcomes,status,source\n" + "".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Return the chart with documented keys."""
        return {
            "game": "domineering",
            "topology": self.topology,
            "rows": self.rows,
            "cols": self.cols,
            "outcomes": [[possible(cell.outcomes) for cell in row] for row in self.cells],
            "sources": [[cell.source for cell in row] for row in self.cells],
            "counts": self.counts,
            "published": [each.to_json() for each in self.published],
            "eventual": [each.to_json() for each in self.eventual],
        }


def report(spec: str, facts: Path | None = None) -> Report:
    """Return who wins on all boards up to a size, with the statements about all longer ones."""
    size = Lattice.parse(f"{spec}x{spec}" if spec.isdecimal() else spec)
    if max(size.rows, size.cols) > LARGEST_TABLE:
        raise ValueError(f"a table has at most {LARGEST_TABLE} rows and columns; `why` takes any board")
    table = chart(*size, knowledge=knowledge_of(facts))
    lines = table.text().splitlines()
    lines += [f"{code}: {words}" for code, words in table.legend.items()]
    lines.append("* itself searched or evaluated, at least in part; the others are derived: see `zermelo why`")
    lines.append(", ".join(f"{number:,} {status}" for status, number in table.counts.items()))
    if table.published:
        lines.append(f"published, not confirmed here: {', '.join(each.cell for each in table.published)}")
    # The finer statements about long boards are in the data.
    lines += [f"{each}: {each.proof()}" for each in table.eventual if each.step <= 2 or each.outcomes == H]
    return Report(tuple(lines), table.to_json(), table._repr_svg_, table.csv)


def facts(path: Path | None = None) -> Report:
    """Return the facts with their evidence."""
    book = FactBook.load(path or SHIPPED)
    lines = tuple(f"{fact.size.spec}  {'/'.join(possible(fact.outcomes))}  {fact.evidence()}" for fact in book)
    return Report(lines, {"facts": [fact.shown() for fact in book]})


def derive(board: str) -> Known:
    """Return the derivation of the outcome of an empty board, which is given by its size."""
    return shipped().decide(Lattice.parse(board))


def published(position: game.Position) -> Report:
    """Return published results about a position that are not confirmed here. No answer uses them."""
    board = cast(Position, position)
    found = shipped().decide(board.lattice).published if board.is_empty else []
    return Report(tuple(map(str, found)), {"published": [each.to_json() for each in found]})


def chart(rows: int, cols: int, kind: str = "rectangle", *, knowledge: Knowledge | None = None) -> Table:
    """Return the chart of all boards of at most so many rows and columns, by the shipped facts if none are given."""
    knowledge, topology = knowledge or shipped(), cast(Topology, kind)
    closure = knowledge.table(rows, cols, topology)

    def cell(size: Lattice) -> Cell:
        """Say whether the shortest derivation rests on a fact about this very board (or its mirror image)."""
        step = closure.step(size)
        source: CellSource = "open"
        if step is not None:
            own = (each.fact for each in step.lines() if each.fact and each.size in (size, size.transposed))
            fact = next(own, None)
            source = "derived" if fact is None else "searched" if fact.by == "search" else "evaluated"
        return Cell(size, closure.known(size), source)

    cells = (tuple(cell(Lattice(row, col, topology)) for col in range(1, cols + 1)) for row in range(1, rows + 1))
    # Of rings only those of at most two rows have statements: they are at most the rectangles.
    last = min(rows, {"rectangle": FULL, "hcylinder": 2, "torus": 2, "vcylinder": 0}[topology])
    said = (each for row in range(1, last + 1) for each in knowledge.eventual(row))
    return Table(rows, cols, topology, tuple(cells), tuple(replace(each, topology=topology) for each in said))


def _drawn(cell: Cell) -> GridCell:
    """Return the colours of a cell. Half-known ones have the pale colour of the player who wins one way."""
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
    >>> table_svg(chart(2, 3, knowledge=Knowledge(FactBook()))).count("<rect")
    7
    """
    counts = ", ".join(f"{number} {status}" for status, number in table.counts.items())
    caption = [
        f"rows down, columns across ({table.topology}): {counts}",
        *(f"{name}: {WORDS[mask]}" for mask, name in NAMES.items() if name in COLOURS),
        "pale: known one way only (1h: H wins moving first)",
        "framed: itself searched or evaluated, at least in part; the others are derived by rules",
    ]
    if table.published:
        caption.append(f"published, not confirmed here: {', '.join(each.size.spec for each in table.published)}")
    cells = [[_drawn(cell) for cell in row] for row in table.cells]
    return grid_svg(cells, caption=caption, title="Who wins Domineering")
