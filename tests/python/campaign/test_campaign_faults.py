"""Faults that really happen: processes are killed, workers lie or hang, clocks are wrong.

The game is synthetic, so that the right answer and the number of units are known and a unit takes a few
milliseconds. ZERMELO_EXHAUSTIVE=1 makes 20 kills of each kind; ZERMELO_FAULTS=N makes N of each kind, and a fifth as
many of the other faults. Moments are random and come from ZERMELO_SEED.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from faulty_worker import FAULT_FILE
from synthetic import SyntheticTree
from synthetic import environment as synthetic_environment

from zermelo.campaign.planner import Planner
from zermelo.campaign.service import PlanOptions, export_campaign, new_campaign
from zermelo.game.units import PlainSolver
from zermelo.proof import check_file
from zermelo.store import Status, open_store

ROUNDS = int(os.environ.get("ZERMELO_FAULTS", 20 if os.environ.get("ZERMELO_EXHAUSTIVE") else 3))
SEED = int(os.environ.get("ZERMELO_SEED", "1"))
TIMES = range(SEED, SEED + max(1, ROUNDS // 5))
SPEC = "15x6:4"
UNITS = 225


def right_answer() -> Status:
    tree = SyntheticTree(SPEC)
    return PlainSolver(tree).solve(tree.root(), nodes=10**9).status


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    with open_store(str(path)) as store:
        campaign = store.create("c", game="synthetic", spec=SPEC, winner="A", options={"cut": 5, "first": ""})
        Planner(SyntheticTree(SPEC), store.plan(campaign), cut=5).grow()
    return path


def command(path: Path, *more: str) -> list[str]:
    options = ["--store", str(path), "--trust", "--solver", "plain", "--json", *more]
    return [str(Path(sys.executable).parent / "zermelo"), "campaign", "run", *options]


def environment(tmp_path: Path, **fault: str) -> dict[str, str]:
    """An environment in which workers behave as told, see faulty_worker.py."""
    return synthetic_environment(tmp_path, **{FAULT_FILE: str(tmp_path / "fault")}, **fault)


def run_to_the_end(path: Path, env: dict[str, str], *more: str) -> dict[str, object]:
    run = subprocess.run(command(path, *more), env=env, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr[-2000:]
    report: dict[str, object] = json.loads(run.stdout.splitlines()[-1])
    return report


def check_sound(path: Path) -> None:
    """Every unit the proof rests on has exactly one result, and it is the right one."""
    solver = PlainSolver(SyntheticTree(SPEC))
    with open_store(str(path)) as store:
        campaign = store.campaign()
        assert campaign.status is right_answer()
        results = {found.node: found.status for found in store.results(campaign, live=False)}
        for unit in store.plan(campaign).units():
            if campaign.status is Status.PROVED:
                assert results[unit.id] is Status.PROVED
        for node, status in results.items():
            position = store.plan(campaign).node(node).position
            assert solver.solve(position, nodes=10**9).status is status


def recorded(path: Path) -> dict[int, tuple[float, str]]:
    with open_store(str(path)) as store:
        rows = store.database.rows("SELECT node, finished, worker FROM results")
        return {row[0]: (row[1], row[2]) for row in rows}


def unfinished(path: Path) -> bool:
    with open_store(str(path)) as store:
        return store.progress(store.campaign()).open > 0


def descendants(process: int) -> list[int]:
    """The worker processes (not their nannies) below a runner: children of children that run Python."""
    found = []
    for child in children_of(process):
        found += [child, *descendants(child)]
    return found


def children_of(process: int) -> list[int]:
    result: list[int] = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            result += [int(word) for word in task.read_text().split()]
        except OSError:
            continue
    return result


def is_worker(process: int) -> bool:
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
    return b"spawn_main" in words


def end(process: subprocess.Popen[str]) -> None:
    """Kill a runner and what it started; only processes of this test."""
    below = descendants(process.pid)
    for number in (process.pid, *below):
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            continue
    process.communicate()


def test_killed_runner_goes_on_without_losing_or_repeating_units(store_path: Path, tmp_path: Path) -> None:
    draw = random.Random(10 * SEED + 1)
    env = environment(tmp_path, ZERMELO_TEST_SLOW=str(0.014 * ROUNDS))
    before: dict[int, tuple[float, str]] = {}
    for _ in range(ROUNDS):
        with subprocess.Popen(
            command(store_path, "--workers", "0"), env=env, stdout=subprocess.PIPE, text=True
        ) as runner:
            until = time.monotonic() + 30
            while len(recorded(store_path)) <= len(before) and time.monotonic() < until:
                time.sleep(0.02)
            time.sleep(0.5 * draw.random())
            os.kill(runner.pid, signal.SIGKILL)
        after = recorded(store_path)
        assert before.items() <= after.items()  # nothing lost, nothing written twice
        before = after
    assert 0 < len(before) < UNITS  # the kills came in the middle
    print(f"{ROUNDS} runners killed")
    run_to_the_end(store_path, environment(tmp_path), "--workers", "0")
    assert before.items() <= recorded(store_path).items()
    check_sound(store_path)


@pytest.mark.parametrize(("workers", "number"), [("0", signal.SIGINT), ("2", signal.SIGINT), ("2", signal.SIGTERM)])
def test_interrupted_run_ends_at_once_and_goes_on_later(
    workers: str, number: signal.Signals, store_path: Path, tmp_path: Path
) -> None:
    """Ctrl-C, or a time-out: a signal to the whole group; what was finished is kept, leases are given back."""
    env = environment(tmp_path, ZERMELO_TEST_SLOW="0.05")
    with subprocess.Popen(
        command(store_path, "--workers", workers),
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    ) as runner:
        until = time.monotonic() + 60
        while not recorded(store_path) and time.monotonic() < until:
            time.sleep(0.05)
        below = descendants(runner.pid)
        os.killpg(runner.pid, number)
        begin = time.monotonic()
        _, errors = runner.communicate(timeout=30)
    assert runner.returncode == 130, errors
    assert errors == "zermelo: interrupted\n"
    assert time.monotonic() - begin < 15
    until = time.monotonic() + 10
    while alive := [process for process in below if Path(f"/proc/{process}").exists()]:
        assert time.monotonic() < until, alive
        time.sleep(0.1)
    before = recorded(store_path)
    assert 0 < len(before) < UNITS
    with open_store(str(store_path)) as store:
        assert store.lease_owners(store.campaign()) == []
    run_to_the_end(store_path, environment(tmp_path), "--workers", "0")
    assert before.items() <= recorded(store_path).items()
    check_sound(store_path)


def test_killed_workers_are_replaced_and_their_units_done(store_path: Path, tmp_path: Path) -> None:
    """A third of the answers is found again by the other worker, so that second opinions lose their worker as well."""
    draw = random.Random(10 * SEED + 2)
    env = environment(tmp_path, ZERMELO_TEST_SLOW=str(0.011 * ROUNDS))
    with subprocess.Popen(
        command(store_path, "--workers", "2", "--recheck", "0.3"), env=env, stdout=subprocess.PIPE, text=True
    ) as runner:
        killed = 0
        while runner.poll() is None and killed < ROUNDS:
            time.sleep(1.0 + draw.random())
            if not recorded(store_path):
                continue
            workers = [number for number in descendants(runner.pid) if is_worker(number)]
            if workers and unfinished(store_path):
                os.kill(draw.choice(workers), signal.SIGKILL)
                killed += 1
        output, _ = runner.communicate(timeout=60 * ROUNDS)
    print(f"{killed} workers killed")
    assert killed > 0
    assert runner.returncode == 0
    assert json.loads(output.splitlines()[-1])["status"] in ("proved", "refuted")
    check_sound(store_path)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LooseCluster]:
    made = LooseCluster(tmp_path_factory.mktemp("cluster"))
    yield made
    made.close()


class LooseCluster:
    """A scheduler and two workers as separate processes, restarted when they end, as a cluster would."""

    def __init__(self, tmp_path: Path) -> None:
        import socket

        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.env = environment(tmp_path, ZERMELO_TEST_SLOW=str(0.014 * ROUNDS))
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.workers: list[subprocess.Popen[str]] = []
        self.scheduler = self.start_scheduler()
        self.keep_workers()

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
            env=self.env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def start_scheduler(self) -> subprocess.Popen[str]:
        place = ["--host", "127.0.0.1", "--port", str(self.port)]
        return self.start("scheduler", *place, "--no-dashboard", "--no-show")

    def keep_workers(self) -> None:
        """Start workers in place of those that ended."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < 2:
            options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "20"]
            self.workers.append(self.start("worker", self.address, *options))

    def kill_scheduler(self) -> None:
        os.kill(self.scheduler.pid, signal.SIGKILL)
        self.scheduler.wait()
        self.scheduler = self.start_scheduler()

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            end(process)


