"""Which search of the core runs, with which bounds and features: options by name, checked once, here."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from zermelo import _core
from zermelo.domineering.position import Player, core_player, opponent
from zermelo.running import run_cancellable

NO_NODE_LIMIT = 2**64 - 1
LARGEST_STRIP_TABLE = 26
"""Squares of the largest strip patterns with a table (3x8 and 4x6: 32 MB and a second each; 2x13: 128 MB and three)."""
LARGE_MEMORY = 2 << 30
LARGEST_STRIP_TABLE_IN_LARGE_MEMORY = 27
"""A search that is given this much memory is meant to take long: 3x9 has 256 MB and takes six seconds, once."""
BOUNDS = ("real", "cover", "strip")
REPLACEMENTS = {name.lower().replace("_", "-"): name for name in _core.Replacement.__members__}

# The papers' enhancements by name, and the switch of the core each turns.
COVER_FEATURES = {
    "vulnerable": "vulnerable",
    "protective": "protective",
    "type1": "type1",
    "options": "options",
    "protected-squares": "protected_squares",
    "unavailable": "unavailable",
    "parity": "parity",
    "odd-protective": "odd_protective",
    "free-move": "free_move",
    "real-cap": "real_cap",
    "four-packings": "four_packings",
}
SEARCH_FEATURES = {
    "primary-order": "order_primary",
    "symmetry-order": "order_symmetry",
    "positional-order": "order_positional",
    "safe-move-dominance": "skip_safe_moves",
}
# What Obsequi has as published; the other features are newer or alternatives.
PAPER_FEATURES = frozenset(COVER_FEATURES) - {"real-cap", "four-packings"} | frozenset(SEARCH_FEATURES) - {
    "symmetry-order"
}


def checked_names(names: Iterable[str], known: Iterable[str], what: str) -> frozenset[str]:
    """Return the names as a set.

    :raises ValueError: if one is not known; the message lists those that are.
    """
    known = list(known)
    for name in names:
        if name not in known:
            raise ValueError(f"{what} {name[:40]!r} is not known: {', '.join(known)}")
    return frozenset(names)


@dataclass(frozen=True)
class SearchOptions:
    """How to search. With ``strip`` among the bounds the component search runs, else the papers' search."""

    bounds: frozenset[str] = frozenset(BOUNDS)
    features: frozenset[str] = PAPER_FEATURES
    replacement: str = "find-first"
    memory: int = 2**30

    def leaving_out(self, *names: str) -> SearchOptions:
        """Return these options without some features."""
        gone = checked_names(names, [*COVER_FEATURES, *SEARCH_FEATURES], "feature")
        return replace(self, features=self.features - gone)

    def adding(self, *names: str) -> SearchOptions:
        """Return these options with some features more."""
        more = checked_names(names, [*COVER_FEATURES, *SEARCH_FEATURES], "feature")
        return replace(self, features=self.features | more)


DEFAULT_OPTIONS = SearchOptions()
OBSEQUI_OPTIONS = SearchOptions(bounds=frozenset({"real", "cover"}), memory=2**23 * 16)
DOMI_OPTIONS = SearchOptions(bounds=frozenset({"real"}), memory=2**23 * 16)


def make_options(
    *,
    bounds: Iterable[str] | None = None,
    without: Iterable[str] = (),
    added: Iterable[str] = (),
    replacement: str = "find-first",
    memory: int = DEFAULT_OPTIONS.memory,
) -> SearchOptions:
    """Check names given by a user and make options of them.

    >>> sorted(make_options(bounds=["cover"]).bounds)
    ['cover']

    :raises ValueError: if a name is not known.
    """
    chosen = DEFAULT_OPTIONS.bounds if bounds is None else checked_names(tuple(bounds), BOUNDS, "bound")
    checked_names((replacement,), REPLACEMENTS, "replacement scheme")
    options = SearchOptions(bounds=chosen, replacement=replacement, memory=memory)
    return options.leaving_out(*without).adding(*added)


def cover_switches(features: frozenset[str]) -> _core.CoverSwitches:
    """Return the core's switches for a set of features."""
    switches = _core.CoverSwitches()
    for name, attribute in COVER_FEATURES.items():
        setattr(switches, attribute, name in features)
    return switches


def obsequi_settings(options: SearchOptions, threads: int) -> _core.ObsequiSettings:
    """Return the core's settings for the papers' search."""
    settings = _core.ObsequiSettings()
    settings.real = "real" in options.bounds
    settings.cover = "cover" in options.bounds
    settings.switches = cover_switches(options.features)
    settings.replacement = getattr(_core.Replacement, REPLACEMENTS[options.replacement])
    for name, attribute in SEARCH_FEATURES.items():
        setattr(settings, attribute, name in options.features)
    settings.table_bytes = options.memory
    settings.threads = threads
    return settings


