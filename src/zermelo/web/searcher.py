"""Domineering searches of the server's threads: each thread keeps one search, so that related questions are cheap."""

from __future__ import annotations

import threading

from zermelo._core import (
    Board,
    CancelToken,
    ComponentOptions,
    ComponentSearch,
    PaperSettings,
    SearchResult,
    paper_solve,
)
from zermelo.domineering import Player
from zermelo.domineering.engine import component_search_takes
from zermelo.domineering.position import core_player
from zermelo.web.analysis import Budget

_kept = threading.local()


def _component_search(rows: int, cols: int, memory: int) -> ComponentSearch:
    """Return this thread's search for a board size; another size replaces it, so that memory stays bounded."""
    wanted = (rows, cols, memory)
    if getattr(_kept, "made_for", None) != wanted:
        _kept.search = None
        options = ComponentOptions()
        options.memory = memory
        _kept.search = ComponentSearch(rows, cols, options)
        _kept.made_for = wanted
    search: ComponentSearch = _kept.search
    return search


def who_wins(
    board: Board, first: Player, budget: Budget, token: CancelToken, *, memory: int
) -> SearchResult:
    """Search who wins when ``first`` starts, within a budget and with at most so many bytes of tables."""
    limits = (budget.nodes, budget.seconds, token)
    if component_search_takes(board):
        search = _component_search(board.rows, board.cols, memory)
        return search.solve(board, core_player(first), *limits)
    settings = PaperSettings()
    # A small allowance needs a small table: clearing a large one would take longer than the search.
    settings.table_bytes = min(memory, max(1 << 18, budget.nodes * 64))
    return paper_solve(board, core_player(first), settings, *limits)
