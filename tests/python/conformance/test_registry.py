"""The registry reads the files of installed packages itself: it must find what the library finds."""

from __future__ import annotations

from importlib.metadata import entry_points

from zermelo.game import registry


def test_registry_finds_what_the_library_finds() -> None:
    assert registry._entries() == {entry.name: entry.value for entry in entry_points(group="zermelo.games")}


def test_own_games_come_first() -> None:
    ours = [place.startswith("zermelo.") for place in registry._entries().values()]
    assert ours == sorted(ours, reverse=True)
    assert False in ours  # the example is installed beside
