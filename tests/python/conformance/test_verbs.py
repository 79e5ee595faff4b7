"""What one asks of a position in Python: the same verbs for every game, and a sentence for whatever makes no sense."""

from __future__ import annotations

import copy
import doctest
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cases import GAMES, ROOT, brute, opened

import zermelo
from zermelo import HypergraphPosition, LimitReached, MnkPosition, Move, Position
from zermelo.cgt import Value
from zermelo.game import Limits

RESEARCHER = ROOT / "examples" / "researcher"


@GAMES
def test_verbs_agree_with_brute_force(name: str, spec: str) -> None:
    game, start = opened(name, spec)
    for player in game.players if start.to_move is None else (start.to_move,):
        turn = start.turn_of(player)
        moves = turn.moves(player)
        assert turn.options(player) == tuple(map(turn.after, moves))
        wins = [move for move in moves if brute(turn.after(move), turn.after(move).player_after(player)) == player]
        assert list(map(str, turn.winning_moves(player))) == list(map(str, wins))
        assert turn.solve(first=player).starts[player].winner == brute(turn, player)
        assert len(start.winning_moves(player)) == len(wins)
        other = game.other(player)
        assert all(start.after(move).turn_of(other) == turn.after(one).turn_of(other)
                   for move, one in zip(start.winning_moves(player), wins, strict=True))  # fmt: skip
    assert start.outcome == game.solve(start).outcome
    assert copy.copy(start) == copy.deepcopy(start) == start


@GAMES
def test_pictures_and_proofs_are_files(name: str, spec: str, tmp_path: Path) -> None:
    game, start = opened(name, spec)
    start.save(tmp_path / "a.svg")
    start.save(str(tmp_path / "a.txt"))
    assert (tmp_path / "a.svg").read_text() == start.svg() and start.svg() in start._repr_html_()
    assert game.parse((tmp_path / "a.txt").read_text().strip()) == start
    with pytest.raises(ValueError, match="must end in"):
        start.save(tmp_path / "a.doc")


def test_sums_and_negatives_are_those_of_values() -> None:
    specs = ["2x3", "3x2", "..#/...", "1x4", "2x2:V1,1", "#.#/...", "3x3"]
    for one in map(Position, specs):
        assert (-one).value == -one.value and (one - one).outcome == "second"
        assert sum((part.value for part in one.components), Value(0)) == one.value
        for two in map(Position, specs):
            assert (one + two).value == one.value + two.value == one + two.value
            assert (one - two).value == one.value - two.value
    assert Value("^") + Position("2x2") == Position("2x2") + Value("^") == Value("+-1 + ^")
    assert sum([Position("1x2"), Position("1x2")]).value == -2


BOARD, TOE = Position("4x4"), MnkPosition(3, 3, 3)
NET = HypergraphPosition.from_edges([["a", "b"], ["b", "c"]])
WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: Position(8), TypeError, "made from text"),  # type: ignore[arg-type]
    (lambda: Position("8 y 8"), ValueError, "write rows x columns"),
    (lambda: BOARD.after(5), TypeError, "a move is text"),  # type: ignore[arg-type]
    (lambda: BOARD.after("V9,9"), ValueError, "does not fit"),
    (lambda: BOARD.after(Move("X", 1, 1)), ValueError, "not known"),  # type: ignore[arg-type]
    (lambda: BOARD.is_legal(None), TypeError, "a move is text"),  # type: ignore[arg-type]
    (lambda: BOARD.moves("X"), ValueError, "not known"),
    (lambda: BOARD.options(1), ValueError, "not known"),  # type: ignore[arg-type]
    (lambda: BOARD.winning_moves(), ValueError, "either player may begin"),
    (lambda: BOARD.prove("x.zc"), ValueError, "either player may begin"),
    (lambda: BOARD.solve(nope=1), ValueError, "no option 'nope'"),
    (lambda: BOARD.solve(seconds="1"), TypeError, "limits are numbers"),  # type: ignore[arg-type]
    (lambda: BOARD.solve(nodes=1.5), TypeError, "whole ones of nodes"),  # type: ignore[arg-type]
    (lambda: BOARD.solve(memory=-5), ValueError, "0 bytes or more"),
    (lambda: BOARD + TOE, ValueError, "no sum"),
    (lambda: BOARD + "1", TypeError, "unsupported"),
    (lambda: Position("6x7").winning_moves("V", nodes=1), LimitReached, "unknown within 1 node"),
    (lambda: zermelo.solve(4), TypeError, "a position or its text"),  # type: ignore[arg-type]
    (lambda: MnkPosition(0, 3, 3), ValueError, "at least 1"),
    (lambda: MnkPosition("3", 3, 3), TypeError, "text alone"),  # type: ignore[call-overload]
    (lambda: MnkPosition(3, "3", 3), TypeError, "whole numbers"),  # type: ignore[call-overload]
    (lambda: MnkPosition(3, 3, 3, (99,)), ValueError, "not on the board"),
    (lambda: MnkPosition(3, 3, 3, (1, 1)), ValueError, "already taken"),
    (lambda: MnkPosition(3, 3, 3, 5), TypeError, "numbers"),  # type: ignore[arg-type]
    (lambda: TOE.after(99), ValueError, "not a square"),  # type: ignore[arg-type]
    (lambda: TOE.value, ValueError, "no value"),
    (lambda: TOE.nimber, ValueError, "no value"),
    (lambda: -TOE, ValueError, "no negative"),
    (lambda: TOE + TOE, ValueError, "no sum"),
    (lambda: HypergraphPosition("ab", ((0, 1),)), TypeError, "names"),  # type: ignore[arg-type]
    (lambda: HypergraphPosition(("a",), ((1,),)), ValueError, "out of range"),
    (lambda: NET.after("maker z"), ValueError, "not a vertex"),
    (lambda: Limits(threads=0), ValueError, "threads"),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "kind", "words"), WRONG)
def test_nonsense_gets_a_sentence(ask: Callable[[], object], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words) as caught:
        ask()
    assert "\n" not in str(caught.value)


def test_lists_do_not_make_a_corrupt_position() -> None:
    position = MnkPosition(3, 3, 3, [4, 0])  # type: ignore[arg-type]
    assert position == MnkPosition(3, 3, 3, (4, 0)) and hash(position) == hash(MnkPosition(3, 3, 3, (4, 0)))
    net = HypergraphPosition(["a", "b"], [[0, 1]])  # type: ignore[arg-type]
    assert hash(net) == hash(HypergraphPosition(("a", "b"), ((0, 1),)))


def test_everything_can_be_found() -> None:
    assert set(dir(zermelo)) == set(zermelo.__all__) and {"Position", "cgt", "draw", "proof"} <= set(dir(zermelo))
    for name in zermelo.__all__:
        assert getattr(zermelo, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = zermelo.nothing


def test_session_of_a_researcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failures, tried = doctest.testfile(str(RESEARCHER / "session.txt"), module_relative=False, encoding="utf-8")
    assert failures == 0 and tried > 25


@pytest.mark.parametrize(
    "command",
    [["-m", "pyright", "--pythonpath", sys.executable], []],
    ids=["pyright", "run"],  # mypy --strict: the step `types` has examples/ in its files
)
def test_user_program_has_types_and_runs(command: list[str], tmp_path: Path) -> None:
    shutil.copy(RESEARCHER / "study.py", tmp_path)
    words = [sys.executable, *command, "study.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ignore" not in (tmp_path / "study.py").read_text()
