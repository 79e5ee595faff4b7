"""Perfect play of the strong game: every line of play against the machine, both sides, no half point lost."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import pytest
from tiny import Oracle, lines_of, play_all

from zermelo.game import DRAW, Limits, Machine, Player
from zermelo.positional import HYPERGRAPH, MNK, MnkPosition
from zermelo.positional.position import PositionalPosition, bits

LIMITS = Limits(seconds=20, memory=1 << 22)
LINES = [("3,3,3", "X"), ("3,3,3", "O"), ("4,3,3", "X"), ("4,3,3", "O"), ("4,4,3", "X"), ("4,4,3", "O")]
GAMES = int(os.environ.get("ZERMELO_GAMES", "20"))
"""Random games from random positions of 5,5,4 and of 6,5,4; the full test has 500."""


def machine_of(position: PositionalPosition, player: Player) -> Machine:
    return position.game.machine(position, player, LIMITS, position.game.chooser(LIMITS))


def by_machine(position: PositionalPosition, player: Player) -> Callable[[Any], tuple[str, str]]:
    machine = machine_of(position, player)

    def reply(asked: PositionalPosition) -> tuple[str, str]:
        choice = machine.reply(asked)
        return str(choice.move), str(choice.mark)

    return reply


@pytest.mark.parametrize(("spec", "side"), LINES)
def test_no_half_point_is_lost_in_any_line_of_play(spec: str, side: str) -> None:
    start = MnkPosition(spec)
    oracle = Oracle(start.columns * start.rows, lines_of(start.columns, start.rows, start.k))
    assert play_all(start, by_machine(start, side), side, oracle) > 50


@pytest.mark.parametrize("side", ["maker", "breaker"])
def test_no_half_point_is_lost_on_a_strong_hypergraph(side: str) -> None:
    start = HYPERGRAPH.parse("strong: a b c / c d e / e f a / b d f / a d / c f g")
    oracle = Oracle(len(start.vertices), [bits(edge) for edge in start.edges])
    for first in HYPERGRAPH.players:
        assert play_all(start.turn_of(first), by_machine(start, side), side, oracle) > 10


@pytest.mark.parametrize("spec", ["5,5,4", "6,5,4"])
def test_machine_keeps_in_random_games_what_the_solver_promised(spec: str) -> None:
    rng = random.Random(spec)
    chooser = MNK.chooser(LIMITS)
    worth = {"win": 1, "draw": 0, "loss": -1}
    for _ in range(GAMES):
        position = MNK.parse(spec)
        for _ in range(rng.randint(2, 8)):
            moves = position.moves(position.to_move)
            if moves:
                position = position.after(rng.choice(moves))
        side = position.to_move
        promised = chooser.answer(position, side, Limits(seconds=60)).mark
        machine = MNK.machine(position, side, LIMITS, chooser)
        line = position.text
        while (winner := position.decided(position.to_move)) is None:
            mover = position.to_move
            move = machine.reply(position).move if mover == side else rng.choice(position.moves(mover))
            position = position.after(str(move))
        result = 0 if winner == DRAW else 1 if winner == side else -1
        assert result >= worth[promised], (line, promised, position.text)


def test_a_guess_is_called_a_guess() -> None:
    position = MNK.parse("9,9,5:e5")
    limits = Limits(seconds=0.05, memory=1 << 22)
    choice = MNK.machine(position, "O", limits, MNK.chooser(limits)).reply(position)
    assert choice.mark == "unknown" and choice.move in position.moves("O")


def test_marks_that_the_machine_did_not_choose_are_answered_well() -> None:
    """A player that follows old pairs loses here."""
    position = MNK.parse("5,2,3:a1")
    machine = machine_of(position, "O")
    machine.reply(position)
    choice = machine.reply(MNK.parse("5,2,3:a1,c1,b2,b1,d2"))
    assert (str(choice.move), choice.mark) == ("d1", "win")
