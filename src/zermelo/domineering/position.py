"""Domineering positions and moves: immutable, of any size. The rules are here and in `lattice`, nowhere else in Python.

A position is a lattice and the set of its blocked squares. The core's board is made where a search asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from zermelo import _core
from zermelo import game as protocol
from zermelo.domineering.lattice import LARGEST_PLAYED, Lattice, Topology, read_board, shown, squares_of
from zermelo.game import MoveView, Piece, Square, View

if TYPE_CHECKING:
    from zermelo.domineering.game import DomineeringGame

Player = Literal["V", "H"]
PLAYERS: tuple[Player, Player] = ("V", "H")
PLAYER_NAMES: dict[str, str] = {"V": "Vertical", "H": "Horizontal"}
LARGEST_BOARD = 256
"""Squares of the largest board that the core can search."""
LONGEST_TEXT = 1 << 18

_CORE_PLAYER = {"V": _core.Player.V, "H": _core.Player.H}


def core_player(player: str) -> _core.Player:
    """Return the core's form of a player's letter.

    :raises ValueError: if it is neither ``V`` nor ``H``.
    """
    try:
        return _CORE_PLAYER[player]
    except KeyError:
        raise ValueError(f"player {player!r} is not known: V (vertical) or H (horizontal)") from None


def opponent(player: str) -> Player:
    """Return the other player.

    >>> opponent("V")
    'H'
    """
    return "H" if player == "V" else "V"


@dataclass(frozen=True, slots=True)
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
        match = re.fullmatch(r"([VH])([0-9]{1,7}),([0-9]{1,7})", text)
        if not match or "0" in (match[2], match[3]):
            raise ValueError(
                f"move {shown(text)} is not understood: "
                "write V1,2 or H3,4 (row,column of the upper or left square, from 1)"
            )
        return cls(cast(Player, match[1]), int(match[2]), int(match[3]))

    @classmethod
    def from_core(cls, move: _core.Move) -> Move:
        """Convert a move of the C++ core, which counts from 0."""
        return cls("V" if move.player == _core.Player.V else "H", move.row + 1, move.col + 1)

    def __str__(self) -> str:
        return f"{self.player}{self.row},{self.col}"


MANY = 10_000
"""Longer lists make each move when it is read: a million moves take a second."""


class ManyMoves(Sequence[Move]):
    """The moves of a player on some squares, by row, then column."""

    def __init__(self, player: Player, sites: Sequence[int], cols: int) -> None:
        self._player, self._cols, self._sites = player, cols, sites

    def _move(self, square: int) -> Move:
        return Move(self._player, square // self._cols + 1, square % self._cols + 1)

    def __len__(self) -> int:
        return len(self._sites)

    def __iter__(self) -> Iterator[Move]:
        return map(self._move, self._sites)

    @overload
    def __getitem__(self, place: int) -> Move: ...
    @overload
    def __getitem__(self, place: slice) -> ManyMoves: ...
    def __getitem__(self, place: int | slice) -> Move | ManyMoves:
        if isinstance(place, int):
            return self._move(self._sites[place])
        return ManyMoves(self._player, self._sites[place], self._cols)


class Position(protocol.Position):
    """Free and blocked squares of a rectangle, cylinder or torus of any size; either player may begin.

    >>> position = Position("3x3").after("V1,2")
    >>> position.text
    '3x3:V1,2'
    >>> print(position)
    .#.
    .#.
    ...
    >>> [str(move) for move in position.moves("H")]
    ['H3,1', 'H3,2']
    >>> position == Position(".#./.#./..."), position.key() == Position(".../.#./.#.").key()
    (True, True)
    >>> position.value, position.outcome, [str(move) for move in Position("3x3").winning_moves("V")]
    (Value('1'), 'V', ['V1,2', 'V2,2'])
    """

    lattice: Lattice
    blocked: int
    start: int
    """The blocked squares before the moves that were given."""
    given: tuple[Move, ...]

    def __init__(self, text: str) -> None:
        """Parse a spec such as ``8x8``, ``torus:4x6``, ``..#./....`` or ``8x8:V1,2;H3,4``.

        :raises ValueError: with one sentence: the mistake, and the right form.
        """
        if not isinstance(text, str):
            raise TypeError(f"a position is made from text such as '8x8', not from {type(text).__name__}")
        if len(text) > LONGEST_TEXT:
            raise ValueError(f"the board spec is longer than {LONGEST_TEXT} characters")
        on, drawn, moves = read_board(text)
        start = drawn or 0
        self._fill(on, start, start, ())
        if moves.endswith(";"):
            raise ValueError("the moves end with ';': remove it, or add a move after it")
        if moves:
            played = self
            for move in moves.split(";"):
                played = played.after(move)
            self._fill(on, played.blocked, start, played.given)

    def _fill(self, on: Lattice, blocked: int, start: int, given: tuple[Move, ...]) -> None:
        self.__dict__.update(lattice=on, blocked=blocked, start=start, given=given)

    @classmethod
    def of(cls, on: Lattice, blocked: int = 0, start: int | None = None, given: tuple[Move, ...] = ()) -> Position:
        """Return the position with these blocked squares, perhaps after some moves from others."""
        position = cls.__new__(cls)
        position._fill(on, blocked, blocked if start is None else start, given)
        return position

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a position never changes: after(move) gives the next one")

    def __reduce__(self) -> tuple[Any, ...]:
        return Position.of, (self.lattice, self.blocked, self.start, self.given)

    # Properties

    @property
    def game(self) -> DomineeringGame:
        """Domineering."""
        from zermelo.domineering.game import GAME

        return GAME

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.lattice.rows

    @property
    def cols(self) -> int:
        """Number of columns."""
        return self.lattice.cols

    @property
    def topology(self) -> Topology:
        """``rectangle``, ``hcylinder``, ``vcylinder`` or ``torus``."""
        return self.lattice.topology

    @property
    def text(self) -> str:
        """The spec, with the moves that were given."""
        start = _spec(self.lattice, self.start)
        return start + ":" + ";".join(map(str, self.given)) if self.given else start

    @property
    def spec(self) -> str:
        """The shortest spec of the free squares, without the moves that led here."""
        return _spec(self.lattice, self.blocked)

    @property
    def history(self) -> tuple[str, tuple[str, ...]]:
        """The spec of the start, and the moves that were given."""
        return _spec(self.lattice, self.start), tuple(map(str, self.given))

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.cols

    @property
    def is_empty(self) -> bool:
        """Whether every square is free."""
        return self.blocked == 0

    @property
    def free(self) -> int:
        """The free squares as a set."""
        return self.lattice.full & ~self.blocked

    def is_free(self, row: int, col: int) -> bool:
        """Whether the square (counted from 1) is free."""
        return 1 <= row <= self.rows and 1 <= col <= self.cols and not self.blocked >> self._square(row, col) & 1

    @cached_property
    def board(self) -> _core.Board:
        """The core's board. Do not change it.

        :raises ValueError: if the board has more squares than the core takes.
        """
        area = self.lattice.area
        free = self.free.to_bytes((area + 7) // 8, "little") if area <= LARGEST_BOARD else b""
        return _core.Board(self.rows, self.cols, _core.Topology[self.topology.upper()], free)

    def key(self) -> str:
        """Return the least image under the mirrors, and the turns of a ring, with the lattice's name."""
        return f"{self.lattice.spec}:{self.lattice.least(self.blocked):x}"

    # Moves

    def moves(self, player: str) -> Sequence[Move]:
        """Return the player's moves, by row, then column."""
        core_player(player)
        sites = list(squares_of(self.lattice.sites(player, self.free)))
        moves = ManyMoves(cast(Player, player), sites, self.cols)
        return moves if len(moves) > MANY else list(moves)

    def can_move(self, player: str) -> bool:
        """Whether the player has a move."""
        return self.lattice.sites(player, self.free) != 0

    def squares(self, move: Move | str) -> tuple[Square, Square]:
        """Return the two squares of a domino, counted from 1; over a seam the second is the first of its line.

        >>> Position("torus:2x9").squares(Move("H", 1, 9))
        ((1, 9), (1, 1))

        :raises ValueError: if it does not fit the lattice, or the player is not known.
        """
        move = _domino(move)
        core_player(move.player)
        vertical = move.player == "V"
        row, col = move.row + vertical, move.col + (not vertical)
        if vertical and row > self.rows and self.lattice.wraps_cols:
            row -= self.rows
        if not vertical and col > self.cols and self.lattice.wraps_rows:
            col -= self.cols
        if not (1 <= move.row <= self.rows and 1 <= move.col <= self.cols and row <= self.rows and col <= self.cols):
            raise ValueError(f"move {move} does not fit on the board {self.lattice.spec}")
        return (move.row, move.col), (row, col)

    def is_legal(self, move: Move | str) -> bool:
        """Whether the domino fits on free squares."""
        try:
            return all(self.is_free(*square) for square in self.squares(move))
        except ValueError:
            return False

    def after(self, move: protocol.Move | str) -> Position:
        """Return the position after a domino, given as a move or by its text.

        :raises ValueError: if it does not fit on free squares.
        """
        domino = _domino(move)
        one, two = self.squares(domino)
        if self.lattice.area > LARGEST_PLAYED:
            raise ValueError(f"{self.lattice.spec} has more than {LARGEST_PLAYED:,} squares: too many to move on")
        taken = 1 << self._square(*one) | 1 << self._square(*two)
        if taken & self.blocked:
            raise ValueError(f"move {domino} covers a square that is taken")
        return Position.of(self.lattice, self.blocked | taken, self.start, (*self.given, domino))

    def _square(self, row: int, col: int) -> int:
        return (row - 1) * self.cols + col - 1

    def decided(self, player: str) -> Player | None:
        """Return the opponent if the player cannot move, and so has lost."""
        return None if self.can_move(player) else opponent(player)

    # Images and parts

    def mirrored(self, image: int) -> Position:
        """Return mirror image 0 to 3: bit 0 turns the columns around, bit 1 the rows."""
        if not 0 <= image <= 3:
            raise ValueError(f"mirror image {image} does not exist: 0 to 3")
        itself, down, aside, both = self.lattice.images(self.blocked)
        return Position.of(self.lattice, int((itself, aside, down, both)[image], 2))

    def transposed(self) -> Position:
        """Return the position with rows and columns, and so the players' roles, exchanged."""
        return Position.of(self.lattice.transposed, self.lattice.transpose(self.blocked))

    def part(self, free: int) -> tuple[Position, int, int]:
        """Return a set of free squares by itself, and the rows and columns before it.

        On a rectangle it lies in the least rectangle around it, on a ring where it was.
        """
        on, blocked = self.lattice, self.lattice.full & ~free
        if self.topology != "rectangle":
            return Position.of(on, blocked), 0, 0
        lines = on.grid(blocked).split("\n")
        rows = [row for row, line in enumerate(lines) if "." in line]
        left, right = (min(lines[row].find(".") for row in rows), max(lines[row].rfind(".") for row in rows))
        inner = Lattice(rows[-1] + 1 - rows[0], right + 1 - left)
        text = "".join(line[left : right + 1] for line in lines[rows[0] : rows[-1] + 1])
        return Position.of(inner, int(text[::-1].replace(".", "0").replace("#", "1"), 2)), rows[0], left

    def framed(self) -> tuple[Position, int, int]:
        """Return the least rectangle around the moves of a rectangle, and the rows and columns before it.

        There must be a move. Free squares in which no domino fits count as blocked.

        >>> Position("####/#..#/#..#").framed()
        (Position('2x2'), 1, 1)
        >>> Position("#..#/#..#/##.#/.#.#/#.#.").framed()
        (Position('../../#./#.'), 0, 1)
        """
        down, right = (self.lattice.sites(player, self.free) for player in PLAYERS)
        return self.part(down | down << self.cols | right | right << 1)

    def component_squares(self) -> list[list[Square]]:
        """Return the squares (row, column), counted from 1, of the connected regions with room for a domino."""
        return [list(self.lattice.places(squares)) for squares in self.board.components() if len(squares) > 1]

    @property
    def components(self) -> tuple[Position, ...]:
        """The connected regions with room for a domino, each on a board of its own.

        >>> [part.text for part in Position("..#../..#..").components]
        ['2x2', '2x2']
        """
        parts = (_set(squares) for squares in self.board.components() if len(squares) > 1)
        return tuple(self.part(free)[0] for free in parts)

    def __neg__(self) -> Position:
        """Return the position with the players' roles exchanged: rows and columns turned."""
        return self.transposed()

    def _plus(self, other: protocol.Position) -> protocol.Position:
        """Return both positions on one board, with a wall between them.

        >>> Position("2x2") + Position("1x3")
        Position('..#.../..####')
        """
        if not isinstance(other, Position):
            return super()._plus(other)
        if self.topology != "rectangle" or other.topology != "rectangle":
            return super()._plus(other)
        both = Lattice(max(self.rows, other.rows), self.cols + 1 + other.cols)
        free = _set((at // self.cols) * both.cols + at % self.cols for at in squares_of(self.free))
        free |= _set((at // other.cols) * both.cols + self.cols + 1 + at % other.cols for at in squares_of(other.free))
        return Position.of(both, both.full & ~free)

    def perft(self, first: Player, depth: int) -> int:
        """Count the move sequences of a length, players alternating.

        >>> Position("8x8").perft("V", 2)
        2940
        """
        if depth < 0:
            raise ValueError(f"a sequence has 0 moves or more, not {depth}")
        return self.board.perft(core_player(first), depth)

    # For people

    def view(self) -> View:
        """Return the position as plain data; the moves that were given are pieces."""
        last = len(self.given) - 1
        pieces = tuple(
            Piece(move.player, self.squares(move), last=number == last) for number, move in enumerate(self.given)
        )
        return View(
            rows=self.rows,
            cols=self.cols,
            row_labels=tuple(map(str, range(1, self.rows + 1))),
            col_labels=tuple(map(str, range(1, self.cols + 1))),
            pieces=pieces,
            blocked=tuple(self.lattice.places(squares_of(self.start))),
            wraps_rows=self.lattice.wraps_rows,
            wraps_cols=self.lattice.wraps_cols,
        )

    def move_view(self, move: protocol.Move) -> MoveView:
        """Return the two squares of a move."""
        return MoveView(str(move), self.squares(cast(Move, move)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.blocked == other.blocked and self.lattice == other.lattice

    def __hash__(self) -> int:
        return hash((self.lattice, self.blocked))

    def __str__(self) -> str:
        return self.lattice.grid(self.blocked)

    def __repr__(self) -> str:
        return f"Position({self.text!r})"


def _domino(move: object) -> Move:
    """Read a move given as such or by its text."""
    if isinstance(move, str):
        return Move.parse(move)
    if not isinstance(move, Move):
        raise TypeError(f"a move is text such as 'V1,2' or a Move, not {type(move).__name__}")
    return move


def _set(squares: Iterable[int]) -> int:
    return sum(1 << square for square in squares)


def _spec(on: Lattice, blocked: int) -> str:
    return on.prefix + on.grid(blocked, "/") if blocked else on.spec
