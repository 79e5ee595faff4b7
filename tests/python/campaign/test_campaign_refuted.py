"""A claim that is wrong is refuted about as soon as a search would tell, and said to be wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zermelo.campaign.executor import DaskExecutor, Executor, InlineExecutor
from zermelo.campaign.planner import Planner
from zermelo.campaign.runner import RunOptions
from zermelo.campaign.service import (
    PlanOptions,
    campaign_planner,
    campaign_report,
    export_campaign,
    new_campaign,
    run_campaign,
)
from zermelo.domineering.campaign import DomineeringTree
from zermelo.proof import check_file
from zermelo.store import Campaign, Status, Store

OPTIONS = RunOptions(memory=1 << 26, stop_seconds=300, split_seconds=300)  # workers of a busy machine start late


def wrong_campaign(store: Store) -> Campaign:
    """H wins 7x9 whoever starts; that V wins is refuted by a search of 6,400 nodes, and move by move in 3,000 units."""
    options = PlanOptions(cut=3, sample=0, probe=100)
    return new_campaign(store, "c", DomineeringTree("7x9", "V", "V"), options)


def two_workers() -> Executor:
    return DaskExecutor(workers=2, together=True)


@pytest.mark.parametrize("trust", [True, False])
@pytest.mark.parametrize("executor", [InlineExecutor, two_workers])
def test_wrong_claim_is_refuted_at_once(store: Store, executor: type[Executor], trust: bool, tmp_path: Path) -> None:
    campaign = wrong_campaign(store)
    status = run_campaign(store, campaign, executor=executor, options=OPTIONS, trust=trust)
    assert status is Status.REFUTED
    report = campaign_report(store, campaign)
    assert report["nodes"] < 200_000  # without the search of the root: 3,000 units in more than a minute
    assert (report["wins"], report["units"], report["refuted"]) == ("H", 1, 1)
    if not trust:
        assert export_campaign(store, campaign, tmp_path / "c.zc", solver="auto") == 0
        found = check_file(tmp_path / "c.zc")
        assert found.verified
        assert found.said["winner"] == "H"


def test_wrong_claim_is_refuted_soon_where_the_root_is_beyond_a_search(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a large campaign: units are refuted first, then the choices above them as a whole."""
    monkeypatch.setattr(Planner, "recheck_root", lambda planner, spent: False)
    campaign = wrong_campaign(store)
    status = run_campaign(store, campaign, executor=InlineExecutor, options=OPTIONS, trust=True)
    assert status is Status.REFUTED
    assert 10 < len(list(store.results(campaign, live=False))) < 500


def test_second_look_leaves_a_claim_alone_that_holds(store: Store) -> None:
    options = PlanOptions(cut=3, sample=0, probe=0)
    campaign = new_campaign(store, "c", DomineeringTree("6x6", "V", "V"), options)
    planner = campaign_planner(store, campaign)
    units = [unit.id for unit in planner.plan.units()]
    assert len(units) > 10
    assert not planner.recheck_root(300_000)
    assert [unit.id for unit in planner.plan.units()] == units


def test_refuted_claim_is_told_in_one_line_with_exit_code_1(campaign: Callable[..., Any]) -> None:
    campaign("new", "domineering", "4x5", "--first", "V", "--winner", "H", "--cut", "2")
    run = campaign("run", "--workers", "0")
    assert run.code == 1
    assert run.out == "H wins domineering 4x5 if V starts: the claim is false, V wins\n"
    again = campaign("run", "--workers", "0", "--json")
    assert again.code == 1
    report = json.loads(again.out)
    assert (report["status"], report["winner"], report["wins"]) == ("refuted", "H", "V")


def test_claim_that_is_refused_makes_no_store(campaign: Callable[..., Any], tmp_path: Path) -> None:
    assert "256 squares" in campaign("new", "domineering", "30x30").err
    assert list(tmp_path.iterdir()) == []
