"""Rectangles, cylinders and tori, and the rules of Domineering on sets of their squares.

A set is a Python integer: the square of a row and a column, both from 0, is bit row * columns + column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import compress, count
from typing import Literal, NamedTuple, cast

Topology = Literal["rectangle", "hcylinder", "vcylinder", "torus"]
TOPOLOGIES: tuple[Topology, ...] = ("rectangle", "hcylinder", "vcylinder", "torus")
TURNED: dict[Topology, Topology] = dict(zip(TOPOLOGIES, (TOPOLOGIES[i] for i in (0, 2, 1, 3)), strict=True))

LARGEST_PLAYED = 10_000_000
"""Squares of the largest board on which moves can be made. Larger ones are answered by rules only."""
LONGEST_SIDE = 1_000_000
LARGEST_SHIFTED = 256
"""The key of a larger ring does not consider shifts along the ring."""

_ZERO_ONE = bytes(48) + bytes((0, 1)) + bytes(206)


def squares_of(bits: int) -> Iterator[int]:
    """Yield the members of a set of squares, ascending; quick for small and for very large sets, dense or not."""
    text = f"{bits:b}"[::-1].encode()
    if 16 * bits.bit_count() > len(text):
        yield from compress(count(), text.translate(_ZERO_ONE))
        return
    at = text.find(b"1")
    while at >= 0:
        yield at
        at = text.find(b"1", at + 1)


class Size(NamedTuple):
    """Rows and columns, and which edges are glued."""

    rows: int
    cols: int
    topology: Topology = "rectangle"


class Lattice(Size):
    """A rectangle, cylinder or torus: an empty board of any size, and the rules on sets of its squares.

    >>> square = Lattice(3, 3)
    >>> list(squares_of(square.sites("H", square.full))), square.least(0b100)
    ([0, 1, 3, 4, 6, 7], 1)
    >>> Lattice(3, 1000).spec, Lattice(2, 5, "torus").transposed.spec, Lattice.parse("hcylinder:3x8").transposed.spec
    ('3x1000', 'torus:5x2', 'vcylinder:8x3')
    """

    @classmethod
    def parse(cls, text: str) -> Lattice:
        """Parse the spec of an empty board of any size.

        :raises ValueError: if the text is not a spec, or not an empty board given by its size.
        """
        on, drawn, moves = read_board(text)
        if drawn is not None or moves:
            raise ValueError(f"{text[:40]!r} is not an empty board: write rows x columns, as 6x20")
        return on

    @property
    def prefix(self) -> str:
        """The beginning of every spec with this topology."""
        return "" if self.topology == "rectangle" else f"{self.topology}:"

    @property
    def spec(self) -> str:
        """The text that parses back to this board."""
        return f"{self.prefix}{self.rows}x{self.cols}"

    def __str__(self) -> str:
        return f"[{self.spec}]"

    @property
    def area(self) -> int:
        return self.rows * self.cols

    # A ring of two squares has no second way around, a ring of one no room for a domino.

    @property
    def wraps_rows(self) -> bool:
        return self.cols >= 3 and self.topology in ("hcylinder", "torus")

    @property
    def wraps_cols(self) -> bool:
        return self.rows >= 3 and self.topology in ("vcylinder", "torus")

    @cached_property
    def full(self) -> int:
        """All squares as a set.

        :raises ValueError: if they are too many to play on.
        """
        if self.area > LARGEST_PLAYED:
            raise ValueError(f"{self.spec} has more than {LARGEST_PLAYED:,} squares: too many to move on")
        return (1 << self.area) - 1

    @cached_property
    def first_col(self) -> int:
        """The first column as a set."""
        return int(("0" * (self.cols - 1) + "1") * self.rows, 2)

    @property
    def transposed(self) -> Lattice:
        """The board with rows and columns exchanged."""
        return Lattice(self.cols, self.rows, TURNED[self.topology])

    def sites(self, player: str, free: int) -> int:
        """Return the upper or left squares of the player's moves, as a set."""
        if player == "V":
            found = free & free >> self.cols
            if self.wraps_cols:
                found |= free & (free << self.area - self.cols)
            return found
        found = free & free >> 1 & ~(self.first_col << self.cols - 1)
        if self.wraps_rows:
            found |= free & (free & self.first_col) << self.cols - 1
        return found

    def domino(self, player: str, square: int) -> int:
        """Return the squares of a move, by its upper or left square; it must fit the lattice."""
        if player == "V":
            below = square + self.cols
            return 1 << square | 1 << (below if below < self.area else below - self.area)
        last = square % self.cols == self.cols - 1
        return 1 << square | 1 << (square + 1 - self.cols if last else square + 1)

    def images(self, bits: int) -> tuple[str, str, str, str]:
        """Return the mirror images of a set in binary, all of one length: itself, rows, columns, both turned round."""
        text = f"{bits:0{self.area}b}"
        down = "".join([text[at : at + self.cols] for at in range(self.area - self.cols, -1, -self.cols)])
        return text, down, down[::-1], text[::-1]

    def least(self, bits: int) -> int:
        """Return the least image of a set under the symmetries that leave the players alone."""
        if bits == 0:
            return 0
        if (self.wraps_rows or self.wraps_cols) and self.area <= LARGEST_SHIFTED:
            return int(min(shifted for image in self.images(bits) for shifted in self._shifted(image)), 2)
        return int(min(self.images(bits)), 2)

    def _shifted(self, text: str) -> Iterator[str]:
        """Yield a set, in binary, turned along the rings in every way."""
        cols = self.cols
        for up in range(0, self.area if self.wraps_cols else 1, cols):
            turned = text[up:] + text[:up]
            lines = [turned[at : at + cols] for at in range(0, self.area, cols)]
            for left in range(cols if self.wraps_rows else 1):
                yield "".join([line[left:] + line[:left] for line in lines])

    def places(self, squares: Iterable[int]) -> list[tuple[int, int]]:
        """Return rows and columns of squares, counted from 1."""
        return [(square // self.cols + 1, square % self.cols + 1) for square in squares]

    def transpose(self, bits: int) -> int:
        """Return the set with rows and columns exchanged, as a set of :attr:`transposed`."""
        if bits == 0:
            return 0
        text = f"{bits:0{self.area}b}"
        return int("".join([text[at :: self.cols] for at in range(self.cols)]), 2)

    def grid(self, blocked: int, separator: str = "\n") -> str:
        """Draw a set: ``#`` for its squares, ``.`` for the others."""
        text = f"{blocked:0{self.area}b}"[::-1].replace("0", ".").replace("1", "#")
        return separator.join([text[at : at + self.cols] for at in range(0, self.area, self.cols)])


def read_board(text: str) -> tuple[Lattice, int | None, str]:
    """Read the text of a position: its lattice, the blocked squares of a drawing (None for a size), and its moves.

    >>> board, blocked, moves = read_board("torus:..#/...:V1,2")
    >>> board.spec, blocked, moves
    ('torus:2x3', 4, 'V1,2')

    :raises ValueError: with one sentence: the mistake, and the right form. The moves are not read.
    """
    if not text:
        raise ValueError("an empty board spec: write for example 8x8")
    shape, colon, rest = text.partition(":")
    if shape not in TOPOLOGIES[1:]:
        if colon and shape.isascii() and shape.isalpha():
            raise ValueError(f"board shape {shown(shape)} is not known: torus, hcylinder or vcylinder")
        shape, rest = "rectangle", text
    topology = cast(Topology, shape)
    board, colon, moves = rest.partition(":")
    if colon and not moves:
        raise ValueError(f"no move follows the ':' in {shown(text)}")
    if board[:1] in (".", "#") and board:
        lines = _drawn_lines(board)
        on, blocked = Lattice(len(lines), len(lines[0]), topology), "".join(lines)[::-1]
        return on, int(blocked.replace(".", "0").replace("#", "1"), 2), moves
    size = re.fullmatch("([0-9]{1,7}) *[xX\u00d7] *([0-9]{1,7})", board)
    rows, cols = map(int, size.groups()) if size else (LONGEST_SIDE + 1, 0)
    if max(rows, cols) > LONGEST_SIDE:
        raise ValueError(
            f"board {shown(board)} is not understood: "
            f"write rows x columns as 8x8 (up to {LONGEST_SIDE}), or rows of . and # as ..#./...."
        )
    if min(rows, cols) < 1:
        raise ValueError(f"board {shown(board)} has no squares: both sides must be at least 1")
    return Lattice(rows, cols, topology), None, moves


def shown(text: str) -> str:
    """Quote the beginning of a text for a message; signs that a terminal might obey become question marks."""
    start = "".join(c if " " <= c <= "~" else "?" for c in text[:40])
    return f"'{start}...'" if len(text) > 40 else f"'{start}'"


def _drawn_lines(board: str) -> list[str]:
    if others := board.translate(dict.fromkeys(map(ord, ".#/|"))):
        raise ValueError(
            f"board {shown(board)} has {shown(others[0])} in it: rows are made of . (free) and # (blocked)"
        )
    lines = board.replace("|", "/").split("/")
    for number, line in enumerate(lines, 1):
        if not line:
            raise ValueError(f"board {shown(board)}: row {number} is empty")
        if len(line) != len(lines[0]):
            raise ValueError(
                f"board {shown(board)}: row {number} has {len(line)} squares, row 1 has {len(lines[0])}; "
                "all rows must be as long as the first"
            )
    return lines
