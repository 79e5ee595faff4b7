"""Marks of all moves against plain minimax, on a small made-up game with wins, draws and losses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from zermelo._core import CancelToken
from zermelo.game import DRAW, Answer, Game, Limits, Move, Player, Position, View
from zermelo.game.marking import Marking, Memory, MovesMark, allowances, choose_move, mark_moves

FULL = 7


class Counting(Game):
    """In turn add 1, 2 or 3 to a number: who reaches 7 wins, 8 is a draw, more loses."""

    name, title, players = "counting", "Counting", ("A", "B")
    outcomes: Mapping[str, str] = {}

    def parse(self, text: str) -> Position:
        return Number(int(text))

    def outcome(self, starts: Mapping[Player, Answer]) -> str | None:
        return None


COUNTING = Counting()


@dataclass(frozen=True)
class Number(Position):
    number: int

    @property
    def game(self) -> Game:
        return COUNTING

    @property
    def text(self) -> str:
        return str(self.number)

    def moves(self, player: Player) -> list[str]:
        return [] if self.number >= FULL else ["+1", "+2", "+3", "+03"]

    def after(self, move: Move | str) -> Number:
        return Number(self.number + int(str(move)))

    def key(self) -> str:
        return self.text

    def decided(self, player: Player) -> Player | None:
        if self.number < FULL:
            return None
        last = COUNTING.other(player)
        return last if self.number == FULL else DRAW if self.number == FULL + 1 else player

    def view(self) -> View:
        return View(1, 1, ("1",), ("1",))


@cache
def truth(position: Number, player: Player) -> tuple[Player, str | None]:
    """Who wins, and a move for it."""
    over = position.decided(player)
    if over is not None:
        return over, None
    worth = {player: 2, DRAW: 1}
    other = COUNTING.other(player)
    found = [(truth(position.after(move), other)[0], move) for move in position.moves(player)]
    winner, move = max(found, key=lambda one: worth.get(one[0], 0))
    return winner, move if winner in worth else None


class Oracle:
    """Knows everything, but far from the end only with many nodes."""

    def __init__(self, *, names_moves: bool = True) -> None:
        self.asked: list[tuple[str, int | None]] = []
        self.names_moves = names_moves

    def answer(self, position: Position, first: Player, limits: Limits, *, want_move: bool = True) -> Answer:
        assert isinstance(position, Number)
        self.asked.append((position.text, limits.nodes))
        cost = 1000 * 2 ** (FULL - position.number)
        if (limits.nodes is not None and limits.nodes < cost) or limits.cancelled:
            return Answer(first, None, "limit", nodes=limits.nodes or 0)
        winner, move = truth(position, first)
        return Answer(first, winner, "search", move if self.names_moves and want_move else None, "searched", cost)


def marks_of(found: list[MovesMark]) -> dict[Any, str]:
    assert len([1 for one in found if not one.moves]) == 1
    return {move: one.mark for one in found for move in one.moves or [None]}


@pytest.mark.parametrize("names_moves", [True, False])
@pytest.mark.parametrize("start", range(FULL + 1))
def test_marks_are_those_of_minimax(start: int, names_moves: bool) -> None:
    position, oracle, memory = Number(start), Oracle(names_moves=names_moves), Memory()
    for _ in range(2):
        marks = marks_of(list(mark_moves(position, "A", oracle, Limits(), memory=memory)))
        for move in position.moves("A"):
            winner = truth(position.after(move), "B")[0]
            assert marks[move] == {"A": "win", DRAW: "draw"}.get(winner, "loss")
        assert marks[None] == {"A": "win", DRAW: "draw"}.get(truth(position, "A")[0], "loss")
        oracle.asked.clear()
        chosen = choose_move(position, "A", oracle, Limits(), memory=memory)
        assert chosen.mark == marks[None] and (chosen.move is None) == (start >= FULL)
        assert chosen.move is None or marks[chosen.move] == chosen.mark
    oracle.asked.clear()
    assert list(mark_moves(position, "A", oracle, Limits(), memory=memory)) and oracle.asked == []


def test_easy_questions_come_first_and_images_are_asked_once() -> None:
    oracle = Oracle(names_moves=False)
    found = list(mark_moves(Number(1), "A", oracle, Limits()))
    assert oracle.asked[:4] == [("1", 2000), ("2", 2000), ("3", 2000), ("4", 2000)]
    assert {one.moves for one in found} == {(), ("+1",), ("+2",), ("+3", "+03")}
    assert sum(one.answer.nodes for one in found) > 0


def test_a_lost_position_needs_no_search_of_its_moves() -> None:
    lost = next(number for number in range(FULL) if truth(Number(number), "A")[0] == "B")
    oracle = Oracle()
    marks = marks_of(list(mark_moves(Number(lost), "A", oracle, Limits(nodes=10**6))))
    assert set(marks.values()) == {"loss"}
    assert {text for text, nodes in oracle.asked if nodes and nodes > 2000} <= {str(lost)}


def test_limits_and_cancelling_give_unknown_and_a_guess() -> None:
    marks = marks_of(list(mark_moves(Number(0), "A", Oracle(), Limits(nodes=1))))
    assert set(marks.values()) == {"unknown"}
    token = CancelToken()
    token.cancel()
    assert set(marks_of(list(mark_moves(Number(0), "A", Oracle(), Limits(cancel=token)))).values()) == {"unknown"}
    guess = choose_move(Number(0), "A", Oracle(), Limits(nodes=1))
    assert guess.move is not None and guess.mark == "unknown" and guess.answer.winner is None


def test_allowances_end_with_the_limit() -> None:
    assert list(allowances(100)) == [100]
    assert list(allowances(2000)) == [2000]
    without = list(allowances(None))
    assert without[:4] == [2000, 16_000, 128_000, 1_024_000] and without[-1] is None


def test_late_answers_change_nothing_and_memory_is_bounded() -> None:
    memory = Memory(capacity=2)
    marking = Marking(Number(0), "A", Oracle(), Limits(), memory)
    questions = list(marking.waiting.values())
    assert questions[0].moves == ()
    assert marking.note(questions[1], questions[1].ask(Limits()))
    assert marking.note(questions[1], questions[1].ask(Limits())) == []
    for key in "abc":
        memory.put(key, Answer("A", "A", "search", "+1"))
    assert memory.get("a") is None
    kept = memory.get("c")
    assert kept and kept.move is None
