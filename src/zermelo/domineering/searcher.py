"""The two searches of the core: their options by name, checked once, here, and one run of one of them."""

from __future__ import annotations

from collections.abc import Iterable

from zermelo import _core
from zermelo.domineering.position import Player, core_player, opponent
from zermelo.game import Limits
from zermelo.running import run_cancellable

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


def features(without: Iterable[str] = (), added: Iterable[str] = ()) -> frozenset[str]:
    """Return the features of Obsequi without some and with some more.

    :raises ValueError: if one is not known.
    """
    return PAPER_FEATURES - checked_names(without, FEATURES, "feature") | checked_names(added, FEATURES, "feature")


def cover_switches(features: frozenset[str]) -> _core.CoverSwitches:
    """Return the core's switches for a set of features."""
    switches = _core.CoverSwitches()
    for name in COVER_FEATURES:
        setattr(switches, name.replace("-", "_"), name in features)
    return switches


def obsequi_settings(
    bounds: frozenset[str], features: frozenset[str], replacement: str, limits: Limits
) -> _core.ObsequiSettings:
    """Return the core's settings for the papers' search."""
    settings = _core.ObsequiSettings()
    settings.real, settings.cover = "real" in bounds, "cover" in bounds
    settings.switches = cover_switches(features)
    settings.replacement = getattr(_core.Replacement, REPLACEMENTS[replacement])
    for name, attribute in SEARCH_FEATURES.items():
        setattr(settings, attribute, name in features)
    settings.table_bytes, settings.threads = limits.memory, limits.threads
    return settings


def takes_components(board: _core.Board) -> bool:
    """Whether the component search knows this board: a rectangle with sides up to LARGEST_SIDE."""
    return board.topology == _core.Topology.RECTANGLE and max(board.rows, board.cols) <= LARGEST_SIDE


def wide_patterns(rows: int, cols: int, memory: int, *, for_proof: bool = False) -> int:
    """Return how many patterns a table of wide strips may have in a search of boards of a size."""
    millions = next(each for least, squares, each in WIDE_STRIPS if memory >= least and rows * cols >= squares)
    return 10**6 * (min(millions, WIDEST_IN_PROOFS) if for_proof else millions)


def component_search(rows: int, cols: int, limits: Limits, *, for_proof: bool) -> _core.ComponentSearch:
    """Return a component search for boards of a size; its strip tables stay loaded as long as it lives.

    :param for_proof: whether a certificate will be written: then only strips that a checker can value are used.
    """
    settings = _core.ComponentOptions()
    settings.memory, settings.threads = limits.memory, limits.threads
    settings.wide_patterns = wide_patterns(rows, cols, limits.memory, for_proof=for_proof)
    settings.tall = not for_proof
    settings.always_flexible = for_proof  # a certificate has fewer positions then
    return _core.ComponentSearch(rows, cols, settings)


Way = _core.ComponentSearch | _core.ObsequiSettings
"""How a position is searched: by components, with the bound ``strip``, or as in the papers with the others."""


def search(board: _core.Board, first: Player, way: Way, limits: Limits, want_move: bool = True) -> _core.SearchResult:
    """Run one search for one starter. Ctrl-C stops it at once."""

    def work(token: _core.CancelToken) -> _core.SearchResult:
        if isinstance(way, _core.ComponentSearch):
            return way.solve(board, core_player(first), limits.of_core(token), want_move)
        return _core.obsequi_solve(board, core_player(first), way, limits.of_core(token))

    return run_cancellable(work, limits.cancel)


def winner_of(found: _core.SearchResult, first: Player) -> Player | None:
    """Return the winner of a search, or None if a limit was reached."""
    if found.verdict == _core.Verdict.WIN:
        return first
    return opponent(first) if found.verdict == _core.Verdict.LOSS else None
