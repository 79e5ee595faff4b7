"""The how-to page "add a game": its example is installed beside Zermelo, and every command of the page is run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

from conftest import ROOT

PAGE = ROOT / "docs" / "howto-add-a-game.md"
EXAMPLE = ROOT / "examples" / "cram"


def test_the_example_is_installed_as_it_is() -> None:
    installed = distribution("zermelo-cram")
    assert (installed.read_text("INSTALLER") or "").strip() == "pip"
    assert Path(str(installed.locate_file("cram.py"))).read_text() == (EXAMPLE / "cram.py").read_text()


def test_commands_of_the_page_work(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    commands = block.splitlines()
    assert {"solve", "explain", "play", "check", "proof", "campaign"} <= {shlex.split(line)[1] for line in commands}
    said = []
    for command in commands:
        words = shlex.split(command)
        run = subprocess.run([sys.executable, "-m", *words], cwd=tmp_path, input="", capture_output=True, text=True)
        assert run.returncode == 0, f"$ {command}\n{run.stdout}{run.stderr}"
        said.append(run.stdout)
    assert "whoever moves second wins" in said[0] and said.count("") == 0
    assert sum("VERIFIED" in text.upper() for text in said) == 3


def test_the_example_is_small_and_named_nowhere_else() -> None:
    assert len((EXAMPLE / "cram.py").read_text().splitlines()) <= 150
    for folder in ("src", "core", "bind", "bench"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".pyi", ".js", ".html", ".css", ".hpp", ".cpp"):
                assert not re.search(r"\bcram\b", path.read_text(), re.IGNORECASE), path
