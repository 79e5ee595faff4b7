"""How much work is it? Estimates from the finished units of a campaign, or from a random sample of its units.

The sample is made of runs of neighbouring units, one after the other as a worker takes them, because the entries that
one unit leaves in the table answer much of the next: on 10x10 the estimate from single units was nine times too high,
from runs of 100 one and a half times. Every run that begins also ends, and the choice of runs does not depend on how
long they take: so no unit is left out because it is long.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo._core import LimitReached
from zermelo.campaign.executor import Executor
from zermelo.campaign.worker import Task
from zermelo.store import Status, UnitResult

RUN = 100  # neighbours
FEW_RUNS = 20  # a small plan has shorter runs, so that there are this many to choose from
FEW = 30  # runs under which an interval means little
NINE_IN_TEN = 1.645  # standard errors on each side
PERCENTS = (10, 25, 50, 75, 90, 99, 100)

PlannedUnit = tuple[int, str]


@dataclass(frozen=True)
class Interval:
    """An estimate, and the interval that holds 9 times in 10 if the sample is random."""

    value: float
    low: float
    high: float
    sampled: int = 0
    """Runs of the sample."""

    @property
    def rough(self) -> bool:
        """Whether the sample is so small that the interval means little."""
        return self.sampled < FEW


def total(runs: Iterable[tuple[float, int]], units: int) -> Interval:
    """Estimate the work of so many units from a random sample of runs, each with its work and its number of units.

    >>> total([(4.0, 2)] * 25, 1000)
    Interval(value=2000.0, low=2000.0, high=2000.0, sampled=25)
    """
    # One pass with five sums: there may be millions of runs.
    n, work, size, work_2, size_2, product = 0, 0.0, 0, 0.0, 0, 0.0
    for cost, count in runs:
        n, work, size = n + 1, work + cost, size + count
        work_2, size_2, product = work_2 + cost * cost, size_2 + count * count, product + cost * count
    if not size:
        return Interval(0.0, 0.0, math.inf if units else 0.0)
    mean = work / size
    # The standard error of a ratio of two sums.
    squares = max(0.0, work_2 - 2 * mean * product + mean * mean * size_2)
    error = NINE_IN_TEN * math.sqrt(squares * n / max(1, n - 1)) / size
    return Interval(units * mean, units * max(0.0, mean - error), units * (mean + error), n)


def random_runs(units: Sequence[PlannedUnit], seed: int, length: int = RUN) -> list[list[PlannedUnit]]:
    """Cut the plan into runs of neighbours; return them in an order of which every beginning is a random sample.

    >>> [len(run) for run in random_runs([(number, "") for number in range(100)], 1)][:3]
    [5, 5, 5]
    """
    length = max(1, min(length, len(units) // FEW_RUNS))
    runs = [list(units[begin : begin + length]) for begin in range(0, len(units), length)]
    random.Random(seed).shuffle(runs)
    return runs


def measure(
    executor: Executor,
    task_of: Callable[[Sequence[PlannedUnit]], Task],
    runs: Sequence[Sequence[PlannedUnit]],
    *,
    seconds: float,
) -> list[list[UnitResult]]:
    """Solve runs in this order for so many seconds; return the results of each. An interrupted unit is unfinished."""
    end = time.monotonic() + seconds
    waiting, under_way, over = list(reversed(runs)), set[int](), False
    found: list[list[UnitResult]] = []
    while waiting or under_way:
        if not over and time.monotonic() >= end:
            over = True
            waiting.clear()
            executor.interrupt(under_way)
        while waiting and len(under_way) < executor.slots() and time.monotonic() < end:
            under_way.add(executor.submit(task_of(waiting.pop())))
        for outcome in executor.wait(0.25 if over else max(0.0, min(0.25, end - time.monotonic()))):
            under_way.discard(outcome.ticket)
            found += [list(outcome.results)] if outcome.results else []
    return found


def summary(runs: Sequence[Sequence[UnitResult]], units: int) -> dict[str, Any]:
    """Return the distribution of a sample and the estimates for all units, ready for JSON.

    :raises LimitReached: if the sample is empty.
    """
    if not runs:
        raise LimitReached("no unit was solved in the time given")
    nodes = sorted(one.nodes for run in runs for one in run)
    found = Counter(one.status for run in runs for one in run)
    work = total([(sum(one.nodes for one in run), len(run)) for run in runs], units)
    hours = total([(sum(one.seconds for one in run) / 3600, len(run)) for run in runs], units)
    largest = nodes[-max(1, len(nodes) // 100) :]
    hundredths = [*statistics.quantiles(nodes * 2 if len(nodes) == 1 else nodes, n=100, method="inclusive"), nodes[-1]]
    return {
        "units": units,
        "sampled": len(nodes),
        "runs": len(runs),
        "proved": found[Status.PROVED],
        "refuted": found[Status.REFUTED],
        "unfinished": found[Status.OPEN],
        "percentiles": {str(percent): round(hundredths[percent - 1]) for percent in PERCENTS},
        "largest_hundredth": round(sum(largest) / max(sum(nodes), 1), 3),
        "nodes": work.value,
        "nodes_low": work.low,
        "nodes_high": work.high,
        "core_hours": hours.value,
        "core_hours_low": hours.low,
        "core_hours_high": hours.high,
    }
