"""A real scheduler over TLS, workers that come and go, the commands' errors, plots and model runs."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from clusters import LooseCluster
from processes import ZERMELO

from zermelo.campaign import executor
from zermelo.campaign.executor import Tls
from zermelo.campaign.simulate import Costs, predict, resample, tasks_of

Command = Callable[..., Any]


def make_tls(folder: Path) -> Tls:
    """A certificate authority's own key serves everybody: enough for a test."""
    key, cert = folder / "key.pem", folder / "cert.pem"
    request = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test"
    subprocess.run(shlex.split(f"{request} -keyout {key} -out {cert}"), check=True, capture_output=True)
    return Tls(cert, cert, key)


def test_campaign_runs_on_a_scheduler_over_tls_and_workers_join_late(tmp_path: Path, campaign: Command) -> None:
    tls = make_tls(tmp_path)
    made = campaign("new", "domineering", "5x5", "--winner", "H", "--cut", "2", "--sample", "0")
    assert made.code == 0, made.err
    ca, cert, key = map(str, tls)
    files = ["--tls-ca", ca, "--tls-cert", cert, "--tls-key", key]
    with contextlib.closing(LooseCluster(tls=tls)) as cluster:
        line = [ZERMELO, "campaign", "run", "--scheduler", cluster.address, *files, "--solver", "plain", "--json"]
        with subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as runner:
            time.sleep(3)  # the runner waits: there is no worker yet
            assert runner.poll() is None
            cluster.keep_workers()
            output, _ = runner.communicate(timeout=120)
    assert runner.returncode == 0
    assert json.loads(output)["status"] == "proved"
    assert json.loads(output)["checked"] > 0


def test_missing_scheduler_is_an_error_that_can_be_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "CONNECTED_WITHIN", 0.5)
    with pytest.raises(executor.ExecutorLostError):
        executor.DaskExecutor(scheduler="tcp://127.0.0.1:1")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run"], "does not exist"),
        (["new", "domineering", "8x"], "8x"),
        (["new", "chess", "8x8"], "is not known: domineering"),
        (["new", "domineering", "4x4", "--winner", "X"], "'X' is not known"),
        (["new", "mnk", "3,3,3", "--first", "O"], "the turn of X"),
        (["new", "domineering", "4x4", "--cut", "2", "--unit-nodes", "9"], "exclude each other"),
        (["status", "--store", "mysql://x"], "neither a file"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: list[str], message: str, campaign: Command) -> None:
    said = campaign(*words)
    assert said.code == 2
    assert message in said.err
    assert len(said.err.splitlines()) == 1


def test_unknown_solver_is_refused(campaign: Command) -> None:
    campaign("new", "domineering", "4x4", "--cut", "1")
    assert "auto or plain" in campaign("run", "--workers", "0", "--trust", "--solver", "best").err


def test_stopped_run_says_so_and_goes_on_later(tmp_path: Path, campaign: Command) -> None:
    campaign("new", "domineering", "5x5", "--winner", "H", "--cut", "2", "--sample", "3", "--probe", "0")
    assert re.search("work left +unknown yet", campaign("status").out)
    plain = ["run", "--workers", "0", "--trust", "--solver", "plain", "--json"]
    assert campaign(*plain, "--time", "0.001").code == 3
    assert "work left" in campaign("status").out
    assert campaign("export", "-o", "x.zcert").code == 2
    finished = campaign(*plain)
    assert finished.code == 0
    assert json.loads(finished.out)["status"] == "proved"
    nobody = ["--scheduler", "tcp://127.0.0.1:1", "--time", "1"]  # not needed any more
    assert campaign("run", *nobody).code == 0
    status = json.loads(campaign("status", "--plot", "plot.png", "--json").out)
    assert (status["remaining_nodes"], status["remaining_high"], status["rough"]) == (0, 0, False)
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert "left" not in campaign("status").out
    sample = campaign("estimate", "--units", "5", "--solver", "plain", "--output", "sizes.txt", "--json")
    assert json.loads(sample.out)["sampled"] == 5
    sizes = campaign("simulate", "--sizes", "sizes.txt", "--units", "99", "--json")
    assert json.loads(sizes.out)["predictions"][0]["units"] == 99
    model = campaign("simulate", "--workers", "10,1000", "--json")
    assert [one["workers"] for one in json.loads(model.out)["predictions"]] == [10, 1000]


def test_claim_that_is_known_is_said_to_be_and_planned_all_the_same(campaign: Command) -> None:
    said = campaign("new", "domineering", "2x13", "--winner", "V", "--cut", "1", "--sample", "0", "--json")
    report = json.loads(said.out)
    assert (report["known"]["winner"], report["known"]["by"]) == ("H", "fact")
    assert report["units"] > 0
    said = campaign("new", "domineering", "2x13", "--name", "again", "--cut", "1")
    assert "known" in said.out and "H wins" in said.out
    assert json.loads(campaign("new", "domineering", "5x5:V1,1", "--cut", "1", "--json").out)["known"] is None


def test_model_keeps_to_the_bounds_of_scheduling() -> None:
    """No schedule beats the work or the longest task, and list scheduling is within twice the better of them."""
    sizes = resample([0.1, 0.5, 2.0, 30.0], 3000)
    free = Costs(dispatch_seconds=0, record_seconds=0, start_seconds=0)
    for workers in (1, 10, 300, 5000):
        found = predict(sizes, workers, free)
        best = max(sum(sizes) / workers, max(tasks_of(sizes, free, workers)))
        assert best * 0.999 <= found.makespan <= 2 * best
        assert 0 < found.efficiency <= 1.001


def test_model_names_what_limits_a_campaign() -> None:
    sizes = [0.2] * 200_000
    assert predict(sizes, 10, Costs()).limited_by == "workers"
    assert predict(sizes, 100_000, Costs()).limited_by == "scheduler"
    assert predict([0.1] * 100 + [1000.0], 100, Costs(cap_seconds=1e9)).limited_by == "longest unit"
    assert predict([0.1] * 10, 10, Costs(record_seconds=10)).limited_by == "store"
