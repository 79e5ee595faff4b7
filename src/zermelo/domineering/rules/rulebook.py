"""The rules for rectangles: each a lemma, the boards it relates, and its proof in a sentence.

The lemmas are those of Lachmann, Moore and Rapaport, "Who wins Domineering on rectangular boards?" (2002), sections 2
and 3; docs/theory-rules.md has the proofs. What a lemma lets one conclude about outcomes is computed from its relation
(see relations.py), so that the outcome tables of the paper and the backward rule need no lines of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from zermelo.domineering.rules.outcomes import EVEN, FIRST, ONE_H, ONE_V, SECOND, TWO_H, TWO_V, H, V
from zermelo.domineering.rules.relations import Clause, Relation, at_most_sum, clauses, moves_to_sum, negative
from zermelo.domineering.rules.sizes import Size, Topology

Boards = tuple[Size, ...]


@dataclass(frozen=True)
class Rule:
    """A lemma about a tuple of boards; ``lemma`` and ``why`` are formatted with the boards as {0}, {1}, {2}."""

    name: str
    relation: Relation
    arity: int
    lemma: str
    why: str
    instances: Callable[[Collection[Size]], Iterator[Boards]]

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """Everything the lemma lets one conclude, in every direction."""
        return clauses(self.relation, self.arity)

    @property
    def constructive_clauses(self) -> tuple[Clause, ...]:
        """Those conclusions that also show how to win: forward, and from a win one way or the other."""
        ways = (ONE_H, TWO_H, ONE_V, TWO_V, FIRST, SECOND, H, V)
        return tuple(
            clause
            for clause in self.clauses
            if (clause.target == 0 or self.arity == 2)
            and clause.conclusion in ways
            and all(mask in ways for _, mask in clause.premises)
        )

    def statement(self, boards: Boards) -> str:
        """Return the lemma for these boards.

        >>> CUT.statement((Size(6, 12), Size(6, 4), Size(6, 8)))
        '[6x12] <= [6x4] + [6x8]'
        """
        return self.lemma.format(*boards)


def no_moves(g: int) -> bool:
    """G = 0."""
    return g == SECOND


def only_h_moves(g: int) -> bool:
    """G is a negative integer."""
    return g == H


def own_negative(g: int) -> bool:
    """G = -G: neither V nor H wins both ways."""
    return g & EVEN != 0


def h_answers(g: int) -> bool:
    """G <= 0."""
    return g & TWO_H != 0


def no_move_instances(domain: Collection[Size]) -> Iterator[Boards]:
    """Boards with no room for a domino."""
    return ((size,) for size in domain if size.area <= 1)


def row_instances(domain: Collection[Size]) -> Iterator[Boards]:
    """Single rows of two squares or more, with or without a seam."""
    return ((size,) for size in domain if size.rows == 1 and size.cols >= 2)


def mirror_instances(domain: Collection[Size]) -> Iterator[Boards]:
    """Pairs of a board and its transposed (a square is its own: what V can do on it, H can do)."""
    for size in domain:
        other = size.transposed
        if (size.rows, size.topology) <= (size.cols, other.topology) and other in domain:
            yield (other, size)


def square_instances(domain: Collection[Size]) -> Iterator[Boards]:
    """Boards that are their own transposed."""
    return ((size,) for size in domain if size.rows >= 2 and size == size.transposed)


def double_square_instances(domain: Collection[Size]) -> Iterator[Boards]:
    """Two squares side by side."""
    for size in domain:
        if size.cols == 2 * size.rows and size.topology == "rectangle":
            yield (size,)


def parts_instances(
    domain: Collection[Size], topology: Topology, rows: int | None, less: int, least: int
) -> Iterator[Boards]:
    """Boards of one topology with every two of the domain of as many rows and, together, ``less`` columns less."""
    lengths: dict[int, list[int]] = defaultdict(list)
    for size in domain:
        if size.topology == topology and rows in (None, size.rows):
            lengths[size.rows].append(size.cols)
    for wide, cols in lengths.items():
        parts = sorted(length for length in cols if length >= least)
        for whole in cols:
            for left in parts:
                if 2 * left > whole - less:
                    break
                right = Size(wide, whole - less - left, topology)
                if right in domain:
                    yield (Size(wide, whole, topology), Size(wide, left, topology), right)


def cut_instances(domain: Collection[Size]) -> Iterator[Boards]:
    """Every way to cut a rectangle with a vertical line into two."""
    return parts_instances(domain, "rectangle", None, 0, 1)


def split_instances(domain: Collection[Size]) -> Iterator[Boards]:
    """Every way in which V's first move splits two rows."""
    return parts_instances(domain, "rectangle", 2, 1, 0)


EMPTY = Rule("no move", no_moves, 1, "{0} = 0", "nobody can move, so who must move loses", no_move_instances)
ROW = Rule("single row", only_h_moves, 1, "{0} < 0", "only H can move", row_instances)
MIRROR = Rule("mirror", negative, 2, "{0} = -{1}", "turning the board exchanges the players", mirror_instances)
SQUARE = Rule(
    "square",
    own_negative,
    1,
    "{0} = -{0}",
    "turning a square changes nothing but the players' names: what V can do as starter, H can do",
    square_instances,
)
DOUBLE_SQUARE = Rule(
    "double square",
    h_answers,
    1,
    "{0} <= 0",
    "H plays it as two squares, and answers every move of V turned in the other square",
    double_square_instances,
)
CUT = Rule("cut", at_most_sum, 3, "{0} <= {1} + {2}", "H never plays across the line between them", cut_instances)
SPLIT = Rule(
    "split",
    moves_to_sum,
    3,
    "V moves from {0} to {1} + {2}",
    "V's first domino fills a whole column of two squares",
    split_instances,
)
REPEAT = Rule(
    "repeat",
    at_most_sum,
    3,
    "",
    "H never plays across the lines between the parts, and wins each part that is repeated moving second",
    lambda domain: iter(()),
)
RECTANGLE_RULES: tuple[Rule, ...] = (EMPTY, ROW, MIRROR, SQUARE, DOUBLE_SQUARE, CUT, SPLIT)
