"""Positional games by their definition: all moves, no cleverness, no code of Zermelo."""

from __future__ import annotations

Mask = int


def rows_of(columns: int, rows: int, k: int) -> list[Mask]:
    """All k in a row; square = row * columns + column."""
    result = set()
    for row in range(rows):
        for column in range(columns):
            for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * up, column + i * right) for i in range(k)]
                if all(r < rows and 0 <= c < columns for r, c in cells):
                    result.add(sum(1 << r * columns + c for r, c in cells))
    return sorted(result)


class Oracle:
    """Values of one board: 1 the player to move wins, 0 a draw, -1 the other wins."""

    def __init__(self, vertices: int, edges: list[Mask]) -> None:
        self.full, self.edges = (1 << vertices) - 1, edges
        self._strong: dict[tuple[Mask, Mask], int] = {}
        self._maker: dict[tuple[Mask, Mask, bool], bool] = {}

    def owns(self, marks: Mask) -> bool:
        return any(edge & marks == edge for edge in self.edges)

    def free(self, own: Mask, other: Mask) -> list[Mask]:
        left = self.full & ~own & ~other
        return [1 << v for v in range(self.full.bit_length()) if left >> v & 1]

    def strong(self, own: Mask, other: Mask) -> int:
        """Both want an edge; the owner of ``own`` is to move, and nobody has one yet unless the other just got it."""
        value = self._strong.get((own, other))
        if value is None:
            if self.owns(other):
                value = -1
            else:
                value = -1 if own | other != self.full else 0
                for v in self.free(own, other):
                    value = max(value, 1 if self.owns(own | v) else -self.strong(other, own | v))
                    if value == 1:
                        break
            self._strong[own, other] = value
        return value

    def maker_wins(self, maker: Mask, breaker: Mask, maker_to_move: bool) -> bool:
        """Only Maker wants an edge."""
        value = self._maker.get((maker, breaker, maker_to_move))
        if value is None:
            if self.owns(maker):
                value = True
            elif maker_to_move:
                value = any(self.maker_wins(maker | v, breaker, False) for v in self.free(maker, breaker))
            else:
                moves = self.free(maker, breaker)
                value = bool(moves) and all(self.maker_wins(maker, breaker | v, True) for v in moves)
            self._maker[maker, breaker, maker_to_move] = value
        return value
