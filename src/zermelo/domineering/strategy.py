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

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from zermelo._core import LimitReached
from zermelo.cgt import Value
from zermelo.domineering.lattice import lattice, squares_of
from zermelo.domineering.position import PLAYERS, Move, Player, Position, opponent
from zermelo.domineering.rules.derive import Derived
from zermelo.domineering.rules.knowledge import shipped
from zermelo.domineering.rules.outcomes import ONE_H, TWO_H, WINS
from zermelo.domineering.rules.rulebook import CUT, DOUBLE_SQUARE, MIRROR, NO_SEAM, OPEN_ROW, PASTE, REPEAT, SPLIT
from zermelo.domineering.rules.sizes import Size
from zermelo.domineering.rules.sums import SUM

if TYPE_CHECKING:
    from zermelo.domineering.by_rules import RegionSearch


# From a derivation to a plan


@dataclass(frozen=True)
class Frame:
    """Where a region lies: row and column of its corner on the board, and whether it is seen turned; all from 0."""

    row: int = 0
    col: int = 0
    turned: bool = False

    def local(self, row: int, col: int) -> tuple[int, int]:
        """Return the region's square for a square of the board."""
        row, col = row - self.row, col - self.col
        return (col, row) if self.turned else (row, col)

    def player(self, player: Player) -> Player:
        """Return the player whose part a player plays in the region, and the other way round."""
        return opponent(player) if self.turned else player

    def to_board(self, move: Move) -> Move:
        """Return the board's move for a move of the region (moves count from 1)."""
        row, col = (move.col, move.row) if self.turned else (move.row, move.col)
        return Move(self.player(move.player), self.row + row, self.col + col)

    def shifted(self, cols: int) -> Frame:
        """Return the frame of the part that begins ``cols`` of the region's columns further on."""
        return Frame(self.row + cols, self.col, True) if self.turned else Frame(self.row, self.col + cols)

    def transposed(self) -> Frame:
        """Return the frame that sees the same squares with rows and columns exchanged."""
        return Frame(self.row, self.col, not self.turned)


@dataclass(frozen=True)
class Region:
    """A part of the board in which the player answers; ``kind`` says how the answer is found.

    Regions of kind ``sum`` with one ``group`` are answered together.
    """

    frame: Frame
    size: Size
    kind: Literal["search", "twins", "sum"] = "search"
    group: int = 0

    def holds(self, row: int, col: int) -> bool:
        """Whether a square of the board lies in it."""
        local = self.frame.local(row, col)
        return 0 <= local[0] < self.size.rows and 0 <= local[1] < self.size.cols


@dataclass
class WinningPlan:
    """The regions of a board, and the opening: a move, or the region to open, or nothing when moving second."""

    regions: list[Region] = field(default_factory=list)
    opening: Move | None = None
    open_region: int | None = None
    groups: int = 0


def find_plan(size: Size, player: Player, first: bool) -> WinningPlan:
    """Return the regions and the opening with which a player wins.

    :raises ValueError: if no way is known.
    """
    step = shipped().how(size).step(size, WINS[player, first])
    if step is None:
        order = "first" if first else "second"
        raise ValueError(f"no way is known for {player} to win {size.spec} moving {order}")
    plan = WinningPlan()
    _extend(plan, step, player, first, Frame())
    return plan


def _extend(plan: WinningPlan, step: Derived, player: Player, first: bool, frame: Frame) -> None:
    """Add the regions of one line of the derivation."""
    wanted = WINS[player, first]
    if step.outcomes & ~wanted:
        raise ValueError(f"{step} does not say that {player} wins")
    rule, size = step.rule, step.size
    declines = (rule is OPEN_ROW and player == "H") or (rule is PASTE and player == "V") or rule is NO_SEAM
    if step.fact is None and rule is None:
        says = next(premise for premise in step.premises if premise.outcomes & ~wanted == 0)
        _extend(plan, says, player, first, frame)
    elif rule is MIRROR:
        _extend(plan, step.premises[0], opponent(player), first, frame.transposed())
    elif declines:  # she never plays across the seam
        _extend(plan, step.premises[0], player, first, frame)
    elif rule is CUT and player == "H" and step.boards[0] == size:
        _cut(plan, step, first, frame)
    elif rule is not None and rule.name == REPEAT.name and player == "H":
        _repeat(plan, step, first, frame)
    elif rule is SPLIT and player == "V" and first and step.boards[0] == size:
        column = step.boards[1].cols
        _extend(plan, step.premises[0], "V", False, frame)
        _extend(plan, step.premises[1], "V", False, frame.shifted(column + 1))
        plan.opening = frame.to_board(Move("V", 1, column + 1))
    elif rule is not None and rule.name == SUM.name and player == "H":
        _group(plan, step, first, frame)
    elif rule is DOUBLE_SQUARE:
        plan.regions.append(Region(frame, size, "twins"))
    elif not step.premises:
        plan.open_region = len(plan.regions) if first else plan.open_region
        plan.regions.append(Region(frame, size))
    else:
        raise ValueError(f"the derivation of {step} does not show how {player} wins")


