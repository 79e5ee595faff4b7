"""Games by their names: entry points of the group ``zermelo.games``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.game.services import Game


@cache
def _entries() -> dict[str, Any]:
    from importlib.metadata import entry_points  # slow to load, and help needs no game

    found = sorted(entry_points(group="zermelo.games"), key=lambda entry: entry.name)
    ours = [entry for entry in found if entry.value.startswith("zermelo.")]
    return {entry.name: entry for entry in [*ours, *(entry for entry in found if entry not in ours)]}


def game_names() -> tuple[str, ...]:
    """Return the names of all games that are installed, ours first; nothing is loaded."""
    return tuple(_entries())


@cache
def find_game(name: str) -> Game:
    """Return the game of that name.

    :raises ValueError: if there is none; the message lists those that are.
    """
    entry = _entries().get(name)
    if entry is None:
        raise ValueError(f"game {name[:40]!r} is not known: {', '.join(game_names())}")
    game: Game = entry.load()
    return game


def games() -> Iterator[Game]:
    """Load and return all games that are installed."""
    return (find_game(name) for name in game_names())


def games_with(service: str) -> Iterator[Game]:
    """Return the games that offer a service beyond those that all have, such as ``derive`` or ``value``."""
    return (game for game in games() if hasattr(game, service))
