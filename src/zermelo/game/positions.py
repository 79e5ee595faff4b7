"""Positions, moves and how they look, as plain data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from zermelo.game.services import Game

Player = str
"""A player by the short name that texts and files use: ``V``, ``X``."""
DRAW = "draw"
"""Stands where a winner's name would, in games that can end so."""
Square = tuple[int, int]
"""Row and column of a picture, both from 1, rows from the top."""


class Move(Hashable, Protocol):
    """A move: anything that can be compared and hashed, and whose text is what people type."""

    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Piece:
    """What a move has put on the board."""

    player: Player
    squares: tuple[Square, ...]
    last: bool = False


@dataclass(frozen=True)
class MoveView:
    """A legal move as the page and pictures show it."""

    id: str
    squares: tuple[Square, ...]


@dataclass(frozen=True)
class View:
    """A position as plain data, for the page, the terminal and pictures: a grid of squares.

    ``wraps_rows``: the rows are rings, so that a piece may go over the left and right edge; ``wraps_cols``: the columns
    are. ``texts`` are words on squares (names of vertices); ``edges`` are sets of squares that belong together (the
    winning sets of a hypergraph).
    """

    rows: int
    cols: int
    row_labels: tuple[str, ...]
    col_labels: tuple[str, ...]
    pieces: tuple[Piece, ...] = ()
    blocked: tuple[Square, ...] = ()
    wraps_rows: bool = False
    wraps_cols: bool = False
    texts: Mapping[Square, str] = field(default_factory=dict)
    edges: tuple[tuple[Square, ...], ...] = ()


class Position(ABC):
    """One position of a game: immutable, hashable, picklable, equal by content."""

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game it is a position of."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The spec that :meth:`Game.parse` reads; it keeps the moves it was given."""

    @property
    def to_move(self) -> Player | None:
        """Whose turn it is, where the position says so; None where either may begin."""
        return None

    @property
    def history(self) -> tuple[str, tuple[str, ...]]:
        """The text of the start and the moves since, where the text keeps them; else the text itself and no moves."""
        return self.text, ()

    @abstractmethod
    def moves(self, player: Player) -> Sequence[Move]:
        """Return the player's legal moves in the order of the certificate format; none where the game is over."""

    @abstractmethod
    def after(self, move: Move | str) -> Position:
        """Return the position after a move.

        :raises ValueError: if it is not legal.
        """

    def turn_of(self, player: Player) -> Position:
        """Return the position with the player to move, for games in which a position can tell; else just itself.

        It makes a move such as ``a`` clear where either player may begin and both have the same moves.
        """
        return self

    @abstractmethod
    def key(self) -> str:
        """Return a text that is the same for all images of the position under its symmetries."""

    @abstractmethod
    def decided(self, player: Player) -> Player | None:
        """Return the winner, or :data:`DRAW`, where the game is over with ``player`` to move; else None."""

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of the picture."""
        view = self.view()
        return view.rows, view.cols

    @abstractmethod
    def view(self) -> View:
        """Return the position as plain data."""

    def move_view(self, move: Move) -> MoveView:
        """Return the squares of a legal move; the pieces that it adds to the view, unless a game knows better."""
        before = {square for piece in self.view().pieces for square in piece.squares}
        added = [square for piece in self.after(move).view().pieces for square in piece.squares]
        return MoveView(str(move), tuple(square for square in added if square not in before))

    def __str__(self) -> str:
        from zermelo.draw.text import grid

        return grid(self.view())

    def _repr_svg_(self) -> str:
        from zermelo.draw.board import view_svg

        return view_svg(self.view(), players=self.game.players, title=f"{self.game.title}: {self.text}")
