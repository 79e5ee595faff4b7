"""Cram: Domineering in which both players may place every domino; its strategies have no leaves (FORMAT.md 8)."""

from __future__ import annotations

from zdomineering import Domineering
from zformat import Budget, Reader, malformed


class Cram(Domineering):
    def __init__(self, reader: Reader, budget: Budget) -> None:
        self.reader, self.budget = reader, budget
        self.known, self.nodes = {}, 0
        rows, cols, self.free, spec = reader.board()
        starter, winner = reader.number(2, "starter"), reader.number(2, "winner")
        self.starts = starter == winner
        self.claim = {"game": "cram", "spec": spec, "starter": "AB"[starter], "winner": "AB"[winner]}
        self.across = self.down = []
        for r in range(rows):
            for c in range(cols):
                if c + 1 < cols:
                    self.down.append(1 << (r * cols + c) | 1 << (r * cols + c + 1))
                if r + 1 < rows:
                    self.down.append(1 << (r * cols + c) | 1 << ((r + 1) * cols + c))
        # Where each square goes in each image of the board.
        places = [(r, c) for r in range(rows) for c in range(cols)]
        self.images = [[r * cols + c for r, c in places]]
        self.images.append([r * cols + (cols - 1 - c) for r, c in places])
        self.images += [[(rows - 1) * cols - s // cols * cols + s % cols for s in image] for image in self.images]
        if rows == cols:
            self.images += [[s % cols * cols + s // cols for s in image] for image in self.images]

    def leaf(self, free: int, tag: int, *, first: bool) -> None:
        raise malformed(f"unknown tag {tag}")

    def cut(self, free: int) -> list[int]:
        raise malformed("Cram has no cuts")

    def normal(self, free: int) -> tuple[tuple[object, ...], int]:
        """Return the least image of the squares that a domino can still cover: references compare it."""
        useful = 0
        for domino in self.down:
            if free & domino == domino:
                useful |= domino
        squares = [square for square in range(useful.bit_length()) if useful >> square & 1]
        return (min(sum(1 << image[square] for square in squares) for image in self.images),), 0
