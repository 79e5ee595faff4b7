"""Who wins, through the Python API, against published outcomes and a brute force of a few lines."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest
from tiny import TOPOLOGIES, Truth

import zermelo
from zermelo import _core as core
from zermelo.domineering import GAME
from zermelo.domineering.position import PLAYERS, Position, opponent
from zermelo.domineering.rules import knowledge, outcomes
from zermelo.domineering.rules.facts import FactBook
from zermelo.game import Limits, Progress, find_game

# Published outcomes with their source, for tests and benchmark reports only.
PUBLISHED = json.loads((Path(zermelo.__file__).parent / "bench" / "published.json").read_text())
FIGURE_12 = [row for row in PUBLISHED["obsequi"]["rows"] if row["nodes"] <= 2_023_301 or row["board"] in ("7x9",)]
QUOTED = [{"board": "4x13", "outcome": "second"}, {"board": "13x4", "outcome": "second"}]

Options = dict[str, Any]
BEST: Options = {"method": "search"}
COVER: Options = {"bounds": ("real", "cover"), "memory": 2**27}
PAPERS: Options = {"bounds": ("real", "cover"), "memory": 2**26, "with": ("real-cap", "four-packings")}
REAL: Options = {"bounds": ("real",), "memory": 2**27}


# Rings on which the first safe move of all loses.
WASTEFUL = (
    "hcylinder:...#./#####/.####/.####",
    "vcylinder:.#../.###/.###/####/.###",
    "torus:...##./######/.#####/.#####/######",
)


def sparse_position(chance: random.Random) -> Position:
    """Runs of free squares, few or many, some of them over a seam, on a rectangle, cylinder or torus."""
    rows, cols, topology = chance.randint(1, 7), chance.randint(1, 7), chance.choice(TOPOLOGIES)
    free, most = set[tuple[int, int]](), min(chance.randint(2, 16), rows * cols)
    while len(free) < most:
        row, col, down = chance.randrange(rows), chance.randrange(cols), chance.random() < 0.5
        for step in range(min(chance.randint(1, 6), most - len(free))):
            free.add(((row + step * down) % rows, (col + step * (not down)) % cols))
    grid = "/".join("".join("." if (row, col) in free else "#" for col in range(cols)) for row in range(rows))
    return Position(grid if topology == "rectangle" else f"{topology}:{grid}")


def test_figure_12_holds_all_boards() -> None:
    assert len(FIGURE_12) == 34  # 2x2 to 8x8, 7x9 and the 6x9 below it


@pytest.mark.parametrize("options", [{}, PAPERS], ids=["auto", "papers"])
@pytest.mark.parametrize("row", [*FIGURE_12, *QUOTED], ids=lambda row: row["board"])
def test_published_outcome_is_met(row: dict[str, str], options: Options) -> None:
    assert zermelo.solve(row["board"], **options).outcome == row["outcome"]


def test_papers_search_takes_wide_boards() -> None:
    # Lachmann, Moore, Rapaport: table for 2 x n. Dimensions over 15 once broke a published program.
    known = dict.fromkeys((15, 18, 19), "first") | dict.fromkeys((16, 17, 20, 21, 24, 28), "H")
    for cols, expected in known.items():
        assert zermelo.solve(f"2x{cols}", **PAPERS).outcome == expected, cols
        assert zermelo.solve(f"{cols}x2", **PAPERS).outcome == {"H": "V"}.get(expected, expected), cols


def test_every_named_move_wins() -> None:
    """ZERMELO_EXHAUSTIVE=1: 100,000 positions, in six minutes."""
    chance = random.Random(27)
    positions = [sparse_position(chance) for _ in range(100_000 if "ZERMELO_EXHAUSTIVE" in os.environ else 1_500)]
    full = [f"{kind}:{rows}x{cols}" for kind in TOPOLOGIES[1:] for rows in range(1, 5) for cols in range(1, 5)]
    for position in [*map(Position, (*WASTEFUL, *full, "5x5", "4x6", "1x4")), *positions]:
        truth = Truth(*position.size, position.topology)
        for player, first in enumerate(PLAYERS):
            winning = {
                str(move)
                for move in position.moves(first)
                if not truth.mover_wins(position.after(move).free, 1 - player)
            }
            assert set(map(str, position.winning_moves(first))) == winning, (position.text, first)
            for options in (BEST, COVER, REAL):
                start = position.solve(first=first, **options).starts[first]
                assert start.winner == (first if winning else opponent(first)), (position.text, first)
                assert str(start.move) in winning if winning else start.move is None, (position.text, first)


@pytest.mark.parametrize("options", [BEST, COVER], ids=["best", "cover"])
def test_limits_and_cancelling_give_unknown(options: Options) -> None:
    limited = zermelo.solve("10x10", first="V", nodes=100, **options)
    token = zermelo.CancelToken()
    threading.Timer(0.5, token.cancel).start()
    begin = time.monotonic()
    cancelled = zermelo.solve("10x10", first="V", cancel=token, **options)
    assert time.monotonic() - begin < 30
    for result in (limited, cancelled):
        assert (result.starts["V"].winner, result.starts["V"].move, result.known) == (None, None, False)


def test_progress_is_reported() -> None:
    seen: list[tuple[str, int]] = []

    def report(player: str, progress: Progress) -> None:
        seen.append((player, progress.nodes))

    zermelo.solve("10x10", first="V", seconds=1.5, on_progress=report, **COVER)
    assert seen and seen == sorted(seen)
    assert all(player == "V" for player, _ in seen)


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        ("4x4", {"bounds": ("magic",)}, "real, cover, strip"),
        ("4x4", {"without": ("magic",)}, "protective"),
        ("4x4", {"replacement": "magic"}, "find-first"),
        ("4x4", {"method": "magic"}, "auto, search, rules"),
        ("4x4", {"without": ("vulnerable",)}, "--without belongs to the search of the papers"),
        ("4x4", {"with": ("real-cap",), "bounds": ("strip",)}, "--with belongs to the search of the papers"),
        ("4x4", {"replacement": "deep"}, "--replacement belongs to the search of the papers"),
        ("4x4", {"bounds": ("real", "strip")}, "a search of their own"),
        ("torus:4x4", {"bounds": ("strip",)}, "rectangles with sides up to 32"),
        ("4x4", {"without": ("parity",), "bounds": ("real",)}, "parity belongs to the cover bound"),
        ("3x1000", {"method": "rules", "bounds": ("real",)}, "--bounds belongs to --method search"),
        ("3x1000", {"method": "rules", "threads": 2}, "--threads belongs to --method search"),
        ("..#/...", {"method": "rules"}, "empty boards"),
        ("24x25", {"method": "rules"}, "do not decide"),
        ("3x1000", {"method": "search"}, "at most 256 squares"),
    ],
)
def test_what_is_not_known_or_has_no_effect_is_refused_in_one_line(spec: str, options: Options, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        zermelo.solve(spec, **options)
    assert "\n" not in str(caught.value)


# One chooser: the same answer everywhere, with its source


@pytest.mark.parametrize(
    ("spec", "starts", "source"),
    [
        ("4x4", {"V": "V", "H": "H"}, "search"),
        ("10x10", {"V": "V", "H": "H"}, "fact"),
        ("3x1000", {"V": "H", "H": "H"}, "rules"),
        ("1000x3", {"V": "V", "H": "V"}, "rules"),
        ("60x120", {"V": "H", "H": None}, "rules"),
        ("100x100", {"V": None, "H": None}, "limit"),
        ("1x100000", {"V": "H", "H": "H"}, "rules"),
        ("torus:2x60", {"V": "H", "H": "H"}, "rules"),
        ("hcylinder:3x500", {"V": "H", "H": "H"}, "rules"),
        ("2x1000:V1,500", {"H": "H"}, "rules"),
        ("8x8:V1,2;H3,4", {"V": "V"}, "search"),
        ("1x1", {"V": "H", "H": "V"}, "over"),
        ("##/.#", {"V": "H", "H": "V"}, "over"),
    ],
)
def test_answers_name_their_source(spec: str, starts: dict[str, str | None], source: str) -> None:
    for first, winner in starts.items():
        answer = zermelo.solve(spec, first=first).starts[first]
        assert answer.winner == winner
        assert answer.by == (source if winner else "limit")
        assert (answer.limit == "size") == (winner is None)
        assert answer.why
        if source == "fact":
            assert answer.certificate and answer.certificate[:12] in answer.why
        if answer.move is not None:
            Position(spec).after(answer.move)


def test_what_the_rules_know_in_part_is_said() -> None:
    said = "the first or the second player wins, not known which"
    for size in ("61x61", "100x100"):  # they read alike
        assert said in zermelo.solve(size).starts["V"].why
        assert said in GAME.tables.derive(size).text[0]
    assert "H wins moving second" in zermelo.solve("60x120").starts["H"].why
    answer = zermelo.solve("12x12", nodes=1).starts["H"]
    assert answer.why == f"unknown within 1 node; the rules say only that {said}"
    assert (answer.limit, answer.remark) == ("nodes", f"the rules say only that {said}")
    assert zermelo.solve("10x12", nodes=1).starts["H"].why == "unknown within 1 node"


def test_a_limit_on_a_small_board_leaves_what_the_rules_know() -> None:
    answer = zermelo.solve("7x9", first="V", nodes=1).starts["V"]
    assert answer.by in ("rules", "fact") and answer.winner == zermelo.solve("7x9", first="V").starts["V"].winner
    assert "square: [6x6] = -[6x6]" in zermelo.solve("6x6", first="V", nodes=1).starts["V"].why  # no codes


def test_loading_tables_counts_and_is_said(tmp_path: Path) -> None:
    """In a process of its own, with no tables in memory or on disk."""
    code = "import zermelo; print(zermelo.solve('9x16', first='V', seconds=0.05, method='search').starts['V'])"
    environment = {**os.environ, "ZERMELO_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert "winner=None" in done.stdout and "tables of this board were not ready" in done.stdout


def test_squares_are_answered_once_and_turned() -> None:
    result = zermelo.solve("6x6")
    assert (result.starts["V"].by, result.starts["H"].by) == ("search", "symmetry")
    assert result.starts["H"].move is not None
    after = Position("6x6").after(result.starts["H"].move)
    assert zermelo.solve(after, first="V").starts["V"].winner == "H"


def test_several_threads_share_one_chooser() -> None:
    chooser = find_game("domineering").chooser(Limits())
    chance = random.Random(7)
    positions = [*(sparse_position(chance) for _ in range(40)), Position("6x6"), Position("5x8")]
    expected = [[zermelo.solve(each, **BEST).starts[first].winner for first in PLAYERS] for each in positions]

    def ask(_: int) -> list[list[str | None]]:
        return [[chooser.answer(each, first, Limits()).winner for first in PLAYERS] for each in positions]

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ask, range(4))) == [expected] * 4


def test_fact_of_the_board_is_told_where_the_rules_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    cold = knowledge.Knowledge(knowledge.shipped().facts)
    monkeypatch.setattr("zermelo.domineering.by_rules.shipped", lambda: cold)
    monkeypatch.setattr(knowledge, "GRACE", 0.0)
    answer = zermelo.solve("10x10", first="V", seconds=0.001).starts["V"]
    assert (answer.winner, answer.by) == ("V", "fact")
    assert zermelo.solve("9x33", first="V", seconds=0.001).starts["V"].by == "limit"


@pytest.mark.parametrize("corner", ["#", "."])
def test_margin_of_taken_or_single_squares_changes_no_answer(corner: str) -> None:
    """Also where the margin makes the board larger than a search takes; the move is one of the whole board."""
    for spec in ("4x4", "3x4", "..#./..../#...", "2x30"):
        inner = Position(spec)
        lines = [
            corner + "#" * (inner.cols + 59),
            *(f"{'#' * 7}{line}{'#' * 53}" for line in str(inner).split("\n")),
            "#" * (inner.cols + 59) + corner,
        ]
        outer = Position("/".join(lines))
        assert outer.framed() == (inner, 1, 7)
        for player in PLAYERS:
            one, two = (position.solve(first=player).starts[player] for position in (inner, outer))
            assert (one.winner, one.move is None, one.nodes) == (two.winner, two.move is None, two.nodes)
            assert two.move is None or outer.after(two.move).solve().known


@pytest.mark.parametrize(("spec", "winner"), [("3x1000", "H"), ("1000x3", "V"), ("100x100", None)])
def test_explain_of_a_large_board_is_its_derivation(spec: str, winner: str | None) -> None:
    game = find_game("domineering")
    found = game.explain(Position(spec), "cover")
    assert (found.lines, found.winner) == (GAME.tables.derive(spec).text, winner)
    with pytest.raises(ValueError, match="at most 256 squares"):
        game.explain(Position(spec), "cover", options={"player": "V"})
    with pytest.raises(ValueError, match="at most 256 squares"):
        game.explain(Position(spec).after("V1,1"), "cover")


def test_strip_bound_that_has_no_time_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no verdict on the cuts, and the command ends as at any other limit."""

    def endless(*_: object, cancel: core.CancelToken) -> None:
        while not cancel.cancelled:
            time.sleep(0.01)

    game = find_game("domineering")
    assert not game.explain(Position("6x6"), "strip", limits=Limits(60)).limited
    monkeypatch.setattr(core, "strip_witness", endless)
    found = game.explain(Position("6x6"), "strip", limits=Limits(0.05))
    assert found.limited and found.winner is None
    assert "were not ready in the time" in found.words[0] and "were not ready in the time" in found.lines[-1]
    assert found.data["wins"] is None


def test_starters_share_the_limits() -> None:
    starts = zermelo.solve("6x17", nodes=2000).starts
    assert starts["V"].nodes >= 1000 and starts["H"].nodes >= 1000
    square = zermelo.solve("11x11", nodes=2000).starts  # the answer for H follows from that for V
    assert square["V"].nodes >= 2000 and square["H"].nodes == 0 and square["H"].why == square["V"].why


def test_facts_come_with_a_winning_move() -> None:
    starts = zermelo.solve("9x9").starts
    assert [(answer.by, str(answer.move)) for answer in starts.values()] == [("fact", "V1,2"), ("symmetry", "H2,1")]
    assert str(zermelo.solve("9x9", first="H").starts["H"].move) == "H2,1"
    for fact in FactBook.load():
        for starter, move in fact.moves:
            assert outcomes.winner(fact.outcomes, starter) == starter
            after = Position(fact.size.spec).after(move)
            if fact.size.area <= 64 or "ZERMELO_EXHAUSTIVE" in os.environ:
                other = opponent(cast(Any, starter))
                assert after.solve(first=other, method="search").starts[other].winner == starter
