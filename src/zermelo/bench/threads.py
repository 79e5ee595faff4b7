"""How much faster several threads are than one: measured in turn, so that a busy machine disturbs both alike."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator
from dataclasses import replace

from zermelo.bench.papers import measurement, run
from zermelo.bench.record import Measurement
from zermelo.domineering.searcher import OBSEQUI_OPTIONS


def alternating(spec: str, *, threads: int, rounds: int, seconds: float) -> Iterator[Measurement]:
    """Solve a board with one thread and with several, in turn, with the papers' settings and V first."""
    for number in range(1, rounds + 1):
        for count in (1, threads):
            result = run(spec, replace(OBSEQUI_OPTIONS, threads=count), seconds, first="V")
            setting = "1 thread" if count == 1 else f"{count} threads"
            yield measurement("threads", setting, result, case=f"{spec}, round {number}")


def times_faster(rows: Iterable[Measurement]) -> float:
    """Return the median time of one thread over the median time of several.

    >>> row = Measurement("threads", "8x8, round 1", "1 thread", "V", 1, 0.5)
    >>> other = Measurement("threads", "8x8, round 1", "2 threads", "V", 1, 0.25)
    >>> times_faster([row, other])
    2.0
    """
    one: list[float] = []
    several: list[float] = []
    for row in rows:
        (one if row.setting == "1 thread" else several).append(row.seconds)
    return statistics.median(one) / max(1e-9, statistics.median(several))
