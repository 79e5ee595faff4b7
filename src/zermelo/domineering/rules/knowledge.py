"""All that follows from the facts for boards of any size. `why`, `table`, certificates and play use it.

Small boards are closed under all rules together. A long board is reached from the lengths of its width: `repeat` adds
a part on which H wins moving second as often as needed, so that every derivation stays short, whatever the size.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

from zermelo import __version__
from zermelo.domineering.lattice import TOPOLOGIES, Lattice, Topology
from zermelo.domineering.rules.berlekamp import formula_steps
from zermelo.domineering.rules.derive import Closure, Derived
from zermelo.domineering.rules.facts import KINDS, Fact, FactBook
from zermelo.domineering.rules.known import Known
from zermelo.domineering.rules.long_boards import Eventual, eventual_statements
from zermelo.domineering.rules.outcomes import ANYTHING, ONE_H, TWO_H, H, mirrored
from zermelo.domineering.rules.rulebook import ALL_RULES, DOUBLE_SQUARE, HOW_RULES, REPEAT
from zermelo.domineering.rules.sums import sum_steps
from zermelo.game import Limits
from zermelo.game.watch import Watch

FULL = 33
"""Boards up to this side are closed under all rules together, as in the papers' charts."""
LONG = 99
"""Each width is followed to this length, where the statements about all longer boards are read off."""
NEARBY = 24
"""Boards up to this side may take part in a strategy for a longer one."""
REPLIES_SECONDS = 1000.0
"""A board that took longer to search is no region of a strategy: each reply in it might take as long again."""
KEPT_WIDTHS = 16
GRACE = 0.1
"""Extra seconds for tables that are built once per process, in half a second."""


