"""What is known of every board, of any size, from the facts: the one door to the rules.

`decide` answers a single board at once, `Knowledge` keeps the closures that tables and explanations share.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from zermelo.domineering.rules import outcomes
from zermelo.domineering.rules.berlekamp import formula_steps
from zermelo.domineering.rules.derive import Closure, Step
from zermelo.domineering.rules.eventual import Eventual, eventual_statements
from zermelo.domineering.rules.facts import KINDS, Fact, FactBook
from zermelo.domineering.rules.seams import ALL_RULES
from zermelo.domineering.rules.sizes import Size, Topology, all_topologies, rectangles
from zermelo.domineering.rules.values import bonus_steps, sum_steps
from zermelo.domineering.rules.why import facts_under

if TYPE_CHECKING:
    from zermelo.domineering.rules.story import Story

FULL = 33
"""Boards up to this side are closed under all rules together, as in the papers' charts."""
LONG = 99
"""Each width is followed to this length, where the statements about all longer boards are read off."""


@dataclass(frozen=True)
class Answer:
    """What is known of a board: a set of outcomes and its derivation, perhaps by a statement about all long boards.

    ``mirrored``: the derivation is the transposed board's. ``opened``: it is that of the rectangle that the ring is at
    most. ``also``: facts about this very board that the derivation does not need.
    """

    size: Size
    outcomes: int
    step: Step | None = None
    eventual: Eventual | None = None
    mirrored: bool = False
    opened: bool = False
    also: tuple[Fact, ...] = ()

    @property
    def outcome(self) -> str | None:
        """``1``, ``2``, ``V`` or ``H``; None where it is not decided."""
        return outcomes.NAMES[self.outcomes] if outcomes.is_decided(self.outcomes) else None

    @property
    def name(self) -> str:
        """The set's short name, such as ``1h``."""
        return outcomes.NAMES[self.outcomes]

    def winner(self, starter: str) -> str | None:
        """Return who wins when ``starter`` moves first, or None where that is open."""
        return outcomes.winner(self.outcomes, starter)

    def story(self) -> Story:
        """Return the derivation as plain data."""
        from zermelo.domineering.rules.story import tell

        return tell(self)


