"""Positions of positional games: m,n,k boards and hypergraphs. Immutable, hashable, picklable, checked when built."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Self, overload

from zermelo import _core
from zermelo.game import DRAW, MoveView, Piece, Player, Position, Square, SquareText, View
from zermelo.words import letters

if TYPE_CHECKING:
    from zermelo.game import Game, Move

MAX_SQUARES = 250_000
"""Of an m,n,k board; :data:`MAX_SEARCHED` of one that is searched."""
MAX_SEARCHED = 256
MAX_VERTICES = 256
MAX_EDGES = 4096
MAKER, BREAKER = "maker", "breaker"


def column_number(name: str) -> int:
    """Read back the name of a column, which is its number in :func:`letters`.

    >>> column_number("a"), column_number("aa")
    (0, 26)
    """
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1


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

    def owns_edge(self, mask: int) -> bool:
        """Whether these vertices hold a whole hyperedge."""
        return any(edge & ~mask == 0 for edge in self.masks)

    def completions(self, own: int, other: int) -> list[int]:
        """Return the vertices with which the owner of ``own`` completes a hyperedge at once."""
        rests = {edge & ~own for edge in self.masks if not edge & other}
        return sorted({rest.bit_length() - 1 for rest in rests if rest and not rest & (rest - 1)})

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
    for turned in (False, True) if columns == rows else (False,):
        for flip_row in (False, True):
            for flip_column in (False, True):
                image = []
                for square in range(columns * rows):
                    row, column = divmod(square, columns)
                    row, column = (column, row) if turned else (row, column)
                    row = rows - 1 - row if flip_row else row
                    column = columns - 1 - column if flip_column else column
                    image.append(row * columns + column)
                images.append(image)
    return Board(_core.Hypergraph.mnk(columns, rows, k), (columns, rows, k), images)


@lru_cache(maxsize=64)
def edges_board(vertices: int, edges: tuple[tuple[int, ...], ...]) -> Board:
    """Return the board of a hypergraph."""
    return Board(_core.Hypergraph.from_edges(vertices, list(map(list, edges))), None, [list(range(vertices))])


class PositionalPosition(Position):
    """A position of either game: two players mark vertices in turn."""

    strong: bool
    """Whether both players want a hyperedge; else the second of :attr:`Game.players` need only block."""

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

    @abstractmethod
    def _read_move(self, move: str) -> tuple[Player, int]:
        """Return who makes a move, and the vertex.

        :raises ValueError: if it is no move here.
        """

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
        if self.decided(player) not in (None, DRAW):
            raise ValueError(f"the game is over before {self.name(vertex)}")
        if vertex not in self.free:
            raise ValueError(f"{self.name(vertex)} is already taken")
        return self._marked(player, vertex)

    def move_view(self, move: Move) -> MoveView:
        return MoveView(str(move), (self.square(self._read_move(str(move))[1]),))

    def turn_of(self, player: Player) -> PositionalPosition:
        return self

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The unmarked vertices."""
        one, two = self.game.players
        taken = {*self.marks(one), *self.marks(two)}
        return tuple(v for v in range(self.board.vertices) if v not in taken)

    def owner_of_edge(self) -> Player | None:
        """Return the player with a whole hyperedge, if there is one."""
        players = self.game.players if self.strong else self.game.players[:1]
        return next((player for player in players if self.board.owns_edge(bits(self.marks(player)))), None)

    def decided(self, player: Player) -> Player | None:
        """Return the winner, or a draw, where the game is over; it does not matter whose turn it is."""
        owner = self.owner_of_edge()
        if owner is not None:
            return owner
        if self.strong:
            return None if self.free else DRAW
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


def masks_of(position: PositionalPosition, player: Player) -> tuple[int, int]:
    """Return the marks of a player and those of the opponent, one bit each."""
    return bits(position.marks(player)), bits(position.marks(position.game.other(player)))


