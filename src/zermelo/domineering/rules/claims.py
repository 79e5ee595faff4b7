"""Who wins one position when one player starts, by search: the only place where the rules meet a solver."""

from __future__ import annotations

import math
from dataclasses import dataclass

from zermelo import _core
from zermelo.domineering.position import Player, core_player, opponent
from zermelo.running import run_cancellable

SMALL, SMALL_TABLE = 40, 1 << 18
"""Searches of so few free squares take milliseconds, less than it takes to clear a large table."""


@dataclass(frozen=True)
class Searched:
    """What a search found: the winner (None: the limit was reached), the nodes and the seconds."""

    winner: Player | None
    nodes: int
    seconds: float


def search(spec: str, first: Player, seconds: float = math.inf) -> Searched:
    """Search one claim.

    >>> search("2x5", "H").winner
    'V'
    """
    board = _core.parse_spec(spec).board()
    settings = _core.PaperSettings()
    if len(board.free_squares()) <= SMALL:
        settings.table_bytes = SMALL_TABLE
    result = run_cancellable(
        lambda token: _core.paper_solve(board, core_player(first), seconds=seconds, cancel=token)
    )
    winners: dict[_core.Verdict, Player | None] = {
        _core.Verdict.WIN: first,
        _core.Verdict.LOSS: opponent(first),
        _core.Verdict.UNKNOWN: None,
    }
    return Searched(winners[result.verdict], result.nodes, round(result.seconds, 3))
