"""Positions, moves and how they look, as plain data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, TypedDict, Unpack, cast

from zermelo._core import CancelToken, LimitReached
from zermelo.draw import grid, view_svg, write_picture
from zermelo.draw.board import Square as Square
from zermelo.files import write_file
from zermelo.game.limits import Limits, Progress, unknown_words

if TYPE_CHECKING:
    from zermelo.cgt import Value
    from zermelo.game.answers import Result, Written
    from zermelo.game.services import Game, Values

Player = str
"""A player by the short name that texts and files use: ``V``, ``X``."""
DESCRIBED = {"use_attribute_docstrings": True, "json_schema_serialization_defaults_required": True}
"""How pydantic describes a dataclass: the words below its fields are descriptions, and every field is there."""
DRAW = "draw"
"""Stands where a winner's name would, in games that can end so."""


class LimitNames(TypedDict, total=False):
    """Limits by name, as :class:`Limits` takes them."""

    seconds: float | None
    nodes: int | None
    memory: int
    threads: int


class Move(Hashable, Protocol):
    """A move: it can be compared and hashed, and its text is the text that people type."""

    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Piece:
    """A piece that a move has put on the board."""

    player: Player
    squares: tuple[Square, ...]
    last: bool = False
    """Whether it was the last move."""

    __pydantic_config__ = DESCRIBED


@dataclass(frozen=True)
class MoveView:
    """A legal move."""

    id: str
    squares: tuple[Square, ...]
    """The squares it takes; or, if the first holds a piece, the way of that piece."""


@dataclass(frozen=True)
class SquareText:
    """A word on a square, such as the name of a vertex."""

    square: Square
    text: str


@dataclass(frozen=True)
class View:
    """A position as plain data, for the page, the terminal and pictures: a grid of squares."""

    rows: int
    cols: int
    row_labels: tuple[str, ...]
    col_labels: tuple[str, ...]
    pieces: tuple[Piece, ...] = ()
    blocked: tuple[Square, ...] = ()
    wraps_rows: bool = False
    """Whether each row is a ring, so that a piece may go over the left and right edge."""
    wraps_cols: bool = False
    """Whether each column is a ring, so that a piece may go over the top and bottom edge."""
    texts: tuple[SquareText, ...] = ()
    edges: tuple[tuple[Square, ...], ...] = ()
    """Sets of squares that belong together, such as winning sets."""
    won: tuple[Square, ...] = ()
    """The squares with which the game was won, in games of that kind."""
    slants: bool = False
    """Whether it is a board of hexagons: each row lies half a cell further right than the row above.

    The first player's sides are the first row and the last, the second player's the first column and the last.
    """

    __pydantic_config__ = DESCRIBED


