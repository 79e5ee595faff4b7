"""The how-to page "add a game": its example is installed beside Zermelo, and every command of the page is run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import ROOT

PAGE = ROOT / "docs" / "howto-add-a-game.md"
EXAMPLE = ROOT / "examples" / "cram"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """What `pip install ./examples/cram` would make known, by the example's own pyproject.toml."""
    about = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    entries = about["entry-points"]["zermelo.games"]
    folder = tmp_path / "site" / "zermelo_cram-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Name: {about['name']}\nVersion: {about['version']}\n")
    lines = "\n".join(f"{name} = {value}" for name, value in entries.items())
    (folder / "entry_points.txt").write_text(f"[zermelo.games]\n{lines}\n")
    path = os.pathsep.join([str(folder.parent), str(EXAMPLE), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"}


def test_commands_of_the_page_work(tmp_path: Path, environment: dict[str, str]) -> None:
    (block,) = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    commands = block.splitlines()
    assert {"solve", "explain", "play", "check", "proof", "campaign"} <= {shlex.split(line)[1] for line in commands}
    said = []
    for command in commands:
        words = shlex.split(command)
        run = subprocess.run(
            [sys.executable, "-m", *words], cwd=tmp_path, env=environment, input="", capture_output=True, text=True
        )
        assert run.returncode == 0, f"$ {command}\n{run.stdout}{run.stderr}"
        said.append(run.stdout)
    assert "first" in said[0] and said.count("") == 0
    assert sum("VERIFIED" in text.upper() for text in said) == 3


def test_the_example_is_small_and_named_nowhere_else() -> None:
    assert len((EXAMPLE / "cram.py").read_text().splitlines()) <= 150
    for folder in ("src", "core", "bind", "bench"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".pyi", ".js", ".html", ".css", ".hpp", ".cpp"):
                assert not re.search(r"\bcram\b", path.read_text(), re.IGNORECASE), path
