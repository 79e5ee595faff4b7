"""A real scheduler over TLS, workers that come late, and the errors of the commands."""

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

Command = Callable[..., Any]


def make_tls(folder: Path) -> Tls:
    """A certificate authority's own key serves everybody: enough for a test."""
    key, cert = folder / "key.pem", folder / "cert.pem"
    request = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test"
    subprocess.run(shlex.split(f"{request} -keyout {key} -out {cert}"), check=True, capture_output=True)
    return Tls(cert, cert, key)


def test_campaign_runs_on_a_scheduler_over_tls_and_workers_join_late(tmp_path: Path, campaign: Command) -> None:
    tls = make_tls(tmp_path)
    made = campaign("new", "domineering", "5x5", "--winner", "H", "--cut", "2")
    assert made.code == 0, made.err
    ca, cert, key = map(str, tls)
    files = ["--tls-ca", ca, "--tls-cert", cert, "--tls-key", key]
    with contextlib.closing(LooseCluster(tls=tls)) as cluster:
        line = [ZERMELO, "campaign", "run", "--scheduler", cluster.address, *files, "--json"]
        with subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as runner:
            time.sleep(3)  # the runner waits: there is no worker yet
            assert runner.poll() is None
            cluster.keep_workers()
            output, _ = runner.communicate(timeout=120)
    assert runner.returncode == 0
    assert json.loads(output)["status"] == "proved"


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
        (["new", "mnk", "3,3,3"], "may end in a draw"),
        (["new", "cram", "3x3:h1,1;x"], "'x' is not a legal move"),
        (["new", "domineering", "20x20"], "at most 256 squares"),
        (["new", "domineering", "4x4", "--cut", "2", "--unit-nodes", "9"], "exclude each other"),
        (["status", "--store", "mysql://x"], "neither a file"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: list[str], message: str, campaign: Command) -> None:
    said = campaign(*words)
    assert said.code == 2
    assert message in said.err
    assert len(said.err.splitlines()) == 1


def test_claim_that_is_refused_makes_no_store(campaign: Command, tmp_path: Path) -> None:
    assert campaign("new", "domineering", "30x30").code == 2
    assert list(tmp_path.iterdir()) == []


def test_stopped_run_says_so_and_goes_on_later(campaign: Command) -> None:
    campaign("new", "domineering", "6x6", "--winner", "V", "--cut", "3")
    assert re.search("work left +unknown yet", campaign("status").out)
    assert campaign("run", "--workers", "0", "--json", "--time", "0.001").code == 3
    assert "work left" in campaign("status").out
    assert campaign("export", "-o", "x.zcert").code == 2
    finished = campaign("run", "--workers", "0", "--json")
    assert finished.code == 0
    assert json.loads(finished.out)["status"] == "proved"
    nobody = ["--scheduler", "tcp://127.0.0.1:1", "--time", "1"]  # not needed any more
    assert campaign("run", *nobody).code == 0
    status = json.loads(campaign("status", "--json").out)
    assert (status["remaining_nodes"], status["remaining_high"], status["rough"]) == (0, 0, False)
    assert "left" not in campaign("status").out
    assert json.loads(campaign("estimate", "--units", "5", "--json").out)["sampled"] == 5


def test_known_claim_is_called_known_and_planned_all_the_same(campaign: Command) -> None:
    report = json.loads(campaign("new", "domineering", "2x13", "--winner", "V", "--cut", "1", "--json").out)
    assert (report["known"]["winner"], report["known"]["by"]) == ("H", "fact")
    assert report["units"] > 0
    assert "already known: H wins" in campaign("new", "domineering", "2x13", "--name", "again", "--cut", "1").out
    assert json.loads(campaign("new", "domineering", "5x5:V1,1", "--cut", "1", "--json").out)["known"] is None
