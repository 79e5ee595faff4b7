"""Konane, from Hawaii (Ernst: Playing Konane mathematically, UMAP Journal 16, 1995), from after the two first stones
are taken away."""

from __future__ import annotations

from zermelo.game.local import FRAMES, line
from zermelo.games.kit import BOARD, Stones

JUMPS = range(1, (max(map(max, FRAMES)) + 1) // 2)


class Konane(Stones):
    name, title = "konane", "Konane"
    rules = (
        "Left owns the stones x, Right the stones o. "
        "A move jumps over a neighbour of the opponent onto the free cell behind, as often as you like in one straight "
        "line, and removes the stones under it. Who cannot move loses."
    )
    spec_help = BOARD.format("xo./o.x, . is free, # no cell", "x4,4-2,4")
    examples = ("4x4", "xo.o.", ".oxo/x.ox/oxo.", "4x5:x4,4-2,4")
    left, right = (
        tuple(line(one + f"{two}." * jumps, ".." * jumps + one) for jumps in JUMPS) for one, two in ("xo", "ox")
    )

    def filled(self, rows: int, cols: int) -> str | None:
        full = ["xo"[(row + col) % 2] for row in range(rows) for col in range(cols)]
        middle = (rows - 1) // 2 * cols + (cols - 1) // 2
        full[middle : middle + 2] = ".."[: len(full)]
        return "".join(full)


KONANE = Konane()
