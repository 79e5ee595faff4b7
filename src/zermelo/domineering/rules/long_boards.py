"""Statements about all long boards of a width: "[2 x n] = H for all n >= 28", proved, not tabulated.

Lemma: if [m x p] <= 0, then [m x (n + p)] <= [m x n] + [m x p] <= [m x n]. So if H wins [m x n], she wins
[m x (n + p)] the same way, and p consecutive lengths settle all longer ones. Of a residue class modulo q, a divisor of
p, p / q consecutive members are enough. A width on which H wins some length by a positive number is such a case: the
number decides p consecutive lengths, the cut rule the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zermelo.domineering.lattice import Lattice, Topology
from zermelo.domineering.rules.derive import Closure, Derived
from zermelo.domineering.rules.outcomes import ONE_H, TWO_H, H, possible, statement
from zermelo.words import counted

LARGEST_STEP = 12


@dataclass(frozen=True)
class Eventual:
    """For all n >= ``start`` with n = start modulo ``step``: the board of that many columns lies in ``outcomes``."""

    rows: int
    outcomes: int
    start: int
    step: int
    period: Derived
    base: tuple[Derived, ...]
    topology: Topology = "rectangle"

    def covers(self, cols: int) -> bool:
        """Whether the statement speaks of a length."""
        return cols >= self.start and (cols - self.start) % self.step == 0

    def __str__(self) -> str:
        prefix = "" if self.topology == "rectangle" else f"{self.topology} "
        which = f"n >= {self.start}"
        if self.step > 1:
            which = f"n = {self.start}, {self.start + self.step}, {self.start + 2 * self.step}, ..."
        return f"{prefix}[{self.rows} x n] {statement(self.outcomes)} for all {which}"

    def proof(self) -> str:
        """Return the proof in one sentence."""
        p = self.period.size
        lengths = [step.size.cols for step in self.base]
        span = f"n = {lengths[0]}"
        if len(lengths) > 1:
            by = f" in steps of {self.step}" if self.step > 1 else ""
            span = f"n = {lengths[0]} to {lengths[-1]}{by}"
        proof = f"it holds for {span}, and {p} <= 0 lets H add {counted(p.cols, 'column')} at a time"
        if self.topology == "rectangle":
            return proof
        return f"a ring is at most the rectangle of its size, and of that {proof}"

    def to_json(self) -> dict[str, Any]:
        """Return it with documented keys."""
        data = {"rows": self.rows, "outcomes": possible(self.outcomes), "start": self.start, "step": self.step}
        return {**data, "statement": str(self), "proof": self.proof()}


def eventual_statements(closure: Closure, rows: int, length: int) -> list[Eventual]:
    """Return the statements about all long boards of a width that follow from its lengths up to ``length``.

    Lengths that a statement covers are not covered again by a weaker one or by one with a coarser step.
    """
    found: list[Eventual] = []
    for outcomes in (H, TWO_H, ONE_H):
        for step in range(1, LARGEST_STEP + 1):
            for residue in range(step):
                last = length - (length - residue) % step
                if any(each.covers(last) for each in found):
                    continue
                statement = _statement(closure, rows, last, outcomes, step)
                if statement is not None:
                    found.append(statement)
    return sorted(found, key=lambda each: (each.step, each.start))


def _statement(closure: Closure, rows: int, last: int, outcomes: int, step: int) -> Eventual | None:
    """Find the earliest start of a statement about last, last - step, ... that a period carries on."""
    start = last + step
    while start > step and closure.known(Lattice(rows, start - step)) & ~outcomes == 0:
        start -= step
    for period in range(step, last - start + step + 1, step):
        ground = closure.step(Lattice(rows, period), TWO_H)
        if ground is not None:
            base = tuple(closure.step(Lattice(rows, each), outcomes) for each in range(start, start + period, step))
            assert all(base)
            return Eventual(rows, outcomes, start, step, ground, base)  # type: ignore[arg-type]
    return None
