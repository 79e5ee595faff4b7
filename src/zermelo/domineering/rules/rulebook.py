"""The rules: each a lemma, the boards it relates, and its proof in a sentence.

The lemmas are those of Lachmann, Moore and Rapaport, "Who wins Domineering on rectangular boards?" (2002), sections 2
and 3; docs/theory-rules.md has the proofs. The conclusions of a lemma about outcomes are computed from its relation
(see relations.py), so that the outcome tables of the paper and the backward rule need no lines of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from inspect import signature

from zermelo.domineering.lattice import Lattice, Topology
from zermelo.domineering.rules.outcomes import EVEN, FIRST, ONE_H, ONE_V, SECOND, TWO_H, TWO_V, H, V
from zermelo.domineering.rules.relations import (
    Clause,
    Relation,
    at_most,
    at_most_sum,
    clauses,
    equal,
    moves_to_sum,
    negative,
    only_move_is,
)

Boards = tuple[Lattice, ...]


@dataclass(frozen=True)
class Rule:
    """A lemma about a tuple of boards; ``lemma`` and ``why`` are formatted with the boards as {0}, {1}, {2}."""

    name: str
    relation: Relation
    lemma: str
    why: str
    instances: Callable[[Collection[Lattice]], Iterator[Boards]]

    @property
    def arity(self) -> int:
        """How many boards the lemma relates."""
        return len(signature(self.relation).parameters)

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

        >>> CUT.statement((Lattice(6, 12), Lattice(6, 4), Lattice(6, 8)))
        '[6x12] <= [6x4] + [6x8]'
        """
        return self.lemma.format(*boards)


def nowhere(domain: Collection[Lattice]) -> Iterator[Boards]:
    """Instances of rules whose steps other code makes."""
    return iter(())


def mirror_instances(domain: Collection[Lattice]) -> Iterator[Boards]:
    """Pairs of a board and its transposed (a square is its own transposed)."""
    for size in domain:
        other = size.transposed
        if (size.rows, size.topology) <= (size.cols, other.topology) and other in domain:
            yield (other, size)