@dataclass(frozen=True, init=False)
class MnkPosition(PositionalPosition):
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
    strong = True

    @overload
    def __init__(self, columns: str) -> None: ...
    @overload
    def __init__(self, columns: int, rows: int, k: int, played: Iterable[int] = ()) -> None: ...
    def __init__(self, columns: int | str, rows: int = 0, k: int = 0, played: Iterable[int] = ()) -> None:
        """Take three numbers and the squares played, or text: ``m,n,k`` or ``m,n,k:move,move,...``.

        :raises ValueError: with one sentence about the mistake.
        """
        text, names = columns, list[str]()
        if isinstance(text, str):
            if rows or k or played:
                raise TypeError("a position is made from text alone, or from numbers")
            size, _, moves = text.strip().partition(":")
            match = re.fullmatch(r"\s*(\d{1,6})\s*[,x]\s*(\d{1,6})\s*[,x]\s*(\d{1,6})\s*", size, re.ASCII)
            if not match:
                raise ValueError(f"{text[:60]!r} is not an m,n,k game: write columns,rows,k as in 7,7,5 or 7,7,5:d4,c3")
            columns, rows, k = map(int, match.groups())
            names = moves.split(",") if moves.strip() else []
        if not all(type(number) is int for number in (columns, rows, k)):
            raise TypeError("m, n and k are whole numbers, as in MnkPosition(3, 3, 3)")
        vars(self).update(columns=columns, rows=rows, k=k, played=())
        size = f"{self.columns},{self.rows},{self.k}"
        if min(self.columns, self.rows, self.k) < 1:
            raise ValueError(f"m, n and k must be at least 1, not {size}")
        if self.columns * self.rows > MAX_SQUARES:
            raise ValueError(
                f"a board of {self.columns} x {self.rows} squares is too large: at most {MAX_SQUARES:,} squares"
            )
        vars(self).update(played=tuple(self.vertex(name.strip()) for name in names) or _numbers(played))
        seen: set[int] = set()
        for square in self.played:
            if not 0 <= square < self.columns * self.rows:
                raise ValueError(f"square {square} is not on the board: 0 to {self.columns * self.rows - 1}")
            if square in seen:
                raise ValueError(f"square {self.name(square)} is already taken")
            seen.add(square)
        before = self.played[:-1]
        if any(self.board.owns_edge(bits(before[side::2])) for side in (0, 1)):
            raise ValueError(f"the game is over before {self.name(self.played[-1])}")

    @property
    def game(self) -> Game:
        from zermelo.positional.game import MNK

        return MNK

    @property
    def board(self) -> Board:
        return mnk_board(self.columns, self.rows, self.k)

    @property
    def text(self) -> str:
        size = f"{self.columns},{self.rows},{self.k}"
        return size + (":" + ",".join(map(self.name, self.played)) if self.played else "")

    @property
    def history(self) -> tuple[str, tuple[str, ...]]:
        return f"{self.columns},{self.rows},{self.k}", tuple(map(self.name, self.played))

    @property
    def to_move(self) -> Player:
        return "O" if len(self.played) % 2 else "X"

    def marks(self, player: Player) -> tuple[int, ...]:
        return self.played[self.game.players.index(player) :: 2]

    def name(self, vertex: int) -> str:
        return f"{letters(vertex % self.columns)}{vertex // self.columns + 1}"

    def vertex(self, name: str) -> int:
        match = re.fullmatch(r"([a-z]{1,4})(\d{1,6})", name.lower(), re.ASCII)
        if match:
            column, row = column_number(match[1]), int(match[2]) - 1
            if 0 <= column < self.columns and 0 <= row < self.rows:
                return row * self.columns + column
        last = self.name(self.columns * self.rows - 1)
        raise ValueError(f"{name[:40]!r} is not a square of this board: squares go from a1 to {last}")

    def _read_move(self, move: str) -> tuple[Player, int]:
        return self.to_move, self.vertex(move)

    def _marked(self, player: Player, vertex: int) -> Self:
        return replace(self, played=(*self.played, vertex))

    def key(self) -> str:
        first, second = self.board.least_image(self.played[0::2], self.played[1::2])
        return f"{self.columns},{self.rows},{self.k} X {_words(first)} O {_words(second)}"

    def square(self, vertex: int) -> Square:
        row, column = divmod(vertex, self.columns)
        return self.rows - row, column + 1

    def view(self) -> View:
        return View(
            rows=self.rows,
            cols=self.columns,
            row_labels=tuple(str(self.rows - row) for row in range(self.rows)),
            col_labels=tuple(map(letters, range(self.columns))),
            pieces=self.pieces(),
        )


