"""Zermelo: who wins, with a proof."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from zermelo._core import VERSION as __version__
    from zermelo._core import CancelToken
    from zermelo.domineering import Move, Position
    from zermelo.domineering.explain import explain
    from zermelo.game import Answer, Limits, Player, Progress, Result, find_game, game_names, games
    from zermelo.game import Position as AnyPosition

__all__ = [
    "Answer",
    "CancelToken",
    "Limits",
    "Move",
    "Position",
    "Result",
    "__version__",
    "explain",
    "find_game",
    "game_names",
    "games",
    "solve",
]


def solve(
    position: AnyPosition | str,
    *,
    game: str = "domineering",
    first: Player | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int = 1 << 30,
    threads: int = 1,
    on_progress: Callable[[Player, Progress], None] | None = None,
    cancel: CancelToken | None = None,
    **options: Any,
) -> Result:
    """Say who wins: for one starter, or for whoever may begin. Limits count for the call as a whole.

    ``options`` are those of the game's ``solve``: ``method="search"`` for Domineering.

    >>> result = solve("4x4")
    >>> result.outcome, result.starts["V"].winner
    ('1', 'V')
    >>> solve("3,3,3", game="mnk").outcome
    'draw'

    :raises ValueError: if the position or an option is bad.
    """
    from zermelo.game import Limits, find_game

    chosen = find_game(game) if isinstance(position, str) else position.game
    limits = Limits(seconds, nodes, memory, threads)
    return chosen.solve(position, first=first, limits=limits, options=options, cancel=cancel, on_progress=on_progress)


def __getattr__(name: str) -> Any:
    """Load a name when it is first asked for: a command starts sooner, and Ctrl-C at its start is no traceback."""
    if name not in __all__:
        raise AttributeError(f"module 'zermelo' has no attribute {name!r}")
    from importlib import import_module

    homes = {"Move": "domineering", "Position": "domineering", "explain": "domineering"}
    homes |= {"CancelToken": "_core", "__version__": "_core"}
    found = getattr(import_module(f"zermelo.{homes.get(name, 'game')}"), {"__version__": "VERSION"}.get(name, name))
    globals()[name] = found
    return found
