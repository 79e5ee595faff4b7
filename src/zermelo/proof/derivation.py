"""Certificates of rectangles too large to search, by the rules (checker/FORMAT.md 7) from boards that are searched."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from zermelo.domineering.position import Player
from zermelo.proof.container import read_payload, read_version, varint, write_payload
from zermelo.proof.writing import write_domineering

PROOF, TURN, ROW, CUT, SPLIT, EDGE_SPLIT, DOUBLE = range(1, 8)
DEFAULT_LEAF_SQUARES = 42
MAX_SIDE = 400
SEARCHABLE_SIDE = 16

Fact = tuple[int, int, Player, Player]  # rows, cols, starter, winner


def other(player: Player) -> Player:
    """Return the other player."""
    return "H" if player == "V" else "V"


class Searched(NamedTuple):
    """Who wins a small board, with the certificate that says so."""

    winner: Player
    payload: bytes
    version: int


@dataclass
class Deriver:
    """Looks for a derivation of a fact, from the goal down; boards up to ``leaf_squares`` are searched."""

    leaf_squares: int = DEFAULT_LEAF_SQUARES
    why: dict[Fact, tuple[int, tuple[Fact, ...]] | None] = field(default_factory=dict)
    winners: dict[tuple[int, int, Player], Searched] = field(default_factory=dict)

    def searched(self, rows: int, cols: int, starter: Player) -> Searched:
        """Return what a search of a small board has given."""
        key = (rows, cols, starter)
        if key not in self.winners:
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder, "leaf.zc")
                written = write_domineering(f"{rows}x{cols}", starter, file)
                winner: Player = "V" if written.winner == "V" else "H"
                self.winners[key] = Searched(winner, read_payload(file), read_version(file))
        return self.winners[key]

    def derive(self, fact: Fact) -> bool:
        """Say whether a derivation was found; ``why`` then holds its steps."""
        if fact not in self.why:
            self.why[fact] = None  # while it is being derived, it may not be used
            self.why[fact] = self.step(fact)
        return self.why[fact] is not None

    def step(self, fact: Fact) -> tuple[int, tuple[Fact, ...]] | None:
        """Return the rule for a fact and the facts that it needs."""
        rows, cols, starter, winner = fact
        if winner == "H" and rows == 1 and (starter == "V" or cols >= 2):
            return ROW, ()
        if winner == "H" and starter == "V" and cols == 2 * rows:
            return DOUBLE, ()
        if rows * cols <= self.leaf_squares and max(rows, cols) <= SEARCHABLE_SIDE:
            return (PROOF, ()) if self.searched(rows, cols, starter).winner == winner else None
        for rule, needed in self.candidates(fact):
            if all(self.derive(part) for part in needed):
                return rule, needed
        return None

    def candidates(self, fact: Fact) -> list[tuple[int, tuple[Fact, ...]]]:
        """Return the ways in which a fact about a large board could follow."""
        rows, cols, starter, winner = fact
        found: list[tuple[int, tuple[Fact, ...]]] = []
        if winner == "V":
            if rows == 2 and starter == "V":
                found.append((EDGE_SPLIT, ((2, cols - 1, "H", "V"),)))
                for left in range(1, (cols - 1) // 2 + 1):
                    right = cols - 1 - left
                    found.append((SPLIT, ((2, left, "H", "V"), (2, right, "H", "V"))))
            found.append((TURN, ((cols, rows, other(starter), "H"),)))
            return found
        for part in range(1, cols // 2 + 1):
            one, two = part, cols - part
            if starter == "V":
                found.append((CUT, ((rows, one, "V", "H"), (rows, two, "V", "H"))))
            else:
                found.append((CUT, ((rows, one, "H", "H"), (rows, two, "V", "H"))))
                found.append((CUT, ((rows, two, "H", "H"), (rows, one, "V", "H"))))
        return found

    def records(self, goal: Fact) -> tuple[bytes, int]:
        """Return the facts behind a derived goal as the format writes them, and the version of it that they need."""
        out, place, version = bytearray(), dict[Fact, int](), 1

        def write(fact: Fact) -> None:
            nonlocal version
            if fact in place:
                return
            step = self.why[fact]
            assert step is not None
            rule, needed = step
            for part in needed:
                write(part)
            rows, cols, starter, _ = fact
            out.append(rule)
            if rule == PROOF:
                proof = self.searched(rows, cols, starter)
                out.extend(proof.payload[1:])
                version = max(version, proof.version)
            elif rule == ROW:
                out.extend(varint(cols) + bytes(["VH".index(starter)]))
            elif rule == DOUBLE:
                out.extend(varint(rows))
            for part in needed:
                out.extend(varint(len(place) - place[part]))
            place[fact] = len(place)

        write(goal)
        return bytes(out) + b"\x00", version


def write_rectangle(
    rows: int, cols: int, starter: Player, path: str | Path, *, leaf_squares: int = DEFAULT_LEAF_SQUARES
) -> Player | None:
    """Derive who wins an empty rectangle by rules, and write the certificate; None if the rules do not tell.

    :raises ValueError: if a side is not between 1 and 400.
    """
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
        raise ValueError(f"sides must be between 1 and {MAX_SIDE}")
    deriver = Deriver(leaf_squares)
    winners: tuple[Player, ...] = ("H", "V") if cols >= rows else ("V", "H")
    for winner in winners:
        goal: Fact = (rows, cols, starter, winner)
        if deriver.derive(goal):
            head = b"\x04" + varint(rows) + varint(cols)
            head += bytes("VH".index(player) for player in (starter, winner))
            records, version = deriver.records(goal)
            write_payload(head + records, Path(path), version=version)
            return winner
    return None
