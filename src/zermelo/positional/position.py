"""Positions of positional games: m,n,k boards and hypergraphs. Immutable, hashable, picklable, checked when built."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache, reduce
from itertools import product
from math import isqrt
from typing import TYPE_CHECKING, Any, Self, overload

from zermelo import _core
from zermelo.game import DRAW, MoveView, Piece, Player, Position, Square, SquareText, View
from zermelo.positional.turns import IN_TURN, Turns
from zermelo.words import letters

if TYPE_CHECKING:
    from zermelo.game import Game, Move
    from zermelo.positional.race import Race, RacePosition

MAX_SQUARES = 250_000
"""Of an m,n,k board; :data:`MAX_SEARCHED` of one that is searched."""
MAX_SEARCHED = 256
MAX_VERTICES = 256
MAX_RACE_VERTICES = 384
MAX_EDGES = 4096
MAKER, BREAKER = "maker", "breaker"
Key = tuple[tuple[int, ...] | int, ...]


def bits(vertices: Iterable[int]) -> int:
    """Return a set of vertices as a number, one bit each."""
    return sum(1 << v for v in vertices)


def vertices_of(mask: int) -> list[int]:
    """Return the vertices of such a number in order.

    >>> vertices_of(bits([5, 0, 3]))
    [0, 3, 5]
    """
    return [v for v in range(mask.bit_length()) if mask >> v & 1]


class Board:
    """The board of a positional game: vertices, hyperedges, symmetries. All positions share one."""

    def __init__(self, graph: _core.Hypergraph, size: tuple[int, int, int] | None, symmetries: list[list[int]]) -> None:
        self._graph = graph
        self.size = size
        """Columns, rows and k, where the board is one of an m,n,k game."""
        self.vertices: int = graph.vertices
        self.edges: tuple[tuple[int, ...], ...] = tuple(map(tuple, graph.edges))
        self.masks = tuple(bits(edge) for edge in self.edges)
        self.symmetries = symmetries
        """For each symmetry where each vertex goes; the identity first."""

    @property
    def graph(self) -> _core.Hypergraph:
        """The board as the core takes it."""
        return self._graph

    @cached_property
    def format_edges(self) -> tuple[tuple[int, ...], ...]:
        """The hyperedges in the order of the certificate format: lines by their first square, then by direction."""
        if self.size is None:
            return self.edges
        columns = self.size[0]

        def place(line: tuple[int, ...]) -> tuple[int, int]:
            (row, column), (next_row, next_column) = (divmod(square, columns) for square in (line * 2)[:2])
            return line[0], ((0, 0), (0, 1), (1, 0), (1, 1), (1, -1)).index((next_row - row, next_column - column))

        return tuple(sorted(self.edges, key=place))

    @property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """The hyperedges, of boards too that are not searched as a whole."""
        return self.edges

    def owns_edge(self, mask: int) -> bool:
        """Whether these vertices hold a whole hyperedge."""
        return any(edge & ~mask == 0 for edge in self.masks)

    def completions(self, own: int, other: int) -> list[int]:
        """Return the vertices with which the owner of ``own`` completes a hyperedge at once."""
        rests = {edge & ~own for edge in self.masks if not edge & other}
        return sorted({rest.bit_length() - 1 for rest in rests if rest and not rest & (rest - 1)})

    # The rules of the format for strategies in the order of play: the hero's marks, and the opponent's

    @cached_property
    def every(self) -> int:
        """All vertices."""
        return (1 << self.vertices) - 1

    def live_cells(self, own: int, other: int) -> int:
        """Return the cells on edges that not both players have marked."""
        return reduce(int.__or__, (edge for edge in self.masks if not (edge & own and edge & other)), 0)

    def moves(self, own: int, other: int) -> list[int]:
        """Return the opponent's moves: the free cells on live edges, then the first of the others."""
        free, live = self.every & ~own & ~other, self.live_cells(own, other)
        return vertices_of(free & live) + vertices_of(free & ~live)[:1]

    def normal(self, own: int, other: int) -> tuple[Key, int]:
        """Return the key that references compare, and the symmetry that leads there."""
        free, live = self.every & ~own & ~other, self.live_cells(own, other)
        parts = [vertices_of(mask & live) for mask in (own, other, free)]
        images = (
            (tuple(tuple(sorted(to[c] for c in part)) for part in parts), number)
            for number, to in enumerate(self.symmetries)
        )
        key, symmetry = min(images)
        return (*key, (free & ~live).bit_count()), symmetry

    def holds(self, own: int, pairs: Sequence[tuple[int, int]]) -> bool:
        """Whether every edge without a mark of the hero contains a pair."""
        masks = [1 << one | 1 << two for one, two in pairs]
        return all(edge & own or any(edge & pair == pair for pair in masks) for edge in self.masks)

    def least_image(self, own: Sequence[int], other: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return the least of all images of two players' marks."""
        return min((sorted(to[v] for v in own), sorted(to[v] for v in other)) for to in self.symmetries)


@lru_cache(maxsize=1024)
def mnk_board(columns: int, rows: int, k: int) -> Board:
    """Return the board of an m,n,k game: square = row * columns + column, rows counted from the bottom.

    Symmetries are numbered as in the certificate format.
    """
    if columns * rows > MAX_SEARCHED:
        from zermelo.positional.any_size import WideBoard

        return WideBoard(columns, rows, k)
    images = []
    for turned, flip_row, flip_column in product((False, True)[: 1 + (columns == rows)], (False, True), (False, True)):
        places = [divmod(square, columns)[:: -1 if turned else 1] for square in range(columns * rows)]
        flipped = [(rows - 1 - r if flip_row else r, columns - 1 - c if flip_column else c) for r, c in places]
        images.append([row * columns + column for row, column in flipped])
    return Board(_core.Hypergraph.mnk(columns, rows, k), (columns, rows, k), images)


@lru_cache(maxsize=64)
def edges_board(vertices: int, edges: tuple[tuple[int, ...], ...]) -> Board:
    """Return the board of a hypergraph."""
    return Board(_core.Hypergraph.from_edges(vertices, list(map(list, edges))), None, [list(range(vertices))])


class PositionalPosition(Position):
    """A position of either game: two players mark vertices in turn."""

    strong: bool
    """Whether both players want a hyperedge; else the second of :attr:`Game.players` need only block."""
    by_race = False
    """Whether only the race search takes it: it has a bound, an order of turns, or goals of its own."""

    @property
    @abstractmethod
    def board(self) -> Board:
        """The board."""

    @abstractmethod
    def marks(self, player: Player) -> tuple[int, ...]:
        """Return the player's vertices in the order in which they were taken."""

    @abstractmethod
    def name(self, vertex: int) -> str:
        """Name a vertex."""

    @abstractmethod
    def vertex(self, name: str) -> int:
        """Return the vertex of that name.

        :raises ValueError: if there is none.
        """

    @abstractmethod
    def square(self, vertex: int) -> Square:
        """Return where a vertex lies in the picture."""

    def _read_move(self, move: str) -> tuple[Player, int]:
        """Return who makes a move, and the vertex.

        :raises ValueError: if it is no move here.
        """
        words = move.split()
        if len(words) == 2 and words[0] in self.game.players:
            if self.to_move not in (None, words[0]):
                raise ValueError(f"it is the turn of {self.to_move}, not of {words[0]}")
            return words[0], self.vertex(words[1])
        if self.to_move is None:
            raise ValueError(f"either player may begin: write 'maker {move[:40]}' or 'breaker {move[:40]}'")
        return self.to_move, self.vertex(move)

    @abstractmethod
    def _marked(self, player: Player, vertex: int) -> Self:
        """Return the position in which the player has this vertex too, with the opponent to move."""

    def moves(self, player: Player) -> Sequence[str]:
        if self.to_move not in (None, player) or self.decided(player) is not None:
            return ()
        prefix = "" if self.to_move else f"{player} "
        return tuple(prefix + self.name(v) for v in self.free)

    def after(self, move: Move | str) -> Self:
        player, vertex = self._read_move(str(move).strip())
        if self.decided(player) is not None:
            raise ValueError(f"the game is over before {self.name(vertex)}")
        if vertex not in self.free:
            raise ValueError(f"{self.name(vertex)} is already taken")
        return self._marked(player, vertex)

    def move_view(self, move: Move) -> MoveView:
        return MoveView(str(move), (self.square(self._read_move(str(move))[1]),))

    def turn_of(self, player: Player) -> PositionalPosition:
        return self

    def race(self, first: Player) -> Race:
        """Return the position as a question to the race search, with ``first`` to move."""
        from zermelo.positional.race import Goal, Race

        one, two = self.game.players
        goal, order = Goal(self.board.lines), (0, 1) if first == one else (1, 0)
        goals = (goal, goal if self.strong else None)
        return Race(self.board.vertices, goals, (self.marks(one), self.marks(two)), Turns((), order))

    @abstractmethod
    def ruled(self, turns: Turns, within: int | None) -> PositionalPosition:
        """Return the same with this order of turns from now on, and so many moves left; None: all."""

    @property
    def moves_left(self) -> int:
        """How many moves can still be made."""
        return len(self.free)

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The unmarked vertices."""
        one, two = self.game.players
        taken = {*self.marks(one), *self.marks(two)}
        return tuple(v for v in range(self.board.vertices) if v not in taken)

    def won(self) -> tuple[Square, ...]:
        """Return the squares of a whole hyperedge that a player has."""
        for player in self.game.players if self.strong else self.game.players[:1]:
            marks = set(self.marks(player))
            if edge := next((edge for edge in self.board.edges if marks.issuperset(edge)), ()):
                return tuple(map(self.square, edge))
        return ()

    def decided(self, player: Player) -> Player | None:
        """Return the winner, or a draw, where the game is over; it does not matter whose turn it is."""
        for owner in self.game.players if self.strong else self.game.players[:1]:
            if self.board.owns_edge(bits(self.marks(owner))):
                return owner
        if self.strong:
            return None if self.moves_left else DRAW
        blocked = bits(self.marks(self.game.players[1]))
        return None if self.free and any(not edge & blocked for edge in self.board.masks) else self.game.players[1]

    def pieces(self) -> tuple[Piece, ...]:
        """Return all marks as pieces of a picture; the last is the latest of the player who is not to move."""
        last = {player: self.marks(player)[-1:] for player in self.game.players if self.to_move not in (None, player)}
        return tuple(
            Piece(player, (self.square(v),), last=(v,) == last.get(player))
            for player in self.game.players
            for v in self.marks(player)
        )

    def name_pairs(self, pairs: Iterable[tuple[int, int]]) -> list[list[str]]:
        return [[self.name(u), self.name(v)] for u, v in pairs]


def marks_of(position: PositionalPosition, player: Player) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the marks of a player and those of the opponent."""
    return position.marks(player), position.marks(position.game.other(player))


def number_of(name: str, columns: int, rows: int) -> int:
    """Return the number, row * columns + column, of a square such as ``b3``.

    :raises ValueError: if the board has none of that name.
    """
    match = re.fullmatch(r"([a-z]{1,4})(\d{1,6})", name.lower(), re.ASCII)
    if match:
        column, row = reduce(lambda number, one: 26 * number + ord(one) - 96, match[1], 0) - 1, int(match[2]) - 1
        if 0 <= column < columns and 0 <= row < rows:
            return row * columns + column
    last = f"{letters(columns - 1)}{rows}"
    raise ValueError(f"{name[:40]!r} is not a square of this board: squares go from a1 to {last}")


def masks_of(position: PositionalPosition, player: Player) -> tuple[int, int]:
    """Return the marks of a player and those of the opponent, one bit each."""
    own, other = marks_of(position, player)
    return bits(own), bits(other)


class GridPosition(PositionalPosition):
    """A position on a grid: ``columns`` x ``rows`` cells, and those played so far in turn.

    A cell is a number, row * columns + column.
    """

    columns: int
    rows: int
    played: tuple[int, ...]
    turns: Turns
    """Whose move each is, from the empty board on."""
    within: int | None
    """Moves from the empty board on until the end; None: until it is full."""
    strong = True
    upward: bool
    """Whether rows are counted from the bottom."""

    @property
    @abstractmethod
    def _size(self) -> str:
        """The text of the board without marks."""

    @property
    def _start(self) -> str:
        """The text of the empty board, with its rules of play."""
        within = "" if self.within is None else f" within {self.within}"
        letters = "".join(self.game.players).lower()
        return self._size + within + ("" if self.turns == IN_TURN else f" turns {self.turns.write(letters)}")

    def _read_rules(self, text: str) -> None:
        """Read what stands behind the size: ``within 7``, ``turns xoo``, or both.

        :raises ValueError: if it is something else.
        """
        match = re.fullmatch(r"(?:within\s+(\d{1,6}))?\s*(?:turns\s+(\S+))?", text.strip().lower(), re.ASCII)
        if match is None or match[1] == "0":
            raise ValueError(
                f"{text.strip()[:40]!r} is not understood: behind the size write 'within 7' or 'turns xoo'"
            )
        within, most = int(match[1] or 0), self.columns * self.rows
        if match[0] and most > MAX_RACE_VERTICES:
            raise ValueError(f"a bound or another order of turns needs a board of at most {MAX_RACE_VERTICES} squares")
        turns = Turns.read(match[2], "".join(self.game.players).lower()) if match[2] else IN_TURN
        vars(self).update(within=within if 0 < within < most else None, turns=turns)

    @property
    def by_race(self) -> bool:  # type: ignore[override]
        return self.within is not None or self.turns != IN_TURN

    @property
    def text(self) -> str:
        return self._start + (":" + ",".join(map(self.name, self.played)) if self.played else "")

    @property
    def history(self) -> tuple[str, tuple[str, ...]]:
        return self._start, tuple(map(self.name, self.played))

    @property
    def to_move(self) -> Player:
        return self.game.players[self.turns.at(len(self.played))]

    def marks(self, player: Player) -> tuple[int, ...]:
        side = self.game.players.index(player)
        if self.turns == IN_TURN:
            return self.played[side::2]
        return tuple(cell for ply, cell in enumerate(self.played) if self.turns.at(ply) == side)

    @property
    def moves_left(self) -> int:
        return (self.within or self.board.vertices) - len(self.played)

    def race(self, first: Player) -> Race:
        within = None if self.within is None else self.moves_left
        return replace(super().race(first), turns=self.turns.advanced(len(self.played)), within=within)

    def ruled(self, turns: Turns, within: int | None) -> Self:
        before = tuple(map(self.turns.at, range(len(self.played))))
        most = None if within is None or within >= len(self.free) else len(self.played) + within
        return self._changed(turns=Turns(before + turns.prefix, turns.cycle).shortest(), within=most)

    def _changed(self, **changes: Any) -> Self:
        """Return the position with other values of some fields, without a test."""
        after = object.__new__(type(self))
        vars(after).update({one.name: getattr(self, one.name) for one in fields(self)} | changes)  # type: ignore[arg-type]
        return after

    def name(self, vertex: int) -> str:
        return f"{letters(vertex % self.columns)}{vertex // self.columns + 1}"

    def vertex(self, name: str) -> int:
        return number_of(name, self.columns, self.rows)

    @property
    def _numbers(self) -> range:
        """The numbers of the rows, from top to bottom."""
        return range(self.rows, 0, -1) if self.upward else range(1, self.rows + 1)

    def square(self, vertex: int) -> Square:
        row, column = divmod(vertex, self.columns)
        return self._numbers.index(row + 1) + 1, column + 1

    def view(self) -> View:
        return View(
            rows=self.rows,
            cols=self.columns,
            row_labels=tuple(map(str, self._numbers)),
            col_labels=tuple(map(letters, range(self.columns))),
            pieces=self.pieces(),
            won=self.won(),
        )


@dataclass(frozen=True, init=False)
class MnkPosition(GridPosition):
    """An m,n,k game: ``columns`` x ``rows`` squares, ``k`` in a row, and the squares played so far in turn.

    A square is a number, row * columns + column, rows counted from the bottom.

    >>> position = MnkPosition("7,7,5:d4,c3")
    >>> position.columns, position.rows, position.k, position.played
    (7, 7, 5, (24, 16))
    >>> position.after("e5").text
    '7,7,5:d4,c3,e5'
    """

    columns: int
    rows: int
    k: int
    played: tuple[int, ...] = ()
    turns: Turns = IN_TURN
    within: int | None = None
    upward = True

    @overload
    def __init__(self, columns: str) -> None: ...
    @overload
    def __init__(self, columns: int, rows: int, k: int, played: Iterable[int] = ()) -> None: ...
    def __init__(self, columns: int | str, rows: int = 0, k: int = 0, played: Iterable[int] = ()) -> None:
        """Take three numbers and the squares played, or text: ``m,n,k``, ``m,n,k:move,move,...``, ``m,n,k within 9``.

        :raises ValueError: with one sentence about the mistake.
        """
        text, names, rules = columns, list[str](), ""
        if isinstance(text, str):
            if rows or k or played:
                raise TypeError("a position is made from text alone, or from numbers")
            size, _, moves = text.strip().partition(":")
            match = re.fullmatch(r"\s*(\d{1,6})\s*[,x]\s*(\d{1,6})\s*[,x]\s*(\d{1,6})(\s.*)?", size, re.ASCII)
            if not match:
                raise ValueError(f"{text[:60]!r} is not an m,n,k game: write columns,rows,k as in 7,7,5 or 7,7,5:d4,c3")
            columns, rows, k = map(int, match.groups()[:3])
            rules = match[4] or ""
            names = moves.split(",") if moves.strip() else []
        if not all(type(number) is int for number in (columns, rows, k)):
            raise TypeError("m, n and k are whole numbers, as in MnkPosition(3, 3, 3)")
        vars(self).update(columns=columns, rows=rows, k=k, played=())
        if min(self.columns, self.rows, self.k) < 1:
            raise ValueError(f"m, n and k must be at least 1, not {self._size}")
        if self.columns * self.rows > MAX_SQUARES:
            raise ValueError(
                f"a board of {self.columns} x {self.rows} squares is too large: at most {MAX_SQUARES:,} squares"
            )
        vars(self).update(played=tuple(self.vertex(name.strip()) for name in names) or _numbers(played))
        self._read_rules(rules)
        seen: set[int] = set()
        for square in self.played:
            if not 0 <= square < self.columns * self.rows:
                raise ValueError(f"square {square} is not on the board: 0 to {self.columns * self.rows - 1}")
            if square in seen:
                raise ValueError(f"square {self.name(square)} is already taken")
            seen.add(square)
        if self.played:
            before = self._changed(played=self.played[:-1])
            if any(self.board.owns_edge(bits(before.marks(player))) for player in self.game.players):
                raise ValueError(f"the game is over before {self.name(self.played[-1])}")
            if self.moves_left < 0:
                raise ValueError(f"the game is over after {self.within} moves, and {len(self.played)} are given")

    @property
    def game(self) -> Game:
        from zermelo.positional.game import MNK

        return MNK

    @property
    def board(self) -> Board:
        return mnk_board(self.columns, self.rows, self.k)

    @property
    def _size(self) -> str:
        return f"{self.columns},{self.rows},{self.k}"

    def _marked(self, player: Player, vertex: int) -> Self:
        return self._changed(played=(*self.played, vertex))

    def key(self) -> str:
        first, second = self.board.least_image(*map(self.marks, self.game.players))
        return f"{self._start} X {_words(first)} O {_words(second)}"


@lru_cache(maxsize=64)
def named_grid(names: tuple[str, ...]) -> tuple[Square, ...] | None:
    """Return where vertices lie that are named as squares, such as ``b3``, of a board that they fill by a third.

    >>> named_grid(("a1", "b2", "a2")), named_grid(("a", "b")), named_grid(("v1", "v2"))
    (((2, 1), (1, 2), (1, 1)), None, None)
    """
    found = [re.fullmatch(r"([a-z])([1-9]\d?)", name, re.ASCII) for name in names]
    places = [(int(one[2]), ord(one[1]) - 96) for one in found if one]
    rows, columns = (max(sides) for sides in zip(*places, strict=True)) if places else (1, 1)
    if len(places) < len(names) or min(rows, columns) < 2 or rows * columns > 3 * len(names):
        return None
    return tuple((rows - row + 1, column) for row, column in places)


class NamedPosition(PositionalPosition):
    """A position on vertices that have names; they lie row by row, about as wide as high.

    Vertices that are named as the squares of a board, or the cells of a cube, lie there.
    """

    vertices: tuple[str, ...]
    maker: tuple[int, ...]
    breaker: tuple[int, ...]

    @property
    def game(self) -> Game:
        from zermelo.positional.game import HYPERGRAPH

        return HYPERGRAPH

    def marks(self, player: Player) -> tuple[int, ...]:
        return self.maker if player == MAKER else self.breaker

    def name(self, vertex: int) -> str:
        return self.vertices[vertex]

    def vertex(self, name: str) -> int:
        if name not in self.vertices:
            raise ValueError(f"{name[:40]!r} is not a vertex of this game")
        return self.vertices.index(name)

    @property
    @abstractmethod
    def _drawn(self) -> Iterable[tuple[int, ...]]:
        """The sets of vertices that the picture shows."""

    @property
    def _columns(self) -> int:
        return isqrt(max(0, len(self.vertices) - 1)) + 1

    @property
    def cube(self) -> int:
        """The side of a cube whose cells are named by three digits, such as 112; 0 if it is none."""
        side = round(len(self.vertices) ** (1 / 3))
        digits = map("".join, product(map(str, range(1, side + 1)), repeat=3))
        return side if 1 < side < 10 and {*self.vertices} == {*digits} else 0

    def square(self, vertex: int) -> Square:
        if side := self.cube:  # the layers stand side by side
            column, row, layer = map(int, self.vertices[vertex])
            return row, column + (layer - 1) * (side + 1)
        if places := named_grid(self.vertices):
            return places[vertex]
        row, column = divmod(vertex, self._columns)
        return row + 1, column + 1

    def view(self) -> View:
        squares = [self.square(vertex) for vertex in range(len(self.vertices))]
        rows, columns = (max(sides, default=1) for sides in zip(*squares, strict=True)) if squares else (1, 1)
        every = product(range(1, rows + 1), range(1, columns + 1))
        board = named_grid(self.vertices) is not None
        return View(
            rows=rows,
            cols=columns,
            row_labels=tuple(map(str, range(rows, 0, -1))) if board else ("",) * rows,
            col_labels=tuple(map(letters, range(columns))) if board else ("",) * columns,
            pieces=self.pieces(),
            blocked=tuple(square for square in every if square not in squares),
            texts=() if board else tuple(map(SquareText, squares, self.vertices)),
            edges=tuple(tuple(squares[vertex] for vertex in edge) for edge in self._drawn),
            won=self.won(),
        )


@dataclass(frozen=True)
class HypergraphPosition(NamedPosition):
    """A game on a hypergraph: names of the vertices, hyperedges as vertex numbers, marks of both players.

    Maker wants to own a hyperedge, Breaker to stop that. In the strong game both want one, and the first wins.

    >>> position = HypergraphPosition.from_edges([["a", "b"], ["b", "c"]])
    >>> position.text
    'a b / b c'
    >>> position.after("maker b").text
    'a b / b c : maker b, breaker to move'
    """

    vertices: tuple[str, ...]
    edges: tuple[tuple[int, ...], ...]
    maker: tuple[int, ...] = ()
    breaker: tuple[int, ...] = ()
    to_move: Player | None = None
    strong: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.vertices, str) or not all(isinstance(name, str) for name in self.vertices):
            raise TypeError("the vertices are names, as in HypergraphPosition(('a', 'b'), ((0, 1),))")
        for name in ("maker", "breaker"):
            object.__setattr__(self, name, _numbers(getattr(self, name)))
        object.__setattr__(self, "vertices", tuple(self.vertices))
        object.__setattr__(self, "edges", tuple(map(_numbers, self.edges)))
        if len(self.vertices) > MAX_VERTICES:
            raise ValueError(f"at most {MAX_VERTICES} vertices, this hypergraph has {len(self.vertices)}")
        if len(self.edges) > MAX_EDGES:
            raise ValueError(f"at most {MAX_EDGES} hyperedges, this hypergraph has {len(self.edges)}")
        if len(set(self.vertices)) != len(self.vertices):
            raise ValueError("a vertex is named twice")
        for name in self.vertices:
            if not name or not name.isprintable() or name.split() != [name]:
                raise ValueError(f"{name!r} is not a vertex name")
        for edge in (*self.edges, self.maker, self.breaker):
            if any(not 0 <= v < len(self.vertices) for v in edge):
                raise ValueError(f"a vertex number is out of range: 0 to {len(self.vertices) - 1}")
            if len(set(edge)) != len(edge):
                raise ValueError("a vertex is named twice")
        if not all(self.edges):
            raise ValueError("a hyperedge must have at least one vertex")
        if set(self.maker) & set(self.breaker):
            raise ValueError("a vertex is marked by both players")
        if self.to_move not in (None, MAKER, BREAKER):
            raise ValueError(f"it is the turn of maker or breaker, not of {self.to_move!r}")
        ahead = len(self.maker) - len(self.breaker)
        turn = {-1: MAKER, 0: self.to_move, 1: BREAKER}
        if self.strong and (ahead not in turn or self.to_move not in (None, turn[ahead])):
            raise ValueError("the marks of a strong game must fit turns taken one by one")
        if self.strong:
            object.__setattr__(self, "to_move", turn[ahead])
        if self.strong and all(self.board.owns_edge(bits(marks)) for marks in (self.maker, self.breaker)):
            raise ValueError("both players own a hyperedge")

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[Iterable[object]],
        *,
        maker: Iterable[object] = (),
        breaker: Iterable[object] = (),
        also: Iterable[object] = (),
        to_move: Player | None = None,
        strong: bool = False,
    ) -> HypergraphPosition:
        """Build a position from lists; a vertex may be any object, its name is its text.

        ``also`` are vertices on no hyperedge.

        :raises ValueError: if it makes no position.
        """
        index: dict[str, int] = {}

        def numbers(vertices: Iterable[object]) -> tuple[int, ...]:
            return tuple(index.setdefault(str(vertex), len(index)) for vertex in vertices)

        numbered = tuple(map(numbers, edges))
        numbers(also)
        last = len(index)
        marks = numbers(maker), numbers(breaker)
        if len(index) > last:
            raise ValueError(
                f"vertex {list(index)[last]!r} is marked but on no hyperedge: name it as free, too (in Python: also)"
            )
        return cls(tuple(index), numbered, *marks, to_move=to_move, strong=strong)

    @property
    def board(self) -> Board:
        return edges_board(len(self.vertices), self.edges)

    @property
    def _drawn(self) -> Iterable[tuple[int, ...]]:
        return self.edges

    @property
    def text(self) -> str:
        def words(vertices: Iterable[int]) -> str:
            return " ".join(quoted(self.vertices[v]) for v in vertices)

        named = {v for edge in self.edges for v in edge}
        parts = {
            "free": words(v for v in range(len(self.vertices)) if v not in named),
            MAKER: words(self.maker),
            BREAKER: words(self.breaker),
        }
        tail = [f"{word} {names}" for word, names in parts.items() if names]
        if self.to_move and not (self.strong and len(self.maker) != len(self.breaker)):
            tail.append(f"{self.to_move} to move")
        head = ("strong: " if self.strong else "") + " / ".join(map(words, self.edges))
        return head + (" : " + ", ".join(tail) if tail else "")

    def ruled(self, turns: Turns, within: int | None) -> HypergraphPosition | RacePosition:
        from zermelo.positional.race import RacePosition

        if within is None and turns.alternate:
            return self.turn_of((MAKER, BREAKER)[turns.next])
        return RacePosition(self.vertices, self.race(MAKER).goals, self.maker, self.breaker, turns, within)

    def turn_of(self, player: Player) -> HypergraphPosition:
        return self if self.to_move == player else replace(self, to_move=player)

    def _marked(self, player: Player, vertex: int) -> Self:
        marks = (*self.marks(player), vertex)
        if player == MAKER:
            return replace(self, maker=marks, to_move=BREAKER)
        return replace(self, breaker=marks, to_move=MAKER)

    def key(self) -> str:
        edges = " / ".join(map(_words, sorted(map(sorted, self.edges))))
        rules = "strong" if self.strong else "maker-breaker"
        return f"{rules} {edges} : {_words(sorted(self.maker))} : {_words(sorted(self.breaker))} : {self.to_move or ''}"


def _numbers(vertices: Iterable[int]) -> tuple[int, ...]:
    """Return vertices as a tuple of whole numbers.

    :raises TypeError: if they are something else.
    """
    found = tuple(vertices) if isinstance(vertices, Iterable) else ()
    if not isinstance(vertices, Iterable) or not all(type(one) is int for one in found):
        raise TypeError("squares and vertices are given by their numbers; text and moves go through after(move)")
    return found


def _words(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def quoted(name: str, also: str = "") -> str:
    """Write a vertex name so that the text of a position can be read back; ``also`` are more letters to escape.

    >>> quoted("a"), quoted("a/b"), quoted("x.hyp"), quoted("a-b", "-")
    ('a', 'a%2Fb', 'x%2Ehyp', 'a%2Db')
    """
    return re.sub(rf"[%/:,#{re.escape(also)}]|\.(?=hyp$|pg$)", lambda match: f"%{ord(match[0]):02X}", name)
