"""A board of any length as a set of free squares, for games far beyond the searchable boards."""

from __future__ import annotations

import random
from collections.abc import Iterator

from zermelo.domineering.position import Move, Player, opponent
from zermelo.domineering.rules.sizes import Size


class LongBoard:
    """The free squares of a game on an empty rectangle, cylinder or torus.

    >>> board = LongBoard(Size(2, 1000))
    >>> board.play(Move("V", 1, 500))
    >>> board.is_legal(Move("H", 1, 499)), board.can_move("H")
    (False, True)
    """

    def __init__(self, size: Size) -> None:
        self.size = size
        self.free = {(row, col) for row in range(1, size.rows + 1) for col in range(1, size.cols + 1)}

    def squares(self, move: Move) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the two squares of a domino, counted from 1; over a seam the second is the first of its line.

        >>> LongBoard(Size(2, 9, "torus")).squares(Move("H", 1, 9))
        ((1, 9), (1, 1))
        """
        rows, cols, topology = self.size
        if move.player == "V":
            over = topology in ("vcylinder", "torus") and rows > 2 and move.row == rows
            return (move.row, move.col), (1 if over else move.row + 1, move.col)
        over = topology in ("hcylinder", "torus") and cols > 2 and move.col == cols
        return (move.row, move.col), (move.row, 1 if over else move.col + 1)

    def is_legal(self, move: Move) -> bool:
        """Whether the domino fits on free squares."""
        return all(square in self.free for square in self.squares(move))

    def play(self, move: Move) -> None:
        """Place a domino.

        :raises ValueError: if it does not fit.
        """
        if not self.is_legal(move):
            raise ValueError(f"move {move} does not fit on free squares of {self.size.spec}")
        self.free.difference_update(self.squares(move))

    def legal_moves(self, player: Player) -> Iterator[Move]:
        """Yield the player's moves, by row, then column."""
        for row, col in sorted(self.free):
            move = Move(player, row, col)
            if self.is_legal(move):
                yield move

    def can_move(self, player: Player) -> bool:
        """Whether the player has a move."""
        return any(self.is_legal(Move(player, row, col)) for row, col in self.free)

    def greedy_move(self, player: Player, rng: random.Random) -> Move | None:
        """Return the move that costs the opponent most and the player least; ties are drawn by lot."""
        best: list[Move] = []
        best_gain = -99
        other = opponent(player)
        for move in self.legal_moves(player):
            gain = self._touched(move, other) - self._touched(move, player)
            if gain > best_gain:
                best, best_gain = [], gain
            if gain == best_gain:
                best.append(move)
        return rng.choice(best) if best else None

    def _touched(self, move: Move, player: Player) -> int:
        """Count the player's legal moves that share a square with a domino."""
        found = set()
        rows, cols, _ = self.size
        for row, col in self.squares(move):
            before = ((row - 2) % rows + 1, col) if player == "V" else (row, (col - 2) % cols + 1)
            found.update({(row, col), before})
        return sum(self.is_legal(Move(player, row, col)) for row, col in found)

    def text(self, separator: str = "\n") -> str:
        """Return the rows of free and blocked squares."""
        return separator.join(
            "".join("." if (row, col) in self.free else "#" for col in range(1, self.size.cols + 1))
            for row in range(1, self.size.rows + 1)
        )

    @property
    def spec(self) -> str:
        """The position as a spec."""
        prefix = "" if self.size.topology == "rectangle" else f"{self.size.topology}:"
        return prefix + self.text("/")

    def window(self, around: int, width: int = 60) -> str:
        """Draw the columns near one, with their numbers at the edges."""
        if self.size.cols <= width:
            return self.text()
        first = max(1, min(around - width // 2, self.size.cols - width + 1))
        last = min(self.size.cols, first + width - 1)
        rows = [
            "".join("." if (row, col) in self.free else "#" for col in range(first, last + 1))
            for row in range(1, self.size.rows + 1)
        ]
        return "\n".join([f"columns {first} to {last} of {self.size.cols}", *rows])
