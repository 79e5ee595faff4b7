"""Games by local rules: a board of cells with a letter each, and moves that look at a few cells and change them.

A game says which letters there are and what its moves do; moves, parts, keys, values, nimbers, outcomes and pictures
follow. The core does the work (core/games): it holds a cell as two bits, and finds the symmetries for itself.

>>> from zermelo.game.local import line, place
>>> clobber = line("xo", ".x")
>>> snort = place(".x", "#", {".": "x", "o": "#"})
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import groupby, product
from typing import TYPE_CHECKING, Any, ClassVar

from zermelo.game.positions import Move, MoveView, Piece, Player, Position, Square, SquareText, View
from zermelo.game.services import Chooser, Game, left_right_outcomes

if TYPE_CHECKING:
    from zermelo._core import LocalGame as Core
    from zermelo.game.limits import Limits
    from zermelo.game.local_search import LocalValues

DEAD, RIGHT_ONLY, LEFT_ONLY, BOTH = range(4)
"""The two bits of a cell. A dead cell stays dead, and parts of the board that only dead cells join are apart."""
CELLS = 64
"""The most cells of a graph."""
FRAMES = ((8, 8), (4, 16), (16, 4), (2, 32), (32, 2), (1, 64), (64, 1))
"""Boards that the core takes. A board is a corner of the first that holds it; so boards of all sizes share a table."""
LARGEST_SHAPES = 8
"""Cells of the largest positions that are listed by size."""
ORTHOGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
ALL_WAYS = ORTHOGONAL + DIAGONAL
ACROSS, DOWN = ((0, 1), (0, -1)), ((1, 0), (-1, 0))

Change = Mapping[str, str]
"""The effect of a move on a cell: each letter that it may find there, and the letter that it leaves."""
NOTHING: Change = {}


@dataclass(frozen=True)
class Board:
    """Cells in rows, or on a graph: each has its neighbours."""

    rows: int
    cols: int
    edges: tuple[tuple[int, int], ...] | None = None
    """Pairs of neighbours on a graph, whose cells stand in one row; None for a grid."""
    names: tuple[str, ...] = ()
    """The names of a graph's cells."""

    @classmethod
    def graph(cls, text: str, usual: str) -> tuple[Board, str]:
        """Read a graph as words such as ``a-b b-c=x d``, each cell with its letter, or the usual one.

        :raises ValueError: with one sentence about the mistake.
        """
        letters, edges = dict[str, str | None](), list[tuple[int, int]]()
        for word in text.split():
            ends = re.fullmatch(r"(\w{1,20})(?:=(\S))?(?:-(\w{1,20})(?:=(\S))?)?", word, re.ASCII)
            if ends is None or ends[1] == ends[3]:
                raise ValueError(f"{word[:40]!r} is no edge of a graph: write 'a-b b-c', and 'a-b=x' if b has an x")
            for name, letter in ((ends[1], ends[2]), (ends[3], ends[4])):
                if name and letters.setdefault(name, letter) is None:
                    letters[name] = letter
                elif name and letter not in (None, letters[name]):
                    raise ValueError(f"cell {name!r} of the graph has two letters: {letters[name]} and {letter}")
            if ends[3]:
                one, two = sorted(list(letters).index(name) for name in (ends[1], ends[3]))
                edges.append((one, two))
        if len(letters) > CELLS:
            raise ValueError(f"a graph of {len(letters)} cells is too large: {CELLS} at most")
        shown = "".join(one or usual for one in letters.values())
        return cls(1, len(letters), tuple(dict.fromkeys(edges)), tuple(letters)), shown

    def graph_text(self, letters: str, usual: str) -> str:
        """Return a graph as :meth:`graph` reads it."""
        words, named = list[str](), set[int]()

        def name(cell: int) -> str:
            known = cell in named or (letters[cell] == usual and self.edges)
            named.add(cell)
            return self.names[cell] + ("" if known else f"={letters[cell]}")

        for edge in self.edges or ():
            before = [cell for cell in range(edge[1]) if cell not in named]
            words += map(name, before[:-1] if before[-1:] == [edge[0]] else before)
            words.append("-".join(map(name, edge)))
        return " ".join(words + [name(cell) for cell in range(self.cols) if cell not in named])

    @property
    def size(self) -> Square:
        """Rows and columns of the picture: a graph's cells stand in a square."""
        columns = self.cols if self.edges is None else math.isqrt(self.cols - 1) + 1
        return -(-self.rows * self.cols // columns), columns

    def square(self, cell: int) -> Square:
        """Return where a cell stands in the picture, counted from 1."""
        row, col = divmod(cell, self.size[1])
        return row + 1, col + 1

    def cell(self, row: int, col: int) -> int | None:
        """Return the number of a cell, counted from 0; None off the board."""
        return row * self.cols + col if 0 <= row < self.rows and 0 <= col < self.cols else None

    def neighbours(self, cell: int, ways: Sequence[Square] = ORTHOGONAL) -> list[int]:
        """Return the cells beside one: along edges, or these ways on a grid."""
        if self.edges is not None:
            return [two if one == cell else one for one, two in self.edges if cell in (one, two)]
        row, col = divmod(cell, self.cols)
        found = (self.cell(row + down, col + right) for down, right in ways)
        return [one for one in found if one is not None]

    def lines(self, length: int, ways: Sequence[Square]) -> Iterator[tuple[int, ...]]:
        """Yield the lines of so many cells, each way; on a graph single cells and edges."""
        if self.edges is not None or length == 1:
            for cell in range(self.rows * self.cols):
                if length == 1:
                    yield (cell,)
                elif length == 2:
                    yield from ((cell, other) for other in self.neighbours(cell))
                else:
                    raise ValueError("on a graph a move takes one cell or two")
            return
        for cell in range(self.rows * self.cols):
            row, col = divmod(cell, self.cols)
            for down, right in ways:
                if self.cell(row + (length - 1) * down, col + (length - 1) * right) is not None:
                    step = down * self.cols + right
                    yield tuple(range(cell, cell + length * step, step))


@dataclass(frozen=True)
class Step:
    """A move of one player: cells, the change of each, and the cells that name it."""

    cells: tuple[int, ...]
    changes: tuple[Change, ...]
    named: tuple[int, ...]

    def fits(self, letters: str) -> bool:
        """Whether the cells hold the letters that the move needs."""
        return all(letters[cell] in change for cell, change in zip(self.cells, self.changes, strict=True))

    def played(self, letters: str) -> str:
        """Return the letters after the move."""
        new = list(letters)
        for cell, change in zip(self.cells, self.changes, strict=True):
            new[cell] = change[letters[cell]]
        return "".join(new)


Rule = Callable[[Board, str], Iterator[Step]]
"""Yields the moves of a rule on a board, given all letters of the game."""
Rules = tuple[Rule, ...]
Letters = Mapping[str, int]


def line(before: str, after: str, ways: Sequence[Square] = ORTHOGONAL) -> Rule:
    """Return the rule that cells in a line with these letters get those letters."""
    if len(before) != len(after):
        raise ValueError(f"{before!r} and {after!r} must be equally long")
    changes = tuple({one: two} for one, two in zip(before, after, strict=True))
    mirrored = (before, after) == (before[::-1], after[::-1])

    def steps(board: Board, letters: str) -> Iterator[Step]:
        for cells in board.lines(len(before), ways):
            if not mirrored or cells[0] <= cells[-1]:
                yield Step(cells, changes, (cells[0], cells[-1])[: len(cells)])

    return steps


def place(before: str, after: str, around: Change = NOTHING, ways: Sequence[Square] = ORTHOGONAL) -> Rule:
    """Return the rule that a cell with one of these letters gets the letter ``after``, and its neighbours change."""

    def steps(board: Board, letters: str) -> Iterator[Step]:
        beside = {letter: around.get(letter, letter) for letter in letters}
        for cell in range(board.rows * board.cols):
            near = board.neighbours(cell, ways) if around else []
            yield Step((cell, *near), (dict.fromkeys(before, after), *[beside] * len(near)), (cell,))

    return steps


def core_moves(steps: Iterable[Step], codes: Letters) -> bytes:
    """Return moves as the core takes them: of each the bits that it looks at, wants, clears and sets, two words each.

    :raises ValueError: if the change of a cell cannot be said so.
    """
    found = dict[int, tuple[Change, int]]()  # of each change its bits in cell 0; moves share their changes
    moves = list[bytes]()
    for step in steps:
        bits = 0
        for cell, change in zip(step.cells, step.changes, strict=True):
            if (known := found.get(id(change))) is None:
                known = found[id(change)] = change, change_bits(change, codes)
            bits |= known[1] << cell
        moves.append(bits.to_bytes(64, "little"))
    return b"".join(moves)


def change_bits(change: Change, codes: Letters) -> int:
    """Return the change of cell 0 as eight words of 64 bits, the lowest first.

    :raises ValueError: if it cannot be said so.
    """
    found = {codes[one]: codes[two] for one, two in change.items()}
    meant = {one | two for one in {code & 2 for code in found} for two in {code & 1 for code in found}}
    if meant & set(codes.values()) != set(found):
        raise ValueError(f"the letters {''.join(change)} of a cell are too much for one move")
    words = list[int]()
    for side, bit in enumerate((2, 1)):
        before, after = {code & bit for code in found}, {code & bit for code in found.values()}
        if len(before) == 1:
            words += [side, 2 + side] if bit in before else [side]
        if all(one & bit == two & bit for one, two in found.items()):
            continue
        if len(after) != 1:
            raise ValueError(f"the change {dict(change)} of a cell is too much for one move")
        words.append((6 if bit in after else 4) + side)
    return sum(1 << 64 * word for word in words)


@dataclass(frozen=True)
class LocalMove:
    """A move by the player's letter, if players differ, and the cells that name it: ``x1,1-1,2``, ``xa-b``."""

    player: Player
    squares: tuple[Square, ...]
    shown: bool = True
    """Whether the text names the player."""
    names: tuple[str, ...] = ()
    """The names of the cells on a graph."""

    def __str__(self) -> str:
        cells = self.names or (f"{row},{col}" for row, col in self.squares)
        return (self.player if self.shown else "") + "-".join(cells)


class LocalGame(Game):
    """A game by local rules. It names its :attr:`letters` and the moves, and little else."""

    letters: ClassVar[Letters]
    """The letters of cells and their bits, a dead one first: ``{".": DEAD, "x": LEFT_ONLY, "o": RIGHT_ONLY}``."""
    left: ClassVar[Rules] = ()
    """The moves of the first player."""
    right: ClassVar[Rules] = ()
    """The moves of the second player; in impartial games those of :attr:`left`."""
    stones: ClassVar[Letters] = {}
    """Letters that are shown as a piece, and whose: 0 or 1."""
    covers: ClassVar[bool] = False
    """Whether a move covers the squares that name it with a piece, and never moves one."""
    ways: ClassVar[Sequence[Square]] = ORTHOGONAL
    """How cells of a grid touch each other: cells that touch belong to one part."""
    liberties: ClassVar[bool] = False
    """Whether stones must stay connected to a free cell through their own kind."""
    graphs: ClassVar[bool] = False
    """Whether it is played on graphs, too: ``a-b b-c``."""
    frames: ClassVar[Sequence[Square]] = FRAMES
    """Boards that the core takes, the smallest first. A board that none of them holds is taken as it is."""
    normal_play = needs_name = True
    largest_page_board = 64
    exchange: ClassVar[Mapping[str, str]] = {}
    """The letters with the players exchanged, where the rules are the same for both."""

    def __init_subclass__(cls) -> None:
        if "players" in vars(cls):
            cls.outcomes = left_right_outcomes(cls.players)

    def filled(self, rows: int, cols: int) -> str | None:
        """Return the letters of the usual start of a size, if there is one: ``4x5`` means it."""
        return None

    # Rules for all such games

    @cached_property
    def values(self) -> LocalValues:
        from zermelo.game.local_search import LocalValues

        return LocalValues(self)

    def chooser(self, limits: Limits, options: Mapping[str, Any] = {}) -> Chooser:
        from zermelo.game.local_search import LocalChooser

        self.options_given(options)
        return LocalChooser(self, limits)

    def steps(self, board: Board, player: int) -> Iterator[Step]:
        """Yield the moves of a player, 0 or 1, on a board; a game may override it."""
        for rule in self.right if player and not self.impartial else self.left:
            yield from rule(board, "".join(self.letters))

    @lru_cache(maxsize=256)  # noqa: B019 (games live as long as the process)
    def steps_of(self, board: Board, player: int) -> tuple[Step, ...]:
        """Return the moves of a player, 0 or 1, on a board."""
        return tuple(self.steps(board, player))

    def named(self, board: Board, player: int, step: Step) -> LocalMove:
        """Return a move with its name."""
        owner, squares = self.players[0 if self.impartial else player], tuple(map(board.square, step.named))
        names = tuple(board.names[cell] for cell in step.named) if board.names else ()
        return LocalMove(owner, squares, not self.impartial, names)

    def frame(self, board: Board) -> Board:
        """Return the board of the core that holds a board."""
        fits = (Board(rows, cols) for rows, cols in self.frames if board.rows <= rows and board.cols <= cols)
        return board if board.edges is not None else next(fits, board)

    @lru_cache(maxsize=256)  # noqa: B019
    def core(self, frame: Board) -> Core:
        """Return the rules on a frame, as the core has them."""
        from zermelo._core import LocalGame as Core

        near = [sum(1 << one for one in frame.neighbours(cell, self.ways)) for cell in range(frame.rows * frame.cols)]
        left, right = (core_moves(self.steps(frame, player), self.letters) for player in (0, 1))
        return Core(frame.rows, frame.cols, frame.edges is None, self.liberties, near, left, right)

    @property
    def usual(self) -> str:
        """The letter of a cell that is not named: that of the usual start."""
        return self.filled(1, 1) or next(iter(self.letters))

    def parse(self, text: str) -> LocalPosition:
        start, _, moves = text.strip().partition(":")
        if self.graphs and re.search("[-=]", start):
            board, letters = Board.graph(start, self.usual)
            if unknown := set(letters) - set(self.letters):
                raise ValueError(f"letter {min(unknown)!r} is not one of {' '.join(self.letters)}")
            return self._start(start, board, letters, moves)
        size = re.fullmatch(r"([1-9][0-9]?)x([1-9][0-9]?)", start)
        if size and (filled := self.filled(int(size[1]), int(size[2]))) is not None:
            board, letters = Board(int(size[1]), int(size[2])), filled
        else:
            lines = re.split(r"[/|]", start)
            board, letters = Board(len(lines), len(lines[0])), "".join(lines)
            if not letters or set(letters) - set(self.letters) or {len(one) for one in lines} != {board.cols}:
                raise ValueError(f"{start[:40]!r} is not a board: write {self.spec_help}")
        if not any(board.rows <= rows and board.cols <= cols for rows, cols in FRAMES):
            raise ValueError(f"a board of {board.rows}x{board.cols} is too large: 8x8, 4x16, 2x32 or 1x64 at most")
        return self._start(start, board, letters, moves)

    def _start(self, start: str, board: Board, letters: str, moves: str) -> LocalPosition:
        """Return the position after moves, with ; between."""
        position = LocalPosition(self, board, letters, letters)
        if not position.can_occur:
            raise ValueError(f"{start[:40]!r} cannot occur: stones must be connected to a free cell")
        for move in filter(None, moves.split(";")):
            position = position.after(move)
        return position

    def board_text(self, board: Board, letters: str) -> str:
        """Return the text of a board, as :meth:`parse` reads it."""
        if board.edges is not None:
            return board.graph_text(letters, self.usual)
        if letters == self.filled(board.rows, board.cols):
            return f"{board.rows}x{board.cols}"
        return "/".join(letters[at : at + board.cols] for at in range(0, len(letters), board.cols))

    def small_positions(self, size: int) -> Iterator[LocalPosition]:
        """Yield the connected boards of so many cells on a grid, with all letters that are not dead; images once."""
        if size > LARGEST_SHAPES:
            raise ValueError(f"{self.title} lists positions of up to {LARGEST_SHAPES} cells, not {size}")
        dead, *alive = self.letters
        shapes, seen = {frozenset({(0, 0)})}, set[str]()
        for _ in range(size - 1):
            near = {shape: {(r + down, c + right) for r, c in shape for down, right in self.ways} for shape in shapes}
            shapes = {_cornered(shape | {cell}) for shape, cells in near.items() for cell in cells - shape}
        for shape in sorted(shapes, key=sorted):
            board = Board(max(row for row, _ in shape) + 1, max(col for _, col in shape) + 1)
            for letters in product(alive, repeat=size):
                at = dict(zip(sorted(shape), letters, strict=True))
                cells = "".join(at.get((row, col), dead) for row in range(board.rows) for col in range(board.cols))
                position = LocalPosition(self, board, cells, cells)
                if position.can_occur and position.key() not in seen:
                    seen.add(position.key())
                    yield position

    def move_view(self, move: LocalMove) -> MoveView:
        return MoveView(str(move), tuple(square for square, _ in groupby(move.squares)))

    def __reduce__(self) -> str | tuple[Any, ...]:
        from zermelo.game.registry import find_game

        return find_game, (self.name,)


def _cornered(shape: frozenset[Square]) -> frozenset[Square]:
    """Return a shape at the first row and the first column."""
    top, left = (min(side) for side in zip(*shape, strict=True))
    return frozenset((row - top, col - left) for row, col in shape)


@dataclass(frozen=True, repr=False)
class LocalPosition(Position):
    """The letters of a board, and where they come from: those at the start, and the moves since."""

    ruleset: LocalGame
    board: Board
    letters: str
    start: str
    given: tuple[LocalMove, ...] = field(default=())

    @property
    def game(self) -> LocalGame:
        return self.ruleset

    @property
    def history(self) -> tuple[str, tuple[str, ...]]:
        return self.ruleset.board_text(self.board, self.start), tuple(map(str, self.given))

    @property
    def text(self) -> str:
        board, moves = self.history
        return f"{board}:{';'.join(moves)}" if moves else board

    def _legal(self, player: Player) -> Iterator[tuple[LocalMove, Step]]:
        self.ruleset.other(player)
        number = self.ruleset.players.index(player)
        for step in self.ruleset.steps_of(self.board, number):
            if step.fits(self.letters) and self._with(step.played(self.letters)).can_occur:
                yield self.ruleset.named(self.board, number, step), step

    @property
    def can_occur(self) -> bool:
        """Whether stones have the liberties that the game asks for."""
        return not self.ruleset.liberties or self.core.allows(self.words)

    def moves(self, player: Player) -> tuple[LocalMove, ...]:
        return tuple(dict.fromkeys(move for move, _ in self._legal(player)))

    def after(self, move: Move | str) -> LocalPosition:
        for player in self.ruleset.players:
            for own, step in self._legal(player):
                if move == own or (isinstance(move, str) and move == str(own)):
                    letters = step.played(self.letters)
                    return LocalPosition(self.ruleset, self.board, letters, self.start, (*self.given, own))
        examples = [str(one) for player in self.ruleset.players for one in self.moves(player)[:1]]
        hint = f": {' or '.join(examples)} would be one" if examples else "; there is none"
        raise ValueError(f"{str(move)[:40]!r} is not a legal move here{hint}")

    def decided(self, player: Player) -> Player | None:
        return self.ruleset.other(player) if next(self._legal(player), None) is None else None

    # What the core needs

    @property
    def core(self) -> Core:
        """The rules on the frame of the board."""
        return self.ruleset.core(self.ruleset.frame(self.board))

    @cached_property
    def words(self) -> tuple[int, int]:
        """The letters as the two bits of all cells of the frame."""
        codes, stride = self.ruleset.letters, self.ruleset.frame(self.board).cols
        places = [row * stride + col for row in range(self.board.rows) for col in range(self.board.cols)]
        found = [(codes[letter], place) for letter, place in zip(self.letters, places, strict=True)]
        return sum((code >> 1) << place for code, place in found), sum((code & 1) << place for code, place in found)

    def _with(self, letters: str) -> LocalPosition:
        return LocalPosition(self.ruleset, self.board, letters, letters)

    @cached_property
    def _parts(self) -> list[list[int]]:
        """The cells of each part with a move."""
        stride, found = self.ruleset.frame(self.board).cols, []
        for one, two in self.core.parts(self.words):
            if any(self.core.after((one, two), right) for right in (False, True)):
                bits = one | two
                found.append([cell for cell in range(len(self.letters)) if bits >> self._place(cell, stride) & 1])
        return found

    def _place(self, cell: int, stride: int) -> int:
        return cell // self.board.cols * stride + cell % self.board.cols

    @property
    def components(self) -> tuple[LocalPosition, ...]:
        """The parts, each on the least board around it; on a graph, on the same board."""
        dead = next(letter for letter, code in self.ruleset.letters.items() if code == DEAD)
        parts = []
        for cells in self._parts:
            kept = set(cells)
            letters = "".join(letter if cell in kept else dead for cell, letter in enumerate(self.letters))
            if self.board.edges is not None:
                parts.append(self._with(letters))
                continue
            rows, cols = ({cell // self.board.cols for cell in cells}, {cell % self.board.cols for cell in cells})
            board = Board(max(rows) + 1 - min(rows), max(cols) + 1 - min(cols))
            lines = (
                letters[row * self.board.cols :][min(cols) : max(cols) + 1] for row in range(min(rows), max(rows) + 1)
            )
            cropped = "".join(lines)
            parts.append(LocalPosition(self.ruleset, board, cropped, cropped))
        return tuple(parts)

    def component_squares(self) -> list[list[Square]]:
        return [[self.board.square(cell) for cell in cells] for cells in self._parts]

    def key(self) -> str:
        """Return the parts with a move, each in its least image, in order."""
        return self._key

    @cached_property
    def _key(self) -> str:
        core, found = self.core, []
        for part in core.parts(self.words):
            if any(core.after(part, right) for right in (False, True)):
                one, two, negated = core.canonical(part)
                found.append(f"{'-' * negated}{one:x}.{two:x}")
        frame = self.ruleset.frame(self.board)
        return f"{frame.rows}x{frame.cols}{frame.edges or ''}:{'+'.join(sorted(found))}"

    def __neg__(self) -> Position:
        swap = self.ruleset.exchange
        return self._with("".join(swap.get(one, one) for one in self.letters)) if swap else super().__neg__()

    # Pictures

    def view(self) -> View:
        players, stones = self.ruleset.players, self.ruleset.stones
        dead = {letter for letter, code in self.ruleset.letters.items() if code == DEAD and letter not in stones}
        pieces, covered, last = list[Piece](), set[Square](), len(self.given) - 1
        if self.ruleset.covers:
            for number, move in enumerate(self.given):
                player = players[number % 2] if self.ruleset.impartial else move.player
                squares = tuple(dict.fromkeys(move.squares))
                pieces.append(Piece(player, squares, number == last))
                covered.update(squares)
        blocked, texts = list[Square](), list[SquareText]()
        for cell, letter in enumerate(self.letters):
            square = self.board.square(cell)
            if square in covered:
                continue
            if letter in stones:
                moved = bool(self.given) and square == self.given[-1].squares[-1]
                pieces.append(Piece(players[stones[letter]], (square,), moved))
            elif letter in dead:
                blocked.append(square)
            elif self.ruleset.letters[letter] != BOTH:
                texts.append(SquareText(square, letter))
        rows, cols = (tuple(map(str, range(1, size + 1))) for size in self.board.size)
        graph = self.board.edges is not None
        if graph:  # cells have names, and the last row may be short
            rows, cols = ("",) * len(rows), ("",) * len(cols)
            blocked += [self.board.square(cell) for cell in range(self.board.cols, len(rows) * len(cols))]
            named = zip(self.board.names, self.letters, strict=True)
            codes, plain = self.ruleset.letters, {*stones, *dead}
            shown = (f"{name}={one}" if one not in plain and codes[one] != BOTH else name for name, one in named)
            texts = [SquareText(self.board.square(cell), text) for cell, text in enumerate(shown)]
        return View(
            len(rows), len(cols), rows, cols, tuple(pieces), tuple(blocked), texts=tuple(texts),
            edges=tuple((self.board.square(one), self.board.square(two)) for one, two in self.board.edges or ()),
        )  # fmt: skip

    def move_view(self, move: Move) -> MoveView:
        assert isinstance(move, LocalMove)
        return self.ruleset.move_view(move)
