"""The real rules, explanations, play and the benchmark."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from zermelo._core import PositionalProgress
from zermelo.draw.pairing import pairing_svg
from zermelo.positional import MnkGame, solve_mnk
from zermelo.positional.benchmark import Row, as_published, speed_up
from zermelo.positional.explain import explain_mnk


def run(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    script = "from zermelo.cli.app import main; main()"
    return subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, input=text)


@pytest.mark.parametrize(
    ("spec", "outcome", "by"),
    [("3,3,3", "draw", "strong-game search"), ("4,3,3", "first", "strong-game search"),
     ("4,4,4", "draw", "Maker-Breaker search"), ("5,5,4", "draw", "strong-game search"),
     ("6,5,4", "first", "strong-game search"), ("5,5,5", "draw", "pairing strategy"),
     ("4,5,4", "draw", "Maker-Breaker search"), ("4,6,4", "draw", "Maker-Breaker search"),
     ("4,7,4", "draw", "Maker-Breaker search"), ("7,7,5", "draw", "Maker-Breaker search")],
)  # fmt: skip
def test_outcome_is_the_published_one(spec: str, outcome: str, by: str) -> None:
    result = solve_mnk(spec)
    assert (result.outcome, result.proved_by) == (outcome, by)


def minimax(game: MnkGame) -> str:
    """Who wins by plain search: first, second or draw."""
    lines = lines_of(game)
    squares = frozenset(range(game.columns * game.rows))

    @cache
    def value(first: frozenset[int], second: frozenset[int]) -> str:
        if any(line <= first for line in lines):
            return "first"
        if any(line <= second for line in lines):
            return "second"
        if len(first) + len(second) == len(squares):
            return "draw"
        first_moves = len(first) == len(second)
        wanted, bad = ("first", "second") if first_moves else ("second", "first")
        results = {
            value(first | {v}, second) if first_moves else value(first, second | {v}) for v in squares - first - second
        }
        return wanted if wanted in results else "draw" if "draw" in results else bad

    return value(frozenset(game.first), frozenset(game.second))


def lines_of(game: MnkGame) -> list[frozenset[int]]:
    """All k in a row, built here once more."""
    result = []
    for row in range(game.rows):
        for column in range(game.columns):
            for d_row, d_column in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * d_row, column + i * d_column) for i in range(game.k)]
                if all(0 <= r < game.rows and 0 <= c < game.columns for r, c in cells):
                    result.append(frozenset(r * game.columns + c for r, c in cells))
    return result


@pytest.mark.parametrize("spec", ["3,3,3", "4,2,2", "3,2,3", "5,1,2", "3,3,2"])
def test_positions_after_moves_agree_with_minimax(spec: str) -> None:
    start = MnkGame.from_text(spec)
    for a in start.free:
        one = start.play(a)
        games = [one, *(one.play(b) for b in one.free)] if one.winner() is None else []
        for game in games:
            if game.winner() is None:
                assert solve_mnk(game).outcome == minimax(game), game.text


def test_explanation_of_a_pairing_draws_every_pair(tmp_path: Path) -> None:
    picture = tmp_path / "pairs.svg"
    result = run("explain", "mnk", "5,5,5", "--svg", str(picture), "--json")
    told = json.loads(result.stdout)
    assert len(told["pairing"]) == 12 and told["beck"] == pytest.approx(0.375)
    root = ElementTree.fromstring(picture.read_text())
    letters = [node.text for node in root.iter() if node.get("font-weight") == "bold"]
    assert sorted(letters) == sorted(2 * [chr(ord("a") + i) for i in range(12)])


def test_explanation_by_search_answers_every_first_move() -> None:
    told = explain_mnk("7,7,5", seconds=60)
    assert told.winner == "breaker" and not told.has_pairing
    assert len(told.answers) == 10  # squares of a 7 x 7 board up to symmetry
    for answer in told.answers:
        assert answer.reply != answer.move and answer.move not in answer.zone
    assert "reply" in told.text() and told.svg().startswith("<svg")


def test_explain_refuses_a_finished_game() -> None:
    with pytest.raises(ValueError, match="over"):
        explain_mnk("3,1,1:a1")


def test_picture_of_an_empty_board_is_a_document() -> None:
    assert ElementTree.fromstring(pairing_svg(3, 2)).tag.endswith("svg")


def test_play_holds_the_draw() -> None:
    squares = "b2 zz c3 b3 c2 a1 d4 a4 d1 a2 a3 b1 b4 c1 c4 d2 d3"
    result = run("play", "mnk", "4,4,4", text="\n".join(squares.split()) + "\n")
    assert result.returncode == 0
    assert "not a square" in result.stdout and "the first player wins" not in result.stdout


def test_play_goes_on_with_guesses_where_no_draw_is_there() -> None:
    """The first player wins 4,4,3 from the middle, but may give it away again."""
    result = run("play", "mnk", "4,4,3", "--json", text="b2\nb3\na1\nc3\n")
    *answers, end = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.returncode == 0
    assert [answer["by"] for answer in answers] == ["guess"] * 3
    assert end["outcome"] == "second"
    held = run("play", "mnk", "4,4,4", "--json", text="b2\n")
    assert json.loads(held.stdout)["by"] == "search"


def test_nodes_fall_with_n_as_in_table_2() -> None:
    nodes = []
    for n in (1, 2, 3):
        result = as_published("7,7,5", branching=n, seconds=600)
        assert result.winner.name == "BREAKER"
        nodes.append(result.nodes)
    assert nodes[0] > nodes[1] > nodes[2]
    assert solve_mnk("7,7,5").nodes * 3 < nodes[1]


def test_bench_marks_rows_and_limits() -> None:
    answer = json.loads(run("bench", "mnk", "--time", "0.2", "--json").stdout)
    assert {row["answer"] for row in answer["rows"]} <= {"maker", "breaker", "unknown"}
    assert [row["case"] for row in answer["rows"]][-1] == "8,7,5"
    last = answer["rows"][-1]
    assert last["answer"] == "breaker" or "of the tree" in last["setting"]


def test_speed_up_needs_both_rows() -> None:
    published = Row("", "7,7,5", "N = 2", "breaker", 10_585, 1.0)
    full = Row("", "7,7,5", "full, 1 thread; draw", "breaker", 2_279, 0.04)
    assert speed_up([published]) is None
    assert speed_up([published, full]) == pytest.approx(25)
    assert speed_up([replace(published, answer="unknown"), full]) is None


def test_progress_of_a_search_that_stops_is_a_share() -> None:
    progress = PositionalProgress()
    result = solve_mnk("8,7,5", nodes=3000, progress=progress)
    assert result.outcome == "unknown" and 0 < progress.nodes < 3010
    assert 0 <= progress.fraction < 1
    progress = PositionalProgress()
    assert solve_mnk("7,7,5", progress=progress).outcome == "draw"
    assert progress.fraction == 1
    assert all(nodes > 0 for _, nodes in progress.root_moves)
