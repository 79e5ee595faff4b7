"""Long and deeply nested input does not exhaust the stack."""

from __future__ import annotations

import pytest

from zermelo import cgt
from zermelo.domineering.lattice import Lattice
from zermelo.domineering.rules.knowledge import shipped
from zermelo.game import Limits, Player, find_game, game_names
from zermelo.game.plain import PlainChooser

DEEP = 100_000
NESTED = {
    "brackets": "(" * DEEP + "1" + ")" * DEEP,
    "open brackets": "(" * DEEP,
    "braces": "{0|" * DEEP + "0" + "}" * DEEP,
    "signs": "-" * DEEP + "1",
    "bars": "0" + "|" * DEEP + "0",
    "rows": "./" * DEEP + ".",
    "edges": "a b / " * DEEP + "a b",
    "moves": "4x4:" + "V1,1;" * DEEP + "V1,1",
}


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_nested_text_is_read_or_refused(text: str) -> None:
    for parse in (cgt.Value, *(find_game(name).parse for name in game_names())):
        try:
            with cgt.limits(seconds=1.0):
                assert parse(text)  # type: ignore[operator]
        except (ValueError, cgt.LimitReached):
            pass


@pytest.mark.parametrize("size", [(2, 97), (2, 270), (2, 1_000_000), (3, 99_999), (7, 1000), (100, 100), (13, 20_000)])
def test_derivations_are_shallow(size: tuple[int, int]) -> None:
    waiting, deepest = [(shipped().decide(Lattice(*size)).step, 1)], 0
    while waiting:
        step, depth = waiting.pop()
        deepest = max(deepest, depth)
        waiting += [(premise, depth + 1) for premise in step.premises] if step else []
    assert deepest < 30


class Countdown:
    """A position with one move on each of so many plies; who cannot move loses."""

    def __init__(self, plies: int) -> None:
        self.plies = plies

    def moves(self, player: Player) -> list[str]:
        return ["next"]

    def after(self, move: str) -> Countdown:
        return Countdown(self.plies - 1)

    def player_after(self, player: Player) -> Player:
        return find_game("cram").other(player)

    def key(self) -> str:
        return str(self.plies)

    def decided(self, player: Player) -> Player | None:
        return None if self.plies else find_game("cram").other(player)


def test_long_game_is_no_deep_stack() -> None:
    chooser = PlainChooser(find_game("cram"), Limits())
    assert chooser.answer(Countdown(50_000), "A", Limits()).winner == "B"  # type: ignore[arg-type]
