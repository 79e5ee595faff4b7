"""A tree as indented lines with connectors: proofs and derivations, read from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.draw import svg

LINE = 24.0
INDENT = 26.0
MARGIN = 18.0
LETTER = 7.4


@dataclass(frozen=True)
class TreeLine:
    """One node: its depth, its text, and the colour of its dot; nodes come in the order of a walk."""

    depth: int
    text: str
    colour: str = svg.BLUE


def tree_svg(lines: Sequence[TreeLine], *, title: str = "tree", at_most: int = 400) -> str:
    """Draw a tree; lines beyond a number are only counted.

    >>> picture = tree_svg([TreeLine(0, "root"), TreeLine(1, "leaf")])
    >>> picture.count("<circle"), "leaf" in picture
    (2, True)

    :raises ValueError: if a line is more than one level deeper than the line before.
    """
    shown = lines[:at_most]
    parts: list[str] = []
    above: list[float] = []  # The y of the latest node at each depth.
    for index, line in enumerate(shown):
        if line.depth > len(above):
            raise ValueError(f"line {index + 1} of the tree has no line above it")
        x, y = MARGIN + line.depth * INDENT, MARGIN + index * LINE
        del above[line.depth :]
        if above:
            stem = MARGIN + (line.depth - 1) * INDENT
            corners = ((stem, above[-1]), (stem, y), (x, y))
            points = " ".join(f"{svg.number(a)},{svg.number(b)}" for a, b in corners)
            # Connectors go below the dots.
            parts.insert(0, svg.element("polyline", points=points, fill="none", stroke=svg.GRID, stroke_width=1.5))
        above.append(y)
        parts.append(svg.element("circle", cx=x, cy=y, r=5, fill=line.colour))
        parts.append(svg.text(x + 12, y, line.text, size=13, anchor="start", fill=svg.INK))
    height = 2 * MARGIN + (len(shown) - 1) * LINE
    if len(lines) > len(shown):
        height += LINE
        rest = f"and {len(lines) - len(shown):,} more"
        parts.append(svg.text(MARGIN, height - MARGIN, rest, size=13, anchor="start", fill=svg.BLOCKED))
    widest = max((line.depth * INDENT + len(line.text) * LETTER for line in shown), default=0.0)
    return svg.document(2 * MARGIN + 24 + widest, height, "".join(parts), title=title)
