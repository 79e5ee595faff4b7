"""From a derivation to a plan: the regions in which a player answers, and where she opens.

A derivation says why a player wins; read the other way it says how. "H cuts the board" becomes two regions that she
never plays across; "V splits two rows" becomes an opening move and two regions; a fact becomes a region whose replies a
search finds; two squares side by side become a region in which every move is answered by its turned copy. In each
region the player wins moving second, so she answers where the opponent moved (Lachmann, Moore and Rapaport, section 5).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from zermelo.domineering.position import Move, Player, opponent
from zermelo.domineering.rules.derive import Derived
from zermelo.domineering.rules.outcomes import ONE_H, TWO_H, WINS
from zermelo.domineering.rules.rulebook import CUT, DOUBLE_SQUARE, MIRROR, NO_SEAM, OPEN_ROW, PASTE, REPEAT, SPLIT
from zermelo.domineering.rules.sizes import Size
from zermelo.domineering.rules.values import SUM


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
        """Return the frame of the part that begins so many of the region's columns further."""
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


class NotConstructiveError(ValueError):
    """The derivation shows that a player wins, but not how."""


def make_plan(step: Derived, player: Player, first: bool) -> WinningPlan:
    """Turn a derivation into a plan for a player who moves first or second on its board.

    :raises NotConstructiveError: if the derivation does not show how.
    """
    plan = WinningPlan()
    _extend(plan, step, player, first, Frame())
    return plan


def _extend(plan: WinningPlan, step: Derived, player: Player, first: bool, frame: Frame) -> None:
    """Add the regions of one line of the derivation."""
    wanted = WINS[player, first]
    if step.outcomes & ~wanted:
        raise NotConstructiveError(f"{step} does not say that {player} wins")
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
        raise NotConstructiveError(f"the derivation of {step} does not show how {player} wins")


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
