"""Estimates: the model recovers what it is given, intervals hold about as often as they say."""

from __future__ import annotations

import random
import time

import pytest

from zermelo.campaign.domineering import DomineeringGame
from zermelo.campaign.engine import InlineEngine
from zermelo.campaign.estimate import fit, remaining
from zermelo.campaign.sampling import measure, random_order, summary, total
from zermelo.campaign.service import PlanOptions, campaign_report, new_campaign
from zermelo.campaign.worker import Task
from zermelo.store import open_store


def test_model_keeps_the_sum_of_the_sample() -> None:
    draw = random.Random(5)
    sample = [
        ((float(i % 7), float(i % 3)), int(draw.lognormvariate(3 + i % 7, 1))) for i in range(400)
    ]
    model = fit(sample)
    assert sum(model(features) for features, _ in sample) == pytest.approx(
        sum(nodes for _, nodes in sample), rel=1e-6
    )
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
    draw = random.Random(4)
    sizes = [draw.lognormvariate(8, 1) for _ in range(5000)]
    hits = 0
    for _ in range(50):
        found = total(draw.sample(sizes, 300), len(sizes))
        hits += found.low <= sum(sizes) <= found.high
    assert 38 <= hits <= 50


def test_sample_leaves_no_unit_out_because_it_is_long() -> None:
    """After the time is up nothing is begun, but what was begun is waited for; limits are told apart."""

    class Slow(InlineEngine):
        def submit(self, task: Task, *, avoid: str | None = None) -> int:
            time.sleep(0.02)
            return super().submit(task, avoid=avoid)

    game = DomineeringGame("5x5")
    units = [(number, child) for number, child in enumerate(game.children(game.root()))]

    def task_of(unit: tuple[int, str]) -> Task:
        few = 1 if unit[0] == units[0][0] else 10**9
        return Task("domineering", "5x5", "V", "V", "rules", 1 << 24, few, 0.0, False, (unit,))

    engine = Slow()
    sample = measure(engine, task_of, units, seconds=0.05)
    engine.close()
    assert [one.unit for one in sample] == list(range(len(sample)))
    assert 1 <= len(sample) <= 3
    assert sample[0].verdict == "open"
    assert all(one.verdict in ("proved", "refuted") for one in sample[1:])
    report = summary(sample, 100)
    assert (report["sampled"], report["unfinished"]) == (len(sample), 1)


def test_random_order_keeps_all_units_and_depends_on_the_seed_only() -> None:
    units = [(number, str(number)) for number in range(100)]
    assert sorted(random_order(units, 1)) == units
    assert random_order(units, 1) == random_order(units, 1) != random_order(units, 2)


def test_few_finished_units_are_called_rough() -> None:
    assert remaining([(0.0, None, 5)] * 10, 100, 0.0).rough
    assert not remaining([(0.0, None, 5)] * 100, 100, 0.0).rough


def test_cut_is_chosen_so_that_units_are_small_enough() -> None:
    with open_store(":memory:") as store:
        options = PlanOptions(unit_nodes=40, sample=20, solver="rules")
        made = new_campaign(
            store, "c", game="domineering", spec="5x5", first="V", winner="H", options=options
        )
        report = campaign_report(store, made)
        assert report["cut"] % 2 == 0
        assert report["cut"] >= 2
        assert 0 < sum(line["estimate"] for line in report["plies"]) < 1000 * report["units"]
