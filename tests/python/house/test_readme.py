"""Every command that README, tutorial and how-to pages show is run here, as a reader would type it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands(page: Path) -> list[str]:
    """Return the lines after `$ ` in the page's console blocks."""
    lines = [line for block in BLOCK.findall(page.read_text()) for line in block.splitlines()]
    return [line[2:] for line in lines if line.startswith("$ ")]


def as_run(command: str) -> list[str]:
    """Return the words to run: `./dev run` only adds the build, which has been done."""
    words = shlex.split(command)
    if words[:2] == ["./dev", "run"]:
        words = ["zermelo", *words[2:]]
    assert words[0] in ("zermelo", "python"), f"this test does not know how to run: {command}"
    words[0] = str(Path(sys.executable).parent / words[0])
    return words


def test_readme_and_tutorial_show_commands() -> None:
    assert len(commands(ROOT / "README.md")) >= 5
    assert len(commands(ROOT / "docs" / "tutorial.md")) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda p: p.stem)
def test_commands_of_the_page_work(page: Path, tmp_path: Path) -> None:
    for command in commands(page):
        result = subprocess.run(
            as_run(command),
            cwd=tmp_path,  # In the order of the page, so that a later line may use an earlier one's file.
            env={**os.environ, "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert result.returncode == 0, f"$ {command}\n{result.stdout}{result.stderr}"
        assert result.stdout.strip() or any(tmp_path.iterdir()), f"$ {command}\ndid nothing"


def test_readme_python_session_is_true() -> None:
    import doctest

    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 3
    assert failures == 0