def join_sets(sets: Iterable[Iterable[Square]]) -> list[list[Square]]:
    """Return sets of squares in order, those with a square in common as one: the parts of a board.

    >>> join_sets([[(1, 1), (1, 2)], [(3, 1)], [(1, 2), (1, 3)]])
    [[(1, 1), (1, 2), (1, 3)], [(3, 1)]]
    """
    joined = list[set[Square]]()
    for squares in map(set, sets):
        near = [region for region in joined if not region.isdisjoint(squares)]
        joined = [region for region in joined if region not in near] + [squares.union(*near)]
    return sorted(map(sorted, joined))


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
        """The player to move, where the position says so; None where either may begin."""
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

    def player_after(self, player: Player) -> Player:
        """Return the player to move in this position, which a move of ``player`` has led to."""
        return self.to_move or self.game.other(player)

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

    def __repr__(self) -> str:
        return f"<{self.game.name} {self.text}>"

    def __str__(self) -> str:
        return grid(self.view())

    # Questions about a position: each goes to its game

    def options(self, player: Player) -> tuple[Self, ...]:
        """Return the positions after each of the player's moves, in the order of :meth:`moves`."""
        self.game.other(player)
        return tuple(cast(Any, self.after(move)) for move in self.moves(player))

    @property
    def components(self) -> tuple[Position, ...]:
        """The parts in which the game goes on by itself, where a game falls apart; else just the position.

        Parts without a move may be left out. A part has no parts but itself.
        """
        return (self,)

    def component_squares(self) -> Sequence[Sequence[Square]]:
        """Return the squares of each of the :attr:`components` in the picture of the whole, in the same order."""
        view, parts = self.view(), self.components
        every = {(row, col) for row in range(1, view.rows + 1) for col in range(1, view.cols + 1)}
        free = sorted(every - set(view.blocked))
        return [free if len(parts) == 1 else [] for _ in parts]

    @property
    def value(self) -> Value:
        """The canonical value, the first player being Left; see :func:`zermelo.cgt.limits` for limits.

        :raises ValueError: if positions of this game have none.
        """
        return self._values.value(self)

    @property
    def nimber(self) -> int | None:
        """The n of a position that is worth ``*n``, 0 for zero; None where the value is no nimber.

        :raises ValueError: if positions of this game have no value.
        """
        return self._values.nimber(self)

    def incentives(self, player: Player) -> dict[Move, Value]:
        """Return each of the player's moves with her gain by it: the value after it less the value before, for Left.

        :raises ValueError: if positions of this game have no value.
        """
        sign = 1 if player == self.game.players[0] else -1
        before, moves = self.value, self.moves(player)
        return {move: sign * (self.after(move).value - before) for move in moves}

    @property
    def _values(self) -> Values:
        if self.game.values is None:
            raise ValueError(
                f"positions of {self.game.title} have no value: it is not lost by the player who cannot move; ask for "
                "the outcome"
            )
        return self.game.values

    @property
    def outcome(self) -> str | None:
        """The game's code for who wins, searched without limits: :meth:`solve` takes some."""
        return self.solve().outcome

    @property
    def misere_outcome(self) -> str:
        """The game's code for who wins if the player who cannot move wins; see :func:`zermelo.cgt.limits` for limits.

        :raises ValueError: if the game does not end when a player cannot move.
        :raises LimitReached: if a limit is reached.
        """
        from zermelo.game.misere import misere_outcome

        return misere_outcome(self)

    def solve(
        self,
        *,
        first: Player | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int = 1 << 30,
        threads: int = 1,
        on_progress: Callable[[Player, Progress], None] | None = None,
        cancel: CancelToken | None = None,
        resume: str | Path | None = None,
        **options: Any,
    ) -> Result:
        """Say who wins: for one starter, or for each player who may begin. Limits count for the call as a whole.

        ``options`` are those of the game's ``solve``: ``method="search"`` for Domineering. With ``resume``, the name of
        a file, the search saves its results there every minute and at the end, and a later call goes on from them.
        """
        limits = Limits(seconds, nodes, memory, threads, cancel)
        return self.game.solve(
            self, first=first, limits=limits, options=options, on_progress=on_progress, resume=resume
        )

    def winning_moves(self, player: Player | None = None, **limits: Unpack[LimitNames]) -> tuple[Move, ...]:
        """Return all moves with which the player wins; every other move is proved not to win.

        Limits are given by name: ``seconds``, ``nodes``, ``memory``, ``threads``.

        :raises ValueError: if no player is given, and either may begin.
        :raises LimitReached: if a move stays unknown within the limits.
        """
        from zermelo.game.marking import mark_moves

        player = self._starter(player)
        within, turned = Limits(**limits), self.turn_of(player)
        if turned.decided(player) is not None:
            return ()
        wins = set[Move]()
        for found in mark_moves(turned, player, self.game.chooser(within), within):
            if found.moves and found.mark == "unknown":
                raise LimitReached(f"some moves stay {unknown_words(within)}")
            wins.update(found.moves if found.mark == "win" else ())
        both = zip(turned.moves(player), self.moves(player), strict=True)
        return tuple(name for move, name in both if move in wins)

    def prove(self, path: str | Path, *, first: Player | None = None, **limits: Unpack[LimitNames]) -> Written:
        """Say who wins when ``first`` begins, and write a certificate that ``zermelo check`` verifies.

        Limits are given by name: ``seconds``, ``nodes``, ``memory``, ``threads``.

        :raises ValueError: if no player is given, and either may begin.
        """
        return self.game.prove(self, self._starter(first), Path(path), limits=Limits(**limits))

    def _starter(self, player: Player | None) -> Player:
        starters = self.game.starters(self, player)
        if len(starters) > 1:
            raise ValueError(f"either player may begin here: say {starters[0]!r} or {starters[1]!r}")
        return starters[0]

    def __neg__(self) -> Position:
        """Return the position with the players exchanged. A game may have its own picture of that.

        :raises ValueError: if the game does not end when a player cannot move.
        """
        if not self.game.normal_play:
            raise ValueError(
                f"positions of {self.game.title} have no negative: it is not lost by the player who cannot move"
            )
        if self.game.impartial:
            return self
        from zermelo.game.sums import Sum

        return Sum.of((self, -1))

    def __add__(self, other: Any) -> Any:
        """Return the sum: one position where the game has sums of positions, a value with a value."""
        from zermelo.cgt import Value

        if isinstance(other, int) and other == 0:  # sum() begins with it
            return self
        if isinstance(other, Value | int):
            return self.value + other
        if isinstance(other, Position):
            return self._plus(other)
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + -other if isinstance(other, Position) or hasattr(other, "__neg__") else NotImplemented

    def _plus(self, other: Position) -> Position:
        """Return the sum with another position; a game may have its own picture of that."""
        from zermelo.game.sums import Sum

        return Sum.of((self, 1), (other, 1))

    # Pictures

    def svg(self) -> str:
        return view_svg(self.view(), players=self.game.players, title=f"{self.game.title}: {self.text}")

    def save(self, path: str | Path) -> None:
        """Write the picture to a file, whole or not at all: .svg, .png or .tex; or the text, to .txt.

        :raises ValueError: if the name ends otherwise.
        """
        if Path(path).suffix == ".txt":
            write_file(Path(path), f"{self.text}\n".encode())
        else:
            write_picture(Path(path), self.svg())

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return f"<figure>{self.svg()}<figcaption>{escape(self.text)}</figcaption></figure>"
