"""Estimates: the model recovers what it is given, intervals hold about as often as they say."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import pytest

from zermelo.campaign.estimate import fit, remaining
from zermelo.campaign.executor import InlineExecutor
from zermelo.campaign.sampling import PlannedUnit, measure, random_runs, summary, total
from zermelo.campaign.service import EstimateOptions, PlanOptions, campaign_report, estimate_campaign, new_campaign
from zermelo.campaign.worker import Task
from zermelo.domineering.campaign import DomineeringTree
from zermelo.positional.campaign import MnkTree
from zermelo.store import Status, Store


def test_model_keeps_the_sum_of_the_sample() -> None:
    draw = random.Random(5)
    sample = [((float(i % 7), float(i % 3)), int(draw.lognormvariate(3 + i % 7, 1))) for i in range(400)]
    model = fit(sample)
    assert sum(model(features) for features, _ in sample) == pytest.approx(sum(nodes for _, nodes in sample), rel=1e-6)
    assert model((6.0, 1.0)) > 20 * model((1.0, 1.0))


def test_interval_holds_about_nine_times_in_ten() -> None:
    draw = random.Random(9)
    hits = 0
    for _ in range(60):
        sizes = [int(draw.lognormvariate(8, 1)) + 1 for _ in range(600)]
        left = remaining([(0.0, None, nodes) for nodes in sizes[:200]], 400, 0.0)
        hits += left.low <= sum(sizes[200:]) <= left.high
    assert 40 <= hits <= 60


def test_estimate_of_a_sample_holds_about_nine_times_in_ten() -> None:
    """Neighbours are alike: units of one run share a factor, and the interval must know."""
    draw = random.Random(4)
    runs = []
    for _ in range(500):
        factor = draw.lognormvariate(0, 1)
        runs.append([factor * draw.lognormvariate(8, 1) for _ in range(10)])
    whole = sum(map(sum, runs))
    hits = 0
    for _ in range(50):
        found = total(draw.sample(runs, 60), 5000)
        hits += found.low <= whole <= found.high
    assert 38 <= hits <= 50


def test_sample_leaves_no_unit_out_because_it_is_long() -> None:
    """After the time is up nothing is begun, and what was begun is cut short, but told as unfinished, not left out."""

    class Slow(InlineExecutor):
        def submit(self, task: Task, *, avoid: str | None = None) -> int:
            time.sleep(0.02)
            return super().submit(task, avoid=avoid)

    tree = DomineeringTree("5x5")
    units = [(number, child) for number, child in enumerate(tree.children(tree.root()))]

    def task_of(run: Sequence[PlannedUnit]) -> Task:
        few = 1 if run[0][0] == units[0][0] else 10**9
        return Task("domineering", "5x5", "V", "V", "plain", 1 << 24, few, 9.0, False, tuple(run))

    executor = Slow()
    sample = measure(executor, task_of, [[unit] for unit in units], seconds=0.05)
    executor.close()
    found = [one for run in sample for one in run]
    assert [one.node for one in found] == list(range(len(sample)))
    assert 1 <= len(sample) <= 3
    assert found[0].status is Status.OPEN
    assert all(one.status in (Status.PROVED, Status.REFUTED) for one in found[1:-1])
    report = summary(sample, 100)
    unfinished = sum(one.status is Status.OPEN for one in found)
    assert (report["sampled"], report["unfinished"]) == (len(sample), unfinished)


def test_random_runs_keep_all_units_and_depend_on_the_seed_only() -> None:
    units = [(number, str(number)) for number in range(103)]
    for length in (1, 3, 1000):
        runs = random_runs(units, length, 1)
        assert sorted(unit for run in runs for unit in run) == units
        assert all(run == units[run[0][0] : run[0][0] + len(run)] for run in runs)
        assert runs == random_runs(units, length, 1) != random_runs(units, length, 2)
        assert len(runs) >= 20


def test_neighbours_are_solved_by_one_worker_in_the_order_of_the_plan(store: Store) -> None:
    campaign = new_campaign(store, "six", DomineeringTree("6x6", "V", "V"), PlanOptions(cut=5, sample=0))
    units = [(unit.id, unit.position) for unit in store.plan(campaign).units()]
    executor = InlineExecutor()

    def task_of(run: Sequence[PlannedUnit]) -> Task:
        units = tuple(run)
        return Task("domineering", "6x6", "V", "V", "plain", 1 << 24, 10**9, 99.0, False, units)

    runs = random_runs(units, 20, 1)[:3]
    sample = measure(executor, task_of, runs, seconds=60)
    executor.close()
    assert [[one.node for one in run] for run in sample] == [[unit for unit, _ in run] for run in runs]
    assert summary(sample, len(units))["runs"] == 3


def test_few_finished_units_are_called_rough() -> None:
    assert remaining([(0.0, None, 5)] * 10, 100, 0.0).rough
    assert not remaining([(0.0, None, 5)] * 100, 100, 0.0).rough


def test_cut_is_chosen_so_that_units_are_small_enough(store: Store) -> None:
    options = PlanOptions(unit_nodes=40, sample=20, solver="plain")
    made = new_campaign(store, "c", DomineeringTree("5x5", "V", "H"), options)
    report = campaign_report(store, made)
    assert report["cut"] % 2 == 0
    assert report["cut"] >= 2
    assert 0 < sum(line["estimate"] for line in report["plies"]) < 1000 * report["units"]


def test_a_game_that_plans_itself_says_that_a_sample_tells_nothing(store: Store) -> None:
    with pytest.raises(ValueError, match="begins with one unit"):
        new_campaign(store, "a", MnkTree("4,4,4", winner="breaker"), PlanOptions(unit_nodes=1000))
    made = new_campaign(store, "b", MnkTree("4,4,4", winner="breaker"), PlanOptions())
    with pytest.raises(ValueError, match="zermelo solve mnk 4,4,4 --time"):
        estimate_campaign(store, made, EstimateOptions())
