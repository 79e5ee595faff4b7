"""One `play` for every game: what a person sees, what can be typed, and that the machine keeps what it can prove."""

from __future__ import annotations

import json
from typing import Any

import pytest


@pytest.fixture
def play(run: Any) -> Any:
    """Return a function that plays with typed lines and returns what was printed; the exit code must be 0."""

    def play(typed: str, *words: str, code: int = 0) -> str:
        said = run("play", *words, typed=typed)
        assert said.code == code
        return str(said.out)

    return play


def test_board_sides_and_forecast_come_before_the_first_prompt(play: Any) -> None:
    told, _, _ = play("", "mnk", "3,3,3").partition("your move")
    assert "You are X, I am O. X moves first." in told
    assert "With best play: a draw (proved by strong-game search)." in told
    assert "3 . . .\n2 . . .\n1 . . .\n  a b c" in told


def test_last_move_of_either_side_is_in_brackets(play: Any) -> None:
    told = play("b2\n", "mnk", "3,3,3")
    assert "2 .(X)." in told
    assert "(O)" in told.partition("I play")[2]


def test_machine_begins_where_the_human_is_second(play: Any) -> None:
    told = play("", "domineering", "4x4", "--you", "h")
    assert "You are Horizontal (H), I am Vertical (V). Vertical moves first." in told
    assert "I play V2,1: it wins (proved by search)." in told
    assert play("", "domineering", "4x4", "--first", "horizontal").count("Horizontal, your move") == 1


def test_undo_takes_back_both_moves(play: Any) -> None:
    told = play("b2\nundo\nundo\n", "mnk", "3,3,3")
    assert "Your last move is taken back.\n\n3 . . .\n2 . . .\n1 . . ." in told
    assert "There is no move of yours to take back." in told


def test_hint_marks_every_move(play: Any) -> None:
    told = play("?\n", "domineering", "2x3")
    assert "With best play: Vertical wins" in told
    assert "wins: V1,2" in told and "loses: V1,1 V1,3" in told


def test_moves_are_taken_with_and_without_the_players_name(play: Any) -> None:
    for typed in ("V1,2", "v1,2", "1,2", " V 1,2 "):
        assert "1 .(V)." in play(f"{typed}\n", "domineering", "2x3")
    assert "'9,9' is not a legal move here" in play("9,9\n", "domineering", "2x3")


def test_game_from_the_middle_ends_with_its_winner(play: Any) -> None:
    told = play("a3\n", "mnk", "3,3,3:a1,b1,a2,b2")
    assert told.rstrip().endswith("3 in a row: a1, a2, a3. X wins.")
    events = [json.loads(line) for line in play("a3\n", "mnk", "3,3,3:a1,b1,a2,b2", "--json").splitlines()]
    assert events[-1]["winner"] == "X" and events[-1]["outcome"] == "first"
    assert events[-1]["spec"] == "3,3,3:a1,b1,a2,b2,a3"


def test_position_that_is_over_is_not_played(play: Any) -> None:
    assert "wins." in play("", "mnk", "3,3,3:a1,b1,a2,b2,a3")


@pytest.mark.parametrize("spec", ["2x1000", "3x1000", "1000x2"])
def test_huge_board_is_shown_through_a_window(play: Any, spec: str) -> None:
    told = play("1,1\n", "domineering", spec, "--time", "1")
    assert max(map(len, told.partition("quit.")[2].splitlines())) <= 110
    assert "of 1,000" in told and "(V)" in told


def test_joined_edges_are_named(play: Any) -> None:
    assert "The opposite edges are joined." in play("", "domineering", "torus:3x3")
    assert "The left and right edges are joined." in play("", "domineering", "hcylinder:3x4")


def test_guess_is_called_a_guess(play: Any) -> None:
    told = play("", "domineering", "11x13:V1,1", "--you", "V", "--first", "H", "--time", "0.05", "--nodes", "10")
    assert (
        "Who wins is not known" in told and "a guess: whether it is good is unknown within 0.05 s and 10 nodes" in told
    )


def test_program_that_types_nonsense_is_told_so(play: Any) -> None:
    play("nonsense\n", "mnk", "3,3,3", "--json", code=2)
