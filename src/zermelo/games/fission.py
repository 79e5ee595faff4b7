"""Fission (Siegel, in CGSuite)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from zermelo.game import MoveView
from zermelo.game.local import ACROSS, BOTH, DEAD, DOWN, LEFT_ONLY, Letters, LocalGame, LocalMove, line


class Fission(LocalGame):
    name, title = "fission", "Fission"
    players = ("L", "R")
    player_names: Mapping[str, str] = {"L": "Left", "R": "Right"}
    rules = (
        "A move splits a stone in two, which go to the two cells beside it. "
        "Left's go up and down, Right's left and right, and both cells must be free. Who cannot move loses."
    )
    spec_help = "rows with / between (.../.x./...; x is a stone, # no cell), or a size (5x5: one in the middle)"
    examples = ("5x5", "4x4", ".../.x./.#.", "...../..x../..x../.....", "5x5:L2,3-4,3")
    letters: ClassVar[Letters] = {"#": DEAD, ".": BOTH, "x": LEFT_ONLY}
    left, right = (line(".x.", "x.x", DOWN),), (line(".x.", "x.x", ACROSS),)
    stones: ClassVar[Letters] = {"x": 0}

    def move_view(self, move: LocalMove) -> MoveView:
        """Return the squares in a row; the stone that is split stands in the middle."""
        one, two = move.squares
        return MoveView(str(move), (one, ((one[0] + two[0]) // 2, (one[1] + two[1]) // 2), two))

    def filled(self, rows: int, cols: int) -> str | None:
        middle = rows // 2 * cols + cols // 2
        return "." * middle + "x" + "." * (rows * cols - middle - 1)


FISSION = Fission()
