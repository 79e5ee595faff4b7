"""Values and searches of any game: long games, limits, progress, and what is left after a limit was reached."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from zermelo import Position as Domino
from zermelo._core import CancelToken
from zermelo.cgt import LimitReached, Value, limits
from zermelo.game import Game, Limits, Player, Position, Progress, View, find_game
from zermelo.game import values as plain

TAKES = {"lone": ((1,), ()), "same": ((1,), (1,)), "some": ((1, 2), (1, 3)), "many": (range(1, 40), range(1, 60))}
"""How many Left may take from a heap, and how many Right."""


@dataclass(frozen=True)
class Heap(Position):
    """A heap of tokens; its text is ``some 2000``."""

    rule: str
    tokens: int

    @property
    def game(self) -> Game:
        return HEAPS

    @property
    def text(self) -> str:
        return f"{self.rule} {self.tokens}"

    def moves(self, player: Player) -> tuple[int, ...]:
        takes = TAKES[self.rule][HEAPS.players.index(player)]
        return tuple(take for take in takes if take <= self.tokens)

    def after(self, move: object) -> Heap:
        return Heap(self.rule, self.tokens - int(str(move)))

    def key(self) -> str:
        return self.text

    def decided(self, player: Player) -> Player | None:
        return None if self.moves(player) else HEAPS.other(player)

    def view(self) -> View:
        return View(1, 1, ("1",), ("1",))


class Heaps(Game):
    name = title = "heaps"
    players = ("L", "R")
    player_names: Mapping[Player, str] = {"L": "Left", "R": "Right"}
    rules = "Who cannot take loses."
    spec_help = "a rule and a number: some 5"
    examples = ("some 5",)
    outcomes: Mapping[str, str] = dict.fromkeys(("L", "R", "first", "second", "unknown"), "")
    normal_play = True

    def parse(self, text: str) -> Heap:
        rule, tokens = text.split()
        return Heap(rule, int(tokens))


HEAPS = Heaps()


@pytest.mark.parametrize(
    ("spec", "value", "outcome"), [("lone", "2000", "L"), ("same", "0", "second"), ("some", "^667", "L")]
)
def test_two_thousand_moves_are_no_recursion(spec: str, value: str, outcome: str) -> None:
    position = HEAPS.parse(f"{spec} 2000")
    assert position.value == Value(value) and (-position).value == -Value(value)
    assert position.nimber == (0 if value == "0" else None)
    assert position.outcome == outcome
    assert (position.winning_moves("L") == ()) == (outcome == "second")
    assert (position + Domino("2x2") - position).outcome == "first"
    assert len(list(plain.parts_within(position))) == 2001


def test_a_search_that_has_no_memory_for_values_says_unknown_and_goes_on_to_the_next_question() -> None:
    chooser = HEAPS.chooser(Limits(memory=1 << 20))
    hard = HEAPS.parse("some 1500") + HEAPS.parse("some 1400")
    few = hard.game.chooser(Limits(memory=1 << 20))
    answer = few.answer(hard, "Left", Limits())
    assert answer.winner is None and answer.limit == "memory" and answer.why == "unknown within 1 MiB"
    assert few.answer(HEAPS.parse("some 9") + HEAPS.parse("same 5"), "Left", Limits()).winner == "Left"
    assert chooser.answer(HEAPS.parse("some 9"), "L", Limits()).winner == "L"


def test_the_page_has_values_after_large_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "MEMORY", 2 << 20)
    domineering, clobber = find_game("domineering"), find_game("clobber")
    assert domineering.values is not None and clobber.values is not None
    for spec in ("6x6", "5x6", "4x7", "7x7"):
        domineering.values.regions(Domino(spec))
        clobber.values.regions(clobber.parse(spec))
        assert domineering.values.regions(Domino("4x5")).sum == "1"
        assert clobber.values.regions(clobber.parse("3x4")).sum == "0"
    assert plain.ALL_VALUES.arena is not plain._page[0].arena


@pytest.mark.parametrize(
    "ask",
    [
        lambda **how: HEAPS.values.value(HEAPS.parse("many 4000"), **how),  # type: ignore[union-attr]
        lambda **how: find_game("domineering").values.value(Domino("8x8"), **how),
        lambda **how: find_game("clobber").values.value(find_game("clobber").parse("8x8"), **how),
        lambda **how: find_game("cram").values.value(find_game("cram").parse("8x8"), **how),
    ],
)
def test_values_tell_how_far_they_are_and_can_be_stopped(ask: Callable[..., Value]) -> None:
    token, told = CancelToken(), list[Progress]()
    timer = threading.Timer(0.7, token.cancel)
    timer.start()
    begin = time.monotonic()
    with pytest.raises(LimitReached, match="cancelled"):
        ask(cancel=token, on_progress=told.append)
    assert time.monotonic() - begin < 5
    assert told and told[-1].nodes > 0 and [one.nodes for one in told] == sorted(one.nodes for one in told)
    assert Value("^") + "*" == "^*", "and everything else goes on"
    begin = time.monotonic()
    with limits(seconds=0.3), pytest.raises(LimitReached, match="time"):
        ask()
    assert time.monotonic() - begin < 4
