"""Published ``.pg`` files: every file of a folder answered, and a table by family."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from zermelo.bench.record import Measurement
from zermelo.game import Limits
from zermelo.positional.files import read_hypergraph
from zermelo.positional.game import HYPERGRAPH

SETTING = "1 thread"
WINNERS = {"maker": "Black", "breaker": "White", "draw": "nobody"}
"""As the files call the players."""


def find_files(folder: Path) -> list[Path]:
    """Return all .pg files, those of a folder together.

    :raises ValueError: if there is none.
    """
    if not (files := sorted(folder.rglob("*.pg"), key=lambda file: (file.parent, file.name))):
        raise ValueError(f"there are no .pg files in {str(folder)!r}")
    return files


def measure(file: Path, family: str, seconds: float) -> Measurement:
    """Answer the question of one file; Black begins if the file does not say who does. Reading it counts, too."""
    begin = time.monotonic()
    try:
        position = read_hypergraph(file)
        result = HYPERGRAPH.solve(position, first=position.to_move or "maker", limits=Limits(seconds))
    except ValueError as error:
        return Measurement(family, file.stem, SETTING, f"refused: {error}", 0, time.monotonic() - begin, cut=True)
    (answer,) = result.starts.values()
    said = WINNERS[answer.winner] if answer.winner else answer.why
    spent = time.monotonic() - begin
    return Measurement(family, file.stem, SETTING, said, result.nodes, spent, cut=answer.winner is None)


class Family(NamedTuple):
    """One line of the table."""

    family: str
    files: int
    answered: int
    black: int
    """Files in which Black wins."""
    median: float
    """Seconds."""
    worst: float
    slowest: str

    @classmethod
    def of(cls, name: str, rows: Sequence[Measurement]) -> Family:
        """Return the line of some files."""
        slowest = max(rows, key=lambda row: row.seconds)
        median = statistics.median(row.seconds for row in rows)
        known, black = sum(not row.cut for row in rows), sum(row.answer == "Black" for row in rows)
        return cls(name, len(rows), known, black, median, slowest.seconds, slowest.case)

    @classmethod
    def table(cls, rows: Iterable[Measurement]) -> Iterator[Family]:
        """Yield the line of every family as soon as its files are measured; the last line is for all together."""
        every = list[Measurement]()
        for family, members in groupby(rows, key=lambda row: row.suite):
            mine = list(members)
            every += mine
            yield cls.of(family, mine)
        yield cls.of("all together", every)
