"""Sums of values: the cut rule, used with the values of the parts instead of their outcomes.

[m x (a + b + ...)] <= [m x a] + [m x b] + ..., where the right side is a sum of exact values. This is how "she wins by
a positive number" works: copies of one length add up to a number larger than V's moves on the rest (Lachmann,
Moore and Rapaport, section 3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from zermelo.cgt import Value
from zermelo.domineering.lattice import Lattice
from zermelo.domineering.rules.derive import Derived
from zermelo.domineering.rules.facts import Fact
from zermelo.domineering.rules.outcomes import ONE_H, RELATIONS, SETS, TWO_H, mirrored
from zermelo.domineering.rules.relations import at_most_sum
from zermelo.domineering.rules.rulebook import MIRROR, Rule, nowhere

LONGEST_PIECE = 64
"""Values with longer texts are left out: their sums grow without telling more."""
LONGEST_SUM = 200
LONGEST_BOARD = 72

SUM = Rule(
    "sum of values",
    at_most_sum,
    "",
    "H never plays across the lines between the parts, and their values add up so",
    nowhere,
)


Piece = tuple[Value, Derived]
"""The value of a board, and the line of a derivation that says who wins it."""


def pieces(facts: Iterable[Fact], rows: int) -> list[Piece]:
    """Return the lengths of a width whose values are known: evaluated ones, and single columns."""
    found, moves, column = list[Piece](), rows // 2, Lattice(rows, 1)
    if moves:
        rule = replace(SUM, name="single column", lemma=f"{{0}} = {moves}", why="only V can move")
        found.append((Value(moves), Derived(column, SETS["V"], 1, rule=rule, boards=(column,))))
    for fact in facts:
        if fact.value is None or len(fact.value) > LONGEST_PIECE or fact.size.topology != "rectangle":
            continue
        own = Derived.of(fact)
        if fact.size.rows == rows:
            found.append((Value(fact.value), own))
        elif fact.size.cols == rows:
            size = fact.size.transposed
            step = Derived(size, mirrored(fact.outcomes), fact.weight + 1, None, MIRROR, (size, fact.size), (own,))
            found.append((-Value(fact.value), step))
    return found


def sum_steps(
    facts: Iterable[Fact], rows: int, longest: int = LONGEST_BOARD, check: Callable[[], object] = bool
) -> list[Derived]:
    """Return the boards of a width that H wins by a sum of values.

    ``check`` is called for each length. It raises an exception to stop the work.
    """
    parts = pieces(facts, rows)
    if not any(value.mean < 0 or value.right_stop <= 0 for value, _ in parts):
        return []
    best: dict[int, list[tuple[Value, tuple[Derived, ...]]]] = {0: [(Value(0), ())]}
    result: list[Derived] = []
    for cols in range(1, longest + 1):
        check()
        sums: list[tuple[Value, tuple[Derived, ...]]] = []
        for value, step in parts:
            for total, used in best.get(cols - step.size.cols, ()):
                new = total + value
                if any(other <= new for other, _ in sums):
                    continue
                if len(new.text(max_length=1 << 16)) > LONGEST_SUM:
                    continue
                sums = [(other, more) for other, more in sums if not new <= other]
                sums.append((new, (*used, step)))
        best[cols] = sums
        for total, used in sums:
            if len(used) > 1:
                result.extend(_conclusion(Lattice(rows, cols), total, used))
    return result


def compared(game: Value, outcomes: int) -> str:
    """Return a value and how it compares with 0, as the lemma of a rule has it."""
    shown = f"{game.text(max_length=1 << 16)} {RELATIONS[outcomes]}" if game != 0 else "0"
    return shown.replace("{", "{{").replace("}", "}}")


def _conclusion(size: Lattice, total: Value, used: tuple[Derived, ...]) -> list[Derived]:
    """Return the step that a sum of values proves about a board, if it says that H wins somehow."""
    outcomes = SETS["H"] if total < 0 else TWO_H if total <= 0 else ONE_H if not total >= 0 else 0
    if not outcomes:
        return []
    counts = Counter(step.size for step in used)
    text = " + ".join(f"{number if number > 1 else ''}{' ' * (number > 1)}{part}" for part, number in counts.items())
    rule = replace(SUM, lemma=f"{{0}} <= {text} = {compared(total, outcomes)}")
    premises = tuple({step.size: step for step in used}.values())
    weight = 1 + sum(premise.weight for premise in premises)
    boards = (size, *(step.size for step in used))
    return [Derived(size, outcomes, weight, None, rule, boards, premises)]
