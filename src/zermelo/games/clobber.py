"""Clobber (Albert, Grossman, Nowakowski, Wolfe: An introduction to Clobber, Integers 5(2), 2005), and with cannibals
(Althöfer, 2003)."""

from __future__ import annotations

from typing import ClassVar

from zermelo.game.local import DEAD, LEFT_ONLY, RIGHT_ONLY, Letters, Rules, line
from zermelo.games.kit import BOARD, Stones


class Clobber(Stones):
    name, title = "clobber", "Clobber"
    rules = (
        "Left owns the stones x, Right the stones o. "
        "A move takes one of your stones onto a neighbour of the opponent, which is removed. Who cannot move loses."
    )
    spec_help = BOARD.format("xo/ox, . is empty", "x1,1-1,2")
    examples: tuple[str, ...] = ("3x4", "1x12", "xxo.xo/o.xx.o", "xoxo/ox.x:x1,1-1,2", "a=x-b=o b-c=x c-a")
    letters: ClassVar[Letters] = {".": DEAD, "x": LEFT_ONLY, "o": RIGHT_ONLY}
    left: ClassVar[Rules] = (line("xo", ".x"),)
    right: ClassVar[Rules] = (line("ox", ".o"),)
    graphs = True

    def filled(self, rows: int, cols: int) -> str | None:
        return "".join("xo"[(row + col) % 2] for row in range(rows) for col in range(cols))


class CannibalClobber(Clobber):
    name, title = "cannibal", "Cannibal Clobber"
    rules = (
        "Left owns the stones x, Right the stones o. "
        "A move takes one of your stones onto a neighbour of either player, which is removed. Who cannot move loses."
    )
    examples: tuple[str, ...] = ("3x3", "xxo.xo/o.xx.o", "xoxo/ox.x:x1,1-1,2", "a=x-b=o b-c=x c-a")
    left: ClassVar[Rules] = (line("xo", ".x"), line("xx", ".x"))
    right: ClassVar[Rules] = (line("ox", ".o"), line("oo", ".o"))


CLOBBER, CANNIBAL_CLOBBER = Clobber(), CannibalClobber()
