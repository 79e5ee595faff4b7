"""The rules for cylinders and tori: what cutting a board open along a seam does to its value.

Figure 2 of Lachmann, Moore and Rapaport: a cut along a vertical line can only hurt H, one along a horizontal line only
V. So hcylinder <= rectangle <= vcylinder and hcylinder <= torus <= vcylinder, all of the same size. (H's dominoes wrap
around an hcylinder, V's around a vcylinder.)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from zermelo.domineering.rules.relations import at_most, at_most_sum, equal, only_move_is
from zermelo.domineering.rules.rulebook import RECTANGLE_RULES, Boards, Rule, parts_instances
from zermelo.domineering.rules.sizes import Size, Topology

CUTS_HURT_H: tuple[tuple[Topology, Topology], ...] = (("hcylinder", "rectangle"), ("torus", "vcylinder"))
CUTS_HURT_V: tuple[tuple[Topology, Topology], ...] = (("rectangle", "vcylinder"), ("hcylinder", "torus"))


def pairs(domain: Collection[Size], topologies: tuple[tuple[Topology, Topology], ...]) -> Iterator[Boards]:
    """Pairs of boards of one size and two topologies."""
    for size in domain:
        for lower, upper in topologies:
            if size.topology == lower and size.cols:
                other = size._replace(topology=upper)
                if other in domain:
                    yield (size, other)


def seamless(domain: Collection[Size]) -> Iterator[Boards]:
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


def ring_moves(domain: Collection[Size]) -> Iterator[Boards]:
    """Two rows that are rings, and the rectangle that V's only first move leaves."""
    for size in domain:
        if size.rows == 2 and size.cols >= 3 and size.topology == "hcylinder":
            rest = Size(2, size.cols - 1)
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
