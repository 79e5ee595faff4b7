"""Games by their names: entry points of the group ``zermelo.games``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo.game.services import Game


@cache
def _entries() -> dict[str, str]:
    """Return where each game stands, as ``module:object``.

    Read from the files of the installed packages: ``importlib.metadata`` takes a third of a command's start to load.
    """
    found: dict[str, str] = {}
    for folder in sys.path:
        for file in sorted(Path(folder).glob("*-info/entry_points.txt")):
            lines = file.read_text("utf-8").partition("[zermelo.games]\n")[2].partition("[")[0].splitlines()
            for name, _, place in (line.partition("=") for line in lines if "=" in line):
                found.setdefault(name.strip(), place.strip())

    def order(item: tuple[str, str]) -> tuple[bool, bool, str]:
        return not item[1].startswith("zermelo."), on_shelf(item[1]), item[0]

    return dict(sorted(found.items(), key=order))


def on_shelf(place: str) -> bool:
    """Whether a game stands on the shelf: many games, whose specs look alike, so that commands need their names."""
    return place.startswith("zermelo.games.")


def game_names(*, shelf: bool = True) -> tuple[str, ...]:
    """Return the names of all games that are installed, ours first, those of the shelf too; nothing is loaded."""
    return tuple(name for name, place in _entries().items() if shelf or not on_shelf(place))


@cache
def find_game(name: str) -> Game:
    """Return the game of that name.

    :raises ValueError: if there is none; the message lists those that are.
    """
    place = _entries().get(name)
    if place is None:
        raise ValueError(f"game {name[:40]!r} is not known: {', '.join(game_names())}")
    module, _, thing = place.partition(":")
    game: Game = getattr(import_module(module), thing)
    return game


def games(*, shelf: bool = True) -> Iterator[Game]:
    """Load and return all games that are installed, those of the shelf too."""
    return (find_game(name) for name in game_names(shelf=shelf))
