"""The search of the papers: published outcomes, a Python oracle, limits and cancelling."""

from __future__ import annotations

import json
import random
import threading
from functools import cache
from pathlib import Path

import pytest

from zermelo import _core as core

PUBLISHED = json.loads((Path(__file__).parents[2] / "data" / "obsequi_figure_12.json").read_text())["rows"]


def outcome(board: core.Board, settings: core.ObsequiSettings) -> str:
    wins = {
        first: core.obsequi_solve(board, first, settings).verdict == core.Verdict.WIN
        for first in (core.Player.V, core.Player.H)
    }
    v, h = wins[core.Player.V], wins[core.Player.H]
    return "1" if v and h else "V" if v else "H" if h else "2"


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: row["board"])
def test_outcome_is_as_published(row: dict[str, object]) -> None:
    settings = core.ObsequiSettings()
    settings.switches.real_cap = settings.switches.four_packings = True
    settings.table_bytes = 64 << 20
    assert outcome(core.parse_spec(str(row["board"])).board(), settings) == row["outcome"]


def brute_force(rows: int, cols: int, free: frozenset[tuple[int, int]], player: str) -> bool:
    """Does the player on move win? Shares no code with the package."""

    @cache
    def wins(free: frozenset[tuple[int, int]], vertical: bool) -> bool:
        for row, col in free:
            end = (row + vertical, col + (not vertical))
            if end in free and not wins(free - {(row, col), end}, not vertical):
                return True
        return False

    return wins(free, player == "V")


def test_search_agrees_with_brute_force() -> None:
    rng = random.Random(1)
    for _ in range(60):
        rows, cols = rng.choice([(3, 4), (4, 4), (2, 7), (5, 3)])
        free = frozenset((r, c) for r in range(rows) for c in range(cols) if rng.random() < 0.85)
        text = "/".join("".join("." if (r, c) in free else "#" for c in range(cols)) for r in range(rows))
        board = core.parse_spec(text).board()
        for first in (core.Player.V, core.Player.H):
            expected = brute_force(rows, cols, free, first.name)
            result = core.obsequi_solve(board, first)
            assert (result.verdict == core.Verdict.WIN) == expected, (text, first)
            assert (result.move is not None) == expected


def test_search_releases_the_gil_and_stops_when_cancelled() -> None:
    token = core.CancelToken()
    results: list[core.SearchResult] = []
    board = core.Board.empty(10, 10)
    worker = threading.Thread(target=lambda: results.append(core.obsequi_solve(board, core.Player.V, cancel=token)))
    worker.start()
    token.cancel()
    worker.join(timeout=30)
    assert not worker.is_alive()
    assert results[0].verdict == core.Verdict.UNKNOWN
    assert results[0].stopped == core.StopReason.CANCELLED


def test_progress_is_reported() -> None:
    seen: list[int] = []
    core.obsequi_solve(core.Board.empty(10, 10), core.Player.V, seconds=0.5, on_progress=lambda p: seen.append(p.nodes))
    assert seen and seen == sorted(seen)


def test_threads_give_the_same_answers() -> None:
    settings = core.ObsequiSettings()
    settings.threads = 2
    settings.table_bytes = 16 << 20
    for spec, expected in [("5x5", "2"), ("6x6", "1"), ("4x8", "H"), ("4x9", "V")]:
        assert outcome(core.parse_spec(spec).board(), settings) == expected


def test_wide_boards_have_the_known_outcomes() -> None:
    # Lachmann, Moore, Rapaport: table for 2 x n. Dimensions over 15 once broke a published program.
    known = {15: "1", 16: "H", 17: "H", 18: "1", 19: "1", 20: "H", 21: "H", 24: "H", 28: "H"}
    settings = core.ObsequiSettings()
    settings.switches.real_cap = settings.switches.four_packings = True
    settings.table_bytes = 64 << 20
    for cols, expected in known.items():
        assert outcome(core.Board.empty(2, cols), settings) == expected, cols
        turned = {"V": "H", "H": "V"}.get(expected, expected)
        assert outcome(core.Board.empty(cols, 2), settings) == turned, cols


def test_witness_counts_match_its_areas() -> None:
    board = core.parse_spec("6x7:V1,2;H4,4").board()
    witness = core.cover_witness(board, core.Player.V, True)
    kinds = [area.kind for area in witness.areas]
    assert kinds.count(core.AreaKind.PROTECTIVE) == witness.counts.prot
    assert kinds.count(core.AreaKind.VULNERABLE2) == witness.counts.vuln2
    assert kinds.count(core.AreaKind.VULNERABLE1) == witness.counts.vuln1
    assert kinds.count(core.AreaKind.SAFE) == witness.counts.safe
    assert kinds.count(core.AreaKind.UNAVAILABLE) == witness.counts.unavail
    assert witness.counts.squares == len(board.free_squares())
    assert core.cover_bound(board, core.Player.V, True).moves == witness.bound.moves
