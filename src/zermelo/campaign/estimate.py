"""How much work is it? A model from a sample before the start, and from the finished units on the way."""

from __future__ import annotations

import math
import operator
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


@dataclass(frozen=True)
class SizeModel:
    """Expected nodes of a unit: exp(weights . features), scaled so that the sample's sum is right."""

    weights: tuple[float, ...]
    scale: float

    def __call__(self, features: Sequence[float]) -> float:
        value = self.weights[0] + sum(w * f for w, f in zip(self.weights[1:], features, strict=True))
        return self.scale * math.exp(min(value, 60.0))


def fit(sample: Sequence[tuple[Sequence[float], int]]) -> SizeModel:
    """Fit a model to (features, nodes) of solved units, by ridge regression on the logarithm.

    >>> model = fit([((1.0,), 10), ((2.0,), 100), ((3.0,), 1000), ((4.0,), 10000)])
    >>> 300 < model((2.5,)) < 330
    True
    """
    if not sample:
        raise ValueError("no unit was solved, so there is nothing to estimate from")
    rows = [[1.0, *features] for features, _ in sample]
    logs = [math.log(max(nodes, 1)) for _, nodes in sample]
    # Centred, so that the ridge does not pull at the constant.
    centre = [0.0, *(math.fsum(column) / len(rows) for column in list(zip(*rows, strict=True))[1:])]
    columns = list(zip(*([x - c for x, c in zip(row, centre, strict=True)] for row in rows), strict=True))
    matrix = [[dot(one, two) for two in columns] for one in columns]
    for place in range(len(matrix)):
        matrix[place][place] += 1e-6 * len(sample)
    weights = solved(matrix, [dot(column, logs) for column in columns])
    weights[0] -= dot(weights, centre)
    expected = math.fsum(math.exp(min(dot(row, weights), 60.0)) for row in rows)
    return SizeModel(tuple(weights), sum(nodes for _, nodes in sample) / expected)


def dot(one: Sequence[float], two: Sequence[float]) -> float:
    """Return the sum of products."""
    return math.fsum(map(operator.mul, one, two))


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve linear equations with a positive definite matrix, by elimination.

    >>> solved([[2.0, 1.0], [1.0, 2.0]], [3.0, 3.0])
    [1.0, 1.0]
    """
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for place, pivot in enumerate(rows):
        pivot[:] = [value / pivot[place] for value in pivot]
        for row in rows:
            if row is not pivot:
                factor = row[place]
                row[:] = [value - factor * p for value, p in zip(row, pivot, strict=True)]
    return [row[-1] for row in rows]


@dataclass(frozen=True)
class Sample:
    """Features and sizes of some units; those that reached the limit count with the limit, so it is a lower bound."""

    sizes: list[tuple[tuple[float, ...], int]]
    unfinished: int


def reservoir(values: Iterable[T], size: int) -> tuple[list[T], int]:
    """Return a random sample of a stream, in random order, and how long the stream was.

    >>> kept, count = reservoir(range(1000), 10)
    >>> len(kept), count
    (10, 1000)
    """
    draw = random.Random(1)
    kept: list[T] = []
    count = 0
    for value in values:
        count += 1
        if count <= size:
            kept.append(value)
        elif (place := draw.randrange(count)) < size:
            kept[place] = value
    draw.shuffle(kept)
    return kept, count


def remaining(finished: Iterable[tuple[float, float | None, int]], open_units: int, open_estimate: float) -> Remaining:
    """Estimate the work left from finished units (seconds, estimate, nodes).

    With estimates it is a ratio estimator: what the open units are expected to cost, times how much more or less
    the finished ones cost than expected. The interval is a bootstrap over the finished units.

    >>> remaining([(1.0, 10.0, 20)] * 50, 5, 50.0).value
    100.0
    """
    rows = ((float(nodes), float(estimate or 0)) for _, estimate, nodes in finished)
    kept, count = reservoir(rows, SAMPLE)
    if not kept or not open_units:
        return Remaining(0.0, 0.0, 0.0 if not open_units else math.inf, count)
    by_estimate = open_estimate > 0 and all(estimate > 0 for _, estimate in kept)

    def work(rows: Sequence[tuple[float, float]]) -> float:
        if by_estimate:
            return open_estimate * sum(nodes for nodes, _ in rows) / sum(estimate for _, estimate in rows)
        return open_units * sum(nodes for nodes, _ in rows) / len(rows)

    found = bootstrap(kept, work, draws=200)
    return Remaining(found.value, found.low, found.high, count)
