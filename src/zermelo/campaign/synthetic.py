"""A made-up game whose plan has exactly the shape wanted: for tests of the store and the engine, and for load runs.

``spec`` is ``WIDTHxDEPTH:SEED``: at the claimed winner's positions there are three moves, at the other's WIDTH;
after DEPTH plies the winner of each position is drawn by a hash, so that about one in 50 of the last choices of a
player goes wrong for A.
"""

from __future__ import annotations

import re
from hashlib import blake2b


class SyntheticGame:
    """A tree game with drawn results; player ``A`` starts."""

    name = "synthetic"

    def __init__(self, spec: str) -> None:
        match = re.fullmatch(r"(\d{1,7})x(\d{1,2})(?::(\d{1,9}))?", spec)
        if not match:
            raise ValueError(f"synthetic game {spec[:20]!r} is not understood: write 20x4 or 20x4:7")
        self.spec = spec
        self.width, self.depth, self.seed = int(match[1]), int(match[2]), int(match[3] or 0)

    def root(self) -> str:
        return "A"

    def winners(self) -> tuple[str, ...]:
        return ("A", "B")

    def key(self, position: str) -> str:
        return position

    def mover(self, position: str) -> str:
        return "AB"[position.count(".") % 2]

    def _draw(self, position: str) -> int:
        text = f"{self.seed}/{position}".encode()
        return int.from_bytes(blake2b(text, digest_size=4).digest(), "big")

    def decided(self, position: str) -> str | None:
        if position.count(".") < self.depth:
            return None
        rare = 50 * self.width if self.depth % 2 == 0 else 50
        return "B" if self._draw(position) % rare == 0 else "A"

    def children(self, position: str) -> list[str]:
        count = 3 if self.mover(position) == "A" else self.width
        return [f"{position}.{number}" for number in range(count)]

    def ordered(self, position: str) -> list[str]:
        return self.children(position)

    def features(self, position: str, winner: str) -> tuple[float, ...]:
        return (float(self.depth - position.count(".")),)

    def describe(self, position: str) -> str:
        return position
