"""The two checkers take the same files and limits; a small file gets little time and memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from zermelo.game import find_game
from zermelo.proof.checking import checker_folder

FAST, SLOW = [str(checker_folder() / "zcheck")], [sys.executable, str(checker_folder() / "zcheck.py")]
CHECKERS = pytest.mark.parametrize("checker", [FAST, SLOW], ids=["zcheck", "zcheck.py"])


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    game, file = find_game("domineering"), tmp_path_factory.mktemp("made") / "4x5.zc"
    game.prove(game.parse("4x5"), "V", file)
    return file


@CHECKERS
@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (["--memory", "inf"], 0), (["--time", "inf"], 0), (["--time", "1e3", "--memory", "64"], 0),
        (["--time", "-1"], 2), (["--memory", "-1"], 2), (["--memory", "nan"], 2), (["--time", "nan"], 2),
        (["--time", "0x10"], 2), (["--time", "1_0"], 2), (["--time"], 2),
    ],
    ids=str,
)  # fmt: skip
def test_limits_mean_the_same_in_both_checkers(
    checker: list[str], limits: list[str], code: int, certificate: Path
) -> None:
    run = subprocess.run([*checker, str(certificate), *limits], capture_output=True, text=True)
    assert (run.returncode, "Traceback" in run.stderr) == (code, False), run.stderr


@CHECKERS
def test_certificate_comes_through_a_pipe(checker: list[str], certificate: Path) -> None:
    run = subprocess.run([*checker, "/dev/stdin"], input=certificate.read_bytes(), capture_output=True)
    assert run.returncode == 0, run.stdout


def test_few_bytes_have_little_time_and_memory(tmp_path: Path) -> None:
    """The default limits grow with the size of the file."""
    code = (
        "import sys, zcheck, zformat\n"
        "class Told(zformat.Budget):\n"
        "    def __init__(self, *limits): print(*limits); super().__init__(*limits)\n"
        "zcheck.Budget = Told\n"
        "zcheck.check(sys.argv[1])\n"
    )
    file = tmp_path / "a.zc"
    for size, told in ((24, "60.12 1024.024"), (10_000_000, "50060.0 8192")):
        file.write_bytes(bytes(size))
        run = subprocess.run(
            [sys.executable, "-c", code, str(file)], capture_output=True, text=True, cwd=checker_folder()
        )
        assert run.stdout.strip() == told
