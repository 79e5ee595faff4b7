"""How much work is it? An estimate from a random sample of units, with an interval that holds 9 times in 10."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
SAMPLE = 20_000  # units kept in memory for the distribution
RESAMPLE = 1000  # of them drawn again at a time: 200 times takes a tenth of a second


@dataclass(frozen=True)
class Interval:
    """An estimate, and the interval that holds 9 times in 10."""

    value: float
    low: float
    high: float


def bootstrap(rows: Sequence[T], total: Callable[[Sequence[T]], float], draws: int) -> Interval:
    """Estimate a total from a random sample of rows, with an interval from drawing rows again and again.

    >>> bootstrap([2.0] * 25, lambda rows: 1000 * sum(rows) / len(rows), 200)
    Interval(value=2000.0, low=2000.0, high=2000.0)
    """
    few, draw = min(len(rows), RESAMPLE), random.Random(1)
    drawn = sorted(total(draw.choices(rows, k=few)) for _ in range(draws))
    # A resample of fewer rows than there are scatters more; bring the interval back to its width.
    centre, shrink = total(rows), math.sqrt(few / len(rows))
    low, high = (centre + shrink * (edge - centre) for edge in (drawn[draws // 20], drawn[-draws // 20 - 1]))
    return Interval(centre, max(low, 0.0), high)


@dataclass(frozen=True)
class Remaining(Interval):
    """Work left, in search nodes; the interval is right if units come in random order."""

    finished: int

    @property
    def rough(self) -> bool:
        """Whether so few units are finished that the interval means little."""
        return self.finished < 30


def reservoir(values: Iterable[T], size: int) -> tuple[list[T], int]:
    """Return a random sample of a stream, in random order, and how long the stream was.

    >>> sample, count = reservoir(range(1000), 10)
    >>> len(sample), count
    (10, 1000)
    """
    draw = random.Random(1)
    sample: list[T] = []
    count = 0
    for value in values:
        count += 1
        if count <= size:
            sample.append(value)
        elif (place := draw.randrange(count)) < size:
            sample[place] = value
    draw.shuffle(sample)
    return sample, count


def remaining(finished: Iterable[int], open_units: int) -> Remaining:
    """Estimate the work left: the open units cost what the finished ones cost on average, in nodes.

    >>> remaining([20] * 50, 5).value
    100.0
    """
    sample, count = reservoir(finished, SAMPLE)
    if not sample or not open_units:
        return Remaining(0.0, 0.0, 0.0 if not open_units else math.inf, count)
    found = bootstrap(sample, lambda rows: open_units * sum(rows) / len(rows), draws=200)
    return Remaining(found.value, found.low, found.high, count)
