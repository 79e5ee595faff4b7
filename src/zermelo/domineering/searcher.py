"""The two searches of the core: their options by name, checked once, here, and one run of one of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from zermelo import _core
from zermelo.domineering.position import Player, core_player, opponent
from zermelo.game import Limits, Progress
from zermelo.running import run_cancellable

NO_NODE_LIMIT = 2**64 - 1
LARGEST_SIDE = 32
"""Sides of the largest rectangle that the component search takes."""
WIDE_STRIPS = (
    (16 << 30, 110, 3_000),
    (4 << 30, 100, 300),
    (2 << 30, 80, 200),
    (2 << 30, 0, 50),
    (0, 80, 50),
    (0, 0, 15),
)
"""Memory, squares of the board, and how many million patterns a table of wide strips may have where there is as much
of both: strips of 2x15 have 14 (41 MB and three seconds of a processor, once), 2x16 43 (128 MB, 10 s), 3x9 40 (81 MB,
4 s), 4x7 171 (342 MB, 14 s), 3x10 282 (646 MB, 34 s), 3x11 and 4x8 2,000 and 2,600 (5 GB each)."""
WIDEST_IN_PROOFS = 300
"""The same for a certificate. The checker values every strip for itself, with all that can become of it: an empty one
of 3x10 takes it 1.4 s and 115 MiB, one of 4x7 1.1 s."""
BOUNDS = ("real", "cover", "strip")
REPLACEMENTS = {name.lower().replace("_", "-"): name for name in _core.Replacement.__members__}

# The papers' enhancements by name; the core has a switch for each.
COVER_FEATURES = (
    "vulnerable", "protective", "type1", "options", "protected-squares", "unavailable", "parity", "odd-protective",
    "free-move", "real-cap", "four-packings",
)  # fmt: skip
SEARCH_FEATURES = {
    "primary-order": "order_primary",
    "symmetry-order": "order_symmetry",
    "positional-order": "order_positional",
    "safe-move-dominance": "skip_safe_moves",
}
FEATURES = (*COVER_FEATURES, *SEARCH_FEATURES)
PAPER_FEATURES = frozenset(FEATURES) - {"real-cap", "four-packings", "symmetry-order"}
"""The features of Obsequi as published."""


def checked_names(names: Iterable[str], known: Iterable[str], what: str) -> frozenset[str]:
    """Return the names as a set.

    :raises ValueError: if one is not known; the message lists those that are.
    """
    names, known = tuple(names), tuple(known)
    for name in names:
        if name not in known:
            raise ValueError(f"{what} {name[:40]!r} is not known: {', '.join(known)}")
    return frozenset(names)


@dataclass(frozen=True)
class SearchOptions:
    """How to search: by components with the bound ``strip``, else as in the papers with the others."""

    bounds: frozenset[str] = frozenset({"strip"})
    features: frozenset[str] = PAPER_FEATURES
    replacement: str = "find-first"
    memory: int = 2**30
    threads: int = 1
    for_proof: bool = False
    """Whether a certificate will be written: then only strips that a checker can value are used."""

    def leaving_out(self, *names: str) -> SearchOptions:
        """Return these options without some features."""
        return replace(self, features=self.features - checked_names(names, FEATURES, "feature"))

    def adding(self, *names: str) -> SearchOptions:
        """Return these options with some features more."""
        return replace(self, features=self.features | checked_names(names, FEATURES, "feature"))


OBSEQUI_OPTIONS = SearchOptions(bounds=frozenset({"real", "cover"}), memory=2**23 * 16)
DOMI_OPTIONS = SearchOptions(bounds=frozenset({"real"}), memory=2**23 * 16)


def cover_switches(features: frozenset[str]) -> _core.CoverSwitches:
    """Return the core's switches for a set of features."""
    switches = _core.CoverSwitches()
    for name in COVER_FEATURES:
        setattr(switches, name.replace("-", "_"), name in features)
    return switches


def obsequi_settings(options: SearchOptions) -> _core.ObsequiSettings:
    """Return the core's settings for the papers' search."""
    settings = _core.ObsequiSettings()
    settings.real = "real" in options.bounds
    settings.cover = "cover" in options.bounds
    settings.switches = cover_switches(options.features)
    settings.replacement = getattr(_core.Replacement, REPLACEMENTS[options.replacement])
    for name, attribute in SEARCH_FEATURES.items():
        setattr(settings, attribute, name in options.features)
    settings.table_bytes = options.memory
    settings.threads = options.threads
    return settings


def takes_components(board: _core.Board) -> bool:
    """Whether the component search knows this board: a rectangle with sides up to LARGEST_SIDE."""
    return board.topology == _core.Topology.RECTANGLE and max(board.rows, board.cols) <= LARGEST_SIDE


def wide_patterns(rows: int, cols: int, memory: int, *, for_proof: bool = False) -> int:
    """Return how many patterns a table of wide strips may have in a search of boards of a size."""
    millions = next(each for least, squares, each in WIDE_STRIPS if memory >= least and rows * cols >= squares)
    return 10**6 * (min(millions, WIDEST_IN_PROOFS) if for_proof else millions)


def component_search(rows: int, cols: int, options: SearchOptions) -> _core.ComponentSearch:
    """Return a component search for boards of a size; its strip tables stay loaded as long as it lives."""
    settings = _core.ComponentOptions()
    settings.memory = options.memory
    settings.threads = options.threads
    settings.wide_patterns = wide_patterns(rows, cols, options.memory, for_proof=options.for_proof)
    settings.tall = not options.for_proof
    settings.always_flexible = options.for_proof  # a certificate has fewer positions then
    return _core.ComponentSearch(rows, cols, settings)


def search(
    board: _core.Board,
    first: Player,
    options: SearchOptions,
    limits: Limits,
    *,
    searcher: _core.ComponentSearch | None = None,
    want_move: bool = True,
) -> _core.SearchResult:
    """Run one search for one starter: ``searcher``, by components, or that of the papers. Ctrl-C stops it at once."""
    node_limit = NO_NODE_LIMIT if limits.nodes is None else limits.nodes
    time_limit = math.inf if limits.seconds is None else limits.seconds
    report = limits.on_progress

    def progress(now: _core.Progress) -> None:
        assert report is not None
        report(Progress(now.nodes, now.seconds, now.root_moves_done / now.root_moves if now.root_moves else None))

    on_progress = None if report is None else progress

    def work(token: _core.CancelToken) -> _core.SearchResult:
        if searcher is not None:
            return searcher.solve(board, core_player(first), node_limit, time_limit, token, on_progress, want_move)
        settings = obsequi_settings(options)
        return _core.obsequi_solve(board, core_player(first), settings, node_limit, time_limit, token, on_progress)

    return run_cancellable(work, limits.cancel)


def winner_of(found: _core.SearchResult, first: Player) -> Player | None:
    """Return the winner of a search, or None if a limit was reached."""
    if found.verdict == _core.Verdict.WIN:
        return first
    return opponent(first) if found.verdict == _core.Verdict.LOSS else None
