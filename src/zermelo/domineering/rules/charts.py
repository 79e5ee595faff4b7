"""Published results: two charts and single boards. They are for comparison and never become facts.

The charts were read from scans. Cells that can be read in two ways were settled by hand; the file says how.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from zermelo.domineering.lattice import Lattice
from zermelo.domineering.rules.outcomes import ANYTHING, NAMES, SETS, WORDS, mirrored, possible

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


@cache
def literature() -> dict[str, dict[Lattice, int]]:
    """Return the outcomes that each published source leaves for each board, from charts and single results."""
    found = {chart.source: {Lattice(*at): mask for at, mask in chart.cells.items()} for chart in load()}
    for item in json.loads(PUBLISHED.read_text())["results"]:
        found[item["source"]] = {Lattice.parse(spec): SETS[name] for spec, name in item["boards"].items()}
    return found


@dataclass(frozen=True)
class Published:
    """The result of one source for a board."""

    size: Lattice
    outcomes: int
    source: str
    contradicted: bool
    """Whether the rules and facts here exclude it."""

    @property
    def short(self) -> str:
        """The source by its authors and year."""
        return re.split(r"(?<=\d{4})", self.source)[0]

    @property
    def cell(self) -> str:
        """The board, its outcomes and the source, for a list."""
        said = ", contradicted" if self.contradicted else ""
        return f"{self.size.spec} {'/'.join(possible(self.outcomes))} ({self.short}{said})"

    def __str__(self) -> str:
        state = "contradicted here" if self.contradicted else "not confirmed here"
        return f"published ({self.short}): {WORDS[self.outcomes]}; {state}"

    def to_json(self) -> dict[str, Any]:
        """Return it with documented keys."""
        state = "contradicted" if self.contradicted else "not confirmed"
        return {"board": self.size.spec, "outcomes": possible(self.outcomes), "source": self.source, "here": state}


def published_here(size: Lattice, known: int) -> Iterator[Published]:
    """Yield each source that says more of a board than is known here, or something else.

    Only for people to read: no answer, rule or fact may use it.
    """
    for source, boards in literature().items():
        mask = boards.get(size, ANYTHING) & mirrored(boards.get(size.transposed, ANYTHING))
        if mask in NAMES and known & ~mask:
            yield Published(size, mask, source, known & mask == 0)
