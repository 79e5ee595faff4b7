"""Search on boards too long for the fast search: V's first move, then a cut.

H, moving second on [m x n], wins if after every first move of V there is a line such that, playing never across it from
then on, she wins: the rest is the sum of two shorter boards, one of them with V's domino in it, drawn one below the
other. Where no plain cut of the board is good enough, a cut chosen after the first move often is. Sound for H only:
a promise can only hurt her, so a failure proves nothing.
"""

from __future__ import annotations

import time

from zermelo import _core
from zermelo.domineering.position import core_player
from zermelo.domineering.rules.claims import Searched
from zermelo.domineering.rules.sizes import Size
from zermelo.running import run_cancellable

WIDEST = 16
"""Rows and columns that the component search takes."""
FIRST_BUDGET, BUDGET_FACTOR = 300, 10
MEMORY = 1 << 28


def takes(size: Size) -> bool:
    """Whether two parts of the board, one below the other, fit the component search."""
    return (
        size.topology == "rectangle"
        and 2 * size.rows + 1 <= WIDEST
        and WIDEST < size.cols <= 2 * WIDEST
    )


def first_moves(size: Size) -> list[tuple[int, int]]:
    """Return V's first moves up to mirror images, upper squares counted from 0.

    >>> first_moves(Size(3, 4))
    [(0, 0), (0, 1)]
    """
    rows, cols = range(size.rows // 2), range((size.cols + 1) // 2)
    return [(row, col) for col in cols for row in rows]


def parts_after(size: Size, move: tuple[int, int], cut: int) -> str:
    """Return the spec of the two parts of a board after V's first move, one below the other.

    >>> parts_after(Size(2, 3), (0, 0), 2)
    '#./#./##/.#/.#'
    """
    grid = [["."] * size.cols for _ in range(size.rows)]
    grid[move[0]][move[1]] = grid[move[0] + 1][move[1]] = "#"
    width = max(cut, size.cols - cut)
    left = ["".join(row[:cut]).ljust(width, "#") for row in grid]
    right = ["".join(row[cut:]).ljust(width, "#") for row in grid]
    return "/".join([*left, "#" * width, *right])


class LongSearch:
    """Tries to show that H wins a long board moving second, within some seconds."""

    def __init__(self, size: Size, seconds: float) -> None:
        options = _core.ComponentOptions()
        options.memory = MEMORY
        self._engine = _core.ComponentSearch(2 * size.rows + 1, WIDEST, options)
        self._size = size
        self._begin = time.monotonic()
        self._seconds = seconds
        self._nodes = 0

    def run(self) -> Searched:
        """Return H as the winner, or None if the time is over or no cut is good enough."""
        won = all(self._answered(move) for move in first_moves(self._size))
        took = round(time.monotonic() - self._begin, 3)
        return Searched("H" if won else None, self._nodes, took)

    def _answered(self, move: tuple[int, int]) -> bool:
        """Whether H wins after a first move of V by some cut: all cuts get a small budget, then a larger one."""
        size = self._size
        cuts = sorted(
            range(max(1, size.cols - WIDEST), min(size.cols, WIDEST + 1)),
            key=lambda cut: abs(2 * cut - size.cols),
        )
        budget = FIRST_BUDGET
        while cuts:
            undecided: list[int] = []
            for cut in cuts:
                verdict = self._search(parts_after(size, move, cut), budget)
                if verdict == _core.Verdict.WIN:
                    return True
                if time.monotonic() - self._begin > self._seconds:
                    return False
                if verdict == _core.Verdict.UNKNOWN:
                    undecided.append(cut)
            cuts = undecided
            budget *= BUDGET_FACTOR
        return False

    def _search(self, spec: str, nodes: int) -> _core.Verdict:
        board = _core.parse_spec(spec).board()
        left = max(0.001, self._seconds - (time.monotonic() - self._begin))
        found = run_cancellable(
            lambda token: self._engine.solve(board, core_player("H"), nodes, left, token)
        )
        self._nodes += found.nodes
        return found.verdict
