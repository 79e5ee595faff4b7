"""A wrong claim is refuted about as soon as a search refutes it, and the commands say so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zermelo.campaign.executor import Executor
from zermelo.campaign.export import export_campaign
from zermelo.campaign.planner import Planner
from zermelo.campaign.runner import RunOptions
from zermelo.campaign.service import campaign_report, new_campaign, planner_search, run_campaign
from zermelo.game import find_game
from zermelo.proof import check_file
from zermelo.store import Campaign, Status, Store

OPTIONS = RunOptions(memory=1 << 26, stop_seconds=300, split_seconds=300)  # workers of a busy machine start late


def wrong_campaign(store: Store) -> Campaign:
    """H wins 7x9 whoever starts; that V wins is refuted by a search of 6,400 nodes, and move by move in 3,000 units."""
    return new_campaign(store, "c", find_game("domineering"), "7x9", cut=3)


@pytest.mark.parametrize("workers", [1, 2])
def test_wrong_claim_is_refuted_at_once(store: Store, workers: int, tmp_path: Path) -> None:
    campaign = wrong_campaign(store)
    status = run_campaign(store, campaign, executor=lambda: Executor(workers), options=OPTIONS)
    assert status is Status.REFUTED
    report = campaign_report(store, campaign)
    assert report["nodes"] < 200_000  # without the search of the root: 3,000 units in more than a minute
    assert (report["wins"], report["units"], report["refuted"]) == ("H", 1, 1)
    assert export_campaign(store, campaign, tmp_path / "c.zc") == 0
    found = check_file(tmp_path / "c.zc")
    assert found.verified
    assert found.said["winner"] == "H"


def test_wrong_claim_is_refuted_soon_where_the_root_is_beyond_a_search(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a large campaign: units are refuted first, then the choices above them as a whole."""
    monkeypatch.setattr(Planner, "recheck_root", lambda planner, spent: False)
    campaign = wrong_campaign(store)
    assert run_campaign(store, campaign, options=OPTIONS) is Status.REFUTED
    assert 10 < len(list(store.sizes(campaign))) < 500


def test_second_look_leaves_a_claim_alone_that_holds(store: Store) -> None:
    campaign = new_campaign(store, "c", find_game("domineering"), "6x6", cut=3)
    planner = Planner(campaign, store.plan(campaign), planner_search(campaign))
    units = [unit.id for unit in planner.plan.units()]
    assert len(units) > 10
    assert not planner.recheck_root(300_000)
    assert [unit.id for unit in planner.plan.units()] == units


def test_refuted_claim_is_reported_in_one_line_with_exit_code_1(campaign: Callable[..., Any]) -> None:
    campaign("new", "domineering", "4x5", "--first", "V", "--winner", "H", "--cut", "2")
    run = campaign("run", "--workers", "0")
    assert run.code == 1
    assert run.out == "H wins domineering 4x5 if V starts: the claim is false, V wins\n"
    again = campaign("run", "--workers", "0", "--json")
    assert again.code == 1
    report = json.loads(again.out)
    assert (report["status"], report["winner"], report["wins"]) == ("refuted", "H", "V")
