"""How long would it take on 10, 1,000 or 100,000 workers? A model run with measured unit sizes.

The model: one dispatcher hands out tasks one after the other, each costs it a fixed time; a worker takes the next
task when it is free; a task is a batch of units, as the runner makes them; each unit's result costs the store a
fixed time, beside the dispatcher. Units larger than a cap are split. It is list scheduling with a serial server,
so it shows both ways a large cluster is wasted: a dispatcher that cannot keep up, and one long unit at the end.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Costs:
    """What handing out and storing cost, measured on one machine (docs/howto-cluster.md)."""

    dispatch_seconds: float = 0.001  # Dask: some 1,000 tasks a second
    record_seconds: float = 0.00005  # the store: some 20,000 results a second
    start_seconds: float = 5.0  # a worker's start: imports, strip tables
    batch_seconds: float = 2.0
    cap_seconds: float = 60.0  # larger units are split


@dataclass(frozen=True)
class Prediction:
    """What the model says for a number of workers."""

    workers: int
    units: int
    tasks: int
    work_seconds: float
    makespan: float
    efficiency: float
    dispatcher_load: float
    results_per_second: float
    limited_by: str


MOST_PIECES = 20_000_000


def tasks_of(sizes: Sequence[float], costs: Costs, workers: int) -> list[float]:
    """Split what is too large and put what is small together, as the runner does.

    >>> tasks_of([1.0] * 4 + [150.0], Costs(batch_seconds=2.0, cap_seconds=60.0), 1)
    [2.0, 2.0, 50.0, 50.0, 50.0]
    """
    pieces: list[float] = []
    for size in sizes:
        parts = max(1, math.ceil(size / costs.cap_seconds))
        if len(pieces) + parts > MOST_PIECES:
            raise ValueError(f"more than {MOST_PIECES:,} pieces: take fewer units, a smaller scale or a larger cap")
        pieces += [size / parts] * parts
    # With many workers a batch is at most a worker's share.
    batch = min(costs.batch_seconds, max(sum(pieces) / workers / 4, 0.01))
    tasks: list[float] = []
    current = 0.0
    for piece in pieces:
        if current and current + piece > batch * 1.0001:
            tasks.append(current)
            current = 0.0
        current += piece
    if current:
        tasks.append(current)
    return tasks


def predict(sizes: Sequence[float], workers: int, costs: Costs) -> Prediction:
    """Run the model.

    >>> round(predict([1.0] * 1000, 10, Costs(start_seconds=0, dispatch_seconds=0)).efficiency, 2)
    1.0
    """
    if workers < 1 or not sizes:
        raise ValueError("the model needs at least one worker and one unit")
    tasks = tasks_of(sizes, costs, workers)
    free = [costs.start_seconds] * min(workers, len(tasks))
    now = costs.start_seconds
    last = 0.0
    for seconds in tasks:
        begin = max(now, heapq.heappop(free))
        now = begin + costs.dispatch_seconds
        finished = now + seconds
        last = max(last, finished)
        heapq.heappush(free, finished)
    store = costs.start_seconds + len(sizes) * costs.record_seconds
    makespan = max(last, store)
    work = sum(sizes)
    dispatcher = len(tasks) * costs.dispatch_seconds / makespan
    if makespan == store:
        limit = "store"
    elif dispatcher > 0.8:
        limit = "scheduler"
    elif costs.start_seconds > makespan / 2:
        limit = "start of the workers"
    elif work / workers < max(tasks):
        limit = "longest unit"
    else:
        limit = "workers"
    return Prediction(
        workers=workers,
        units=len(sizes),
        tasks=len(tasks),
        work_seconds=work,
        makespan=makespan,
        efficiency=work / (workers * makespan),
        dispatcher_load=dispatcher,
        results_per_second=len(sizes) / makespan,
        limited_by=limit,
    )


def resample(measured: Sequence[float], units: int) -> list[float]:
    """Draw a whole campaign's unit sizes from those measured."""
    return random.Random(1).choices(measured, k=units)
