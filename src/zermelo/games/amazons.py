"""Amazons (Walter Zamkauskas, 1988)."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.game.local import ALL_WAYS, Board, Change, Step
from zermelo.games.kit import BOARD, Stones


class Amazons(Stones):
    name, title = "amazons", "Amazons"
    rules = (
        "Left owns the amazons x, Right the amazons o. "
        "A move takes an amazon as a queen of chess, and then she shoots an arrow as a queen, which blocks its cell; "
        "nothing passes over amazons and arrows. Who cannot move loses."
    )
    spec_help = BOARD.format("x../..o, . is free, # is blocked", "x1,1-1,3-2,2")
    examples = ("3x3", "x..#/...o", "x.../.#../...o", "3x4:x1,1-1,3-2,2")
    ways = ALL_WAYS
    frames = ((4, 4), (5, 5), (6, 6))
    """Small ones, since the moves are many: a board that is longer has its own."""

    def steps(self, board: Board, player: int) -> Iterator[Step]:
        own = "xo"[player]
        leave: Change = {own: "."}
        free: Change = {".": "."}
        arrive: Change = {".": own}
        hit: Change = {".": "#"}
        hit_start: Change = {own: "#"}

        def slides(cell: int) -> Iterator[tuple[int, ...]]:
            row, col = divmod(cell, board.cols)
            for down, right in ALL_WAYS:
                path: tuple[int, ...] = ()
                while (to := board.cell(row + down * (len(path) + 1), col + right * (len(path) + 1))) is not None:
                    path = (*path, to)
                    yield path

        every = [tuple(slides(cell)) for cell in range(board.rows * board.cols)]
        for start, ways in enumerate(every):
            for way in ways:
                to = way[-1]
                moved: dict[int, Change] = {start: leave, **dict.fromkeys(way, free), to: arrive}
                for shot in every[to]:
                    arrow = shot[-1]
                    cells = dict.fromkeys(shot, free) | moved
                    cells[arrow] = hit_start if arrow == start else hit
                    yield Step(tuple(cells), tuple(cells.values()), (start, to, arrow))

    def filled(self, rows: int, cols: int) -> str | None:
        return "x" + "." * (rows * cols - 2) + "o" if rows * cols > 1 else None


AMAZONS = Amazons()