class Knowledge:
    """The consequences of a book of facts; several threads may ask at once."""

    def __init__(self, facts: FactBook) -> None:
        self.facts = facts
        self._lock = threading.RLock()  # each closure is built once, by one thread
        self._rows: dict[Lattice, Closure] = {}
        self._short: dict[int, Closure] = {}
        self._sums: dict[int, list[Derived]] = {}
        self._tables: dict[tuple[int, int, bool], Closure] = {}
        self._hows: dict[tuple[int, int | None], Closure] = {}
        self._check: Callable[[], object] = bool

    def _close(self, domain: set[Lattice], facts: Iterable[Fact], **more: Any) -> Closure:
        return Closure(domain, facts, check=self._check, **more)

    @contextmanager
    def within(self, seconds: float) -> Iterator[Knowledge]:
        """Limit the work of this block to some seconds and `GRACE`.

        :raises Stopped: if that takes longer.
        """
        with self._lock:
            before, self._check = self._check, Watch(Limits(seconds + GRACE)).look
            try:
                yield self
            finally:
                self._check = before

    def table(self, rows: int, cols: int, topology: Topology = "rectangle") -> Closure:
        """Return the closure over all boards of at most so many rows and columns, and their mirror images.

        They are closed over more sizes than these, since backward conclusions come from larger boards.
        """
        with self._lock:
            flat = topology == "rectangle"
            rows, cols = [max(rows, cols, FULL)] * 2 if flat else sorted((max(rows, FULL), max(cols, FULL)))
            key = (rows, cols, flat)  # with one kind of ring come all, and turned ones
            if key not in self._tables:
                extra = [step for width in range(1, cols + 1) for step in self.sums(width)]
                if flat:
                    closure = self._close(set(boards_up_to(rows, cols)), self.facts, extra=extra)
                else:
                    domain = set(boards_up_to(rows, cols, TOPOLOGIES))
                    domain |= {size.transposed for size in domain}
                    closure = self._close(domain, self.facts, rules=ALL_RULES, extra=extra)
                self._tables[key] = closure
            return self._tables[key]

    def sums(self, rows: int) -> list[Derived]:
        """Return the conclusions from game values and their sums about boards of this many rows."""
        self._check()
        if rows not in self._sums:
            found = sum_steps(self.facts, rows, check=self._check)
            if rows > FULL:
                return found
            self._sums[rows] = found + (list(formula_steps()) if rows == 2 else [])
        return self._sums[rows]

    def short_row(self, rows: int) -> Closure:
        """Return the closure of one width only. It is quick, and decides many widths."""
        if rows not in self._short:
            _make_room(self._short)
            self._short[rows] = self._close(_width(rows, FULL), self.facts, extra=self.sums(rows))
        return self._short[rows]

    def row(self, rows: int, topology: Topology = "rectangle") -> Closure:
        """Return the closure of one width up to a great length, begun with the results of the full closure."""
        key = Lattice(rows, LONG, topology)
        if key not in self._rows:
            start = self.table(FULL, FULL, topology)
            extra = [step for cols in range(1, FULL + 1) for step in start.steps(key._replace(cols=cols))]
            extra += self.sums(rows) if topology == "rectangle" else []
            self._rows[key] = self._close(
                _width(rows, 0, topology), (), rules=ALL_RULES, extra=extra, constructive=True
            )
        return self._rows[key]

    def eventual(self, rows: int) -> list[Eventual]:
        """Return the statements about all long rectangles of this many rows."""
        with self._lock:
            return eventual_statements(self.row(rows), rows, LONG)

    # One board of any size

    def decide(self, size: Lattice) -> Known:
        """Return everything the rules say about a board of any size.

        >>> shipped().decide(Lattice(1, 1000)).outcome
        'H'
        """
        with self._lock:
            flat = _flat(size)
            if flat.cols <= FULL:
                closure = self.table(size.rows, size.cols, size.topology)
                return self._known(size, closure)
            bases = [self.short_row(flat.rows)]
            found = self._known(size, self._around(size, *bases))
            if found.outcome is None and flat.rows <= FULL:
                rings = [] if size.topology == "rectangle" else [self.row(flat.rows, "vcylinder")]
                bases = [*bases, *rings, self.row(flat.rows)]
                found = self._known(size, self._around(size, *bases))
            lines = () if found.step is None else found.step.lines()
            # A statement about all long rectangles is a reason only where this one is among the lines.
            if flat.cols <= LONG or not any(line.size in (flat, flat.transposed) for line in lines):
                return found
            said = eventual_statements(bases[-1], flat.rows, LONG)
            turned = size.rows > size.cols
            known = mirrored(found.outcomes) if turned else found.outcomes
            covering = (each for each in said if each.covers(flat.cols) and each.outcomes & ~known == 0)
            return replace(found, statement=next(covering, None))

    def by_facts_alone(self, size: Lattice) -> Known:
        """Return the result from the facts about this very board. Use it where the rules would take too long."""
        boards = {size, size.transposed}
        return self._known(size, Closure(boards, [fact for fact in self.facts if fact.size in boards]))

    def _known(self, size: Lattice, closure: Closure) -> Known:
        """Return the result of a closure for a board, and the facts about the board that it does not need."""
        step = closure.step(size)
        used = {each.fact for each in step.lines()} if step else set()
        own = (self.facts.facts.get((size, by)) for by in KINDS)
        return Known(size, closure.known(size), step, also=tuple(f for f in own if f is not None and f not in used))

    def _around(self, size: Lattice, *bases: Closure, how: bool = False) -> Closure:
        """Return the closure of a board larger than the tables, in all topologies, from the closures of its width."""
        flat = _flat(size)
        boards = [flat, Lattice(2, flat.cols - 1)] if flat.rows == 2 else [flat]
        reached = [*boards, flat._replace(topology="vcylinder")]  # H can win these by cutting columns off
        extra = [step for base in bases for board in reached for step in _reached(base, board)]
        domain = {board._replace(topology=topology) for board in boards for topology in TOPOLOGIES}
        domain |= {board.transposed for board in domain}
        return self._close(domain, (), rules=HOW_RULES if how else ALL_RULES, extra=extra, constructive=how)

    # The same by rules that show how to win

    def how(self, size: Lattice, *, leaves: int | None = None) -> Closure:
        """Return a closure that holds the board, by rules that show how to win, from boards that are quick to search.

        With ``leaves`` all boards of at most so many squares count as searched and sums of values are left out: then
        the steps are those of a certificate.
        """
        with self._lock:
            flat = _flat(size)
            near = flat.cols <= NEARBY
            key = (0 if near else flat.rows, leaves)
            if key not in self._hows:
                _make_room(self._hows)
                domain = set(boards_up_to(NEARBY, NEARBY)) if near else _width(flat.rows, NEARBY)
                facts = self._searchable() if leaves is None else self._leaves(leaves)
                widths = [] if leaves is not None else range(2, NEARBY + 1) if near else [flat.rows]
                sums = [step for width in widths for step in sum_steps(facts, width, check=self._check)]
                # The cost of a search grows with the power of the area: boards that are searched quickly come first.
                cost = lambda fact: float(1.3**fact.size.area)  # noqa: E731
                self._hows[key] = self._close(domain, facts, constructive=True, weight=cost, extra=sums)
            base = self._hows[key]
            return base if near and size.topology == "rectangle" else self._around(size, base, how=True)

    def _searchable(self) -> list[Fact]:
        """Return the facts that a search found soon; replies of others, or known by certificate alone, take long."""
        return [
            fact for fact in self.facts if fact.seconds <= REPLIES_SECONDS and (fact.nodes or not fact.certificates)
        ]

    def _leaves(self, squares: int) -> list[Fact]:
        """Return the results for all boards that a certificate may search."""
        boards = (size for size in boards_up_to(16, 16) if 0 < size.area <= squares)
        known = ((size, self.table(FULL, FULL).known(size)) for size in boards)
        return [Fact(size, mask, "search", __version__) for size, mask in known if mask != ANYTHING]


