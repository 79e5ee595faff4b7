"""Old names, for rooms that still move to `searcher` and the chooser; goes with the last of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zermelo import _core
from zermelo.domineering.game import GAME
from zermelo.domineering.position import Position
from zermelo.domineering.searcher import (
    DOMI_OPTIONS,
    LARGE_MEMORY,
    LARGEST_STRIP_TABLE,
    OBSEQUI_OPTIONS,
    SearchOptions,
    component_search,
    winner_of,
)
from zermelo.domineering.searcher import search as run_search
from zermelo.domineering.searcher import takes_components as component_search_takes
from zermelo.game import Limits, Result

__all__ = [
    "DEFAULT_OPTIONS",
    "DOMI_OPTIONS",
    "OBSEQUI_OPTIONS",
    "SearchOptions",
    "component_engine",
    "component_search_takes",
    "largest_strip_table",
    "nodes_per_ply",
    "search",
    "solve",
    "winner_of",
]
DEFAULT_OPTIONS = SearchOptions()


def search(
    board: _core.Board, first: Any, options: SearchOptions, *, threads: int = 1, **more: Any
) -> _core.SearchResult:
    """Run one search."""
    return run_search(board, first, replace(options, threads=threads), **more)


def component_engine(
    board: _core.Board, options: SearchOptions, threads: int, *, largest_table: int | None = None
) -> _core.ComponentSearch:
    """Return a component search."""
    return component_search(board.rows, board.cols, replace(options, threads=threads, largest_table=largest_table))


def largest_strip_table(memory: int) -> int:
    """Return the squares of the largest strip patterns."""
    return LARGEST_STRIP_TABLE + (memory >= LARGE_MEMORY)


def nodes_per_ply(board: _core.Board, first: Any, options: SearchOptions, *, seconds: float) -> list[int]:
    """Return how many nodes the papers' search enters at each ply."""
    return list(run_search(board, first, options, seconds=seconds).nodes_per_ply)


def solve(
    position: Position | str,
    *,
    first: str = "both",
    options: SearchOptions = DEFAULT_OPTIONS,
    threads: int = 1,
    seconds: float | None = None,
    nodes: int | None = None,
    cancel: _core.CancelToken | None = None,
) -> Result:
    """Solve by search with these options."""
    by_strips = "strip" in options.bounds
    given: dict[str, Any] = {"method": "search"}
    if not by_strips:
        paper = SearchOptions().features
        given |= {
            "bounds": tuple(options.bounds),
            "without": tuple(paper - options.features),
            "with": tuple(options.features - paper),
            "replacement": options.replacement,
        }
    limits = Limits(seconds, nodes, options.memory, threads)
    return GAME.solve(position, first=None if first == "both" else first, limits=limits, options=given, cancel=cancel)
