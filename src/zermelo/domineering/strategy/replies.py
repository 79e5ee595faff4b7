"""Winning moves in a small region, by search, remembered: the same few regions come up again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from zermelo.domineering.position import Move, Player, Position, opponent
from zermelo.domineering.rules.claims import search

Wins = Callable[[Position, Player], bool]


def searched(position: Position, first: Player) -> bool:
    """Whether the player who moves first wins, by search."""
    return search(position.spec, first).winner == first


def winning_move(position: Position, player: Player, wins: Wins = searched) -> Move:
    """Return a move of the player after which she wins.

    :raises ValueError: if she has none.
    """
    other = opponent(player)

    def gain(move: Move) -> int:
        after = position.after(move)
        return len(after.moves(player)) - len(after.moves(other))

    for move in sorted(position.moves(player), key=gain, reverse=True):
        if not wins(position.after(move), other):
            return move
    raise ValueError(f"{player} has no winning move on {position.spec}")


@lru_cache(maxsize=200_000)
def _remembered(spec: str, player: Player) -> Move:
    return winning_move(Position.from_text(spec), player)


def find_reply(position: Position, player: Player) -> Move:
    """Return a winning move, from memory if the position was met before."""
    return _remembered(position.spec, player)