def test_killed_scheduler_costs_only_what_was_in_flight(
    store_path: Path, tmp_path: Path, cluster: LooseCluster
) -> None:
    """The scheduler, and now and then a worker of it, is killed; the same runner goes on."""
    draw = random.Random(10 * SEED + 3)
    with subprocess.Popen(
        command(store_path, "--scheduler", cluster.address), env=cluster.env, stdout=subprocess.PIPE, text=True
    ) as runner:
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


def mnk_run(path: Path, *more: str) -> list[str]:
    return [str(Path(sys.executable).parent / "zermelo"), "campaign", "run", "--store", str(path), "--json", *more]


def check_mnk(path: Path, tmp_path: Path, before: dict[int, tuple[float, str]]) -> None:
    """Nothing was lost, and the certificate of the whole is right."""
    assert before.items() <= recorded(path).items()
    with open_store(str(path)) as store:
        assert store.campaign().status is Status.PROVED
        assert export_campaign(store, store.campaign(), tmp_path / "c.zc") == 0
    assert check_file(tmp_path / "c.zc").verified


@pytest.fixture
def mnk_path(tmp_path: Path) -> Path:
    """A game that plans itself; some 90 units, of which a third falls away as others answer for them."""
    path = tmp_path / "mnk.db"
    with open_store(str(path)) as store:
        new_campaign(store, "c", game="mnk", spec="7,7,5", winner="breaker", options=PlanOptions(cut=4))
    return path


