"""Marks of all moves against brute force, with a chooser that counts what it is asked."""

from __future__ import annotations

from typing import Any

import pytest
from cases import brute

from zermelo._core import CancelToken
from zermelo.game import DRAW, Answer, Limits, Player, Position
from zermelo.game.marking import Marking, Memory, MovesMark, allowances, choose_move, mark_moves
from zermelo.positional import MNK

LOST, TWO_IMAGES = MNK.parse("3,3,2:b2"), MNK.parse("3,3,3:b2")
POSITIONS = [LOST, *map(MNK.parse, ("3,3,3:b2,a1,c3", "3,3,3:b2,b1", "3,3,3:a1,b1,a2,b2", "2,2,3", "2,1,1:a1"))]


def mark_of(winner: Player, player: Player) -> str:
    return {player: "win", DRAW: "draw"}.get(winner, "loss")


class Oracle:
    """Knows everything, but far from the end only with many nodes."""

    def __init__(self, *, names_moves: bool = True) -> None:
        self.asked: list[tuple[str, int | None]] = []
        self.names_moves = names_moves

    def answer(self, position: Position, first: Player, limits: Limits, *, want_move: bool = True) -> Answer:
        self.asked.append((position.text, limits.nodes))
        moves, other = position.moves(first), position.game.other(first)
        cost = 60 * 2 ** len(moves)
        if (limits.nodes is not None and limits.nodes < cost) or limits.cancelled:
            return Answer(first, None, "limit", nodes=limits.nodes or 0)
        winner = brute(position, first)
        best = [move for move in moves if winner != other and brute(position.after(move), other) == winner]
        named = best[0] if best and self.names_moves and want_move else None
        return Answer(first, winner, "search", named, "searched", cost)


def marks_of(found: list[MovesMark]) -> dict[Any, str]:
    assert len([1 for one in found if not one.moves]) == 1
    return {move: one.mark for one in found for move in one.moves or [None]}


@pytest.mark.parametrize("names_moves", [True, False])
@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.text)
def test_marks_are_those_of_minimax(position: Position, names_moves: bool) -> None:
    player, oracle, memory = position.to_move or "X", Oracle(names_moves=names_moves), Memory()
    for _ in range(2):
        marks = marks_of(list(mark_moves(position, player, oracle, Limits(), memory=memory)))
        for move in position.moves(player):
            after = position.after(move)
            assert marks[move] == mark_of(brute(after, after.player_after(player)), player)
        assert marks[None] == mark_of(brute(position, player), player)
        oracle.asked.clear()
        chosen = choose_move(position, player, oracle, Limits(), memory=memory)
        assert chosen.mark == marks[None] and (chosen.move is None) == (not position.moves(player))
        assert chosen.move is None or marks[chosen.move] == chosen.mark
    oracle.asked.clear()
    assert list(mark_moves(position, player, oracle, Limits(), memory=memory)) and oracle.asked == []


def test_easy_questions_come_first_and_images_are_asked_once() -> None:
    oracle = Oracle(names_moves=False)
    found = list(mark_moves(TWO_IMAGES, "O", oracle, Limits()))
    assert [nodes for _, nodes in oracle.asked[:3]] == [2000] * 3 and oracle.asked[3][1] == 16_000
    assert len({text for text, _ in oracle.asked}) == 3
    assert {frozenset(map(str, one.moves)) for one in found} == {
        frozenset(moves.split()) for moves in ("", "a1 c1 a3 c3", "b1 a2 c2 b3")
    }
    assert sum(one.answer.nodes for one in found) > 0


def test_a_lost_position_needs_no_search_of_its_moves() -> None:
    oracle = Oracle()
    marks = marks_of(list(mark_moves(LOST, "O", oracle, Limits(nodes=10**6))))
    assert set(marks.values()) == {"loss"}
    assert {text for text, nodes in oracle.asked if nodes and nodes > 2000} <= {LOST.text}


def test_limits_and_cancelling_give_unknown_and_a_guess() -> None:
    token = CancelToken()
    token.cancel()
    for limits in (Limits(nodes=1), Limits(cancel=token)):
        assert set(marks_of(list(mark_moves(LOST, "O", Oracle(), limits))).values()) == {"unknown"}
    guess = choose_move(LOST, "O", Oracle(), Limits(nodes=1))
    assert guess.move is not None and guess.mark == "unknown" and guess.answer.winner is None


def test_allowances_end_with_the_limit() -> None:
    assert (list(allowances(100)), list(allowances(2000))) == ([100], [2000])
    without = list(allowances(None))
    assert without[:4] == [2000, 16_000, 128_000, 1_024_000] and without[-1] is None


def test_late_answers_change_nothing_and_memory_is_bounded() -> None:
    memory = Memory(capacity=2)
    marking = Marking(LOST, "O", Oracle(), Limits(), memory)
    questions = list(marking.waiting.values())
    assert questions[0].moves == ()
    assert marking.note(questions[1], questions[1].ask(Limits()))
    assert marking.note(questions[1], questions[1].ask(Limits())) == []
    for key in "abc":
        memory.put(key, Answer("A", "A", "search", "+1"))
    kept = memory.get("c")
    assert memory.get("a") is None and kept and kept.move is None
