"""Ways to lose a file, to hang and to crash that were found once, as a user meets them.

ZERMELO_PROGRAM names another program to try (an older build).
"""

from __future__ import annotations

import json
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

PROGRAM = shlex.split(os.environ.get("ZERMELO_PROGRAM", f"{sys.executable} -m zermelo"))
BUSY = 6.0
"""Seconds that a start may take on a busy machine."""


def zermelo(where: Path, line: str, **more: Any) -> subprocess.CompletedProcess[str]:
    words = [*PROGRAM, *shlex.split(line)]
    return subprocess.run(
        words, cwd=where, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, **more
    )


def small_disk() -> None:
    """No file may have more than ten bytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    assert zermelo(folder, "solve domineering 4x5 --first V --proof 4x5.zc").returncode == 0
    return folder / "4x5.zc"


@pytest.fixture
def where(certificate: Path, tmp_path: Path) -> Path:
    """A folder with a certificate."""
    shutil.copy(certificate, tmp_path)
    return tmp_path


def test_1_trimmed_certificate_is_whole_or_not_there(where: Path) -> None:
    run = zermelo(where, "proof trim 4x5.zc small.zc", preexec_fn=small_disk)
    assert (run.returncode, run.stderr.count("\n")) == (2, 1), run.stderr
    assert [file.name for file in where.iterdir()] == ["4x5.zc"]


def test_1_neighbours_of_a_target_are_left_alone(where: Path) -> None:
    for name in ("u.zc.part", "u.zc.raw"):
        (where / name).write_text("mine")
    for line in ("proof trim 4x5.zc u.zc", "solve domineering 4x5 --first V --proof u.zc", "proof derive 2x30 H u.zc"):
        assert zermelo(where, line).returncode == 0
        assert [(where / name).read_text() for name in ("u.zc.part", "u.zc.raw")] == ["mine"] * 2, line


@pytest.mark.parametrize(
    "line", ["solve domineering 4x5 --first V --proof a.zc", "proof extract 4x5.zc '' a.zc", "proof derive 2x30 H a.zc"]
)
def test_2_full_disk_is_bad_input_and_one_line(where: Path, line: str) -> None:
    run = zermelo(where, line, preexec_fn=small_disk)
    assert (run.returncode, run.stderr.count("\n")) == (2, 1), run.stderr
    assert ".zc: " in run.stderr and "Errno" not in run.stderr, "the line names a file, in words"
    assert [file.name for file in where.iterdir()] == ["4x5.zc"]


@pytest.mark.parametrize("line", ["1x40000", "1x100000", "2x1000000 --first H"])
def test_3_time_is_asked_on_the_path_of_the_rules(tmp_path: Path, line: str) -> None:
    begin = time.monotonic()
    assert zermelo(tmp_path, f"solve domineering {line} --time 1").returncode in (0, 3)
    assert time.monotonic() - begin < 1.5 + BUSY


@pytest.mark.parametrize("length", [270, 2000, 20000])
def test_4_long_derivations_need_no_deep_stack(tmp_path: Path, length: int) -> None:
    run = zermelo(tmp_path, f"proof derive 2x{length} H a.zc --time 20")
    assert run.returncode == 0, run.stderr
    assert zermelo(tmp_path, "check a.zc").returncode == 0


@pytest.mark.parametrize("spec", ["2,5,2", "3,3,2"])
def test_6_a_won_board_comes_with_a_move(tmp_path: Path, spec: str) -> None:
    said = json.loads(zermelo(tmp_path, f"solve mnk {spec} --json").stdout)
    assert (said["starts"]["X"]["winner"], bool(said["starts"]["X"]["move"])) == ("X", True)


def test_8_closed_output_is_one_line(tmp_path: Path) -> None:
    run = zermelo(tmp_path, "solve mnk 3,3,3", preexec_fn=lambda: os.close(1))
    assert (run.returncode, run.stderr.count("\n")) == (2, 1), run.stderr


def test_8_doctor_notices_a_cache_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("")
    run = zermelo(tmp_path, "doctor --json", env={**os.environ, "ZERMELO_CACHE": str(tmp_path / "cache")})
    assert (run.returncode, json.loads(run.stdout)["sound"]) == (1, False)
    assert "is a file, not a folder" in run.stdout


def test_8_proved_claim_has_no_work_left(tmp_path: Path) -> None:
    zermelo(tmp_path, "campaign new domineering 4x5 --cut 2 --sample 0 --first V --winner V")
    assert zermelo(tmp_path, "campaign run --workers 0").returncode == 0
    told = zermelo(tmp_path, "campaign status").stdout
    assert "proved" in told and "left" not in told, told


def test_8_page_of_a_store_that_is_missing_does_not_start(tmp_path: Path) -> None:
    run = zermelo(tmp_path, "serve --port 0 --store none.db")
    assert (run.returncode, run.stderr.count("\n")) == (2, 1), run.stderr
