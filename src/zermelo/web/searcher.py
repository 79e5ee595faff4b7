"""Domineering searches of the server: all threads share one table per size, so that related questions are cheap."""

from __future__ import annotations

import threading
from collections import OrderedDict

from zermelo._core import (
    Board,
    CancelToken,
    ComponentOptions,
    ComponentSearch,
    ObsequiSettings,
    SearchResult,
    obsequi_solve,
)
from zermelo.domineering import Player
from zermelo.domineering.engine import component_search_takes
from zermelo.domineering.position import core_player
from zermelo.web.analysis import Budget

SQUARES_OF_ONE_SEARCH = (6, 8)
"""Boards that fit into such a square share its search: fewer tables, and what one visitor asks helps the next."""


def home_of(rows: int, cols: int) -> tuple[int, int]:
    """Return the size of the search that takes a board.

    >>> home_of(3, 5), home_of(6, 8), home_of(4, 9)
    ((6, 6), (8, 8), (4, 9))
    """
    for side in SQUARES_OF_ONE_SEARCH:
        if max(rows, cols) <= side:
            return side, side
    return rows, cols


class Searches:
    """The searches of the sizes asked for lately; their tables may be used by many threads at once."""

    def __init__(self, sizes: int = 3) -> None:
        self.sizes = sizes
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[int, int, int], ComponentSearch] = OrderedDict()

    def of_size(self, rows: int, cols: int, memory: int) -> ComponentSearch:
        """Return the search for a board size; the size wanted least lately goes, so that memory stays bounded."""
        wanted = (*home_of(rows, cols), memory)
        with self._lock:
            if wanted not in self._kept:
                while len(self._kept) >= self.sizes:
                    self._kept.popitem(last=False)
                options = ComponentOptions()
                options.memory = memory
                self._kept[wanted] = ComponentSearch(*home_of(rows, cols), options)
            self._kept.move_to_end(wanted)
            return self._kept[wanted]


_searches = Searches()


def who_wins(board: Board, first: Player, budget: Budget, token: CancelToken, *, memory: int) -> SearchResult:
    """Search who wins when ``first`` starts, within a budget and with at most so many bytes of tables."""
    limits = (budget.nodes, budget.seconds, token)
    if component_search_takes(board):
        search = _searches.of_size(board.rows, board.cols, memory)
        return search.solve(board, core_player(first), *limits)
    settings = ObsequiSettings()
    # A small allowance needs a small table: clearing a large one would take longer than the search.
    settings.table_bytes = min(memory, max(1 << 18, budget.nodes * 64))
    return obsequi_solve(board, core_player(first), settings, *limits)
