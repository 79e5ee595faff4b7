"""NoGo, or Anti-Atari Go (Chou, Teytaud, Yen: Revisiting Monte-Carlo tree search on a normal form game: NoGo, 2011)."""

from __future__ import annotations

from zermelo.game.local import place
from zermelo.games.kit import BOARD, Stones


class NoGo(Stones):
    name, title = "nogo", "NoGo"
    rules = (
        "A move puts a stone on a free cell, Left's x and Right's o. "
        "Afterwards every group of either player must still touch a free cell. Who cannot move loses."
    )
    spec_help = BOARD.format(".x/o., # is no cell", "x1,1")
    examples = ("3x3", "1x9", ".x./o../.#.", "3x3:x1,1;o2,2", "a-b b-c c-d d-a")
    left, right = (place(".", "x"),), (place(".", "o"),)
    liberties = graphs = True

    def filled(self, rows: int, cols: int) -> str | None:
        return "." * rows * cols


NOGO = NoGo()
