"""Compare our chart with the published ones: how much each knows, where they disagree and why, and what is new.

python tools/charts.py [FACTS]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from zermelo.domineering.lattice import Lattice, Topology
from zermelo.domineering.rules.charts import Chart, literature, load
from zermelo.domineering.rules.facts import Fact, FactBook
from zermelo.domineering.rules.knowledge import FULL, Knowledge, knowledge_of
from zermelo.domineering.rules.known import Known
from zermelo.domineering.rules.outcomes import ANYTHING, is_decided, possible
from zermelo.domineering.rules.table import status_counts

SMALLEST: dict[Topology, int] = {"rectangle": 4, "hcylinder": 3, "torus": 6}
"""Boards with a shorter side are not counted as new: they are easy, or known in another form."""


def disagreements(knowledge: Knowledge, chart: Chart) -> dict[Lattice, str]:
    """Return the boards on which a chart and the rules exclude each other, each with our reason."""
    closure, found = knowledge.table(chart.side, chart.side), dict[Lattice, str]()
    for at, theirs in chart.cells.items():
        size = Lattice(*at)
        ours, step = closure.known(size), closure.step(size)
        if theirs & ours == 0 and step is not None:
            found[size] = f"chart {'/'.join(possible(theirs))}, here {'/'.join(possible(ours))}: {step.one_line()}"
    return found


def comparison(knowledge: Knowledge, chart: Chart) -> Iterator[str]:
    """Yield the lines that compare a chart with the rules."""
    closure = knowledge.table(chart.side, chart.side)
    ours = {Lattice(*at): closure.known(Lattice(*at)) for at in chart.cells}
    theirs = {Lattice(*at): mask for at, mask in chart.cells.items()}
    more = [size.spec for size in ours if theirs[size] & ours[size] and ours[size] & ~theirs[size]]
    different = disagreements(knowledge, chart)
    yield f"{chart.source}, boards up to {chart.side} x {chart.side}:"
    for name, cells in (("chart", theirs), ("here", ours)):
        yield f"  {name}: " + ", ".join(f"{number} {kind}" for kind, number in status_counts(cells.items()).items())
    yield f"  the chart knows more about {len(more)} boards{': ' if more else ''}{' '.join(more)}"
    yield f"  they disagree on {len(different)} boards{':' if different else ''}"
    yield from (f"    {size}: {reason}" for size, reason in different.items())


def known_before(knowledge: Knowledge) -> Knowledge:
    """Return the outcomes that follow from all published sources together, without results that we know to be wrong."""
    masks: dict[Lattice, int] = {}
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
                size = Lattice(rows, cols, topology)
                if is_decided(ours.known(size)) and not is_decided(old.known(size)):
                    found.append((knowledge.decide(size), old.known(size)))
    return found


def confirmation(knowledge: Knowledge, claims: Mapping[Lattice, int]) -> dict[str, list[Lattice]]:
    """Sort a source's boards by what we say: confirmed, confirmed in part, not known here, contradicted."""
    sorted_out: dict[str, list[Lattice]] = {"confirmed": [], "in part": [], "not known here": [], "contradicted": []}
    for size, mask in claims.items():
        ours = knowledge.decide(size).outcomes
        if mask != ANYTHING:
            confirmed = "confirmed" if ours & ~mask == 0 else "not known here" if ours | mask == ours else "in part"
            sorted_out[confirmed if ours & mask else "contradicted"].append(size)
    return sorted_out


def main(words: list[str]) -> None:
    knowledge = knowledge_of(Path(words[0]) if words else None)
    for chart in load():
        print(*comparison(knowledge, chart), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
