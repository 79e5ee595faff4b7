"""Estimates: intervals hold about as often as they say, and samples are fair."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Sequence

from zermelo.campaign.estimate import PlannedUnit, measure, random_runs, summary, total
from zermelo.campaign.executor import Executor
from zermelo.campaign.service import campaign_report, new_campaign
from zermelo.campaign.worker import Task
from zermelo.game import find_game
from zermelo.store import Status, Store


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
        found = total([(sum(run), len(run)) for run in draw.sample(runs, 60)], 5000)
        hits += found.low <= whole <= found.high
    assert 38 <= hits <= 50


def test_sample_leaves_no_unit_out_because_it_is_long(store: Store) -> None:
    """When the time is over no unit begins, and those under way are cut short, but counted as unfinished."""
    campaign = new_campaign(store, "c", find_game("domineering"), "7x7", cut=3)
    units = [(unit.id, unit.position) for unit in store.plan(campaign).units()]

    def task_of(run: Sequence[PlannedUnit]) -> Task:
        time.sleep(0.02)
        return Task(campaign, tuple(run), 1 << 24, 1 if run[0] == units[0] else 10**9)

    with contextlib.closing(Executor()) as executor:
        sample = measure(executor, task_of, [[unit] for unit in units], seconds=0.05)
    found = [one for run in sample for one in run]
    assert [one.node for one in found] == [number for number, _ in units[: len(sample)]]
    assert 1 <= len(sample) <= 3 and found[0].status is Status.OPEN
    assert all(one.status in (Status.PROVED, Status.REFUTED) for one in found[1:-1])
    report = summary(sample, 100)
    unfinished = sum(one.status is Status.OPEN for one in found)
    assert (report["sampled"], report["unfinished"]) == (len(sample), unfinished)


def test_random_runs_keep_all_units_and_depend_on_the_seed_only() -> None:
    units = [(number, str(number)) for number in range(103)]
    for length in (1, 3, 1000):
        runs = random_runs(units, 1, length)
        assert sorted(unit for run in runs for unit in run) == units
        assert all(run == units[run[0][0] : run[0][0] + len(run)] for run in runs)
        assert runs == random_runs(units, 1, length) != random_runs(units, 2, length)
        assert len(runs) >= 20


def test_neighbours_are_solved_by_one_worker_in_the_order_of_the_plan(store: Store) -> None:
    campaign = new_campaign(store, "six", find_game("domineering"), "6x6", cut=5)
    units = [(unit.id, unit.position) for unit in store.plan(campaign).units()]
    runs = random_runs(units, 1, 20)[:3]
    with contextlib.closing(Executor()) as executor:
        sample = measure(executor, lambda run: Task(campaign, tuple(run), 1 << 24), runs, seconds=60)
    assert [[one.node for one in run] for run in sample] == [[unit for unit, _ in run] for run in runs]
    assert summary(sample, len(units))["runs"] == 3


def test_cut_is_chosen_so_that_units_are_small_enough(store: Store) -> None:
    made = new_campaign(store, "c", find_game("domineering"), "8x8", unit_nodes=200)
    report = campaign_report(store, made)
    assert report["cut"] % 2 == 1
    assert report["cut"] >= 3