def largest_strip_table(memory: int) -> int:
    """Return how many squares the patterns of the strip tables may have in a search with so much memory."""
    return LARGEST_STRIP_TABLE_IN_LARGE_MEMORY if memory >= LARGE_MEMORY else LARGEST_STRIP_TABLE


def component_engine(
    board: _core.Board, options: SearchOptions, threads: int, *, largest_table: int | None = None
) -> _core.ComponentSearch:
    """Return a component search for boards of this size; its strip tables stay loaded as long as it lives."""
    settings = _core.ComponentOptions()
    settings.memory = options.memory
    settings.threads = threads
    settings.table_squares = largest_table or largest_strip_table(options.memory)
    return _core.ComponentSearch(board.rows, board.cols, settings)


def search(
    board: _core.Board,
    first: Player,
    options: SearchOptions,
    *,
    threads: int = 1,
    seconds: float | None = None,
    nodes: int | None = None,
    on_progress: Callable[[_core.Progress], None] | None = None,
    cancel: _core.CancelToken | None = None,
    engine: _core.ComponentSearch | None = None,
) -> _core.SearchResult:
    """Run one search for one starter; Ctrl-C stops it at once. ``engine`` is a component search to run it with."""
    node_limit = NO_NODE_LIMIT if nodes is None else nodes
    time_limit = math.inf if seconds is None else seconds

    def by_components(token: _core.CancelToken) -> _core.SearchResult:
        chosen = engine or component_engine(board, options, threads)
        return chosen.solve(board, core_player(first), node_limit, time_limit, token, on_progress)

    def as_published(token: _core.CancelToken) -> _core.SearchResult:
        settings = obsequi_settings(options, threads)
        return _core.obsequi_solve(board, core_player(first), settings, node_limit, time_limit, token, on_progress)

    wanted = by_components if uses_components(board, options) else as_published
    return run_cancellable(wanted, cancel)


def winner_of(found: _core.SearchResult, first: Player) -> Player | None:
    """Return who wins by a result, None where a limit was reached."""
    if found.verdict == _core.Verdict.WIN:
        return first
    return opponent(first) if found.verdict == _core.Verdict.LOSS else None


def winning_move(
    board: _core.Board,
    first: Player,
    options: SearchOptions,
    *,
    threads: int = 1,
    seconds: float | None = None,
    cancel: _core.CancelToken | None = None,
    engine: _core.ComponentSearch | None = None,
) -> _core.Move | None:
    """Find a move that wins a position that ``first`` is known to win, where a bound decided before any move was tried.

    Every move gets a small node budget first, then all get ten times more: one good move is enough, and a bad one may
    be dear to refute. None if cancelled, or out of time.
    """
    end = math.inf if seconds is None else time.monotonic() + seconds
    if engine is not None and uses_components(board, options):
        return run_cancellable(
            lambda token: engine.winning_move(board, core_player(first), end - time.monotonic(), token), cancel
        )
    moves = board.legal_moves(core_player(first))
    budget = 100
    while moves:
        undecided = []
        for move in moves:
            child = board.copy()
            child.play(move)
            found = search(
                child,
                opponent(first),
                options,
                threads=threads,
                seconds=end - time.monotonic(),
                nodes=budget,
                cancel=cancel,
            )
            if found.verdict == _core.Verdict.LOSS:
                return move
            if found.stopped in (_core.StopReason.CANCELLED, _core.StopReason.TIME):
                return None
            if found.verdict == _core.Verdict.UNKNOWN:
                undecided.append(move)
        moves, budget = undecided, budget * 10
    return None


def uses_components(board: _core.Board, options: SearchOptions) -> bool:
    """Whether the component search answers for this board with these options, not the papers' search."""
    return "strip" in options.bounds and component_search_takes(board)


def component_search_takes(board: _core.Board) -> bool:
    """Whether the component search knows this board: a rectangle of sides up to 16."""
    return board.topology == _core.Topology.RECTANGLE and max(board.rows, board.cols) <= 16


def nodes_per_ply(board: _core.Board, first: Player, options: SearchOptions, *, seconds: float) -> list[int]:
    """Return how many nodes the papers' search enters at each ply, the root's first."""
    return list(search(board, first, options, seconds=seconds).nodes_per_ply)
