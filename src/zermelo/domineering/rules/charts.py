"""Our chart beside the published ones: how much each knows, where they disagree, why, and what is new.

The charts were read from scans; what these read in two ways was settled by hand, and the file says how. Nothing here
ever becomes a fact.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from zermelo.domineering.rules.facts import Fact, FactBook
from zermelo.domineering.rules.knowledge import FULL, Knowledge, Known, knowledge_of
from zermelo.domineering.rules.outcomes import ANYTHING, NAMES, SETS, is_decided
from zermelo.domineering.rules.sizes import Size, Topology
from zermelo.domineering.rules.table import CellStatus, status_counts
from zermelo.domineering.rules.why import one_line
from zermelo.game import Report

PUBLISHED = Path(__file__).resolve().parents[2] / "data" / "domineering-charts.json"


@dataclass(frozen=True)
class Chart:
    """A published chart: ``cells[rows, cols]`` is a set of outcomes.

    ``rests_on`` are the searched boards of which the rules of the paper make the chart, where it says so.
    """

    source: str
    side: int
    cells: dict[tuple[int, int], int]
    rests_on: dict[tuple[int, int], int]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Disagreement:
    """A board on which a chart and the rules exclude each other."""

    size: Size
    chart: str
    ours: str
    explanation: str


@dataclass(frozen=True)
class Comparison:
    """A chart beside the rules, over the chart's boards."""

    source: str
    side: int
    chart_counts: Mapping[CellStatus, int]
    our_counts: Mapping[CellStatus, int]
    disagreements: tuple[Disagreement, ...]
    chart_knows_more: tuple[Size, ...]

    def lines(self) -> Iterator[str]:
        yield f"{self.source}, boards up to {self.side} x {self.side}:"
        for name, counts in (("chart", self.chart_counts), ("here", self.our_counts)):
            yield f"  {name}: " + ", ".join(f"{number} {what}" for what, number in counts.items())
        names = " ".join(size.spec for size in self.chart_knows_more)
        yield f"  the chart knows more about {len(self.chart_knows_more)} boards: {names}"
        yield f"  they disagree on {len(self.disagreements)} boards"
        for each in self.disagreements:
            yield f"    {each.size}: chart {each.chart}, here {each.ours}: {each.explanation}"


def load() -> list[Chart]:
    """Read the published charts."""
    charts: list[Chart] = []
    for item in json.loads(PUBLISHED.read_text())["charts"]:
        rows = [line.split() for line in item["rows"]]
        cells = {
            (row, col): ANYTHING if name in (".", "?") else SETS[name]
            for row, names in enumerate(rows, start=1)
            for col, name in enumerate(names, start=1)
        }
        rests_on = {
            (int(width), int(length)): SETS[name]
            for width, boards in item.get("rests_on", {}).items()
            for length, name in (board.split(":") for board in boards.split())
        }
        charts.append(Chart(item["source"], len(rows), cells, rests_on, tuple(item["notes"])))
    return charts


def compare(knowledge: Knowledge, chart: Chart) -> Comparison:
    """Put a chart beside what the rules derive."""
    closure = knowledge.table(chart.side, chart.side)
    disagreements: list[Disagreement] = []
    more: list[Size] = []
    for (row, col), theirs in chart.cells.items():
        size = Size(row, col)
        ours = closure.known(size)
        if theirs & ours == 0:
            step = closure.step(size)
            why = "" if step is None else one_line(step)
            disagreements.append(Disagreement(size, NAMES[theirs], NAMES[ours], why))
        elif ours & ~theirs and theirs != ANYTHING:
            more.append(size)
    return Comparison(
        chart.source,
        chart.side,
        status_counts((Size(*at), mask) for at, mask in chart.cells.items()),
        status_counts((Size(*at), closure.known(Size(*at))) for at in chart.cells),
        tuple(disagreements),
        tuple(more),
    )


def report(facts: Path | None = None) -> Report:
    """Compare what the rules say with the published charts."""
    known = knowledge_of(facts)
    lines = [line for chart in load() for line in compare(known, chart).lines()]
    return Report(tuple(lines), {"lines": lines})


# The whole literature

SMALLEST: dict[Topology, int] = {"rectangle": 4, "hcylinder": 3, "torus": 6}
"""Boards with a shorter side are not counted as new: they are easy, or known in another form."""


def literature() -> dict[str, dict[Size, int]]:
    """Return what every published source says, charts and single results: sets of outcomes by source and board."""
    found = {chart.source: {Size(*at): mask for at, mask in chart.cells.items()} for chart in load()}
    for item in json.loads(PUBLISHED.read_text())["results"]:
        found[item["source"]] = {Size.parse(spec): SETS[name] for spec, name in item["boards"].items()}
    return found


def known_before(knowledge: Knowledge) -> Knowledge:
    """Return what all published sources together say by all our rules, less what we know to be wrong."""
    masks: dict[Size, int] = {}
    for claims in literature().values():
        for size, mask in claims.items():
            if mask & knowledge.decide(size).outcomes:
                masks[size] = masks.get(size, ANYTHING) & mask
    return Knowledge(FactBook.of(Fact(size, mask, "search", "") for size, mask in masks.items() if mask != ANYTHING))


def new_outcomes(knowledge: Knowledge) -> list[tuple[Known, int]]:
    """Return the boards decided here and not by the literature, each with what that leaves; one of two mirror images.

    What follows from published outcomes by our rules is not new: a ring whose rectangle H wins, for one.
    """
    before = known_before(knowledge)
    found: list[tuple[Known, int]] = []
    for topology, smallest in SMALLEST.items():
        old, ours = before.table(FULL, FULL, topology), knowledge.table(FULL, FULL, topology)
        for rows in range(smallest, FULL + 1):
            for cols in range(smallest if topology == "hcylinder" else rows, FULL + 1):
                size = Size(rows, cols, topology)
                if is_decided(ours.known(size)) and not is_decided(old.known(size)):
                    found.append((knowledge.decide(size), old.known(size)))
    return found


def confirmation(knowledge: Knowledge, claims: dict[Size, int]) -> dict[str, list[Size]]:
    """Sort a source's boards by what we say: confirmed, confirmed in part, not known here, contradicted."""
    sorted_out: dict[str, list[Size]] = {"confirmed": [], "in part": [], "not known here": [], "contradicted": []}
    for size, mask in claims.items():
        ours = knowledge.decide(size).outcomes
        if mask != ANYTHING:
            confirmed = "confirmed" if ours & ~mask == 0 else "not known here" if ours | mask == ours else "in part"
            sorted_out[confirmed if ours & mask else "contradicted"].append(size)
    return sorted_out