def _group(plan: WinningPlan, step: Derived, first: bool, frame: Frame) -> None:
    """H plays the parts of a sum of values together; moving first she opens the group."""
    plan.open_region = len(plan.regions) if first else plan.open_region
    plan.groups += 1
    start = 0
    for part in step.boards[1:]:
        plan.regions.append(Region(frame.shifted(start), part, "sum", plan.groups))
        start += part.cols


def _repeat(plan: WinningPlan, step: Derived, first: bool, frame: Frame) -> None:
    """H plays the ground and every copy of the part; she wins the copies moving second."""
    ground, part = step.premises
    _extend(plan, ground, "H", first, frame)
    copy = WinningPlan()
    _extend(copy, part, "H", False, Frame())
    for start in range(ground.size.cols, step.size.cols, part.size.cols):
        at, shift = frame.shifted(start), plan.groups
        for region in copy.regions:
            inner = Frame(*_inside(at, region.frame), at.turned != region.frame.turned)
            plan.regions.append(Region(inner, region.size, region.kind, region.group and region.group + shift))
        plan.groups += copy.groups


def _inside(outer: Frame, inner: Frame) -> tuple[int, int]:
    row, col = (inner.col, inner.row) if outer.turned else (inner.row, inner.col)
    return outer.row + row, outer.col + col


def _cut(plan: WinningPlan, step: Derived, first: bool, frame: Frame) -> None:
    """H plays both parts; moving first she opens the one that she wins moving first."""
    left, right = step.premises
    opens_left = first and left.outcomes & ~ONE_H == 0 and right.outcomes & ~TWO_H == 0
    _extend(plan, left, "H", opens_left, frame)
    _extend(plan, right, "H", first and not opens_left, frame.shifted(left.size.cols))


# From a plan to moves

Touched = dict[int, dict[int, int]]
"""The blocked squares of each unit, by the number of its region, as bits."""


def strategies(size: Size, players: Iterable[Player] = PLAYERS) -> Iterator[Strategy]:
    """Yield the known strategies for a board: first those of a player who moves first."""
    ways = ((player, first) for first in (True, False) for player in players)
    return (found for player, first in ways if (found := _strategy(size, player, first)))


@lru_cache(maxsize=64)
def _strategy(size: Size, player: Player, first: bool) -> Strategy | None:
    try:
        return Strategy(size, player, find_plan(size, player, first))
    except ValueError:
        return None


class Strategy:
    """How one player wins a board: whether the plan still holds in a position, and the next move.

    >>> mine = next(strategies(Size(2, 1000)))
    >>> len({region.size for region in mine.plan.regions}) <= 3
    True
    """

    def __init__(self, size: Size, player: Player, plan: WinningPlan) -> None:
        self.size, self.player, self.plan = size, player, plan
        self._units: dict[int, list[Region]] = {}
        for number, region in enumerate(plan.regions):
            self._units.setdefault(-region.group if region.group else number, []).append(region)
        first = None if plan.open_region is None else plan.regions[plan.open_region]
        self._open_unit = None if first is None else -first.group if first.group else plan.open_region
        self._owner: dict[int, tuple[int, int, int] | None] = {}

    def holds(self, position: Position, search: RegionSearch) -> bool:
        """Whether the player wins when the opponent is to move, by this plan."""
        touched = self._touched(position)
        if touched is None or (self._open_unit is not None and self._open_unit not in touched):
            return False
        try:
            return all(self._wins_second(unit, touched[unit], search) for unit in touched)
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
        lost = [unit for unit in touched if not self._wins_second(unit, touched[unit], search)]
        if self._open_unit is not None and self._open_unit not in touched:
            lost.append(self._open_unit)
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
        """Return the blocked squares by unit and region; None if a free square lies outside of all regions."""
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

    # Who wins a region, or a group of regions

    def _wins_second(self, unit: int, blocked: Mapping[int, int], search: RegionSearch) -> bool:
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
