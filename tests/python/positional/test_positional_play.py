"""Perfect play of the strong game: every line of play against the machine, both sides, no half point lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tiny import Oracle, lines_of, play_all

from zermelo.game import Limits, Machine, Player
from zermelo.game.marking import Memory, choose_move
from zermelo.positional import HYPERGRAPH, MNK, MnkPosition
from zermelo.positional.hex import HEX
from zermelo.positional.position import PositionalPosition, bits

LIMITS = Limits(seconds=20, memory=1 << 22)
LINES = [("3,3,3", "X"), ("3,3,3", "O"), ("4,3,3", "X"), ("4,3,3", "O"), ("4,4,3", "X"), ("4,4,3", "O")]


def machine_of(position: PositionalPosition, player: Player) -> Machine:
    return position.game.machine(position, player, LIMITS, position.game.chooser(LIMITS))


def by_machine(position: PositionalPosition, player: Player) -> Callable[[Any], tuple[str, str]]:
    machine = machine_of(position, player)

    def reply(asked: PositionalPosition) -> tuple[str, str]:
        choice = machine.reply(asked)
        return str(choice.move), str(choice.mark)

    return reply


def by_chooser(position: PositionalPosition, player: Player) -> Callable[[Any], tuple[str, str]]:
    """As the page replies: a position alone is asked about, and no reply before it is known."""
    chooser, memory = position.game.chooser(LIMITS), Memory()

    def reply(asked: PositionalPosition) -> tuple[str, str]:
        choice = choose_move(asked, player, chooser, LIMITS, memory=memory)
        return str(choice.move), str(choice.mark)

    return reply


@pytest.mark.parametrize("by", [by_machine, by_chooser])
@pytest.mark.parametrize(("spec", "side"), LINES)
def test_no_half_point_is_lost_in_any_line_of_play(spec: str, side: str, by: Any) -> None:
    start = MnkPosition(spec)
    oracle = Oracle(start.columns * start.rows, lines_of(start.columns, start.rows, start.k))
    assert play_all(start, by(start, side), side, oracle) > 50


@pytest.mark.parametrize("side", ["maker", "breaker"])
def test_no_half_point_is_lost_on_a_strong_hypergraph(side: str) -> None:
    start = HYPERGRAPH.parse("strong: a b c / c d e / e f a / b d f / a d / c f g")
    oracle = Oracle(len(start.vertices), [bits(edge) for edge in start.edges])
    for first in HYPERGRAPH.players:
        assert play_all(start.turn_of(first), by_machine(start, side), side, oracle) > 10


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


def test_a_guess_on_an_empty_board_is_the_middle() -> None:
    for game, text, move in ((MNK, "15,15,5", "h8"), (HEX, "7x7", "d4"), (HYPERGRAPH, "harary snaky 9x9", "maker e5")):
        position = game.parse(text)
        assert game.likely(position, game.players[0], position.moves(game.players[0])) == move
    position = MNK.parse("connect6").after("j10").after("a1").after("s19")
    assert MNK.likely(position, "X", position.moves("X")) in ("i9", "i10", "i11", "j9", "j11", "k9", "k10", "k11")