def parts_instances(
    domain: Collection[Lattice], topology: Topology, rows: int | None, less: int, least: int
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
                right = Lattice(wide, whole - less - left, topology)
                if right in domain:
                    yield (Lattice(wide, whole, topology), Lattice(wide, left, topology), right)


def _boards(wanted: Callable[[Lattice], bool]) -> Callable[[Collection[Lattice]], Iterator[Boards]]:
    """Return a function that yields every board of a kind, each by itself."""
    return lambda domain: ((size,) for size in domain if wanted(size))


EMPTY = Rule(
    "no move",
    lambda g: g == SECOND,
    "{0} = 0",
    "nobody can move, so who must move loses",
    _boards(lambda size: size.area <= 1),
)
ROW = Rule(
    "single row",
    lambda g: g == H,
    "{0} < 0",
    "only H can move",
    _boards(lambda size: size.rows == 1 and size.cols >= 2),
)
MIRROR = Rule("mirror", negative, "{0} = -{1}", "turning the board exchanges the players", mirror_instances)
SQUARE = Rule(
    "square",
    lambda g: g & EVEN != 0,
    "{0} = -{0}",
    "turning a square changes nothing but the players' names: what V can do as starter, H can do",
    _boards(lambda size: size.rows >= 2 and size == size.transposed),
)
DOUBLE_SQUARE = Rule(
    "double square",
    lambda g: g & TWO_H != 0,
    "{0} <= 0",
    "H plays it as two squares, and answers every move of V turned in the other square",
    _boards(lambda size: size.cols == 2 * size.rows and size.topology == "rectangle"),
)
CUT = Rule(
    "cut",
    at_most_sum,
    "{0} <= {1} + {2}",
    "H never plays across the line between them",
    lambda domain: parts_instances(domain, "rectangle", None, 0, 1),
)
SPLIT = Rule(
    "split",
    moves_to_sum,
    "V moves from {0} to {1} + {2}",
    "V's first domino fills a whole column of two squares",
    lambda domain: parts_instances(domain, "rectangle", 2, 1, 0),
)
REPEAT = Rule(
    "repeat",
    at_most_sum,
    "",
    "H never plays across the lines between the parts, and wins each part that is repeated moving second",
    nowhere,
)
RECTANGLE_RULES: tuple[Rule, ...] = (EMPTY, ROW, MIRROR, SQUARE, DOUBLE_SQUARE, CUT, SPLIT)

# Cylinders and tori. Figure 2 of the paper: a cut along a vertical line can only hurt H, one along a horizontal line
# only V. So hcylinder <= rectangle <= vcylinder and hcylinder <= torus <= vcylinder, all of the same size. (H's
# dominoes wrap around an hcylinder, V's around a vcylinder.)

CUTS_HURT_H: tuple[tuple[Topology, Topology], ...] = (("hcylinder", "rectangle"), ("torus", "vcylinder"))
CUTS_HURT_V: tuple[tuple[Topology, Topology], ...] = (("rectangle", "vcylinder"), ("hcylinder", "torus"))


def pairs(domain: Collection[Lattice], topologies: tuple[tuple[Topology, Topology], ...]) -> Iterator[Boards]:
    """Pairs of boards of one size and two topologies."""
    for size in domain:
        for lower, upper in topologies:
            if size.topology == lower and size.cols:
                other = size._replace(topology=upper)
                if other in domain:
                    yield (size, other)


def seamless(domain: Collection[Lattice]) -> Iterator[Boards]:
    """Boards whose seam does nothing: a ring of two squares has no second way around."""
    for size in domain:
        plain: Topology = size.topology
        if size.rows <= 2 and plain in ("vcylinder", "torus"):
            plain = "rectangle" if plain == "vcylinder" else "hcylinder"
        elif size.cols <= 2 and plain in ("hcylinder", "torus"):
            plain = "rectangle" if plain == "hcylinder" else "vcylinder"
        other = size._replace(topology=plain)
        if other != size and other in domain:
            yield (size, other)


def ring_moves(domain: Collection[Lattice]) -> Iterator[Boards]:
    """Two rows that are rings, and the rectangle that V's only first move leaves."""
    for size in domain:
        if size.rows == 2 and size.cols >= 3 and size.topology == "hcylinder":
            rest = Lattice(2, size.cols - 1)
            if rest in domain:
                yield (size, rest)


SEAM_RULES: tuple[Rule, ...] = (
    Rule(
        "open a row",
        at_most,
        "{0} <= {1}",
        "H may decline to play across the seam, so cutting there can only hurt her",
        lambda domain: pairs(domain, CUTS_HURT_H),
    ),
    Rule(
        "paste columns",
        at_most,
        "{0} <= {1}",
        "V may decline to play across the seam, so pasting there can only help her",
        lambda domain: pairs(domain, CUTS_HURT_V),
    ),
    Rule("no seam", equal, "{0} = {1}", "a ring of one or two squares has no second way around", seamless),
    Rule(
        "cut a cylinder",
        at_most_sum,
        "{0} <= {1} + {2}",
        "H never plays across the line between them, and V's rings stay whole",
        lambda domain: parts_instances(domain, "vcylinder", None, 0, 1),
    ),
    Rule(
        "only move",
        only_move_is,
        "V's only move from {0}, up to symmetry, is to {1}",
        "V fills one of the equal columns of two squares, which opens the ring",
        ring_moves,
    ),
)
ALL_RULES: tuple[Rule, ...] = RECTANGLE_RULES + SEAM_RULES
OPEN_ROW, PASTE, NO_SEAM = SEAM_RULES[:3]
HOW_RULES: tuple[Rule, ...] = (*RECTANGLE_RULES, OPEN_ROW, PASTE, NO_SEAM)
"""The rules that also show how to win."""
