"""Our chart beside the published ones: how much each knows, where they disagree, and why.

The published charts are read as their scans read; a disagreement is examined, not assumed to be ours or theirs. Nothing
here ever becomes a fact.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from zermelo.domineering.rules.knowledge import Knowledge
from zermelo.domineering.rules.outcomes import ANYTHING, EVEN, NAMES, SETS, is_decided, mirrored
from zermelo.domineering.rules.sizes import Size
from zermelo.domineering.rules.why import one_line

PUBLISHED = Path(__file__).resolve().parents[2] / "data" / "domineering-charts.json"


@dataclass(frozen=True)
class Chart:
    """A published chart: ``cells[rows, cols]`` is a set of outcomes."""

    source: str
    side: int
    cells: dict[tuple[int, int], int]


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
    chart_counts: dict[str, int]
    our_counts: dict[str, int]
    disagreements: tuple[Disagreement, ...]
    chart_knows_more: tuple[Size, ...]

    def lines(self) -> Iterator[str]:
        """Yield the report."""
        yield f"{self.source}, boards up to {self.side} x {self.side}:"
        for name, counts in (("chart", self.chart_counts), ("here", self.our_counts)):
            yield f"  {name}: " + ", ".join(f"{number} {what}" for what, number in counts.items())
        names = " ".join(size.spec for size in self.chart_knows_more)
        yield f"  the chart knows more about {len(self.chart_knows_more)} boards: {names}"
        yield f"  they disagree on {len(self.disagreements)} boards"
        for each in self.disagreements:
            yield f"    {each.size}: chart {each.chart}, here {each.ours}: {each.explanation}"


def load(path: Path = PUBLISHED) -> list[Chart]:
    """Read the published charts."""
    charts: list[Chart] = []
    for item in json.loads(path.read_text())["charts"]:
        rows = [line.split() for line in item["rows"]]
        cells = {
            (row, col): ANYTHING if name == "." else SETS[name]
            for row, names in enumerate(rows, start=1)
            for col, name in enumerate(names, start=1)
        }
        charts.append(Chart(item["source"], len(rows), cells))
    return charts


def count(cells: Iterator[int]) -> dict[str, int]:
    """Count decided, half-known and open boards; that a square is ``12`` counts as open."""
    kinds = Counter(
        "decided" if is_decided(mask) else "open" if mask in (ANYTHING, EVEN) else "half-known" for mask in cells
    )
    return {kind: kinds[kind] for kind in ("decided", "half-known", "open")}


def compare(knowledge: Knowledge, chart: Chart) -> Comparison:
    """Put a chart beside what the rules derive."""
    closure = knowledge.table(chart.side, chart.side)
    disagreements: list[Disagreement] = []
    more: list[Size] = []
    for (row, col), theirs in chart.cells.items():
        size = Size(row, col)
        ours = closure.known(size)
        if theirs & ours == 0:
            disagreements.append(Disagreement(size, NAMES[theirs], NAMES[ours], _explain(knowledge, chart, size)))
        elif ours & ~theirs and theirs != ANYTHING:
            more.append(size)
    return Comparison(
        chart.source,
        chart.side,
        count(iter(chart.cells.values())),
        count(closure.known(Size(*key)) for key in chart.cells),
        tuple(disagreements),
        tuple(more),
    )


def _explain(knowledge: Knowledge, chart: Chart, size: Size) -> str:
    """Say what is wrong with the chart's cell, or on what our own answer rests."""
    theirs = chart.cells[size.rows, size.cols]
    if size.area == 1:
        return "misread: nobody can move on one square, so the second player wins"
    if size.rows == size.cols and theirs & EVEN == 0:
        return "misread or shifted: on a square the first or the second player wins"
    turned = chart.cells.get((size.cols, size.rows), ANYTHING)
    if mirrored(turned) & theirs == 0:
        return f"misread or shifted: the chart itself has {NAMES[turned]} for {size.transposed}"
    closure = knowledge.table(chart.side, chart.side)
    for next_one in (Size(size.rows, size.cols + 1), Size(size.rows + 1, size.cols)):
        if is_decided(theirs) and closure.known(next_one) == theirs:
            return f"probably shifted: it is right for {next_one}, and blanks before it were lost"
    step = closure.step(size)
    return "" if step is None else one_line(step)
