"""Winning play on boards of any length: `strategy("2x1000", "H", first=True)`."""

from __future__ import annotations

from functools import lru_cache

from zermelo.domineering.position import Player, opponent
from zermelo.domineering.rules import outcomes
from zermelo.domineering.rules.derive import Closure
from zermelo.domineering.rules.eventual import eventual_statements
from zermelo.domineering.rules.facts import Fact, FactBook
from zermelo.domineering.rules.knowledge import LONG, shipped
from zermelo.domineering.rules.sizes import Size, rectangles
from zermelo.domineering.rules.values import sum_steps
from zermelo.domineering.strategy.plan import Frame, NotConstructiveError, Plan, Region, plan
from zermelo.domineering.strategy.player import Strategy
from zermelo.domineering.strategy.replies import find_reply

__all__ = ["NotConstructiveError", "Strategy", "find_plan", "strategy"]

SEARCHABLE = 80
"""A board of so few squares whose derivation does not show how to win is one region, won by search."""
SEARCHABLE_RING = 36
"""The same for cylinders and tori, which only the slower search takes."""
NEARBY = 24
"""Boards up to this side may take part in a strategy for a longer one."""


def strategy(board: str | Size, player: Player, *, first: bool) -> Strategy:
    """Return a winning player for an empty board of any size.

    :raises ValueError: if the rules do not say that the player wins so, or do not say how.
    """
    size = Size.parse(board) if isinstance(board, str) else board
    return Strategy(size, player, find_plan(size, player, first), find_reply)


def find_plan(size: Size, player: Player, first: bool) -> Plan:
    """Return the regions and the opening with which a player wins.

    :raises ValueError: if no way is known.
    """
    if size.topology != "rectangle":
        return _find_on_ring(size, player, first)
    if size.rows > size.cols:
        flipped: Player = "H" if player == "V" else "V"
        return _find(size.transposed, flipped, first, Frame(turned=True))
    return _find(size, player, first, Frame())


def _find_on_ring(size: Size, player: Player, first: bool) -> Plan:
    """Open the ring where that costs only the player herself (open a row, paste columns), else search it."""
    only_her_rings = {
        "H": size.topology == "hcylinder" or size.rows <= 2,
        "V": size.topology == "vcylinder" or size.cols <= 2,
    }
    if only_her_rings[player]:
        try:
            return find_plan(Size(size.rows, size.cols), player, first)
        except ValueError:
            pass  # she may need her seam
    return _by_search(size, player, first, Frame(), SEARCHABLE_RING)


def _by_search(size: Size, player: Player, first: bool, frame: Frame, largest: int) -> Plan:
    """Return the plan of one region, for a small board that is known to be won."""
    starter: Player = player if first else opponent(player)
    if size.area <= largest and shipped().decide(size).winner(starter) == player:
        return Plan((Region(frame, size, "search"),), open_region=0 if first else None)
    order = "first" if first else "second"
    raise ValueError(f"no way is known for {player} to win {size.spec} moving {order}")


def _find(size: Size, player: Player, first: bool, frame: Frame) -> Plan:
    wanted = {("V", True): outcomes.ONE_V, ("V", False): outcomes.TWO_V,
              ("H", True): outcomes.ONE_H, ("H", False): outcomes.TWO_H}[player, first]  # fmt: skip
    closure = _closure(size.rows if size.cols > NEARBY else 0)
    if size.cols <= LONG:
        step = closure.step(size, wanted)
        if step is not None:
            return plan(step, player, first, frame)
    elif player == "H":
        for statement in eventual_statements(closure, size.rows, LONG):
            if statement.covers(size.cols) and statement.outcomes & ~wanted == 0:
                ground, period = statement.ground(size.cols), statement.period
                result = plan(ground, "H", first, frame)
                for start in range(ground.size.cols, size.cols, period.size.cols):
                    result += plan(period, "H", False, frame.shifted(start))
                return result
    return _by_search(size, player, first, frame, SEARCHABLE)


def _weight(fact: Fact) -> float:
    """Prefer regions whose replies are searched quickly: the cost of a search grows with the power of the area."""
    return float(1.3**fact.size.area)


@lru_cache(maxsize=8)
def _closure(rows: int) -> Closure:
    """Return the constructive consequences of the facts: near the origin, or along one width."""
    return constructive(shipped().facts, rows)


def constructive(facts: FactBook, rows: int) -> Closure:
    """Return what follows by rules that show how to win, with derivations whose regions are quick to search.

    A board that only a certificate proves is none of them: its replies may take hours to search.
    """
    facts = FactBook.of(fact for fact in facts if fact.nodes or not fact.certificates)
    domain = set(rectangles(NEARBY, NEARBY))
    if rows:
        domain = {Size(2, 0)} | {Size(rows, cols) for cols in range(1, LONG + 1)}
        domain |= {size.transposed for size in domain if 0 < size.cols <= NEARBY}
    widths = [rows] if rows else range(2, NEARBY + 1)
    sums = [step for width in widths for step in sum_steps(facts, width)]
    return Closure(domain, facts, constructive=True, weight=_weight, extra=sums)
