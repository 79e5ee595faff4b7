"""What would the whole campaign cost? A random sample of its units is solved, and nothing is recorded.

Every unit that is begun ends by itself or at its node limit, and which units are begun does not depend on how long
they take: so a long unit is not left out because it is long.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.campaign.engine import Engine
from zermelo.campaign.worker import Task

DRAWS = 1000  # bootstrap resamples


@dataclass(frozen=True)
class Measured:
    """One unit of the sample; ``verdict`` is ``open`` where the node limit was reached."""

    unit: int
    verdict: str
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Interval:
    """An estimate, and the interval that holds 9 times in 10."""

    value: float
    low: float
    high: float


def random_order(units: Sequence[tuple[int, str]], seed: int) -> list[tuple[int, str]]:
    """Return the units in an order of which every beginning is a random sample."""
    shuffled = list(units)
    random.Random(seed).shuffle(shuffled)
    return shuffled


def measure(
    engine: Engine,
    task_of: Callable[[tuple[int, str]], Task],
    units: Sequence[tuple[int, str]],
    *,
    seconds: float,
    on_unit: Callable[[Measured], None] | None = None,
) -> list[Measured]:
    """Solve units in this order, begin none after so many seconds, and wait for those begun."""
    begin = time.monotonic()
    waiting = iter(units)
    under_way: set[int] = set()
    found: list[Measured] = []
    more = True
    while more or under_way:
        while more and len(under_way) < engine.slots():
            unit = next(waiting, None) if time.monotonic() - begin < seconds else None
            if unit is None:
                more = False
            else:
                under_way.add(engine.submit(task_of(unit)))
        for outcome in engine.wait(0.25):
            under_way.discard(outcome.ticket)
            for answer in outcome.report.found if outcome.report else ():
                one = Measured(
                    answer.node, answer.status.name.lower(), answer.nodes, answer.seconds
                )
                found.append(one)
                if on_unit:
                    on_unit(one)
    return found


def total(values: Sequence[float], units: int) -> Interval:
    """Estimate the sum over all units from a random sample, by bootstrap.

    >>> total([2.0] * 50, 1000)
    Interval(value=2000.0, low=2000.0, high=2000.0)
    """
    sample = np.array(values, dtype=float)
    draw = np.random.default_rng(1)
    means = sorted(float(draw.choice(sample, len(sample)).mean()) for _ in range(DRAWS))
    low, high = means[DRAWS // 20], means[-DRAWS // 20 - 1]
    return Interval(float(sample.mean()) * units, low * units, high * units)


def summary(sample: Sequence[Measured], units: int) -> dict[str, Any]:
    """Return the distribution of a sample and what it says of all units, ready for JSON.

    :raises ValueError: if the sample is empty.
    """
    if not sample:
        raise ValueError("no unit was solved in the time given")
    nodes = np.array([one.nodes for one in sample], dtype=float)
    work = total(nodes.tolist(), units)
    hours = total([one.seconds / 3600 for one in sample], units)
    largest = np.sort(nodes)[-max(1, len(nodes) // 100) :]
    percent = (10, 25, 50, 75, 90, 99, 100)
    return {
        "units": units,
        "sampled": len(sample),
        "proved": sum(one.verdict == "proved" for one in sample),
        "refuted": sum(one.verdict == "refuted" for one in sample),
        "unfinished": sum(one.verdict == "open" for one in sample),
        "percentiles": {str(p): round(float(np.percentile(nodes, p))) for p in percent},
        "largest_hundredth": round(float(largest.sum() / max(nodes.sum(), 1)), 3),
        "nodes": work.value,
        "nodes_low": work.low,
        "nodes_high": work.high,
        "core_hours": hours.value,
        "core_hours_low": hours.low,
        "core_hours_high": hours.high,
    }


def write_sample(path: Path, sample: Sequence[Measured]) -> None:
    """Write a sample as text: unit, verdict, nodes, seconds."""
    lines = [f"{one.unit} {one.verdict} {one.nodes} {one.seconds:.4f}\n" for one in sample]
    path.write_text("".join(lines), encoding="ascii")


def read_sample(path: Path) -> list[Measured]:
    """Read what ``write_sample`` wrote.

    :raises ValueError: if the file is missing or is something else.
    """
    sample = []
    try:
        for line in path.read_text(encoding="ascii").splitlines():
            unit, verdict, nodes, seconds, *_ = line.split()
            sample.append(Measured(int(unit), verdict, int(nodes), float(seconds)))
    except (OSError, ValueError):
        raise ValueError(
            f"file {str(path)!r} is not a sample as campaign estimate --output writes it"
        ) from None
    return sample
