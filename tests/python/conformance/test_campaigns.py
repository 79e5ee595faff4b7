"""A campaign of a small claim of every game: killed on the way, resumed, and joined to one certificate."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

import pytest
from cases import brute, opened
from proving import verified_by_both

from zermelo.campaign.export import export_campaign
from zermelo.campaign.runner import Runner, RunOptions
from zermelo.campaign.service import new_campaign, run_campaign
from zermelo.proof.container import Bytes, read_claim, read_payload
from zermelo.store import Status, open_store

CLAIMS = [("domineering", "4x5", "V", 3), ("domineering", "3x4:V1,1", "H", 2), ("cram", "3x5", "A", 3),
          ("cram", "3x3", "A", 2)]  # fmt: skip
SMALL_TASKS = RunOptions(unit_nodes=1_000_000, batch_seconds=0.001, memory=1 << 26)


def killed_run(path: str, steps: int) -> None:
    """Work on a campaign, and be killed after some steps."""

    def die_later(_: Runner) -> None:
        nonlocal steps
        steps -= 1
        if steps < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    with open_store(path) as store:
        run_campaign(store, store.campaign(), options=SMALL_TASKS, on_step=die_later)


@pytest.mark.parametrize(("name", "spec", "first", "cut"), CLAIMS)
def test_a_campaign_is_killed_resumed_and_exported(tmp_path: Path, name: str, spec: str, first: str, cut: int) -> None:
    game, start = opened(name, spec)
    path = str(tmp_path / "store.db")
    with open_store(path) as store:
        new_campaign(store, "small", game, spec, first=first, cut=cut)
    killed = 0
    for steps in (0, 1, 3):
        process = multiprocessing.get_context("fork").Process(target=killed_run, args=(path, steps))
        process.start()
        process.join(60)
        killed += process.exitcode == -signal.SIGKILL
    assert killed
    with open_store(path) as store:
        campaign = store.campaign()
        status = run_campaign(store, campaign, options=SMALL_TASKS)
        claimed = campaign.winner
        file = tmp_path / "whole.zc"
        export_campaign(store, campaign, file)
    claim = read_claim(Bytes(read_payload(file)))
    assert (claim.winner == claimed) == (status is Status.PROVED)
    assert claim.winner == brute(start, first)
    assert verified_by_both(file)
