"""Values that other programs have published, and the game that the documentation types."""

from __future__ import annotations

import doctest
import random
from pathlib import Path
from typing import Any

import pytest
from brute import OUTCOMES, Brute

from zermelo.game import find_game

ROOT = Path(__file__).resolve().parents[3]

# CGSuite 2.1.1, as the tests of MCGS have them (github.com/ualberta-mueller-group/MCGS, folder cgt_tests).
CGSUITE = {
    ("nogo", 1): ["0", "*", "+-1", "0", "*", "+-1", "+-(1*)", "*", "+-{{2*|0,+-1},{2|1||1*|*}}", "+-(1*)"],
    ("clobber", 2): [
        "*",
        "+-{*,^}",
        "0",
        "+-{{^|*},{^*,^^|0,^*,+-{0,^*}}}",
        "+-{{0|v*}+*,^,{0|^,+-{*,^}},{^^*|v,+-{*,^}}}",
        "+-{0,^*}",
    ],
}


@pytest.mark.parametrize(("name", "step"), CGSUITE)
def test_rows_are_worth_what_cgsuite_says(name: str, step: int) -> None:
    for number, value in enumerate(CGSUITE[name, step], 1):
        assert find_game(name).parse(f"1x{step * number}").value == value


def partizan_kayles(row: str, player: int) -> list[str]:
    """Left takes a pin, Right two side by side."""
    pins = player + 1
    return [row[:at] + "#" * pins + row[at + pins :] for at in range(len(row)) if row[at : at + pins] == "." * pins]


def test_the_game_that_the_documentation_types_is_that_of_brute_force() -> None:
    text = (ROOT / "docs" / "howto-add-a-game.md").read_text()
    typed: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(text)[:3]:
        exec(example.source, typed)
        if example.source.startswith("class "):
            assert len(example.source.splitlines()) <= 8, "the page says eight lines"
    rng, brute = random.Random(1), Brute()
    for _ in range(60):
        row = "".join(rng.choice("..#") for _ in range(rng.randint(1, 11)))
        position = typed["game"].parse(row)
        assert brute.equal(partizan_kayles, row, position.value), row
        outcome = OUTCOMES[brute.outcome((partizan_kayles, row))]
        assert {"L": "Left", "R": "Right"}.get(position.outcome, position.outcome) == outcome
        for player in (0, 1):
            afters = [position.after(move).letters for move in position.moves("LR"[player])]
            assert sorted(afters) == sorted(partizan_kayles(row, player))
