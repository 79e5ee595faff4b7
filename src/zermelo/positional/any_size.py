"""Draws on m,n,k boards of any size: a pairing that repeats every eight squares, and no search.

A pair is two neighbours on a line. If every k squares in a row that the blocking player has not hit hold a pair of free
squares on their own line, she answers one of a pair with the other and the rival never gets k in a row. The pattern
below gives every row, column and diagonal of the torus of 8 x 8 squares one pair, so that nine squares in a row always
hold a whole pair (the pairing of Hales and Jewett for k = 9). Nothing rests on that: :meth:`WideBoard.blocked` looks at
every line of the board, and no square is in two pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from zermelo import _core
from zermelo.positional.position import MAX_RACE_VERTICES, MAX_SEARCHED, Board, vertices_of

PATTERN = ("R.UUUD..", "R....U.U", "UR.DD.U.", ".R.D...D",
           ".UR..LLL", "L.R....L", "LDLR.D..", "L..R.D..")  # fmt: skip
"""Where pairs begin, the lowest row first: R to the right, U up, D up to the right, L up to the left."""
STEPS = {"R": (1, 0), "U": (0, 1), "D": (1, 1), "L": (-1, 1)}
PERIOD = 8
MOST_TRIES = 1000


class WideBoard(Board):
    """An m,n,k board that is too large to search: sets of squares are numbers, looked at line by line with shifts."""

    def __init__(self, columns: int, rows: int, k: int) -> None:
        self.size: tuple[int, int, int] = (columns, rows, k)
        self.vertices = columns * rows
        self.edges, self.masks = (), ()  # too many to list
        self.symmetries = [list(range(self.vertices))]
        self._shifts = {sign: rise * columns + right for sign, (right, rise) in STEPS.items()}

    @property
    def graph(self) -> _core.Hypergraph:
        """There is none.

        :raises ValueError: always, in words for the user.
        """
        columns, rows, _ = self.size
        raise ValueError(f"{columns} x {rows} squares are too many to search or to certify: at most {MAX_SEARCHED}")

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """All lines, of a board that the race search takes.

        :raises ValueError: if it does not.
        """
        k = self.size[2]
        if self.vertices > MAX_RACE_VERTICES:
            raise ValueError(f"a bound or another order of turns needs a board of at most {MAX_RACE_VERTICES} squares")
        return tuple(
            tuple(start + i * self._shifts[sign] for i in range(k))
            for sign, starts in self._starts.items()
            for start in vertices_of(starts)
        )

    def _rectangle(self, first: int, last: int, count: int) -> int:
        """Return the squares of some columns in the lowest rows."""
        columns, _, _ = self.size
        if last < first or count < 1:
            return 0
        return ((1 << last + 1) - (1 << first)) * (((1 << columns * count) - 1) // ((1 << columns) - 1))

    @cached_property
    def _starts(self) -> dict[str, int]:
        """For each direction the squares from which k squares in a row go."""
        columns, rows, k = self.size
        starts = {}
        for sign, (right, rise) in STEPS.items():
            first, last = (k - 1 if right < 0 else 0), (columns - k if right > 0 else columns - 1)
            starts[sign] = self._rectangle(first, last, rows - (k - 1) * rise) if k > 1 or sign == "R" else 0
        return starts

    @cached_property
    def _pattern(self) -> dict[str, int]:
        """For each direction the squares on which a pair of it begins. No square is in two pairs."""
        columns, rows, _ = self.size
        begins = dict.fromkeys(STEPS, 0)
        for row in range(min(PERIOD, rows)):
            for sign, (right, rise) in STEPS.items():
                line = sum(
                    1 << column
                    for column in range(columns)
                    if PATTERN[row][column % PERIOD] == sign and 0 <= column + right < columns
                )
                for high in range(row, rows - rise, PERIOD):
                    begins[sign] |= line << high * columns
        used = 0
        for sign, ones in begins.items():
            for squares in (ones, ones << self._shifts[sign]):
                assert not used & squares
                used |= squares
        return begins

    def _pairs_of(self, free: int) -> dict[str, int]:
        """For each direction the squares on which a pair of it begins that is free."""
        return {sign: begins & free & free >> self._shifts[sign] for sign, begins in self._pattern.items()}

    def blocked(self, own: int, other: int) -> bool:
        """Whether the owner of ``other`` stops the owner of ``own`` with the free pairs, whoever is to move."""
        free = self._rectangle(0, self.size[0] - 1, self.size[1]) & ~(own | other)
        return all(
            not starts & ~(_any(other, shift, self.size[2]) | _any(pairs, shift, self.size[2] - 1))
            for (starts, pairs, shift) in zip(
                self._starts.values(), self._pairs_of(free).values(), self._shifts.values(), strict=True
            )
        )

    def pairs(self, own: int, other: int) -> list[tuple[int, int]]:
        """Return the free pairs."""
        free = self._rectangle(0, self.size[0] - 1, self.size[1]) & ~(own | other)
        return sorted(
            (v, v + self._shifts[sign]) for sign, begins in self._pairs_of(free).items() for v in _members(begins)
        )

    def live(self, other: int) -> int:
        """Return how many lines the owner of ``other`` has not hit."""
        k = self.size[2]
        lines = (starts & ~_any(other, self._shifts[sign], k) for sign, starts in self._starts.items())
        return sum(squares.bit_count() for squares in lines)

    def partner(self, vertex: int) -> int | None:
        """Return the other square of the pair, where both are on the board."""
        for sign, begins in self._pattern.items():
            for at, to in ((vertex, vertex + self._shifts[sign]), (vertex - self._shifts[sign],) * 2):
                if at >= 0 and begins >> at & 1:
                    return to
        return None

    # The rules, as for every board

    def owns_edge(self, mask: int) -> bool:
        return any(starts & _all(mask, self._shifts[sign], self.size[2]) for sign, starts in self._starts.items())

    def completions(self, own: int, other: int) -> list[int]:
        k, found = self.size[2], 0
        free = self._rectangle(0, self.size[0] - 1, self.size[1]) & ~(own | other)
        for sign, starts in self._starts.items():
            shift = self._shifts[sign]
            if k > 1 and own.bit_count() < k - 1:
                continue
            for missing in range(k):
                before, after = missing, k - 1 - missing
                lacking = starts & free >> missing * shift
                lacking &= _all(own, shift, before) if before else lacking
                lacking &= _all(own >> (missing + 1) * shift, shift, after) if after else lacking
                found |= lacking << missing * shift
        return list(_members(found))


def _any(mask: int, shift: int, count: int) -> int:
    """Return the squares from which one of ``count`` squares in a row is in the set."""
    result = 0
    for i in range(count):
        result |= mask >> i * shift
    return result


def _all(mask: int, shift: int, count: int) -> int:
    """Return the squares from which ``count`` squares in a row are in the set."""
    result = mask
    for i in range(1, count):
        result &= mask >> i * shift
    return result


def _members(mask: int) -> Iterator[int]:
    data = mask.to_bytes((mask.bit_length() + 7) // 8, "little")
    return (8 * i + bit for i, byte in enumerate(data) if byte for bit in range(8) if byte >> bit & 1)


def drawing_move(board: WideBoard, own: int, other: int, last: Sequence[int]) -> int | None:
    """Return a move of the owner of ``own`` after which both players are stopped; None if none is found.

    The partners of the squares that were marked last come first; others are tried where both are stopped already.
    """
    columns, rows, _ = board.size
    candidates: Iterable[int | None] = map(board.partner, last)
    if board.blocked(other, own):
        candidates = (*candidates, rows // 2 * columns + columns // 2, *range(min(board.vertices, MOST_TRIES)))
    for v in candidates:
        if v is None or (own | other) >> v & 1:
            continue
        if board.blocked(own | 1 << v, other) and board.blocked(other, own | 1 << v):
            return v
    return None
