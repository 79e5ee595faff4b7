"""Cram: a strategy without leaves, read in the order in which it is played (FORMAT.md 8)."""

from __future__ import annotations

from zformat import Budget, Reader, malformed, reject

ALL, KEEP, REF, FIRST_MOVE = 0, 1, 2, 8


class Cram:
    def __init__(self, reader: Reader, budget: Budget) -> None:
        self.reader = reader
        self.budget = budget
        self.known: set[int] = set()
        self.nodes = 0
        rows, cols, self.free, spec = reader.board()
        starter, winner = reader.number(2, "starter"), reader.number(2, "winner")
        self.starts = starter == winner
        self.claim = {"game": "cram", "spec": spec, "starter": "AB"[starter], "winner": "AB"[winner]}
        self.dominoes = []
        for r in range(rows):
            for c in range(cols):
                if c + 1 < cols:
                    self.dominoes.append(1 << (r * cols + c) | 1 << (r * cols + c + 1))
                if r + 1 < rows:
                    self.dominoes.append(1 << (r * cols + c) | 1 << ((r + 1) * cols + c))
        # Where each square goes in each image of the board.
        places = [(r, c) for r in range(rows) for c in range(cols)]
        self.images = [[r * cols + c for r, c in places]]
        self.images.append([r * cols + (cols - 1 - c) for r, c in places])
        self.images += [[(rows - 1) * cols - s // cols * cols + s % cols for s in image] for image in self.images]
        if rows == cols:
            self.images += [[s % cols * cols + s // cols for s in image] for image in self.images]

    def check(self) -> None:
        if self.starts:
            self.winner_moves(self.free)
        else:
            self.loser_moves(self.free)
        self.reader.end()

    def moves(self, free: int) -> list[int]:
        return [domino for domino in self.dominoes if free & domino == domino]

    def loser_moves(self, free: int) -> None:
        """The loser is to move: every move must be answered."""
        self.budget.tick()
        self.nodes += 1
        tag = self.reader.byte()
        if tag == REF:
            if self.normal(free) not in self.known:
                raise reject("a reference to a position that was not proved")
        elif tag in (ALL, KEEP):
            for domino in self.moves(free):
                self.winner_moves(free ^ domino)
            if tag == KEEP:
                self.known.add(self.normal(free))
                self.budget.store(4)
        else:
            raise malformed(f"unknown tag {tag}")

    def winner_moves(self, free: int) -> None:
        """The winner is to move: one move is enough."""
        self.nodes += 1
        tag = self.reader.varint()
        if tag < FIRST_MOVE:
            raise malformed(f"unknown tag {tag}")
        moves = self.moves(free)
        if tag - FIRST_MOVE >= len(moves):
            raise reject("a move that is not legal")
        self.loser_moves(free ^ moves[tag - FIRST_MOVE])

    def normal(self, free: int) -> int:
        """Return the least image of the squares that a domino can still cover: references compare it."""
        useful = 0
        for domino in self.moves(free):
            useful |= domino
        squares = [square for square in range(useful.bit_length()) if useful >> square & 1]
        return min(sum(1 << image[square] for square in squares) for image in self.images)
