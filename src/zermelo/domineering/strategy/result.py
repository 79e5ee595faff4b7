"""The rules' answer in the form of a search's: for `solve --method auto`, which asks the rules first."""

from __future__ import annotations

import time
from typing import Literal

from zermelo.domineering.position import PLAYERS, Move, Player
from zermelo.domineering.rules.knowledge import shipped
from zermelo.domineering.rules.sizes import Size
from zermelo.domineering.solve import Result, Start
from zermelo.domineering.strategy import find_plan
from zermelo.domineering.strategy.player import Strategy
from zermelo.domineering.strategy.replies import find_reply

QUICK = 30
"""A winning move is looked for only where the region to open has at most so many squares."""


def result_by_rules(spec: str, first: Player | Literal["both"] = "both") -> Result | None:
    """Return who wins an empty board of any size, or None if the rules leave a wanted starter open.

    >>> result = result_by_rules("3x1000")
    >>> result.outcome if result else None
    'H'

    :raises ValueError: if the spec is not an empty board given by its size.
    """
    size = Size.parse(spec)
    begin = time.monotonic()
    answer = shipped().decide(size)
    wanted: tuple[Player, ...] = PLAYERS if first == "both" else (first,)
    starts: dict[Player, Start] = {}
    for player in wanted:
        winner = answer.winner(player)
        if winner is None:
            return None
        move = winning_move(size, player) if winner == player else None
        took = time.monotonic() - begin
        side: Player = "V" if winner == "V" else "H"
        starts[player] = Start(player, side, move, nodes=0, evaluations=0, seconds=took, by="rules")
        begin = time.monotonic()
    return Result(spec=size.spec, starts=starts, threads=1)


def winning_move(size: Size, player: Player) -> Move | None:
    """Return a winning first move where the rules show one at once."""
    try:
        plan = find_plan(size, player, first=True)
    except ValueError:
        return None
    if plan.open_region is not None:
        region = plan.regions[plan.open_region]
        if region.kind == "search" and region.size.area > QUICK:
            return None
    return Strategy(size, player, plan, find_reply).open()
