"""One number for all searches: the nodes of a fixed list of questions, on one thread. Commits quote it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo.game import Limits, find_game

PAPERS = {"bounds": ("real", "cover")}
# A few of everything that searches: strips, covers, rings, shapes, mid-game; pairings, the strong game, hypergraphs.
CASES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("domineering", "8x8", {}),
    ("domineering", "7x9", {}),
    ("domineering", "7x8:V1,1;H4,4", {}),
    ("domineering", "..#...../.......#/......../.#......", {}),
    ("domineering", "torus:5x6", {}),
    ("domineering", "hcylinder:4x7", {}),
    ("domineering", "7x7", PAPERS),
    ("domineering", "6x8", PAPERS),
    ("mnk", "3,3,3", {}),
    ("mnk", "4,3,3", {}),
    ("mnk", "5,5,4", {}),
    ("mnk", "6,6,4", {}),
    ("mnk", "7,7,5", {}),
    ("mnk", "5,5,4:c3,b2", {}),
    ("hypergraph", "a b c / c d e / e f a / b d f / a d / b e", {}),
)


class Counted(NamedTuple):
    """One question, its answer, and the nodes that it took."""

    game: str
    spec: str
    options: str
    answer: str
    nodes: int


def signature() -> Iterator[Counted]:
    """Answer every question of the list afresh."""
    for name, spec, options in CASES:
        result = find_game(name).solve(spec, limits=Limits(memory=1 << 28), options=options)
        words = " ".join(f"--{key} {','.join(value)}" for key, value in options.items())
        yield Counted(name, spec, words, str(result.outcome), result.nodes)
