"""A rule is a relation between the outcomes of a few boards. Its conclusions are computed, not written by hand.

A lemma such as "G <= A + B" says which triples of outcomes may occur together. From the triples follow the conclusions
in every direction: forward (from A and B about G) and backward (from G and A about B). `clauses` lists all that are not
weaker than another: each is "if these boards lie in these sets, then that board lies in that set".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product

from zermelo.domineering.rules.outcomes import (
    ANYTHING,
    FIRST,
    NOTHING,
    ONE_H,
    ONE_V,
    SECOND,
    TWO_H,
    TWO_V,
    H,
    V,
    mirrored,
)

Relation = Callable[..., bool]
SINGLE = (FIRST, SECOND, H, V)


def inside(outcome: int, mask: int) -> bool:
    """Whether a single outcome lies in a set."""
    return outcome & mask != 0


def at_most(g: int, a: int) -> bool:
    """G <= A: if H wins A, moving first or second, she wins G the same way."""
    return (not inside(a, TWO_H) or inside(g, TWO_H)) and (not inside(a, ONE_H) or inside(g, ONE_H))


def at_most_sum(g: int, a: int, b: int) -> bool:
    """G <= A + B: H wins G second if she wins both second, and first if she wins one first and the other second."""
    if inside(a, TWO_H) and inside(b, TWO_H) and not inside(g, TWO_H):
        return False
    one_each = (inside(a, ONE_H) and inside(b, TWO_H)) or (inside(a, TWO_H) and inside(b, ONE_H))
    return not one_each or inside(g, ONE_H)


def moves_to_sum(g: int, a: int, b: int) -> bool:
    """V can move from G to A + B: she wins G first if she wins both second."""
    return not (inside(a, TWO_V) and inside(b, TWO_V)) or inside(g, ONE_V)


def only_move_is(g: int, a: int) -> bool:
    """V's only move from G, up to symmetry, is to A: she wins G first if and only if she wins A second."""
    return inside(g, ONE_V) == inside(a, TWO_V)


def negative(g: int, a: int) -> bool:
    """G = -A."""
    return g == mirrored(a)


def equal(g: int, a: int) -> bool:
    """G = A."""
    return g == a


@dataclass(frozen=True)
class Clause:
    """If every slot of ``premises`` lies in its set, then slot ``target`` lies in ``conclusion``."""

    target: int
    premises: tuple[tuple[int, int], ...]
    conclusion: int


@cache
def clauses(relation: Relation, arity: int) -> tuple[Clause, ...]:
    """Return every strongest conclusion of a relation between ``arity`` boards, in every direction."""
    allowed = [t for t in product(SINGLE, repeat=arity) if relation(*t)]
    result: list[Clause] = []
    for target in range(arity):
        others = [slot for slot in range(arity) if slot != target]
        found: list[tuple[tuple[int, ...], int]] = []
        for sets in product(range(1, ANYTHING + 1), repeat=arity - 1):
            left = NOTHING
            for triple in allowed:
                if all(inside(triple[slot], sets[i]) for i, slot in enumerate(others)):
                    left |= triple[target]
            if left not in (ANYTHING, NOTHING):
                found.append((sets, left))
        for sets, left in found:
            if not any(
                (other_sets, other_left) != (sets, left)
                and all(mine & ~theirs == 0 for mine, theirs in zip(sets, other_sets, strict=True))
                and other_left & ~left == 0
                for other_sets, other_left in found
            ):
                premises = tuple((slot, mask) for slot, mask in zip(others, sets, strict=True) if mask != ANYTHING)
                result.append(Clause(target, premises, left))
    return tuple(result)
