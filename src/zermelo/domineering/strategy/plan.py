"""From a derivation to a plan: the regions in which a player answers, and where she opens.

A derivation says why a player wins; read the other way it says how. "H cuts the board" becomes two regions that she
never plays across; "V splits two rows" becomes an opening move and two regions; a fact becomes a region whose replies a
search finds; two squares side by side become a region in which every move is answered by its turned copy. In each
region the player wins moving second, so she answers where the opponent moved (Lachmann, Moore and Rapaport, section 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Literal

from zermelo.domineering.position import Move, Player, opponent
from zermelo.domineering.rules.derive import Step
from zermelo.domineering.rules.outcomes import ONE_H, ONE_V, TWO_H, TWO_V
from zermelo.domineering.rules.rulebook import CUT, DOUBLE_SQUARE, MIRROR, SPLIT
from zermelo.domineering.rules.sizes import Size
from zermelo.domineering.rules.values import SUM


@dataclass(frozen=True)
class Frame:
    """Where a region lies: row and column of its corner on the board, and whether it is seen turned."""

    row: int = 0
    col: int = 0
    turned: bool = False

    def square(self, row: int, col: int) -> tuple[int, int]:
        """Return the board's square for a square of the region; both count from 0."""
        if self.turned:
            row, col = col, row
        return self.row + row, self.col + col

    def local(self, row: int, col: int) -> tuple[int, int]:
        """Return the region's square for a square of the board."""
        row, col = row - self.row, col - self.col
        return (col, row) if self.turned else (row, col)

    def player(self, player: Player) -> Player:
        """Return the player whose part a player plays in the region, and the other way round."""
        return opponent(player) if self.turned else player

    def to_board(self, move: Move) -> Move:
        """Return the board's move for a move of the region (moves count from 1)."""
        row, col = self.square(move.row - 1, move.col - 1)
        return Move(self.player(move.player), row + 1, col + 1)

    def to_local(self, move: Move) -> Move:
        """Return the region's move for a move of the board."""
        row, col = self.local(move.row - 1, move.col - 1)
        return Move(self.player(move.player), row + 1, col + 1)

    def shifted(self, cols: int) -> Frame:
        """Return the frame of the part that begins so many of the region's columns further."""
        if self.turned:
            return Frame(self.row + cols, self.col, True)
        return Frame(self.row, self.col + cols)

    def transposed(self) -> Frame:
        """Return the frame that sees the same squares with rows and columns exchanged."""
        return Frame(self.row, self.col, not self.turned)


@dataclass(frozen=True)
class Region:
    """A part of the board in which the player answers; ``kind`` says how the answer is found.

    Regions of kind ``sum`` with one ``group`` are answered together; ``bonus`` is how many moves given to V (as the
    region sees the players) H can afford in the region.
    """

    frame: Frame
    size: Size
    kind: Literal["search", "twins", "sum"]
    group: int = 0
    bonus: int = 0


@dataclass(frozen=True)
class Plan:
    """The regions of a board, and the opening: a move, or the region to open, or nothing when moving second."""

    regions: tuple[Region, ...]
    opening: Move | None = None
    open_region: int | None = None

    def __add__(self, other: Plan) -> Plan:
        """Join two plans of which at most one opens."""
        index = other.open_region
        if index is not None:
            index += len(self.regions)
        return Plan(
            self.regions + other.regions,
            self.opening or other.opening,
            self.open_region if self.open_region is not None else index,
        )


_group_numbers = count(1)


class NotConstructiveError(ValueError):
    """The derivation shows that a player wins, but not how."""


def plan(step: Step, player: Player, first: bool, frame: Frame = Frame()) -> Plan:
    """Turn a derivation into a plan for a player who moves first or second on its board.

    :raises NotConstructiveError: if the derivation does not show how.
    """
    wanted = {("V", True): ONE_V, ("V", False): TWO_V, ("H", True): ONE_H, ("H", False): TWO_H}[player, first]
    if step.outcomes & ~wanted:
        raise NotConstructiveError(f"{step} does not say that {player} wins")
    size = step.size
    if step.fact is not None:
        return _solved(frame, size, "search", first)
    if step.rule is None:
        for premise in step.premises:
            if premise.outcomes & ~wanted == 0:
                return plan(premise, player, first, frame)
    elif step.rule is MIRROR:
        return plan(step.premises[0], opponent(player), first, frame.transposed())
    elif step.rule is DOUBLE_SQUARE:
        return Plan((Region(frame, size, "twins"),))
    elif step.rule is CUT and player == "H" and step.boards[0] == size:
        return _cut(step, first, frame)
    elif step.rule is SPLIT and player == "V" and first and step.boards[0] == size:
        column = step.boards[1].cols
        parts = plan(step.premises[0], "V", False, frame) + plan(
            step.premises[1], "V", False, frame.shifted(column + 1)
        )
        return Plan(parts.regions, frame.to_board(Move("V", 1, column + 1)))
    elif step.rule.name == SUM.name and player == "H":
        return _group(step, first, frame)
    elif not step.premises:
        return _solved(frame, size, "search", first)
    raise NotConstructiveError(f"the derivation of {step} does not show how {player} wins")


def _solved(frame: Frame, size: Size, kind: Literal["search", "twins"], first: bool) -> Plan:
    return Plan((Region(frame, size, kind),), open_region=0 if first else None)


def _group(step: Step, first: bool, frame: Frame) -> Plan:
    """H plays the parts of a sum of values together; moving first she opens the group."""
    group = next(_group_numbers)
    bonuses = {}
    for premise in step.premises:
        fact = premise.fact or (premise.premises[0].fact if premise.premises else None)
        bonuses[premise.size] = abs(fact.bonus) if fact is not None else 0
    regions: list[Region] = []
    start = 0
    for part in step.boards[1:]:
        regions.append(Region(frame.shifted(start), part, "sum", group, bonuses[part]))
        start += part.cols
    return Plan(tuple(regions), open_region=0 if first else None)


def _cut(step: Step, first: bool, frame: Frame) -> Plan:
    """H plays both parts; moving first she opens the one that she wins moving first."""
    left, right = step.premises
    frames = (frame, frame.shifted(left.size.cols))
    if not first:
        return plan(left, "H", False, frames[0]) + plan(right, "H", False, frames[1])
    for opened, other, mine, rest in ((left, right, frames[0], frames[1]), (right, left, frames[1], frames[0])):
        if opened.outcomes & ~ONE_H == 0 and other.outcomes & ~TWO_H == 0:
            try:
                return plan(opened, "H", True, mine) + plan(other, "H", False, rest)
            except NotConstructiveError:
                continue
    raise NotConstructiveError(f"the derivation of {step} does not show how H wins")
