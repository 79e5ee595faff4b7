"""The example of the how-to page "add a game" is installed beside Zermelo; the tests of docs/ run the page."""

from __future__ import annotations

import re
from importlib.metadata import distribution, entry_points
from pathlib import Path

from cases import ROOT

from zermelo.game import registry

EXAMPLE = ROOT / "examples" / "cram"


def test_the_example_is_installed_as_it_is() -> None:
    installed = distribution("zermelo-cram")
    assert (installed.read_text("INSTALLER") or "").strip() == "pip"
    assert Path(str(installed.locate_file("cram.py"))).read_text() == (EXAMPLE / "cram.py").read_text()


def test_the_example_is_small_and_named_nowhere_else() -> None:
    assert len((EXAMPLE / "cram.py").read_text().splitlines()) <= 160
    for folder in ("src", "core", "bind", "tools"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".pyi", ".js", ".html", ".css", ".hpp", ".cpp"):
                assert not re.search(r"\bcram\b", path.read_text(), re.IGNORECASE), path


def test_registry_finds_what_the_library_finds() -> None:
    """It reads the files of installed packages itself."""
    assert registry._entries() == {entry.name: entry.value for entry in entry_points(group="zermelo.games")}


def test_own_games_come_first() -> None:
    ours = [place.startswith("zermelo.") for place in registry._entries().values()]
    assert ours == sorted(ours, reverse=True)
    assert False in ours  # the example is installed beside
