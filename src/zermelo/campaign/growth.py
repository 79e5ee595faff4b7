"""How a game's tree grows, all moves of both players counted: thesis figure 5.1."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.game.units import Tree


@dataclass(frozen=True)
class Growth:
    """One ply: different positions (transpositions and symmetric copies once) and their average number of children."""

    ply: int
    positions: int
    children: float | None


def tree_growth(tree: Tree, *, positions: int = 5_000) -> list[Growth]:
    """Count the different positions ply by ply, up to the first ply with more than so many.

    The thesis has 1, 25, 1,944 and 81,609 for 10x10; at ply 3 there are 81,412.
    """
    level = {tree.key(tree.root())}
    lines: list[Growth] = []
    for ply in range(1000):
        if not level or len(level) > positions:
            break
        total = 0
        below: set[str] = set()
        for position in level:
            if tree.decided(position) is None:
                children = {tree.key(child) for child in tree.children(position)}
                total += len(children)
                below.update(children)
        lines.append(Growth(ply, len(level), total / len(level)))
        level = below
    if level:
        lines.append(Growth(len(lines), len(level), None))
    return lines
