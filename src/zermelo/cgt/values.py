"""Values of Domineering positions, V being Left and positive."""

from __future__ import annotations

from functools import cache
from typing import Protocol

from zermelo import _core
from zermelo.cgt.database import use_default_database
from zermelo.cgt.game import ARENA, Game

# Once per process, when the first value is asked for.
open_database = cache(use_default_database)


class HasBoard(Protocol):
    """Anything with a core board, such as a Position."""

    @property
    def board(self) -> _core.Board: ...


def domineering_value(position: str | _core.Board | HasBoard) -> Game:
    """Return the canonical value of a position on a rectangle, cylinder or torus, with any squares blocked.

    >>> domineering_value("2x3"), domineering_value("2x4"), domineering_value("4x5")
    (Game('{2|-1/2}'), Game('miny(2)'), Game('1'))

    :raises ValueError: if the spec is not understood.
    :raises LimitReached: if the position is too large; see :func:`zermelo.cgt.limits`.
    """
    if isinstance(position, str):
        position.encode()  # half a character is a ValueError
        board = _core.parse_spec(position).board()
    elif isinstance(position, _core.Board):
        board = position
    else:
        board = position.board
    open_database()
    return Game.from_id(ARENA.domineering_value(board))
