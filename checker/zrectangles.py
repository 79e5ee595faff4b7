"""Rectangles of any size: facts, each proved by a strategy or derived from earlier ones (FORMAT.md 7)."""

from __future__ import annotations

from zdomineering import Domineering
from zformat import Budget, Reader, malformed, reject

FINISH, PROOF, TURN, ROW, CUT, SPLIT, EDGE_SPLIT, DOUBLE = range(8)
V, H = 0, 1
MAX_SIDE = 10**9


class Rectangles:
    """A fact is (rows, cols, starter, winner)."""

    def __init__(self, reader: Reader, budget: Budget) -> None:
        self.reader = reader
        self.budget = budget
        self.nodes = 0
        self.wanted = (self.side(), self.side(), reader.number(2, "starter"), reader.number(2, "winner"))
        rows, cols, starter, winner = self.wanted
        self.claim = {
            "game": "rectangle", "spec": f"{rows}x{cols}", "starter": "VH"[starter], "winner": "VH"[winner],
        }  # fmt: skip
        self.facts: list[tuple[int, int, int, int]] = []

    def side(self) -> int:
        value = self.reader.number(MAX_SIDE + 1, "side")
        if not value:
            raise malformed("a side must be at least 1")
        return value

    def reference(self) -> tuple[int, int, int, int]:
        back = self.reader.varint()
        if not 1 <= back <= len(self.facts):
            raise malformed("a reference to a fact that does not come before")
        return self.facts[-back]

    def check(self) -> None:
        while (tag := self.reader.byte()) != FINISH:
            self.nodes += 1
            self.budget.tick()
            self.budget.store(2)
            fact = self.derive(tag)
            if max(fact[:2]) > MAX_SIDE:
                raise reject("a board that is too large")
            self.facts.append(fact)
        self.reader.end()
        if not self.facts or self.facts[-1] != self.wanted:
            raise reject("the last fact is not the claim")

    def derive(self, tag: int) -> tuple[int, int, int, int]:
        if tag == PROOF:
            game = Domineering(self.reader, self.budget)
            if not game.plain or game.free != (1 << (game.rows * game.cols)) - 1:
                raise reject("a fact must be about an empty rectangle")
            game.prove()
            self.nodes += game.nodes
            rows, cols = map(int, str(game.claim["spec"]).split("x"))
            return (rows, cols, "VH".index(game.claim["starter"]), "VH".index(game.claim["winner"]))
        if tag == TURN:
            rows, cols, starter, winner = self.reference()
            return (cols, rows, 1 - starter, 1 - winner)
        if tag == ROW:
            cols, starter = self.side(), self.reader.number(2, "starter")
            if starter == H and cols < 2:
                raise reject("no room for a domino")
            return (1, cols, starter, H)
        if tag == CUT:
            one, two = self.reference(), self.reference()
            if one[0] != two[0] or one[3] != H or two[3] != H:
                raise reject("a cut needs two boards of one height that Horizontal wins")
            if one[2] == H and two[2] == H:
                raise reject("Horizontal cannot move first in both parts")
            return (one[0], one[1] + two[1], one[2] | two[2], H)
        if tag in (SPLIT, EDGE_SPLIT):
            parts = [self.reference() for _ in range(2 if tag == SPLIT else 1)]
            if any(part[0] != 2 or part[2:] != (H, V) for part in parts):
                raise reject("a split needs boards of two rows that Vertical wins moving second")
            return (2, sum(part[1] for part in parts) + 1, V, V)
        if tag == DOUBLE:
            rows = self.side()
            return (rows, 2 * rows, V, H)
        raise malformed(f"unknown tag {tag}")
