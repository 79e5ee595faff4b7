"""How promising a move looks, for plans and for positions that no proof decides.

Breuker, Uiterwijk and Van den Herik's real and safe moves, then Obsequi's values of squares.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

from zermelo import _core, game
from zermelo.domineering.lattice import Lattice
from zermelo.domineering.position import Move, Player, Position, core_player, opponent


def move_worth(position: Position, player: Player) -> Callable[[game.Move], Any]:
    """Return a function of a move: the player's real and safe moves after it, less the opponent's, then its square.

    >>> start = Position("4x4")
    >>> max(start.moves("V"), key=move_worth(start, "V"))
    Move(player='V', row=1, col=2)
    """
    me, other, values = core_player(player), core_player(opponent(player)), site_values(position.lattice, player)

    def worth(move: game.Move) -> int:
        after, square = position.after(move).board, cast(Move, move)
        mine = _core.real_moves(after, me) + _core.safe_moves(after, me)
        theirs = _core.real_moves(after, other) + _core.safe_moves(after, other)
        return 128 * (mine - theirs) + values[(square.row - 1) * position.cols + square.col - 1]

    return worth


@lru_cache(maxsize=64)
def site_values(on: Lattice, player: Player) -> list[int]:
    """Return Obsequi's kind of value for each square: best on the second line at odd offsets from the corner."""
    across, along = (on.cols, on.rows) if player == "V" else (on.rows, on.cols)
    values = [0] * on.area
    for row in range(on.rows):
        for col in range(on.cols):
            line, offset = (col, row) if player == "V" else (row, col)
            if offset < along - 1:
                line, offset = min(line, across - 1 - line), min(offset, along - 2 - offset)
                bonus = (32 if line == 1 else 0) + (16 if offset % 2 == 0 else 0)
                values[row * on.cols + col] = bonus - 2 * line - offset
    return values
