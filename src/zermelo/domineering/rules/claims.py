"""Who wins one position when one player starts, by search: the only place where the rules meet a solver."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from zermelo import _core
from zermelo.domineering.engine import DEFAULT_OPTIONS, OBSEQUI_OPTIONS, component_search_takes
from zermelo.domineering.engine import search as engine_search
from zermelo.domineering.position import Player, opponent

SMALL, SMALL_TABLE = 40, 1 << 22
"""Searches of so few free squares take milliseconds, less than it takes to clear a large table."""


@dataclass(frozen=True)
class Searched:
    """What a search found: the winner (None: the limit was reached), the nodes and the seconds."""

    winner: Player | None
    nodes: int
    seconds: float


def search(spec: str, first: Player, seconds: float | None = None, *, threads: int = 1) -> Searched:
    """Search one claim: with the component search, and for the last part of the time with the papers' search.

    The first is far ahead wherever it takes the board; the second takes every board.

    >>> search("2x5", "H").winner
    'V'
    """
    board = _core.parse_spec(spec).board()
    begin = time.monotonic()
    nodes = 0
    plans = [(replace(OBSEQUI_OPTIONS, memory=DEFAULT_OPTIONS.memory), 1.0)]
    if component_search_takes(board):
        plans.insert(0, (DEFAULT_OPTIONS, 0.8))
    for options, share in plans:
        if len(board.free_squares()) <= SMALL:
            options = replace(options, memory=SMALL_TABLE)
        left = None
        if seconds is not None:
            left = max(0.001, seconds * share - (time.monotonic() - begin))
        found = engine_search(board, first, options, seconds=left, threads=threads)
        nodes += found.nodes
        if found.verdict != _core.Verdict.UNKNOWN:
            winner = first if found.verdict == _core.Verdict.WIN else opponent(first)
            return Searched(winner, nodes, round(time.monotonic() - begin, 3))
    return Searched(None, nodes, round(time.monotonic() - begin, 3))
