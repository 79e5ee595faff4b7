"""A tiny solver until the fast ones arrive."""

from __future__ import annotations

import time

from zermelo._core import CancelToken
from zermelo.domineering import Player, Position
from zermelo.domineering.position import opponent


class _StopError(Exception):
    pass


def winner(
    position: Position, first: Player, *, nodes: int, seconds: float, cancel: CancelToken
) -> tuple[Player | None, int]:
    end = time.monotonic() + seconds
    known: dict[tuple[str, Player], bool] = {}
    count = 0

    def wins(player: Player) -> bool:
        nonlocal count
        count += 1
        if count > nodes or cancel.cancelled or time.monotonic() > end:
            raise _StopError
        key = (str(position), player)
        if key not in known:
            known[key] = False
            for move in position.legal_moves(player):
                position.push(move)
                try:
                    lost = not wins(opponent(player))
                finally:
                    position.pop()
                if lost:
                    known[key] = True
                    break
        return known[key]

    position = position.copy()
    try:
        return (first if wins(first) else opponent(first)), count
    except _StopError:
        return None, count
