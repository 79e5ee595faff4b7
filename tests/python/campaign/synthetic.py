"""A made-up game whose plan has exactly the shape wanted: for tests of the store and of executors, and for load runs.

``spec`` is ``WIDTHxDEPTH:SEED``: at the claimed winner's positions there are three moves, at the other's WIDTH;
after DEPTH plies the winner of each position is drawn by a hash, so that about one in 50 of the last choices of a
player goes wrong for A.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

from zermelo.game import Answer, Game, Player, Position
from zermelo.game.units import Tree

HERE = Path(__file__).parent


class SyntheticTree(Tree):
    """A tree game with drawn results; player ``A`` starts."""

    name = "synthetic"
    winners = ("A", "B")
    first = ""

    def __init__(self, spec: str, first: str = "", winner: str = "") -> None:
        match = re.fullmatch(r"(\d{1,7})x(\d{1,2})(?::(\d{1,9}))?", spec)
        assert match
        self.spec, self.winner = spec, winner or "A"
        self.width, self.depth, self.seed = int(match[1]), int(match[2]), int(match[3] or 0)

    def for_winner(self, winner: str) -> SyntheticTree:
        return SyntheticTree(self.spec, winner=winner)

    def root(self) -> str:
        return "A"

    def key(self, position: str) -> str:
        return position

    def mover(self, position: str) -> str:
        return "AB"[position.count(".") % 2]

    def decided(self, position: str) -> str | None:
        if position.count(".") < self.depth:
            return None
        rare = 50 * self.width if self.depth % 2 == 0 else 50
        drawn = blake2b(f"{self.seed}/{position}".encode(), digest_size=4).digest()
        return "B" if int.from_bytes(drawn, "big") % rare == 0 else "A"

    def children(self, position: str) -> list[str]:
        count = 3 if self.mover(position) == "A" else self.width
        return [f"{position}.{number}" for number in range(count)]


class SyntheticGame(Game):
    """The game as the registry knows it, in processes that the tests start."""

    name = "synthetic"
    players = ("A", "B")

    def parse(self, text: str) -> Position:
        raise ValueError("there are no positions, only campaigns")

    def outcome(self, starts: Mapping[Player, Answer]) -> str | None:
        return None

    def campaign_tree(self, spec: str, first: Player, winner: Player) -> SyntheticTree:
        return SyntheticTree(spec, first, winner)


GAME = SyntheticGame()


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Return an environment for processes that know the game: an entry point is written to the folder."""
    about = folder / "synthetic.dist-info"
    about.mkdir(exist_ok=True)
    (about / "METADATA").write_text("Name: synthetic\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[zermelo.games]\nsynthetic = synthetic:GAME\n")
    path = os.pathsep.join([str(HERE), str(folder), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, **more}
