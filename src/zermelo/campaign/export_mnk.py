"""One certificate for an m,n,k campaign: the units' records one after the other, and a step for each position above.

A record may be referred to through a symmetry of the board, so that a unit's certificate serves all its images, and
nothing is proved twice.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from zermelo.campaign.certificate import payload_of, read_varint, whole_file
from zermelo.campaign.certificate_mnk import EDGE, END, PAIRS, STEP, SUM, claim, count_records, edges, images
from zermelo.campaign.mnk import MnkGame
from zermelo.proof.container import varint
from zermelo.store import Kind, Status, Store
from zermelo.store.plan import Plan, PlanNode

Prover = Callable[[str], bytes | None]


class Claim(NamedTuple):
    """A record that proves a position with the loser to move."""

    record: int
    position: str


class Reply(NamedTuple):
    """The winner's move in a position, and what proves the position after it."""

    position: str
    cell: int
    claim: Claim


class MnkExport:
    """Writes the certificate of a finished m,n,k campaign: of the claim, or of the other player's win."""

    def __init__(self, store: Store, plan: Plan, game: MnkGame, winner: str, status: Status, prove: Prover) -> None:
        self.store = store
        self.plan = plan
        self.game = game
        self.winner = winner
        self.status = status
        self.prove = prove
        self.proved_again = 0
        self._maps = images(game)
        self._records = 0
        self._claims: dict[str, Claim] = {}
        self._replies: dict[str, Reply] = {}

    def write(self, path: Path) -> None:
        """Write the certificate, whole or not at all.

        :raises ValueError: if a unit has no certificate and cannot be proved again.
        """
        with whole_file(path) as self._file:
            root = self.game.root()
            self._file.put(claim(self.game, root, self.winner))
            if self.game.mover(root) == self.winner:
                reply = self._won(root)
                self._state(reply.claim, self.game.after(root, reply.cell))
                self._file.put(bytes([END]) + varint(reply.cell))
            else:
                self._state(self._lost(root), root)
                self._file.put(bytes([END]))

    def _state(self, last: Claim, position: str) -> None:
        """Make a claim the last record, as it stands."""
        if last.record != self._records - 1 or last.position != position:
            if self.winner == "maker":
                raise ValueError("the plan's last position is a mirror image of an earlier one")
            self._file.put(bytes([SUM, 1]) + self._reference(last, position))
            self._records += 1

    # Positions

    def _symmetry(self, here: str, there: str) -> int:
        """Return a symmetry that turns one position into another."""
        wanted = self.game.parse(there)
        sides = self.game.parse(here)
        for number, image in enumerate(self._maps):
            turned = tuple(sum(1 << image[cell] for cell in range(len(image)) if side >> cell & 1) for side in sides)
            if turned == wanted:
                return number
        raise ValueError("two positions of one key are no mirror images")

    def _reference(self, to: Claim, position: str) -> bytes:
        return varint(self._records - to.record) + varint(self._symmetry(to.position, position))

    def _node(self, position: str) -> PlanNode:
        node = self.plan.by_key(self.game.key(position))
        if node is None:
            raise ValueError(f"the plan has no position {self.game.describe(position)}")
        return node

    # Records

    def _lost(self, position: str) -> Claim:
        """Return the claim for a position with the loser to move, written if it is new."""
        key = self.game.key(position)
        if key not in self._claims:
            node = self._node(position)
            if node.kind is Kind.UNIT:
                self._claims[key], _ = self._unit(node)
            elif self.game.decided(position) == self.winner:
                self._claims[key] = self._ended(position)
            else:
                self._claims[key] = self._step(position)
        return self._claims[key]

    def _ended(self, position: str) -> Claim:
        if self.winner == "breaker":
            self._file.put(bytes([PAIRS, 0]))
        else:
            maker, _ = self.game.parse(position)
            lines = edges(self.game)
            line = next(number for number, line in enumerate(lines) if not line & ~maker)
            self._file.put(bytes([EDGE]) + varint(line))
        self._records += 1
        return Claim(self._records - 1, position)

    def _step(self, position: str) -> Claim:
        replies = []
        for child in self.game.children(position):
            found = self._won(child)
            symmetry = self._symmetry(found.position, child)
            cell = self._maps[symmetry][found.cell]
            replies.append((cell, found.claim, self.game.after(child, cell)))
        out = b"".join(varint(cell) + self._reference(to, there) for cell, to, there in replies)
        self._file.put(bytes([STEP]) + varint(len(replies)) + out)
        self._records += 1
        return Claim(self._records - 1, position)

    def _won(self, position: str) -> Reply:
        """Return the winner's move in a position, and what proves it."""
        key = self.game.key(position)
        if key not in self._replies:
            node = self._node(position)
            if node.kind is Kind.UNIT:
                after, cell = self._unit(node)
                assert cell is not None
                self._replies[key] = Reply(node.position, cell, after)
            else:
                self._replies[key] = self._chosen(node, position)
        return self._replies[key]

    def _chosen(self, node: PlanNode, position: str) -> Reply:
        wanted = {
            self.game.key(child.position): child.position
            for child in self.plan.children(node)
            if self.status is Status.PROVED or child.status is self.status
        }
        moves = self.game.moves(position)
        exact = [move for move in moves if move[1] in wanted.values()]
        for cell, child in exact or moves:
            if self.game.key(child) in wanted:
                return Reply(position, cell, self._lost(child))
        raise ValueError(f"no move from {self.game.describe(position)} to the planned position")

    def _unit(self, node: PlanNode) -> tuple[Claim, int | None]:
        """Write a unit's records; return the last one's claim, and the winner's move if she is to move."""
        if node.status is not self.status:
            raise ValueError(f"unit {node.id} is not {self.status.name.lower()}")
        stored = self.store.certificate(node.id)
        if stored is None:
            stored = self.prove(node.position)
            self.proved_again += 1
        head = claim(self.game, node.position, self.winner)
        proof = payload_of(stored, head) if stored is not None else None
        if proof is None:
            raise ValueError(
                f"unit {node.id} has no certificate; run the campaign without --trust, "
                "or with a solver that writes certificates"
            )
        count, end = count_records(proof)
        self._file.put(proof[:end])
        self._records += count
        position, cell = node.position, None
        if self.game.mover(position) == self.winner:
            cell, _ = read_varint(proof, end + 1)
            position = self.game.after(position, cell)
        return Claim(self._records - 1, position), cell