@dataclass(frozen=True)
class HypergraphPosition(PositionalPosition):
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
    source: str = field(default="", compare=False)
    """The file it was read from, if any."""

    def __post_init__(self) -> None:
        place = f"{self.source}: " if self.source else ""
        if isinstance(self.vertices, str) or not all(isinstance(name, str) for name in self.vertices):
            raise TypeError("the vertices are names, as in HypergraphPosition(('a', 'b'), ((0, 1),))")
        for name in ("maker", "breaker"):
            object.__setattr__(self, name, _numbers(getattr(self, name)))
        object.__setattr__(self, "vertices", tuple(self.vertices))
        object.__setattr__(self, "edges", tuple(map(_numbers, self.edges)))
        if len(self.vertices) > MAX_VERTICES:
            raise ValueError(f"{place}at most {MAX_VERTICES} vertices, this hypergraph has {len(self.vertices)}")
        if len(self.edges) > MAX_EDGES:
            raise ValueError(f"{place}at most {MAX_EDGES} hyperedges, this hypergraph has {len(self.edges)}")
        if len(set(self.vertices)) != len(self.vertices):
            raise ValueError(f"{place}a vertex is named twice")
        for name in self.vertices:
            if not name or not name.isprintable() or name.split() != [name]:
                raise ValueError(f"{place}{name!r} is not a vertex name")
        for edge in (*self.edges, self.maker, self.breaker):
            if any(not 0 <= v < len(self.vertices) for v in edge):
                raise ValueError(f"{place}a vertex number is out of range: 0 to {len(self.vertices) - 1}")
            if len(set(edge)) != len(edge):
                raise ValueError(f"{place}a vertex is named twice")
        if not all(self.edges):
            raise ValueError(f"{place}a hyperedge must have at least one vertex")
        if set(self.maker) & set(self.breaker):
            raise ValueError(f"{place}a vertex is marked by both players")
        if self.to_move not in (None, MAKER, BREAKER):
            raise ValueError(f"{place}it is the turn of maker or breaker, not of {self.to_move!r}")
        if self.strong:
            self._check_turns(place)

    def _check_turns(self, place: str) -> None:
        ahead = len(self.maker) - len(self.breaker)
        turn = {-1: MAKER, 0: self.to_move, 1: BREAKER}
        if ahead not in turn or self.to_move not in (None, turn[ahead]):
            raise ValueError(f"{place}the marks of a strong game must fit turns taken one by one")
        object.__setattr__(self, "to_move", turn[ahead])
        if all(self.board.owns_edge(bits(marks)) for marks in (self.maker, self.breaker)):
            raise ValueError(f"{place}both players own a hyperedge")

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

    def numbered(self) -> HypergraphPosition:
        """Return the position of a certificate, whose names are numbers, with the vertices in the order of these."""
        to = list(map(int, self.vertices))
        *edges, maker, breaker = (tuple(to[v] for v in part) for part in (*self.edges, self.maker, self.breaker))
        names = tuple(map(str, range(len(to))))
        return replace(self, vertices=names, edges=tuple(edges), maker=maker, breaker=breaker)

    @property
    def game(self) -> Game:
        from zermelo.positional.game import HYPERGRAPH

        return HYPERGRAPH

    @property
    def board(self) -> Board:
        return edges_board(len(self.vertices), self.edges)

    @property
    def text(self) -> str:
        def words(vertices: Iterable[int]) -> str:
            return " ".join(_quoted(self.vertices[v]) for v in vertices)

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

    def marks(self, player: Player) -> tuple[int, ...]:
        return self.maker if player == MAKER else self.breaker

    def name(self, vertex: int) -> str:
        return self.vertices[vertex]

    def vertex(self, name: str) -> int:
        if name not in self.vertices:
            raise ValueError(f"{name[:40]!r} is not a vertex of this hypergraph")
        return self.vertices.index(name)

    def turn_of(self, player: Player) -> HypergraphPosition:
        return self if self.to_move == player else replace(self, to_move=player)

    def _marked(self, player: Player, vertex: int) -> Self:
        marks = (*self.marks(player), vertex)
        if player == MAKER:
            return replace(self, maker=marks, to_move=BREAKER)
        return replace(self, breaker=marks, to_move=MAKER)

    def _read_move(self, move: str) -> tuple[Player, int]:
        words = move.split()
        if len(words) == 2 and words[0] in (MAKER, BREAKER):
            if self.to_move not in (None, words[0]):
                raise ValueError(f"it is the turn of {self.to_move}, not of {words[0]}")
            return words[0], self.vertex(words[1])
        if self.to_move is None:
            raise ValueError(f"either player may begin: write 'maker {move[:40]}' or 'breaker {move[:40]}'")
        return self.to_move, self.vertex(move)

    def key(self) -> str:
        edges = " / ".join(map(_words, sorted(map(sorted, self.edges))))
        rules = "strong" if self.strong else "maker-breaker"
        return f"{rules} {edges} : {_words(sorted(self.maker))} : {_words(sorted(self.breaker))} : {self.to_move or ''}"

    @property
    def _columns(self) -> int:
        """Columns of the picture: vertices in order, row by row, about as wide as high."""
        return next(n for n in range(1, MAX_VERTICES + 1) if n * n >= len(self.vertices))

    def square(self, vertex: int) -> Square:
        row, column = divmod(vertex, self._columns)
        return row + 1, column + 1

    def view(self) -> View:
        columns, count = self._columns, len(self.vertices)
        rows = max(1, -(-count // columns))
        return View(
            rows=rows,
            cols=columns,
            row_labels=("",) * rows,
            col_labels=("",) * columns,
            pieces=self.pieces(),
            blocked=tuple(self.square(v) for v in range(count, rows * columns)),
            texts=tuple(SquareText(self.square(v), name) for v, name in enumerate(self.vertices)),
            edges=tuple(tuple(map(self.square, edge)) for edge in self.edges),
        )


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


def _quoted(name: str) -> str:
    """Write a vertex name so that the text of a position can be read back.

    >>> _quoted("a"), _quoted("a/b"), _quoted("x.hyp")
    ('a', 'a%2Fb', 'x%2Ehyp')
    """
    return re.sub(r"[%/:,#]|\.(?=hyp$|pg$)", lambda match: f"%{ord(match[0]):02X}", name)