def test_killed_runner_of_an_mnk_campaign_loses_nothing(mnk_path: Path, tmp_path: Path) -> None:
    """The workers are threads of the runner, so they are killed with it."""
    before: dict[int, tuple[float, str]] = {}
    for _ in range(2):
        with subprocess.Popen(mnk_run(mnk_path, "--workers", "2"), stdout=subprocess.PIPE, text=True) as runner:
            until = time.monotonic() + 60
            while len(recorded(mnk_path)) <= len(before) + 3 and time.monotonic() < until:
                time.sleep(0.002)
            os.kill(runner.pid, signal.SIGKILL)
        after = recorded(mnk_path)
        assert before.items() <= after.items()
        before = after
    assert unfinished(mnk_path)  # the kills came in the middle
    assert subprocess.run(mnk_run(mnk_path, "--workers", "2"), capture_output=True, timeout=120).returncode == 0
    check_mnk(mnk_path, tmp_path, before)


def test_killed_worker_and_scheduler_of_an_mnk_campaign_lose_nothing(
    mnk_path: Path, tmp_path: Path, cluster: LooseCluster
) -> None:
    """Workers on a cluster have a table each, and certificates that stand alone."""
    before: dict[int, tuple[float, str]] = {}
    with subprocess.Popen(
        mnk_run(mnk_path, "--scheduler", cluster.address), env=cluster.env, stdout=subprocess.PIPE, text=True
    ) as runner:
        kills = 0
        begin = time.monotonic()
        while runner.poll() is None and time.monotonic() - begin < 120:
            cluster.keep_workers()
            time.sleep(0.005)
            if kills < 2 and len(after := recorded(mnk_path)) > len(before):
                assert before.items() <= after.items()
                before = after
                if kills == 0:
                    os.kill(cluster.workers[0].pid, signal.SIGKILL)
                    cluster.workers[0].wait()
                else:
                    cluster.kill_scheduler()
                kills += 1
        output, _ = runner.communicate(timeout=60)
    assert kills == 2
    assert runner.returncode == 0
    assert json.loads(output.splitlines()[-1])["status"] == "proved"
    check_mnk(mnk_path, tmp_path, before)


@pytest.mark.parametrize("seed", TIMES)
@pytest.mark.parametrize(
    ("fault", "option", "reason"),
    [
        ("ZERMELO_TEST_LIE", ("--recheck", "0.2"), "wrong answer"),
        ("ZERMELO_TEST_HANG", ("--hang", "2"), "no answer in time"),
    ],
)
def test_bad_worker_is_caught_and_its_units_done(
    fault: str, option: tuple[str, str], reason: str, seed: int, store_path: Path, tmp_path: Path
) -> None:
    """It lies, or hangs, after some good answers; what it said unchecked is dropped."""
    good = random.Random(seed).randrange(40) if seed > 1 else 0
    env = environment(tmp_path, **{fault: str(good)})
    report = run_to_the_end(store_path, env, "--workers", "2", *option)
    assert int(str(report["failures"])) >= 1
    with open_store(str(store_path)) as store:
        assert any(reason in said for _, _, said in store.failures(store.campaign()))
    check_sound(store_path)


@pytest.mark.parametrize("seed", TIMES)
def test_wrong_clocks_of_workers_and_runner_do_not_matter(seed: int, store_path: Path, tmp_path: Path) -> None:
    skew = random.Random(seed).choice([60, 3600, 1e9]) if seed > 1 else 86400
    env = environment(tmp_path, ZERMELO_TEST_CLOCK=str(skew))
    run_to_the_end(store_path, env, "--workers", "2")
    check_sound(store_path)


@pytest.mark.parametrize("seed", TIMES)
def test_full_disk_is_one_line_and_the_campaign_goes_on(seed: int, store_path: Path, tmp_path: Path) -> None:
    room = random.Random(seed).randrange(20_000) if seed > 1 else 9000
    size = store_path.stat().st_size + room
    limit = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}));"
        "from zermelo.cli.app import main; sys.argv[0] = 'zermelo'; main()"
    )
    env = environment(tmp_path)
    words = command(store_path, "--workers", "0")[1:]
    full = subprocess.run([sys.executable, "-c", limit, *words], env=env, capture_output=True, text=True)
    assert full.returncode == 2, full.stderr
    assert len(full.stderr.splitlines()) == 1
    assert "store" in full.stderr
    before = recorded(store_path)
    run_to_the_end(store_path, env, "--workers", "0")
    assert before.items() <= recorded(store_path).items()
    check_sound(store_path)
