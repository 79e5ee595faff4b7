"""A brute-force Domineering solver that shares no code with the package: sets of squares, no bounds, no cuts."""

from __future__ import annotations

from functools import cache


@cache
def dominoes(rows: int, cols: int, topology: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Bit masks of V's and H's dominoes; only rings of three squares or more wrap."""
    v_wraps = topology in ("vcylinder", "torus") and rows >= 3
    h_wraps = topology in ("hcylinder", "torus") and cols >= 3
    vertical, horizontal = [], []
    for row in range(rows):
        for col in range(cols):
            here = 1 << (row * cols + col)
            if row + 1 < rows or v_wraps:
                vertical.append(here | 1 << ((row + 1) % rows * cols + col))
            if col + 1 < cols or h_wraps:
                horizontal.append(here | 1 << (row * cols + (col + 1) % cols))
    return tuple(vertical), tuple(horizontal)


class Oracle:
    """Answers for the positions of one board."""

    def __init__(self, rows: int, cols: int, topology: str = "rectangle") -> None:
        self.full = (1 << rows * cols) - 1
        self.moves = dominoes(rows, cols, topology)
        self.memo: dict[tuple[int, int], bool] = {}

    def wins(self, free: int, player: int) -> bool:
        """Whether the player to move (0: V, 1: H) wins."""
        key = (free, player)
        known = self.memo.get(key)
        if known is None:
            known = any(not self.wins(free & ~move, 1 - player) for move in self.moves[player] if move & free == move)
            self.memo[key] = known
        return known

    def outcome(self) -> str:
        """The class of the empty board."""
        v_first, h_first = self.wins(self.full, 0), self.wins(self.full, 1)
        return {(True, True): "1", (False, False): "2", (True, False): "V", (False, True): "H"}[v_first, h_first]


@cache
def outcome(rows: int, cols: int, topology: str = "rectangle") -> str:
    """Who wins on an empty board."""
    return Oracle(rows, cols, topology).outcome()
