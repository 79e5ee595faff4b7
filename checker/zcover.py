"""Covers (FORMAT.md 5.5): areas in which Vertical is sure of so many moves that Horizontal runs out first."""

from __future__ import annotations

from collections.abc import Sequence

from zformat import Reader, malformed, reject

MOVE, SQUARE = 4, 1  # weights of a move, and of a square that Horizontal cannot use


class Cover:
    """The neighbourhoods of one board, turned so that the winner plays vertically."""

    def __init__(self, rows: int, cols: int, ring_rows: bool, ring_cols: bool) -> None:
        self.rows, self.cols, self.ring_rows, self.ring_cols = rows, cols, ring_rows, ring_cols

    def square(self, row: int, col: int) -> int:
        """A square as a bit; 0 beyond the edge."""
        if self.ring_cols:
            row %= self.rows
        if self.ring_rows:
            col %= self.cols
        inside = 0 <= row < self.rows and 0 <= col < self.cols
        return 1 << (row * self.cols + col) if inside else 0

    def beside(self, squares: int) -> int:
        """The left and right neighbours of a set of squares."""
        result = 0
        for place in range(self.rows * self.cols):
            if squares >> place & 1:
                row, col = divmod(place, self.cols)
                result |= self.square(row, col - 1) | self.square(row, col + 1)
        return result

    def protective(self, corner: int, free: int) -> int:
        """The 2x2 area below and right of a square, which must be free and shut off on one side."""
        row, col = divmod(corner, self.cols)
        both = (row, row + 1)
        places = [self.square(r, c) for r in both for c in (col, col + 1)]
        if not all(place & free for place in places):
            raise reject("a protective area that is not free")
        left = any(self.square(r, col - 1) & free for r in both)
        right = any(self.square(r, col + 2) & free for r in both)
        if left and right:
            raise reject("a protective area that is open on both sides")
        return sum(places)

    def odd_runs(self, free: int, covered: int) -> int:
        """How many maximal horizontal runs have odd length and meet no area."""
        found = 0
        while free:
            run, grown = 0, free & -free
            while grown != run:
                run = grown
                grown |= self.beside(run) & free
            free &= ~run
            found += run.bit_count() & 1 and not run & covered
        return found


def check_cover(board: Cover, reader: Reader, free: int, moves: Sequence[int], *, first: bool) -> None:
    """Read a cover and recompute its bound; `moves` are Vertical's; with `first` she is to move."""
    areas: list[int] = []
    corner = -1
    for _ in range(reader.number(board.rows * board.cols // 4 + 1, "number of protective areas")):
        last, corner = corner, reader.number(board.rows * board.cols, "square")
        if corner <= last:
            raise malformed("protective areas must be in order")
        areas.append(board.protective(corner, free))
    protectives = len(areas)
    chosen = int.from_bytes(bytes(reader.byte() for _ in range((len(moves) + 7) // 8)), "little")
    if chosen >> len(moves):
        raise malformed("an area beyond the last move")
    areas += [move for index, move in enumerate(moves) if chosen >> index & 1]
    covered = 0
    for area in areas:
        if covered & area:
            raise reject("the areas of a cover overlap")
        covered |= area

    quiet = free & ~board.beside(free)
    total = SQUARE * board.odd_runs(free, covered)
    alone, close = [], []  # gains of Vertical for playing an area before Horizontal hits it
    open_squares = 0
    for area in areas:
        if area & ~quiet:
            open_squares |= area
    for number, area in enumerate(areas):
        if not area & ~quiet:
            total += MOVE
            continue
        left_over = SQUARE * (area & quiet).bit_count()
        total += left_over
        gain = (2 * MOVE if number < protectives else MOVE) - left_over
        (close if board.beside(area) & open_squares & ~area else alone).append(gain)
    alone.sort(reverse=True)
    close.sort(reverse=True)
    best = sum(alone[1::2]) + sum(close[2::3])
    if first:  # her free move is in one list or the other
        best = max(sum(alone[0::2]) + sum(close[2::3]), sum(alone[1::2]) + sum(close[0::3]))
    if total + best < free.bit_count() + (1 if first else -1):
        raise reject("the cover does not give enough moves")
