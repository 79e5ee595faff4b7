"""Winning play on boards of any length, from any position: the board is played as a sum of small regions.

A plan cuts the empty board into regions in each of which the player wins moving second. A position of the board is then
won by her if she still does so in each region as it is now; when she is to move, one region may be lost so far, and her
winning move is there. Nothing is remembered from move to move, so that any position may be asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from zermelo._core import LimitReached
from zermelo.cgt import Value
from zermelo.domineering.lattice import lattice, squares_of
from zermelo.domineering.position import PLAYERS, Move, Player, Position, opponent
from zermelo.domineering.rules.knowledge import shipped
from zermelo.domineering.rules.outcomes import WINS
from zermelo.domineering.rules.sizes import Size
from zermelo.domineering.strategy.plan import NotConstructiveError, Region, WinningPlan, make_plan

if TYPE_CHECKING:
    from zermelo.domineering.by_rules import RegionSearch

__all__ = ["NotConstructiveError", "Strategy", "find_plan", "strategies"]

Touched = dict[int, dict[int, int]]
"""The blocked squares of each unit, by the number of its region, as bits."""


def find_plan(size: Size, player: Player, first: bool) -> WinningPlan:
    """Return the regions and the opening with which a player wins.

    :raises ValueError: if no way is known.
    """
    step = shipped().how(size).step(size, WINS[player, first])
    if step is None:
        order = "first" if first else "second"
        raise ValueError(f"no way is known for {player} to win {size.spec} moving {order}")
    return make_plan(step, player, first)


def strategies(size: Size, players: Iterable[Player] = PLAYERS) -> Iterator[Strategy]:
    """Yield all that are known for a board, those of who wins moving first before the others."""
    ways = ((player, first) for first in (True, False) for player in players)
    return (found for player, first in ways if (found := _strategy(size, player, first)))


@lru_cache(maxsize=64)
def _strategy(size: Size, player: Player, first: bool) -> Strategy | None:
    try:
        return Strategy(size, player, find_plan(size, player, first))
    except ValueError:
        return None


class Strategy:
    """How one player wins a board; it tells whether that still holds in a position, and the move to make.

    >>> mine = next(strategies(Size(2, 1000)))
    >>> len({region.size for region in mine.plan.regions}) <= 3
    True
    """

    def __init__(self, size: Size, player: Player, plan: WinningPlan) -> None:
        self.size, self.player, self.plan = size, player, plan
        self._units: dict[int, list[Region]] = {}
        for number, region in enumerate(plan.regions):
            self._units.setdefault(-region.group if region.group else number, []).append(region)
        opened = None if plan.open_region is None else plan.regions[plan.open_region]
        self._opened = None if opened is None else -opened.group if opened.group else plan.open_region
        self._owner: dict[int, tuple[int, int, int] | None] = {}

    def holds(self, position: Position, search: RegionSearch) -> bool:
        """Whether the player wins when the opponent is to move, as far as this plan tells."""
        touched = self._touched(position)
        if touched is None or (self._opened is not None and self._opened not in touched):
            return False
        try:
            return all(self._held(unit, touched[unit], search) for unit in touched)
        except LimitReached:
            return False

    def move(self, position: Position, search: RegionSearch) -> Move | None:
        """Return a move after which this plan holds, or None."""
        if position.is_empty and self.plan.opening is not None:
            return self.plan.opening
        touched = self._touched(position)
        try:
            return None if touched is None else self._move(position, touched, search)
        except LimitReached:
            return None

    def _move(self, position: Position, touched: Touched, search: RegionSearch) -> Move | None:
        lost = [unit for unit in touched if not self._held(unit, touched[unit], search)]
        if self._opened is not None and self._opened not in touched:
            lost.append(self._opened)
        if len(lost) > 1:
            return None
        # With every region held a move that costs nothing will do: wherever she also wins moving first.
        for unit in lost or [*touched, *self._kinds()]:
            move = self._answer(unit, touched.get(unit, {}), search)
            if move is not None:
                return move
        return None

    # The regions of a position

    def _touched(self, position: Position) -> Touched | None:
        """Return what is blocked, by unit and region; None if a free square lies outside of all regions."""
        opening = self.plan.opening
        if opening is not None and any(position.is_free(*square) for square in position.squares(opening)):
            return None
        found: Touched = {}
        for square in squares_of(position.blocked):
            if square not in self._owner:
                self._owner[square] = self._owner_of(*divmod(square, self.size.cols))
            owner = self._owner[square]
            if owner is not None:
                unit, number, bit = owner
                blocked = found.setdefault(unit, {})
                blocked[number] = blocked.get(number, 0) | bit
        return found

    def _owner_of(self, row: int, col: int) -> tuple[int, int, int] | None:
        """Return the unit of a square, which of its regions holds it, and the square's bit there."""
        for unit, regions in self._units.items():
            for number, region in enumerate(regions):
                if region.holds(row, col):
                    row, col = region.frame.local(row, col)
                    return unit, number, 1 << row * region.size.cols + col
        return None

    def _kinds(self) -> list[int]:
        """Return one unit of each kind, the smallest first."""
        kinds = {tuple((region.size, region.kind) for region in self._units[unit]): unit for unit in self._units}
        return sorted(kinds.values(), key=lambda unit: sum(region.size.area for region in self._units[unit]))

    def _locals(self, unit: int, blocked: Mapping[int, int]) -> list[Position]:
        """Return the positions of a unit's regions."""
        return [
            Position.of(lattice(*region.size), blocked.get(number, 0))
            for number, region in enumerate(self._units[unit])
        ]

    # What a region, or a group of regions, is worth

    def _held(self, unit: int, blocked: Mapping[int, int], search: RegionSearch) -> bool:
        """Whether the player wins a unit moving second."""
        regions, locals_ = self._units[unit], self._locals(unit, blocked)
        if regions[0].kind == "sum":
            with search.valuing():
                return _sum(map(search.value, locals_)) <= 0
        (region,), (local,) = regions, locals_
        other = region.frame.player(opponent(self.player))
        if not local.can_move(other) or (region.kind == "twins" and _difference(local) == 0):
            return True
        return region.kind != "twins" and search(local, other, False)[0] == opponent(other)

    def _answer(self, unit: int, blocked: Mapping[int, int], search: RegionSearch) -> Move | None:
        """Return a move in a unit after which the player wins it moving second."""
        regions, locals_ = self._units[unit], self._locals(unit, blocked)
        player = regions[0].frame.player(self.player)
        if regions[0].kind == "sum":
            with search.valuing():
                total = _sum(map(search.value, locals_))
                for region, local in zip(regions, locals_, strict=True):
                    rest = total - search.value(local)
                    for move in local.moves(player):
                        if rest + search.value(local.after(move)) <= 0:
                            return region.frame.to_board(move)
            return None
        (region,), (local,) = regions, locals_
        if region.kind == "twins":
            answer = _turned_copy(local)
        elif not local.can_move(opponent(player)):
            answer = next(iter(local.moves(player)), None)
        else:
            winner, answer = search(local, player, True)
            answer = answer if winner == player else None
        return None if answer is None else region.frame.to_board(answer)


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
