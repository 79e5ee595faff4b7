"""Winning play on boards of any length, from any position: the board is played as a sum of small regions.

A derivation says why a player wins; read the other way it says how. "H cuts the board" becomes two regions that she
never plays across; "V splits two rows" becomes an opening move and two regions; a fact becomes a region in which a
search finds the replies; two squares side by side become a region in which every move is answered by its turned copy.
In each region the player wins moving second, so she answers where the opponent moved (Lachmann, Moore and Rapaport,
section 5).

She has won a position of the board if she still wins each region moving second. When she is to move, one region may be
lost so far, and her winning move is there. Nothing is remembered from move to move: any position can be asked about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from zermelo._core import LimitReached
from zermelo.cgt import Value
from zermelo.domineering.lattice import Lattice, squares_of
from zermelo.domineering.position import PLAYERS, Move, Player, Position, opponent
from zermelo.domineering.rules.derive import Derived
from zermelo.domineering.rules.knowledge import shipped
from zermelo.domineering.rules.outcomes import ONE_H, TWO_H, WINS
from zermelo.domineering.rules.rulebook import CUT, DOUBLE_SQUARE, MIRROR, NO_SEAM, OPEN_ROW, PASTE, REPEAT, SPLIT
from zermelo.domineering.rules.sums import SUM

if TYPE_CHECKING:
    from zermelo.domineering.by_rules import RegionSearch

Squares = set[tuple[int, int]]
"""Rows and columns of blocked squares, from 0."""
ToBoard = Callable[[Move], Move]
Kind = Literal["search", "twins", "sum", "opening"]


@dataclass(frozen=True)
class Region:
    """Boards side by side in which the player answers; ``kind`` says how the answer is found.

    It is seen so that all rules hold as they are written: perhaps turned, then the player is the other one. There is
    one board, but for a sum of values, and for an opening, which stands between two boards. ``first``: the plan has
    the player open this region.
    """

    player: Player
    boards: tuple[Lattice, ...]
    kind: Kind
    first: bool
    blocked: Squares
    to_board: ToBoard
    """Turns a move of the region into one of the whole board."""

    def positions(self) -> Iterator[tuple[Position, int]]:
        """Yield the positions of its boards, each with the columns before it."""
        start = 0
        for rows, cols, topology in self.boards:
            blocked = (row * cols + col - start for row, col in self.blocked if start <= col < start + cols)
            yield Position.of(Lattice(rows, cols, topology), sum(1 << square for square in blocked)), start
            start += cols

    def is_held(self, search: RegionSearch) -> bool:
        """Whether the player wins it moving second. Of a region that nobody has played in, the plan says it."""
        if not self.blocked or self.kind == "opening":
            return not self.first
        positions = [position for position, _ in self.positions()]
        if self.kind == "sum":
            with search.valuing():
                return _sum(map(search.value, positions)) <= 0
        (position,), other = positions, opponent(self.player)
        if not position.can_move(other) or (self.kind == "twins" and _difference(position) == 0):
            return True
        return self.kind != "twins" and search(position, other, False)[0] == self.player

    def answer(self, search: RegionSearch) -> Move | None:
        """Return a move of the whole board after which the player wins this region moving second."""
        found = self._answer(search)
        return None if found is None else self.to_board(found)

    def _answer(self, search: RegionSearch) -> Move | None:
        if self.kind == "opening":
            return None if self.blocked else Move("V", 1, self.boards[0].cols + 1)
        if self.kind == "sum":
            with search.valuing():
                positions = list(self.positions())
                total = _sum(search.value(position) for position, _ in positions)
                for position, start in positions:
                    rest = total - search.value(position)
                    for move in position.moves(self.player):
                        if rest + search.value(position.after(move)) <= 0:
                            return _shifted(move, start)
            return None
        ((position, _),) = self.positions()
        if self.kind == "twins":
            return _turned_copy(position)
        if not position.can_move(opponent(self.player)):
            return next(iter(position.moves(self.player)), None)
        winner, answer = search(position, self.player, True)
        return answer if winner == self.player else None


def _shifted(move: Move, cols: int) -> Move:
    return Move(move.player, move.row, move.col + cols)


def _turned(move: Move) -> Move:
    return Move(opponent(move.player), move.col, move.row)


def regions(step: Derived, player: Player, first: bool, blocked: Squares, to_board: ToBoard) -> Iterator[Region]:
    """Yield the regions of a position in which the player wins by a derivation, moving first or second.

    Of the many equal regions of a long board only one comes of those in which nobody has played.

    :raises ValueError: if the derivation does not show how the player wins.
    """
    wanted, rule, size = WINS[player, first], step.rule, step.size
    if step.outcomes & ~wanted:
        raise ValueError(f"{step} does not say that {player} wins")

    def part(premise: Derived, first: bool, start: int = 0) -> Iterator[Region]:
        """Yield the regions of a part that begins at a column."""
        inside = {(row, col - start) for row, col in blocked if start <= col < start + premise.size.cols}
        return regions(premise, player, first, inside, lambda move: to_board(_shifted(move, start)))

    def alone(kind: Kind, boards: Iterable[Lattice] = (size,)) -> Region:
        return Region(player, tuple(boards), kind, first, blocked, to_board)

    declines = (rule is OPEN_ROW and player == "H") or (rule is PASTE and player == "V") or rule is NO_SEAM
    if step.fact is None and rule is None:
        yield from part(next(premise for premise in step.premises if premise.outcomes & ~wanted == 0), first)
    elif rule is MIRROR:
        turned = {(col, row) for row, col in blocked}
        yield from regions(step.premises[0], opponent(player), first, turned, lambda move: to_board(_turned(move)))
    elif declines:  # she never plays across the seam
        yield from part(step.premises[0], first)
    elif rule is CUT and player == "H" and step.boards[0] == size:
        left, right = step.premises  # H plays both parts; moving first she opens the one that she wins moving first
        opens_left = first and left.outcomes & ~ONE_H == 0 and right.outcomes & ~TWO_H == 0
        yield from part(left, opens_left)
        yield from part(right, first and not opens_left, left.size.cols)
    elif rule is not None and rule.name == REPEAT.name and player == "H":
        ground, period = step.premises  # H wins the copies of the period moving second
        yield from part(ground, first)
        copies = defaultdict[int, Squares](set)
        for row, col in blocked:
            if col >= ground.size.cols:
                number, col = divmod(col - ground.size.cols, period.size.cols)
                copies[number].add((row, col))
        count = (size.cols - ground.size.cols) // period.size.cols
        untouched = next((number for number in reversed(range(count)) if number not in copies), 0)
        for number in sorted({*copies, untouched}):
            shift = ground.size.cols + number * period.size.cols
            at = lambda move, shift=shift: to_board(_shifted(move, shift))  # noqa: E731
            yield from regions(period, "H", False, copies[number], at)
    elif rule is SPLIT and player == "V" and first and step.boards[0] == size:
        left, right = step.premises
        column = left.size.cols
        both = [*part(left, False), *part(right, False, column + 1)]
        yield from both if {(0, column), (1, column)} <= blocked else [alone("opening", step.boards[1:])]
    elif rule is not None and rule.name == SUM.name and player == "H":
        yield alone("sum", step.boards[1:])
    elif rule is DOUBLE_SQUARE:
        yield alone("twins")
    elif step.premises:
        raise ValueError(f"the derivation of {step} does not show how {player} wins")
    elif size.area:
        yield alone("search")


def strategies(size: Lattice, players: Iterable[Player] = PLAYERS) -> Iterator[Strategy]:
    """Yield the known strategies for a board: first those of a player who moves first."""
    ways = ((player, first) for first in (True, False) for player in players)
    return (found for player, first in ways if (found := _known(size, player, first)))


@lru_cache(maxsize=64)
def _known(size: Lattice, player: Player, first: bool) -> Strategy | None:
    try:
        return Strategy(size, player, first)
    except ValueError:
        return None


class Strategy:
    """How one player wins a board: whether the plan still holds in a position, and the next move.

    >>> mine = next(strategies(Lattice(2, 1000)))
    >>> len(list(mine.regions(Position("2x1000")))) <= 3
    True
    """

    def __init__(self, size: Lattice, player: Player, first: bool) -> None:
        """Look up the derivation.

        :raises ValueError: if no way is known for the player to win.
        """
        step = shipped().how(size).step(size, WINS[player, first])
        if step is None:
            order = "first" if first else "second"
            raise ValueError(f"no way is known for {player} to win {size.spec} moving {order}")
        self.size, self.player, self.first, self.step = size, player, first, step
        for _ in regions(step, player, first, set(), lambda move: move):
            pass  # raises where the derivation does not show how

    def regions(self, position: Position) -> Iterator[Region]:
        """Yield the regions of a position."""
        blocked = {divmod(square, self.size.cols) for square in squares_of(position.blocked)}
        return regions(self.step, self.player, self.first, blocked, lambda move: move)

    def holds(self, position: Position, search: RegionSearch) -> bool:
        """Whether the player wins when the opponent is to move, by this plan."""
        try:
            return all(region.is_held(search) for region in self.regions(position))
        except LimitReached:
            return False

    def move(self, position: Position, search: RegionSearch) -> Move | None:
        """Return a move after which this plan holds, or None."""
        try:
            every = list(self.regions(position))
            lost = [region for region in every if not region.is_held(search)]
            if len(lost) > 1:
                return None
            # With every region held a move that costs nothing will do: wherever she also wins moving first.
            played = [region for region in every if region.blocked]
            kinds = {(region.boards, region.kind): region for region in every if not region.blocked}
            small = sorted(kinds.values(), key=lambda region: sum(board.area for board in region.boards))
            moves = (region.answer(search) for region in lost or played + small)
            return next(filter(None, moves), None)
        except LimitReached:
            return None


def _sum(values: Iterable[Value]) -> Value:
    return sum(values, start=Value(0))


def _difference(twins: Position) -> int:
    """Return where two squares side by side are no turned copies of each other, as squares of the right one."""
    side = twins.rows
    left, right = 0, 0
    for square in squares_of(twins.blocked):
        row, col = divmod(square, 2 * side)
        if col < side:
            left |= 1 << col * side + row
        else:
            right |= 1 << row * side + col - side
    return left ^ right


def _turned_copy(twins: Position) -> Move | None:
    """Return H's answer to V's move in one of two squares: the same move in the other, turned about the diagonal.

    >>> str(_turned_copy(Position("2x4:V1,2")))
    'H2,3'
    """
    side = twins.rows
    squares = [divmod(square, side) for square in squares_of(_difference(twins))]
    if len(squares) != 2:
        return None
    (row, col), (other_row, other_col) = squares
    moves = [Move("H", row + 1, side + col + 1)] if row == other_row else []
    moves += [Move("H", col + 1, row + 1)] if col == other_col else []
    return next((move for move in moves if twins.is_legal(move) and _difference(twins.after(move)) == 0), None)
