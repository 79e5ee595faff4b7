"""An estimate of the cost of a whole campaign: a random sample of its units is solved, and nothing is recorded.

The sample is made of runs of neighbouring units, one after the other as a worker takes them, because the entries that
one unit leaves in the table answer much of the next: on 10x10 the estimate from single units was nine times too high,
from runs of 100 one and a half times. Every run that begins also ends, and the choice of runs does not depend on how
long they take: so no unit is left out because it is long.
"""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from zermelo.campaign.estimate import Interval, bootstrap
from zermelo.campaign.executor import Executor
from zermelo.campaign.worker import Task
from zermelo.store import Status, UnitResult

DRAWS = 1000  # bootstrap resamples
RUN = 100  # neighbours
FEW = 20  # runs under which an interval means little

PlannedUnit = tuple[int, str]
Runs = Sequence[Sequence[UnitResult]]


def random_runs(units: Sequence[PlannedUnit], seed: int, length: int = RUN) -> list[list[PlannedUnit]]:
    """Cut the plan into runs of neighbours; return them in an order of which every beginning is a random sample.

    A small plan has shorter runs, so that there are enough to choose from.

    >>> [len(run) for run in random_runs([(number, "") for number in range(100)], 1)][:3]
    [5, 5, 5]
    """
    length = max(1, min(length, len(units) // FEW))
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
    begin = time.monotonic()
    waiting = iter(enumerate(runs))
    under_way: dict[int, int] = {}
    found: dict[int, list[UnitResult]] = {}
    more, cut = True, False
    while more or under_way:
        while more and len(under_way) < executor.slots():
            late = time.monotonic() - begin >= seconds
            number, run = (None, ()) if late else next(waiting, (None, ()))
            if number is None:
                more = False
            else:
                under_way[executor.submit(task_of(run))] = number
        left = begin + seconds - time.monotonic()
        if left <= 0 and not cut:
            cut = True
            executor.interrupt(under_way)
        for outcome in executor.wait(0.25 if cut else min(0.25, left)):
            number = under_way.pop(outcome.ticket, None)
            if number is not None and outcome.results:
                found[number] = list(outcome.results)
    return list(found.values())


def total(runs: Sequence[Sequence[float]], units: int) -> Interval:
    """Estimate the sum over all units from a random sample of runs, by bootstrap over the runs.

    >>> total([[2.0, 2.0]] * 25, 1000)
    Interval(value=2000.0, low=2000.0, high=2000.0)
    """
    pairs = [(math.fsum(run), len(run)) for run in runs]

    def work(drawn: Sequence[tuple[float, int]]) -> float:
        return units * (math.fsum(work for work, _ in drawn) / sum(count for _, count in drawn))

    return bootstrap(pairs, work, DRAWS)


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Return the value below which so many hundredths of the ordered values lie, between two of them if need be.

    >>> percentile([1.0, 2.0, 4.0], 75)
    3.0
    """
    place, part = divmod(percent / 100 * (len(ordered) - 1), 1)
    low, high = ordered[int(place)], ordered[min(int(place) + 1, len(ordered) - 1)]
    return low + part * (high - low)


class NothingSolvedError(ValueError):
    """A sample is empty: its time was too short."""


def summary(runs: Runs, units: int) -> dict[str, Any]:
    """Return the distribution of a sample and the estimates for all units, ready for JSON.

    :raises ValueError: if the sample is empty.
    """
    if not runs:
        raise NothingSolvedError("no unit was solved in the time given")
    nodes = sorted(float(one.nodes) for run in runs for one in run)
    found = Counter(one.status for run in runs for one in run)
    work = total([[one.nodes for one in run] for run in runs], units)
    hours = total([[one.seconds / 3600 for one in run] for run in runs], units)
    largest = nodes[-max(1, len(nodes) // 100) :]
    percent = (10, 25, 50, 75, 90, 99, 100)
    return {
        "units": units,
        "sampled": len(nodes),
        "runs": len(runs),
        "proved": found[Status.PROVED],
        "refuted": found[Status.REFUTED],
        "unfinished": found[Status.OPEN],
        "percentiles": {str(p): round(percentile(nodes, p)) for p in percent},
        "largest_hundredth": round(sum(largest) / max(sum(nodes), 1), 3),
        "nodes": work.value,
        "nodes_low": work.low,
        "nodes_high": work.high,
        "core_hours": hours.value,
        "core_hours_low": hours.low,
        "core_hours_high": hours.high,
    }