class Knowledge:
    """The consequences of a book of facts."""

    def __init__(self, facts: FactBook) -> None:
        self.facts = facts
        self._rows: dict[int, Closure] = {}
        self._sums: dict[int, list[Step]] = {}
        self._tables: dict[tuple[int, int, Topology], Closure] = {}

    @cached_property
    def full(self) -> Closure:
        """All rectangles up to the side of the papers' charts."""
        return self.table(FULL, FULL)

    def table(self, rows: int, cols: int, topology: Topology = "rectangle") -> Closure:
        """Return the closure over all boards of at most so many rows and columns, and their mirror images.

        Rectangles are closed over a whole square of sizes, since backward conclusions come from larger boards.
        """
        if topology == "rectangle":
            rows = cols = max(rows, cols, FULL)
        key = (rows, cols, topology)
        if key not in self._tables:
            extra = [step for width in range(1, max(rows, cols) + 1) for step in self.sums(width)]
            extra += bonus_steps(self.facts)
            if topology == "rectangle":
                closure = Closure(set(rectangles(rows, cols)), self.facts, extra=extra)
            else:
                domain = set(all_topologies(rows, cols))
                domain |= {size.transposed for size in domain}
                closure = Closure(domain, self.facts, rules=ALL_RULES, extra=extra)
            self._tables[key] = closure
        return self._tables[key]

    def sums(self, rows: int) -> list[Step]:
        """Return what game values and their sums say about the boards of a number of rows."""
        if rows not in self._sums:
            self._sums[rows] = sum_steps(self.facts, rows)
            if rows == 2:
                self._sums[rows] += formula_steps()
        return self._sums[rows]

    def short_row(self, rows: int) -> Closure:
        """Return the closure of one width alone: quick, and enough for many widths."""
        domain = {Size(2, 0)} | {Size(rows, cols) for cols in range(1, LONG + 1)}
        domain |= {size.transposed for size in domain if 0 < size.cols <= FULL}
        extra = self.sums(rows) + bonus_steps(self.facts)
        return Closure(domain, self.facts, extra=extra)

    def row(self, rows: int) -> Closure:
        """Return one width followed to great length, from what the full closure says of its beginning."""
        if rows not in self._rows:
            domain = {Size(2, 0)} | {Size(rows, cols) for cols in range(1, LONG + 1)}
            extra = [step for cols in range(1, FULL + 1) for step in self.full.steps(Size(rows, cols))]
            extra += self.sums(rows)
            self._rows[rows] = Closure(domain, (), extra=extra, constructive=True)
        return self._rows[rows]

    def eventual(self, rows: int) -> list[Eventual]:
        """Return what is proved of all long rectangles of a number of rows."""
        return eventual_statements(self.row(rows), rows, LONG)

    def decide(self, size: Size) -> Answer:
        """Return everything the rules say about a board of any size."""
        if max(size.rows, size.cols) <= FULL:
            closure = self.table(size.rows, size.cols, size.topology)
            step = closure.step(size)
            return Answer(size, closure.known(size), step, also=self._unused_facts(size, step))
        if size.topology != "rectangle":
            return self._decide_ring(size)
        if size.rows > size.cols:
            other = self.decide(size.transposed)
            return Answer(size, outcomes.mirrored(other.outcomes), other.step, other.eventual, mirrored=True)
        quick = self._decide_in(size, self.short_row(size.rows))
        if quick.outcome is not None or size.rows > FULL:
            return quick
        return self._decide_in(size, self.row(size.rows))

    def _unused_facts(self, size: Size, step: Step | None) -> tuple[Fact, ...]:
        """Return the facts about a board that a derivation of it does not rest on."""
        used = {leaf.fact for leaf in facts_under(step)} if step else set()
        own = (self.facts.facts.get((size, 0, by)) for by in KINDS)
        return tuple(fact for fact in own if fact is not None and fact not in used)

    def _decide_ring(self, size: Size) -> Answer:
        """Decide a long cylinder, or a torus of two rows, from the rectangle that it is at most: what H wins there."""
        turned = size.rows > size.cols
        flat = size.transposed if turned else size
        if flat.topology == "vcylinder" or (flat.topology == "torus" and flat.rows > 2):
            return Answer(size, outcomes.ANYTHING)
        found = self.decide(Size(flat.rows, flat.cols))
        ways = (outcomes.H, outcomes.TWO_H, outcomes.ONE_H)
        known = next((way for way in ways if not found.outcomes & ~way), outcomes.ANYTHING)
        if known == outcomes.ANYTHING:
            return Answer(size, known)
        known = outcomes.mirrored(known) if turned else known
        return Answer(size, known, found.step, found.eventual, mirrored=turned, opened=True)

    def _decide_in(self, size: Size, closure: Closure) -> Answer:
        if size.cols <= LONG:
            return Answer(size, closure.known(size), closure.step(size))
        known = outcomes.ANYTHING
        best: Eventual | None = None
        for statement in eventual_statements(closure, size.rows, LONG):
            if statement.covers(size.cols) and statement.outcomes & ~known == 0:
                known, best = statement.outcomes, statement
        return Answer(size, known, None, best)


@lru_cache(maxsize=1)
def shipped() -> Knowledge:
    """Return the knowledge from the facts that ship with the package."""
    return Knowledge(FactBook.load())


def decide(rows: int, cols: int, topology: Topology = "rectangle") -> Answer | None:
    """Return what the rules prove about an empty board, or None if they say nothing.

    >>> answer = decide(1, 1000)
    >>> answer.outcome if answer else None
    'H'
    """
    answer = shipped().decide(Size(rows, cols, topology))
    return None if answer.outcomes == outcomes.ANYTHING else answer


def lines(answer: Answer) -> Iterator[str]:
    """Yield the derivation of an answer, line by line."""
    from zermelo.domineering.rules.why import explanation

    yield from explanation(answer)
