"""A whole game at the command line, on a board no search could touch."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

COMMAND = [str(Path(sys.executable).parent / "zermelo"), "play", "domineering"]


def run(*words: str, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], input=typed, capture_output=True, text=True)


def test_machine_answers_beside_the_move_on_a_thousand_columns() -> None:
    result = run("2x1000", "--json", typed="1,500\n1,7\n")
    events = [json.loads(line) for line in result.stdout.splitlines()]
    moves = [event["move"] for event in events if "move" in event]
    assert result.returncode == 0 and len(moves) == 2
    assert abs(int(moves[0].split(",")[1]) - 500) <= 4
    assert abs(int(moves[1].split(",")[1]) - 7) <= 4


def test_game_is_played_to_its_end_and_the_winner_named() -> None:
    result = run("2x2", "--you", "V", "--first", "H", typed="quit\n")
    assert "I play H" in result.stdout and "V cannot move: H wins" in result.stdout


def test_loser_plays_on_and_says_so() -> None:
    result = run("2x1000", "--you", "H", "--first", "V", typed="quit\n")
    assert "no way is known for V" in result.stdout and "I play V" in result.stdout


def test_illegal_moves_are_asked_again_and_bad_options_are_one_line() -> None:
    result = run("3x4", typed="9,9\nnonsense\nquit\n")
    assert result.returncode == 0 and "not a legal move of V" in result.stdout
    for words in (("3x4", "--you", "X"), ("torus:4y4",), ("1000x1000",)):
        bad = run(*words, typed="")
        assert bad.returncode == 2 and len(bad.stderr.splitlines()) == 1


def test_machine_takes_a_win_that_the_human_leaves() -> None:
    # V, moving first on 2x3, wins in the middle; at the edge she leaves 2x2 to H.
    result = run("2x3", "--you", "V", "--first", "V", "--json", typed="1,1\n")
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert any("I play as well as I can" in event.get("note", "") for event in events)
    assert events[-1]["winner"] == "H"


def test_machine_guesses_when_its_time_is_over_and_says_so() -> None:
    """9x9 is won by who starts, but a search takes a minute a move."""
    words = ("9x9", "--you", "V", "--first", "H", "--time", "0.3")
    begin = time.monotonic()
    result = run(*words, "--json", typed="1,4\n")
    assert time.monotonic() - begin < 10
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [event["by"] for event in events if "move" in event] == ["guess", "guess"]
    assert "a guess" in run(*words, typed="").stdout


def test_facts_are_checked_at_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    fact = '{"board": "2x4", "outcomes": "%s", "by": "search", "version": "0"}'
    for outcome, code in (("H", 0), ("V", 1)):
        path.write_text('{"format": "zermelo-facts/1", "facts": [%s]}' % (fact % outcome))
        done = subprocess.run([COMMAND[0], "facts", "check", str(path), "--json"], capture_output=True)
        assert done.returncode == code
        assert json.loads(done.stdout)["confirmed"] == (1 if code == 0 else 0)
