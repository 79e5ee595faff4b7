"""Faults that really happen: processes are killed, workers lie or hang. A full disk: tests/python/store and faults.

The claim is of Cram: its workers are processes, and a unit takes a few milliseconds.
ZERMELO_EXHAUSTIVE=1 makes 20 kills of each kind; ZERMELO_FAULTS=N makes N of each kind, and a fifth as
many of the other faults. Moments are random and come from ZERMELO_SEED.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from clusters import LooseCluster
from processes import ZERMELO, wait_until

from zermelo.campaign.export import export_campaign
from zermelo.campaign.service import new_campaign
from zermelo.campaign.turn import Turn
from zermelo.game import Limits, find_game
from zermelo.proof import check_file
from zermelo.store import Status, open_store

ROUNDS = int(os.environ.get("ZERMELO_FAULTS", 20 if os.environ.get("ZERMELO_EXHAUSTIVE") else 3))
SEED = int(os.environ.get("ZERMELO_SEED", "1"))
TIMES = range(SEED, SEED + max(1, ROUNDS // 5))
UNITS = 114
"""Units of the plan; repairs make some 240 more on the way."""


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    with open_store(str(path)) as store:
        campaign = new_campaign(store, "c", find_game("cram"), "3x7", first="A", winner="A", cut=7)
        assert store.counts(campaign).units == UNITS
    return path


def command(path: Path, *more: str) -> list[str]:
    return [ZERMELO, "campaign", "run", "--store", str(path), "--json", *more]


def started(path: Path, *more: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(command(path, *more), stdout=subprocess.PIPE, text=True, **options)


def environment(tmp_path: Path, **fault: str) -> dict[str, str]:
    """An environment in which workers misbehave as the variables say, see sitecustomize.py."""
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, "ZERMELO_TEST_FAULT": str(tmp_path / "fault"), **fault}


def run_to_the_end(path: Path, env: dict[str, str], *more: str) -> dict[str, object]:
    run = subprocess.run(command(path, *more), env=env, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr[-2000:]
    report: dict[str, object] = json.loads(run.stdout.splitlines()[-1])
    return report


def check_sound(path: Path) -> None:
    """Every unit the proof rests on is proved, every result is right, and so is the certificate of the whole."""
    game = find_game("cram")
    chooser = game.chooser(Limits())
    with open_store(str(path)) as store:
        campaign = store.campaign()
        assert campaign.status is Status.PROVED
        assert all(unit.status is Status.PROVED for unit in store.plan(campaign).units())
        rows = store.database.rows("SELECT position, status FROM results JOIN nodes ON nodes.id = results.node")
        for text, status in rows:
            turn = Turn.read(game, text)
            assert campaign.status_of(chooser.answer(*turn, Limits()).winner) == status
        export_campaign(store, campaign, path.with_suffix(".zc"))
    assert check_file(path.with_suffix(".zc")).verified


def finish(path: Path, tmp_path: Path, before: dict[int, float]) -> None:
    """Run to the end; earlier results are still there, and all is right."""
    run_to_the_end(path, environment(tmp_path), "--workers", "0")
    assert before.items() <= recorded(path).items()
    check_sound(path)


def recorded(path: Path) -> dict[int, float]:
    with open_store(str(path)) as store:
        return dict(store.database.rows("SELECT node, finished FROM results"))


def wait_for_more(path: Path, count: int, pause: float = 0.02) -> None:
    """Wait until more than so many units are recorded."""
    wait_until(lambda: len(recorded(path)) > count, 60, pause)


def unfinished(path: Path) -> bool:
    with open_store(str(path)) as store:
        return store.counts(store.campaign()).open > 0


def workers_of(runner: subprocess.Popen[str]) -> list[psutil.Process]:
    """The worker processes below a runner, not their nannies."""
    with contextlib.suppress(psutil.Error):
        below = psutil.Process(runner.pid).children(recursive=True)
        return [process for process in below if any("spawn_main" in word for word in process.cmdline())]
    return []


def test_killed_runner_goes_on_without_losing_or_repeating_units(store_path: Path, tmp_path: Path) -> None:
    draw = random.Random(10 * SEED + 1)
    env = environment(tmp_path, ZERMELO_TEST_SLOW=str(0.014 * ROUNDS))
    before: dict[int, float] = {}
    for _ in range(ROUNDS):
        with started(store_path, "--workers", "0", env=env) as runner:
            wait_for_more(store_path, len(before))
            time.sleep(0.5 * draw.random())
            runner.kill()
        after = recorded(store_path)
        assert before.items() <= after.items()  # nothing lost, nothing written twice
        before = after
    assert 0 < len(before) < UNITS  # the kills came in the middle
    print(f"{ROUNDS} runners killed")
    finish(store_path, tmp_path, before)


@pytest.mark.parametrize(("workers", "number"), [("0", signal.SIGINT), ("2", signal.SIGINT), ("2", signal.SIGTERM)])
def test_interrupted_run_ends_at_once_and_goes_on_later(
    workers: str, number: signal.Signals, store_path: Path, tmp_path: Path
) -> None:
    """Ctrl-C, or a time-out: a signal to the whole group; finished units stay, leases are given back."""
    env = environment(tmp_path, ZERMELO_TEST_SLOW="0.05")
    group = {"env": env, "stderr": subprocess.PIPE, "process_group": 0}
    with started(store_path, "--workers", workers, **group) as runner:
        wait_for_more(store_path, 0)
        below = psutil.Process(runner.pid).children(recursive=True)
        os.killpg(runner.pid, number)
        begin = time.monotonic()
        _, errors = runner.communicate(timeout=30)
    assert runner.returncode == 130, errors
    assert errors == "zermelo: interrupted\n"
    assert time.monotonic() - begin < 10
    assert psutil.wait_procs(below, timeout=10)[1] == []
    before = recorded(store_path)
    assert 0 < len(before) < UNITS
    with open_store(str(store_path)) as store:
        assert store.lease_owners(store.campaign()) == []
    finish(store_path, tmp_path, before)


def test_killed_workers_are_replaced_and_their_units_done(store_path: Path, tmp_path: Path) -> None:
    draw = random.Random(10 * SEED + 2)
    env = environment(tmp_path, ZERMELO_TEST_SLOW=str(0.011 * ROUNDS))
    with started(store_path, "--workers", "2", env=env) as runner:
        killed = 0
        while runner.poll() is None and killed < ROUNDS:
            time.sleep(1.0 + draw.random())
            if not recorded(store_path):
                continue
            workers = workers_of(runner)
            if workers and unfinished(store_path):
                draw.choice(workers).kill()
                killed += 1
        output, _ = runner.communicate(timeout=60 * ROUNDS)
    print(f"{killed} workers killed")
    assert killed > 0
    assert runner.returncode == 0
    assert json.loads(output.splitlines()[-1])["status"] in ("proved", "refuted")
    check_sound(store_path)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LooseCluster]:
    slow = environment(tmp_path_factory.mktemp("cluster"), ZERMELO_TEST_SLOW=str(0.014 * ROUNDS))
    with contextlib.closing(LooseCluster(slow)) as made:
        made.keep_workers()
        yield made


def test_killed_scheduler_costs_only_what_was_in_flight(
    store_path: Path, tmp_path: Path, cluster: LooseCluster
) -> None:
    """The scheduler, and now and then a worker of it, is killed; the same runner goes on."""
    draw = random.Random(10 * SEED + 3)
    with started(store_path, "--scheduler", cluster.address, env=cluster.env) as runner:
        kills = 0
        begin = time.monotonic()
        seen = 0
        while runner.poll() is None and time.monotonic() - begin < 60 * ROUNDS:
            cluster.keep_workers()
            time.sleep(0.3)
            count = len(recorded(store_path))
            if kills < (ROUNDS if ROUNDS > 3 else 1) and count > seen:
                seen = count + min(20, UNITS // (ROUNDS + 1) - 1)
                time.sleep(draw.random())
                cluster.kill_scheduler()
                kills += 1
        output, _ = runner.communicate(timeout=60 * ROUNDS)
    print(f"{kills} schedulers killed")
    assert kills > 0
    assert runner.returncode == 0
    report = json.loads(output.splitlines()[-1])
    assert report["schedulers_lost"] >= 1
    check_sound(store_path)


@pytest.mark.parametrize("seed", TIMES)
@pytest.mark.parametrize(
    ("fault", "option", "reason"),
    [("ZERMELO_TEST_LIE", (), "certificate rejected"), ("ZERMELO_TEST_HANG", ("--hang", "2"), "no answer in time")],
)
def test_bad_worker_is_caught_and_its_units_done(
    fault: str, option: tuple[str, ...], reason: str, seed: int, store_path: Path, tmp_path: Path
) -> None:
    """It lies, or hangs, after some good answers."""
    good = random.Random(seed).randrange(40) if seed > 1 else 0
    env = environment(tmp_path, **{fault: str(good)})
    report = run_to_the_end(store_path, env, "--workers", "2", *option)
    assert int(str(report["failures"])) >= 1
    with open_store(str(store_path)) as store:
        assert any(reason in said for _, _, said in store.failures(store.campaign()))
    check_sound(store_path)
