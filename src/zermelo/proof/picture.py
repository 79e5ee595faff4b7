"""A strategy as a picture: the tree of positions down to a depth."""

from __future__ import annotations

from pathlib import Path

from zermelo.draw import svg
from zermelo.draw.tree import TreeLine, tree_svg
from zermelo.proof.container import read_payload
from zermelo.proof.strategy import DomineeringStrategy, Node
from zermelo.proof.tools import describe_node

COLOURS = {"move": svg.GREEN, "strips": svg.ORANGE, "cover": svg.ORANGE, "ref": svg.PURPLE}


def strategy_svg(path: str | Path, depth: int) -> str:
    """Draw a certificate's strategy down to a depth: green where the winner moves, orange at leaves.

    :raises ValueError: if the file is no certificate of a Domineering rectangle.
    """
    strategy = DomineeringStrategy(read_payload(Path(path)))
    claim = strategy.claim
    lines: list[TreeLine] = []
    parents: list[Node] = []
    for node in strategy.nodes(depth):
        del parents[node.depth :]
        played = ""
        if parents:
            played = f"{strategy.domino_name(parents[-1].free ^ node.free)}: "
        parents.append(node)
        text = played + describe_node(strategy, node)
        lines.append(TreeLine(node.depth, text, COLOURS.get(node.kind, svg.BLUE)))
    title = f"{claim.spec}, {claim.starter} starts: {claim.winner} wins"
    return tree_svg(lines, title=title)
