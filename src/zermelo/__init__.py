"""Zermelo: who wins, with a proof.

>>> import zermelo
>>> position = zermelo.Position("4x4")
>>> position.outcome, [str(move) for move in position.winning_moves("V")][:2]
('first', ['V2,1', 'V2,2'])
>>> zermelo.MnkPosition(3, 3, 3).after("b2").outcome
'draw'

Positions: :class:`Position` (Domineering), :class:`MnkPosition`, :class:`HypergraphPosition`; all answer ``moves``,
``after``, ``options``, ``outcome``, ``winning_moves``, ``solve``, ``prove``, ``svg`` and ``save``. Short games are in
:mod:`zermelo.cgt`, certificates in :mod:`zermelo.proof`, pictures in :mod:`zermelo.draw`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from zermelo import cgt, domineering, draw, games, positional, proof
    from zermelo._core import VERSION as __version__
    from zermelo._core import CancelToken, LimitReached
    from zermelo.domineering import Move, Position
    from zermelo.domineering.explain import explain
    from zermelo.game import Answer, Limits, Result, find_game, game_names
    from zermelo.game import Position as AnyPosition
    from zermelo.positional.position import HypergraphPosition, MnkPosition

__all__ = [
    "Answer",
    "CancelToken",
    "HypergraphPosition",
    "LimitReached",
    "Limits",
    "MnkPosition",
    "Move",
    "Position",
    "Result",
    "__version__",
    "cgt",
    "domineering",
    "draw",
    "explain",
    "find_game",
    "game_names",
    "games",
    "positional",
    "proof",
    "solve",
]


def solve(position: AnyPosition | str, *, game: str = "domineering", **options: Any) -> Result:
    """Say who wins: :meth:`Position.solve` of a position, or of its text and the name of its game.

    The options are those of :meth:`Position.solve`: ``first``, ``seconds``, ``nodes``, ``memory``, ``threads``,
    ``on_progress``, ``cancel``, and those of the game itself, such as ``method``.

    >>> result = solve("4x4", seconds=60)
    >>> result.outcome, result.starts["V"].winner
    ('first', 'V')
    >>> solve("3,3,3", game="mnk").outcome
    'draw'

    :raises ValueError: if the position or an option is bad.
    """
    from zermelo.game import Position as AnyPosition
    from zermelo.game import find_game

    start = find_game(game).parse(position) if isinstance(position, str) else position
    if not isinstance(start, AnyPosition):
        raise TypeError(f"a position or its text is solved, not {type(position).__name__}")
    return start.solve(**options)


def __getattr__(name: str) -> Any:
    """Load a name when it is first used: a command starts sooner, and Ctrl-C at its start gives no traceback."""
    if name not in __all__:
        raise AttributeError(f"module 'zermelo' has no attribute {name!r}")
    from importlib import import_module

    if name in ("cgt", "domineering", "draw", "games", "positional", "proof"):
        return import_module(f"zermelo.{name}")
    homes = {"Move": "domineering", "Position": "domineering", "explain": "domineering"}
    homes |= {"MnkPosition": "positional.position", "HypergraphPosition": "positional.position"}
    homes |= {"CancelToken": "_core", "LimitReached": "_core", "__version__": "_core"}
    home = import_module(f"zermelo.{homes.get(name, 'game')}")
    found = home.VERSION if name == "__version__" else getattr(home, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
