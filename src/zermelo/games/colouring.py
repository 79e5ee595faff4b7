"""Col (Colin Vout) and Snort (Simon Norton): Berlekamp, Conway, Guy, Winning Ways, chapters 2 and 6."""

from __future__ import annotations

from zermelo.game.local import place
from zermelo.games.kit import BOARD, Partizan


class Col(Partizan):
    name, title = "col", "Col"
    rules = (
        "A move colours a free cell: Left's colour is x, Right's is o. Neighbours must not have the same colour. "
        "A small x or o stands on a cell that only one player may still take. Who cannot move loses."
    )
    spec_help = BOARD.format("../.x, x is free for Left only, o for Right only, # for nobody", "x1,1")
    examples = ("3x4", "1x8", "..x/.#./...", "4x4:x1,1;o2,2", "a-b b-c c-d d-a a-e=x")
    left, right = (place(".x", "#", {".": "o", "x": "#"}),), (place(".o", "#", {".": "x", "o": "#"}),)
    graphs = covers = True

    def filled(self, rows: int, cols: int) -> str | None:
        return "." * rows * cols


class Snort(Col):
    name, title = "snort", "Snort"
    rules = (
        "A move colours a free cell: Left's colour is x, Right's is o. Neighbours must not have different colours. "
        "A small x or o stands on a cell that only one player may still take. Who cannot move loses."
    )
    left, right = (place(".x", "#", {".": "x", "o": "#"}),), (place(".o", "#", {".": "o", "x": "#"}),)


COL, SNORT = Col(), Snort()
