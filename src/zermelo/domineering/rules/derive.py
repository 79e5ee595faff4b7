"""Everything that follows from facts and rules, each statement with its shortest derivation.

A statement is "this board's outcome lies in this set". Derivations are found in order of their weight (Knuth's
generalization of Dijkstra's algorithm, 1977): a rule adds one line, a fact its own weight, and a derivation weighs the
sum over its tree. So the first derivation found of a statement is the lightest one. Two statements about one board
that leave nothing are a contradiction: some fact is wrong, and both derivations are named.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter

from zermelo.domineering.lattice import Lattice
from zermelo.domineering.rules.facts import Fact
from zermelo.domineering.rules.outcomes import ANYTHING, NAMES, NOTHING, RELATIONS, is_decided, statement
from zermelo.domineering.rules.rulebook import RECTANGLE_RULES, Boards, Rule

Weight = float


@dataclass(frozen=True, slots=True)
class Derived:
    """One line of a derivation: a board, a set of outcomes, and where it comes from.

    One of ``fact`` and ``rule`` is set, or neither: then the line combines its premises, which are about one board.
    """

    size: Lattice
    outcomes: int
    weight: Weight
    fact: Fact | None = None
    rule: Rule | None = None
    boards: Boards = ()
    premises: tuple[Derived, ...] = ()

    @classmethod
    def of(cls, fact: Fact, weight: Weight | None = None) -> Derived:
        """Return a fact as a line."""
        return cls(fact.size, fact.outcomes, fact.weight if weight is None else weight, fact=fact)

    def lines(self) -> Iterator[Derived]:
        """Yield the lines of the derivation, each distinct statement once, premises after conclusions."""
        seen: set[tuple[Lattice, int]] = set()
        stack = [self]
        while stack:
            each = stack.pop()
            if (each.size, each.outcomes) not in seen:
                seen.add((each.size, each.outcomes))
                yield each
                stack.extend(reversed(each.premises))

    @property
    def claim(self) -> str:
        """The statement: name, and where more than one outcome is left the relation to zero.

        >>> Derived(Lattice(6, 12), 4, 1).claim, Derived(Lattice(6, 12), 6, 1).claim
        ('[6x12] = H', '[6x12] is 2h (<= 0)')
        """
        return str(self) if is_decided(self.outcomes) else f"{self} ({RELATIONS[self.outcomes]})"

    @property
    def reason(self) -> str:
        """Why the statement holds, given its premises."""
        if self.fact is not None:
            return self.fact.evidence()
        if self.rule is None:
            return "both " + " and ".join(NAMES[premise.outcomes] for premise in self.premises)
        return f"{self.rule.name}: {self.rule.statement(self.boards)}"

    def one_line(self) -> str:
        """Return the rule and the facts under the derivation."""
        facts = "; ".join(f"{leaf.claim} {leaf.reason}" for leaf in self.lines() if leaf.fact is not None)
        return self.reason if self.fact is not None or not facts else f"{self.reason}; from {facts}"

    def __str__(self) -> str:
        return f"{self.size} {statement(self.outcomes)}"


class ContradictionError(ValueError):
    """Two derivations about one board exclude each other; at least one fact under them is wrong."""

    def __init__(self, first: Derived, second: Derived) -> None:
        super().__init__(f"contradiction: {first} ({first.one_line()}) and {second} ({second.one_line()})")
        self.first, self.second = first, second


class Closure:
    """The consequences of facts and rules on a set of boards."""

    def __init__(
        self,
        domain: Collection[Lattice],
        facts: Iterable[Fact],
        *,
        rules: Iterable[Rule] = RECTANGLE_RULES,
        extra: Iterable[Derived] = (),
        constructive: bool = False,
        weight: Callable[[Fact], Weight] = attrgetter("weight"),
        check: Callable[[], object] = bool,
    ) -> None:
        """Derive everything; ``constructive`` keeps to conclusions that also show how to win.

        ``check`` is called often. It raises an exception to stop the work.

        :raises ContradictionError: if the facts contradict each other.
        """
        self._best: dict[Lattice, dict[int, Derived]] = {size: {} for size in domain}
        self._known: dict[Lattice, int] = dict.fromkeys(self._best, ANYTHING)
        self._heap: list[tuple[Weight, int, Derived]] = []
        self._count = 0
        self._uses: dict[Lattice, list[tuple[Rule, Boards, int]]] = defaultdict(list)
        for fact in facts:
            if fact.size in self._best:
                self._push(Derived.of(fact, weight(fact)))
        for step in extra:
            if step.size in self._best:
                self._push(step)
        triggers: dict[str, dict[tuple[int, int], list[tuple[int, int, int, int]]]] = {}
        for rule in rules:
            check()
            table: dict[tuple[int, int], list[tuple[int, int, int, int]]] = defaultdict(list)
            clauses = rule.constructive_clauses if constructive else rule.clauses
            for clause in clauses:
                for slot, mask in clause.premises:
                    rest = [premise for premise in clause.premises if premise[0] != slot]
                    other, needs = rest[0] if rest else (-1, ANYTHING)
                    table[slot, mask].append((clause.target, clause.conclusion, other, needs))
            triggers[rule.name] = table
            for boards in rule.instances(self._best):
                for clause in clauses:
                    if not clause.premises:
                        self._push(Derived(boards[0], clause.conclusion, 1, rule=rule, boards=boards))
                for slot, size in enumerate(boards):
                    self._uses[size].append((rule, boards, slot))
        self._triggers = triggers
        while self._heap:
            check()
            self._settle(heapq.heappop(self._heap)[2])

    def _push(self, step: Derived) -> None:
        if step.outcomes not in self._best[step.size]:
            self._count += 1
            heapq.heappush(self._heap, (step.weight, self._count, step))

    def _settle(self, step: Derived) -> None:
        """Accept the lightest waiting statement and draw its immediate consequences."""
        # 1. It may be known already, by something lighter.
        best = self._best[step.size]
        if step.outcomes in best:
            return
        # 2. It also says everything weaker.
        fresh = [mask for mask in range(1, ANYTHING) if mask & step.outcomes == step.outcomes and mask not in best]
        # 3. Combine it with everything else that is known of the board.
        for mask, other in list(best.items()):
            if mask != other.outcomes:
                continue
            both = mask & step.outcomes
            if both == NOTHING:
                raise ContradictionError(other, step)
            if both not in (mask, step.outcomes):
                weight = step.weight + other.weight + 1
                self._push(Derived(step.size, both, weight, premises=(other, step)))
        for mask in fresh:
            best[mask] = step
        self._known[step.size] &= step.outcomes
        # 4. Apply the rules that have waited for it.
        for rule, boards, slot in self._uses[step.size]:
            table = self._triggers[rule.name]
            for mask in fresh:
                for target, conclusion, other_slot, needs in table.get((slot, mask), ()):
                    size = boards[target]
                    if conclusion in self._best[size]:
                        continue
                    if other_slot < 0:
                        premises: tuple[Derived, ...] = (step,)
                    else:
                        partner = self._best[boards[other_slot]].get(needs)
                        if partner is None:
                            continue
                        premises = (step, partner) if slot < other_slot else (partner, step)
                    weight = 1 + sum(premise.weight for premise in premises)
                    self._push(Derived(size, conclusion, weight, None, rule, boards, premises))

    def known(self, size: Lattice) -> int:
        """Return the outcomes that are left for a board."""
        return self._known.get(size, ANYTHING)

    def step(self, size: Lattice, outcomes: int | None = None) -> Derived | None:
        """Return the lightest derivation that the board lies in a set (default: all that is known of it)."""
        mask = self.known(size) if outcomes is None else outcomes
        return self._best.get(size, {}).get(mask)

    def steps(self, size: Lattice) -> list[Derived]:
        """Return the lightest derivations of all that is known of a board, without the weaker readings of each."""
        return [step for mask, step in self._best.get(size, {}).items() if mask == step.outcomes]