def boards_up_to(rows: int, cols: int, topologies: Iterable[Topology] = ("rectangle",)) -> Iterator[Lattice]:
    """Yield every board of at most so many rows and columns, and the empty strip that a first move may leave."""
    yield Lattice(2, 0)
    for row, col in product(range(1, rows + 1), range(1, cols + 1)):
        yield from (Lattice(row, col, topology) for topology in topologies)


def _make_room(closures: dict[Any, Closure]) -> None:
    """Drop the oldest closures to bound the memory."""
    while len(closures) >= KEPT_WIDTHS:
        del closures[next(iter(closures))]


def _flat(size: Lattice) -> Lattice:
    """Return the rectangle of a board, lying."""
    return Lattice(min(size[:2]), max(size[:2]))


def _width(rows: int, turned: int, topology: Topology = "rectangle") -> set[Lattice]:
    """Return the boards of one width, and the first ones turned."""
    domain = {Lattice(2, 0)} | {Lattice(rows, cols, topology) for cols in range(1, LONG + 1)}
    return domain | {size.transposed for size in domain if 0 < size.cols <= turned}


def _reached(base: Closure, size: Lattice) -> Iterable[Derived]:
    """Return the results for a lying rectangle. Boards longer than the closure are reached by repeating a part."""
    if size.cols <= LONG:
        return base.steps(size)
    return [step for wanted in (H, TWO_H, ONE_H) for step in _repeated(base, size, wanted)]


def _repeated(base: Closure, size: Lattice, wanted: int) -> Iterator[Derived]:
    """Yield the lightest line [m x n] <= [m x g] + k [m x p] with [m x p] <= 0, if there is one.

    The closure holds all sums up to its end, so one kind of part, repeated, is enough; of widths whose first such part
    is longer than that (two squares side by side) only multiples are reached.
    """
    double = Lattice(size.rows, 2 * size.rows)
    lengths = {cols: size._replace(cols=cols) for cols in range(LONG + 1)}
    periods = {cols: step for cols in range(1, LONG + 1) if (step := base.step(lengths[cols], TWO_H))}
    if double.cols > LONG and size.topology == "rectangle":
        periods[double.cols] = Derived(double, TWO_H, 1, rule=DOUBLE_SQUARE, boards=(double,))
    best: tuple[float, Derived, Derived] | None = None
    for cols, period in periods.items():
        grounds = [base.step(lengths[ground], wanted) for ground in range(size.cols % cols, LONG + 1, cols)]
        if cols > LONG and size.cols % cols == 0 and wanted == TWO_H:
            grounds = [period]
        for ground in grounds:
            if ground is not None and ground.size.cols and (best is None or ground.weight + period.weight < best[0]):
                best = ground.weight + period.weight, ground, period
    if best is None or best[1].size == size:
        return
    weight, ground, period = best
    times = (size.cols - ground.size.cols) // period.size.cols
    rule = replace(REPEAT, lemma=f"{{0}} <= {{1}} + {times:,} {{2}}")
    boards = (size, ground.size, period.size)
    yield Derived(size, wanted, weight + 1, None, rule, boards, (ground, period))


@lru_cache(maxsize=1)
def shipped() -> Knowledge:
    """Return the knowledge from the facts that ship with the package."""
    return Knowledge(FactBook.load())


def knowledge_of(facts: Path | None) -> Knowledge:
    """Return the knowledge from a file of facts; the shipped ones if none is named."""
    if facts is None:
        return shipped()
    if not facts.is_file():
        raise ValueError(f"file {str(facts)!r} does not exist")
    return Knowledge(FactBook.load(facts))
