"""Estimates: the model recovers what it is given, intervals hold about as often as they say."""

from __future__ import annotations

import random

import pytest

from zermelo.campaign.estimate import fit, remaining
from zermelo.campaign.service import PlanOptions, campaign_report, new_campaign
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
