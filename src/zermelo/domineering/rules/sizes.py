"""Empty boards of any size: rows, columns and topology."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.domineering.lattice import TOPOLOGIES, TURNED, Topology, read_board
from zermelo.domineering.position import Position

__all__ = ["TOPOLOGIES", "AboutBoard", "Size", "Topology", "all_topologies", "rectangles"]


class Size(NamedTuple):
    """An empty board.

    >>> Size(3, 1000).spec, Size(2, 5, "torus").transposed.spec, Size.parse("hcylinder:3x8").transposed.spec
    ('3x1000', 'torus:5x2', 'vcylinder:8x3')
    """

    rows: int
    cols: int
    topology: Topology = "rectangle"

    @classmethod
    def parse(cls, text: str) -> Size:
        """Parse the spec of an empty board of any size.

        :raises ValueError: if the text is not a spec, or not an empty board given by its size.
        """
        on, drawn, moves = read_board(text)
        if drawn is not None or moves:
            raise ValueError(f"{text[:40]!r} is not an empty board: write rows x columns, as 6x20")
        return cls(on.rows, on.cols, on.topology)

    @classmethod
    def of(cls, position: Position) -> Size:
        """Return the empty board of a position."""
        return cls(position.rows, position.cols, position.topology)

    @property
    def spec(self) -> str:
        """The text that parses back to this board."""
        return ("" if self.topology == "rectangle" else f"{self.topology}:") + f"{self.rows}x{self.cols}"

    @property
    def area(self) -> int:
        return self.rows * self.cols

    @property
    def transposed(self) -> Size:
        """The board with rows and columns exchanged."""
        return Size(self.cols, self.rows, TURNED[self.topology])

    def __str__(self) -> str:
        return f"[{self.spec}]"


class AboutBoard:
    """A result about a board: the page shows the board beside it."""

    size: Size

    @property
    def board(self) -> str:
        return self.size.spec

    @property
    def rows(self) -> int:
        return self.size.rows

    @property
    def cols(self) -> int:
        return self.size.cols


def rectangles(rows: int, cols: int) -> Iterator[Size]:
    """Yield every rectangle of at most so many rows and columns, and the empty strip that a first move may leave."""
    yield Size(2, 0)
    for row in range(1, rows + 1):
        for col in range(1, cols + 1):
            yield Size(row, col)


def all_topologies(rows: int, cols: int) -> Iterator[Size]:
    """Yield the rectangles, cylinders and tori of at most so many rows and columns."""
    for size in rectangles(rows, cols):
        yield size
        if size.cols:
            for topology in TOPOLOGIES[1:]:
                yield size._replace(topology=topology)
