"""Domineering positions and moves: text in, text out, legal moves, push and pop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from zermelo import _core

Player = Literal["V", "H"]
PLAYERS: tuple[Player, Player] = ("V", "H")

_CORE_PLAYER = {"V": _core.Player.V, "H": _core.Player.H}


def core_player(player: Player) -> _core.Player:
    """Return the core's form of a player's letter.

    :raises ValueError: if it is neither ``V`` nor ``H``.
    """
    try:
        return _CORE_PLAYER[player]
    except KeyError:
        raise ValueError(f"player {player!r} is not known: V (vertical) or H (horizontal)") from None


def opponent(player: Player) -> Player:
    """Return the other player.

    >>> opponent("V")
    'H'
    """
    return "H" if player == "V" else "V"


@dataclass(frozen=True)
class Move:
    """A domino by its upper (V) or left (H) square, row and column counted from 1.

    >>> Move.parse("V1,2")
    Move(player='V', row=1, col=2)
    >>> str(Move("H", 3, 4))
    'H3,4'
    """

    player: Player
    row: int
    col: int

    @classmethod
    def parse(cls, text: str) -> Move:
        """Parse ``V1,2`` or ``H3,4``.

        :raises ValueError: if the text is not a move.
        """
        match = re.fullmatch(r"([VH])([0-9]{1,6}),([0-9]{1,6})", text)
        if not match:
            raise ValueError(
                f"move {text[:20]!r} is not understood: write V1,2 or H3,4 "
                "(row,column of the upper or left square, from 1)"
            )
        player: Player = "V" if match[1] == "V" else "H"
        return cls(player, int(match[2]), int(match[3]))

    @classmethod
    def from_core(cls, move: _core.Move) -> Move:
        """Convert a move of the C++ core, which counts from 0."""
        return cls("V" if move.player == _core.Player.V else "H", move.row + 1, move.col + 1)

    def to_core(self) -> _core.Move:
        """Convert to a move of the C++ core, which counts from 0."""
        return _core.Move(core_player(self.player), self.row - 1, self.col - 1)

    def __str__(self) -> str:
        return f"{self.player}{self.row},{self.col}"


class Position:
    """A set of free squares on a rectangle, cylinder or torus; whose turn it is, is a question's matter.

    >>> position = Position.from_text("3x3")
    >>> position.push(Move("V", 1, 2))
    >>> print(position)
    .#.
    .#.
    ...
    >>> [str(move) for move in position.legal_moves("H")]
    ['H3,1', 'H3,2']
    >>> position.pop()
    Move(player='V', row=1, col=2)
    >>> position.spec
    '3x3'
    """

    def __init__(self, board: _core.Board) -> None:
        self._board = board
        self._stack: list[Move] = []

    @classmethod
    def from_text(cls, text: str) -> Position:
        """Parse a spec such as ``8x8``, ``torus:4x6``, ``..#./....`` or ``8x8:V1,2;H3,4``.

        :raises ValueError: with a sentence that says what was wrong and what would be right.
        """
        return cls(_core.parse_spec(text).board())

    @property
    def board(self) -> _core.Board:
        """The core's board; treat it as read-only."""
        return self._board

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self._board.rows

    @property
    def cols(self) -> int:
        """Number of columns."""
        return self._board.cols

    @property
    def topology(self) -> str:
        """``rectangle``, ``hcylinder``, ``vcylinder`` or ``torus``."""
        return self._board.topology.name.lower()

    @property
    def spec(self) -> str:
        """The shortest spec that parses back to this position."""
        return self._board.spec()

    @property
    def free_count(self) -> int:
        """Number of free squares."""
        return len(self._board.free_squares())

    def is_free(self, row: int, col: int) -> bool:
        """Whether the square (counted from 1) is free."""
        return self._board.is_free(row - 1, col - 1)

    def legal_moves(self, player: Player) -> list[Move]:
        """Return the player's moves, by row, then column."""
        return [Move.from_core(move) for move in self._board.legal_moves(core_player(player))]

    def is_legal(self, move: Move) -> bool:
        """Whether the domino fits on free squares."""
        return self._board.is_legal(move.to_core())

    def push(self, move: Move) -> None:
        """Place a domino.

        :raises ValueError: if it does not fit; the position is unchanged then.
        """
        self._board.play(move.to_core())
        self._stack.append(move)

    def pop(self) -> Move:
        """Take back the last domino pushed.

        :raises IndexError: if none was pushed.
        """
        move = self._stack.pop()
        self._board.undo(move.to_core())
        return move

    def copy(self) -> Position:
        """Return an independent copy, with the moves pushed so far."""
        result = Position(self._board.copy())
        result._stack = list(self._stack)
        return result

    def mirrored(self, image: int) -> Position:
        """Return mirror image 0 to 3: bit 0 turns the columns around, bit 1 the rows."""
        if not 0 <= image <= 3:
            raise ValueError(f"mirror image {image} does not exist: 0 to 3")
        return Position(self._board.mirrored(image))

    def transposed(self) -> Position:
        """Return the position with rows and columns, and so the players' roles, exchanged."""
        return Position(self._board.transposed())

    def components(self) -> Iterator[list[tuple[int, int]]]:
        """Yield the connected regions as lists of squares (row, column), counted from 1."""
        for squares in self._board.components():
            yield [(square // self.cols + 1, square % self.cols + 1) for square in squares]

    def perft(self, first: Player, depth: int) -> int:
        """Count the move sequences of a length, players alternating.

        >>> Position.from_text("8x8").perft("V", 2)
        2940
        """
        return self._board.perft(core_player(first), depth)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._board == other._board

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return self._board.grid("\n")

    def __repr__(self) -> str:
        return f"Position.from_text({self.spec!r})"

    def _repr_svg_(self) -> str:
        from zermelo.domineering.picture import position_svg

        return position_svg(self)
