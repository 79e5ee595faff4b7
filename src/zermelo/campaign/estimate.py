"""How much work is it? A model from a sample before the start, and from the finished units on the way."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from zermelo.campaign.game import Game
from zermelo.campaign.planner import Planner
from zermelo.campaign.solvers import UnitSolver
from zermelo.store import Status

SAMPLE = 20_000  # units kept in memory for the distribution


@dataclass(frozen=True)
class Remaining:
    """Work left, in search nodes, with an interval that holds 9 times in 10 if units come in random order."""

    nodes: float
    low: float
    high: float
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
    rows = np.array([[1.0, *features] for features, _ in sample])
    logs = np.log([max(nodes, 1) for _, nodes in sample])
    centre = rows.mean(axis=0)
    centre[0] = 0.0
    centred = rows - centre
    ridge = 1e-6 * len(sample) * np.eye(rows.shape[1])
    weights = np.linalg.solve(centred.T @ centred + ridge, centred.T @ logs)
    weights[0] -= float(weights @ centre)
    expected = np.exp(np.minimum(rows @ weights, 60.0)).sum()
    scale = sum(nodes for _, nodes in sample) / float(expected)
    return SizeModel(tuple(float(w) for w in weights), scale)


@dataclass(frozen=True)
class Sample:
    """Features and sizes of some units; those that reached the limit count with the limit, so it is a lower bound."""

    sizes: list[tuple[tuple[float, ...], int]]
    unfinished: int


def calibrate(
    game: Game,
    planner: Planner,
    solver: UnitSolver,
    *,
    units: int,
    nodes: int,
    seconds: float,
    clock: Callable[[], float],
) -> Sample:
    """Solve a random sample of the plan's units."""
    chosen = reservoir((node.position for node in planner.plan.units()), units)
    begin = clock()
    sizes = []
    unfinished = 0
    for position in chosen:
        answer = solver.solve(position, nodes=nodes)
        unfinished += answer.status is Status.OPEN
        sizes.append((tuple(game.features(position, planner.winner)), answer.nodes))
        if clock() - begin > seconds:
            break
    return Sample(sizes, unfinished)


def reservoir(values: Iterable[str], size: int, seed: int = 1) -> list[str]:
    """Return a random sample of a stream, in random order.

    >>> len(reservoir((str(i) for i in range(1000)), 10))
    10
    """
    draw = random.Random(seed)
    kept: list[str] = []
    for number, value in enumerate(values):
        if number < size:
            kept.append(value)
        elif (place := draw.randrange(number + 1)) < size:
            kept[place] = value
    draw.shuffle(kept)
    return kept


def remaining(finished: Iterable[tuple[float, float | None, int]], open_units: int, open_estimate: float) -> Remaining:
    """Estimate the work left from finished units (seconds, estimate, nodes).

    With estimates it is a ratio estimator: what the open units are expected to cost, times how much dearer or
    cheaper the finished ones were than expected. The interval is a bootstrap over the finished units.

    >>> remaining([(1.0, 10.0, 20)] * 50, 5, 50.0).nodes
    100.0
    """
    draw = random.Random(1)
    kept: list[tuple[float, float]] = []
    count = 0
    for _, estimate, nodes in finished:
        count += 1
        row = (float(nodes), float(estimate) if estimate else 0.0)
        if len(kept) < SAMPLE:
            kept.append(row)
        elif (place := draw.randrange(count)) < SAMPLE:
            kept[place] = row
    if not kept or not open_units:
        return Remaining(0.0, 0.0, 0.0 if not open_units else math.inf, count)
    table = np.array(kept)
    by_estimate = open_estimate > 0 and bool((table[:, 1] > 0).all())

    def work(rows: np.ndarray) -> float:
        if by_estimate:
            return float(open_estimate * rows[:, 0].sum() / rows[:, 1].sum())
        return float(open_units * rows[:, 0].mean())

    choose = np.random.default_rng(1)
    few = min(len(table), 2000)
    draws = sorted(work(table[choose.integers(0, len(table), few)]) for _ in range(200))
    # A resample of fewer rows than there are scatters more; bring the interval back to its width.
    centre, shrink = work(table), math.sqrt(few / len(table))
    low, high = (centre + shrink * (edge - centre) for edge in (draws[9], draws[189]))
    return Remaining(centre, max(low, 0.0), high, count)
