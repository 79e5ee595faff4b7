"""Words and letters that several games of the shelf share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from zermelo.game.local import BOTH, DEAD, LEFT_ONLY, RIGHT_ONLY, Letters, LocalGame

TINTS = {"#": DEAD, ".": BOTH, "x": LEFT_ONLY, "o": RIGHT_ONLY}
BOARD = "rows with / between ({}), or a size (4x5); then moves with ; between (4x5:{})"


class Partizan(LocalGame):
    """A game in which Left has x and Right has o."""

    players = ("x", "o")
    player_names: Mapping[str, str] = {"x": "Left", "o": "Right"}
    letters: ClassVar[Letters] = TINTS
    exchange: ClassVar[Mapping[str, str]] = {"x": "o", "o": "x"}


class Stones(Partizan):
    """One in which x and o are stones on the board."""

    stones: ClassVar[Letters] = {"x": 0, "o": 1}


class Impartial(LocalGame):
    """A game in which both players have the same moves on free cells."""

    players = ("A", "B")
    player_names: Mapping[str, str] = {"A": "A", "B": "B"}
    letters: ClassVar[Letters] = {"#": DEAD, ".": BOTH}
    impartial = covers = True

    def filled(self, rows: int, cols: int) -> str | None:
        return "." * rows * cols
