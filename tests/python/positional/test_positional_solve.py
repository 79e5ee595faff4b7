"""m,n,k games and hypergraphs through the Python door and the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from zermelo.positional import BreakerPlayer, MnkGame, read_hypergraph, solve_hypergraph, solve_mnk


def run(*words: str) -> subprocess.CompletedProcess[str]:
    script = "from zermelo.cli.app import main; main()"
    return subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True)


def lines_of(game: MnkGame) -> list[set[int]]:
    """All k in a row, built here once more."""
    result = []
    for row in range(game.rows):
        for column in range(game.columns):
            for d_row, d_column in ((0, 1), (1, 0), (1, 1), (1, -1)):
                squares = [(row + i * d_row, column + i * d_column) for i in range(game.k)]
                if all(0 <= r < game.rows and 0 <= c < game.columns for r, c in squares):
                    result.append({r * game.columns + c for r, c in squares})
    return result


@pytest.mark.parametrize(
    ("spec", "winner"),
    [("3,3,3", "maker"), ("4,4,4", "breaker"), ("5,5,4", "maker"), ("5,5,5", "breaker"),
     ("6,6,5", "breaker"), ("7,7,5", "breaker")],
)  # fmt: skip
def test_maker_breaker_winner_is_the_published_one(spec: str, winner: str) -> None:
    assert solve_mnk(spec).maker_breaker == winner


def test_pairs_of_5_5_5_serve_every_line() -> None:
    result = solve_mnk("5,5,5")
    assert result.proved_by == "pairing strategy"
    squares = [square for pair in result.pairs for square in pair]
    assert len(squares) == len(set(squares))
    for line in lines_of(result.game):
        assert any(set(pair) <= line for pair in result.pairs)


@pytest.mark.parametrize("spec", ["5,5,5", "4,4,4"])
def test_player_never_lets_maker_win(spec: str) -> None:
    start = MnkGame.from_text(spec)
    player = BreakerPlayer(start)
    lines = lines_of(start)
    for seed in range(12):
        game, state = start, seed * 7919 + 1
        while game.free:
            state = (state * 1103515245 + 12345) % 2**31
            # Half of the time Maker takes the square with most lines still open, else any.
            if state & 64:
                blocked = set(game.second)
                open_lines = [line for line in lines if not line & blocked]
                square = max(game.free, key=lambda s: sum(s in line for line in open_lines))
            else:
                square = game.free[state % len(game.free)]
            game = game.play(square)
            assert not any(line <= set(game.first) for line in lines)
            if game.free:
                game = game.play(player.reply(game))
                if game.winner():
                    break


@pytest.mark.parametrize(
    ("text", "word"),
    [("0,0,0", "at least 1"), ("7,7", "columns,rows,k"), ("20,20,5", "too large"),
     ("7,7,5:z9", "not a square"), ("7,7,5:d4,d4", "taken"), ("99999999,1,1", "columns,rows,k")],
)  # fmt: skip
def test_bad_spec_is_one_line_and_exit_code_2(text: str, word: str) -> None:
    result = run("solve", "mnk", text)
    assert result.returncode == 2
    assert result.stdout == "" and len(result.stderr.splitlines()) == 1
    assert word in result.stderr


def test_line_longer_than_the_board_is_a_draw() -> None:
    assert solve_mnk("5,5,9").outcome == "draw"


@pytest.mark.parametrize("spec", ["7,7,5", "7,7,5:d4,c3", "1,1,1", "30,8,4:aa1"])
def test_spec_round_trips(spec: str) -> None:
    assert MnkGame.from_text(spec).text == spec


def test_json_has_the_documented_keys() -> None:
    answer = json.loads(run("solve", "mnk", "7,7,5", "--json").stdout)
    assert answer["game"] == "mnk" and answer["spec"] == "7,7,5"
    assert answer["outcome"] == "draw" and answer["maker_breaker"] == "breaker"
    assert answer["nodes"] > 0 and answer["seconds"] >= 0


def test_limit_gives_unknown_and_exit_code_3() -> None:
    result = run("solve", "mnk", "8,8,5", "--nodes", "300", "--json")
    assert result.returncode == 3
    assert json.loads(result.stdout)["outcome"] == "unknown"


def test_switches_change_no_winner() -> None:
    for names in combinations(["zones", "carriers", "pairs", "symmetry", "forcing"], 2):
        assert solve_mnk("5,5,4", without=names).maker_breaker == "maker"
    with pytest.raises(ValueError, match="no such switch"):
        solve_mnk("3,3,3", without=["magic"])


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_hyp_file_is_solved_for_both_starters(tmp_path: Path) -> None:
    result = solve_hypergraph(read_hypergraph(write(tmp_path, "path.hyp", "a b # edge\n\nb c\n")))
    assert (result.maker_first, result.breaker_first) == ("maker", "breaker")


def test_pg_file_is_solved(tmp_path: Path) -> None:
    text = (
        "#times\nt1 t2 t3 t4\n#blackturns\nt1 t3\n#positions\na b c d\n"
        "#blackwins\na b\nc d\n#blackinitials\n#whiteinitials\n"
    )
    result = solve_hypergraph(read_hypergraph(write(tmp_path, "four.pg", text)))
    assert (result.maker_first, result.breaker_first) == ("breaker", "breaker")
    assert sorted(map(sorted, result.pairs)) == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [("x.hyp", "a b\n   \n", "line 2"), ("x.hyp", "a a b\n", "line 1"),
     ("x.hyp", " ".join(f"v{i}" for i in range(2000)), "at most 256"),
     ("x.hyp", "\n".join(f"a{i} b{j}" for i in range(40) for j in range(40)), "hyperedges"),
     ("x.hyp", "a \x00b\n", "line 1"), ("x.txt", "a b\n", ".hyp or .pg"),
     ("x.pg", "a b\n", "line 1"), ("x.pg", "#blackwins\na b\n", "#positions"),
     ("x.pg", "#positions\na b\n#blackwins\na c\n", "line 4"),
     ("x.pg", "#positions\na b\n#whitewins\na b\n", "not supported"),
     ("x.pg", "#nonsense\n", "line 1"),
     ("x.pg", "#times\nt1\n#blackturns\nt1\n#positions\na b\n#blackwins\na b\n", "bounded")],
)  # fmt: skip
def test_bad_hypergraph_file_is_one_line_and_exit_code_2(tmp_path: Path, name: str, text: str, word: str) -> None:
    result = run("solve", "hypergraph", str(write(tmp_path, name, text)))
    assert result.returncode == 2, result.stdout
    assert len(result.stderr.splitlines()) == 1
    assert word in result.stderr


def test_missing_file_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    result = run("solve", "hypergraph", str(tmp_path / "none.hyp"))
    assert result.returncode == 2 and len(result.stderr.splitlines()) == 1
