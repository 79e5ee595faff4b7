"""One certificate for a whole campaign: the plan's tree with the units' certificates at its leaves.

The certificate is written in the order of play. A position met again is a reference, so each unit's certificate is
needed once, in the mirror image in which the walk meets it first; the planner stores units in just that image
(ids rise ply by ply in the order of this walk), so that only repairs and splits make exceptions, which are proved
again here.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from zermelo.campaign.certificate import ALL, KEEP, MOVE, REF, claim, proof_of, read_varint
from zermelo.campaign.domineering import DomineeringGame
from zermelo.proof.container import header, varint
from zermelo.store import Kind, Status, Store
from zermelo.store.plan import Plan, PlanNode

Prover = Callable[[str], bytes | None]


class DomineeringExport:
    """Writes the certificate of a proved Domineering campaign."""

    def __init__(self, store: Store, plan: Plan, game: DomineeringGame, prove: Prover) -> None:
        self.store = store
        self.plan = plan
        self.game = game
        self.prove = prove
        self.proved_again = 0
        self._remembered: set[str] = set()
        self._answers: dict[str, str] = {}  # unit where the winner moves -> key after her move

    def write(self, path: Path) -> None:
        """Write the certificate, whole or not at all.

        :raises ValueError: if a unit has no certificate and cannot be proved again.
        """
        temporary = path.with_name(f".{path.name}.part")
        try:
            with temporary.open("wb") as file:
                self._write(file)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def _write(self, file: BinaryIO) -> None:
        self._file = file
        self._packer = zlib.compressobj(6)
        file.write(header())
        root = self.game.root()
        self._put(claim(self.game, root))
        if self.game.mover(root) == self.game.winner:
            self._winner_moves(root)
        else:
            self._loser_moves(root)
        file.write(self._packer.flush())

    def _put(self, data: bytes) -> None:
        self._file.write(self._packer.compress(data))

    def _node(self, position: str) -> PlanNode:
        node = self.plan.by_key(self.game.key(position))
        if node is None:
            raise ValueError(f"the plan has no position {self.game.describe(position)}")
        return node

    def _winner_moves(self, position: str) -> None:
        key = self.game.key(position)
        if key in self._answers:
            self._put_move(position, self._answers[key])
            self._put(bytes([REF]))
            return
        node = self._node(position)
        if node.kind is Kind.UNIT:
            proof = bytearray(self._proof(node, position))
            tag, after = read_varint(proof, 0)
            if tag >= MOVE:
                # The position after her move can be referred to, if it is remembered.
                if proof[after] == ALL:
                    proof[after] = KEEP
                child = self.game.key(self.game.children(position)[tag - MOVE])
                if proof[after] in (KEEP, REF):
                    self._answers[key] = child
                    self._remembered.add(child)
            self._put(bytes(proof))
            return
        (child_node,) = self.plan.children(node)
        child_position = self._put_move(position, self.game.key(child_node.position))
        self._loser_moves(child_position)

    def _put_move(self, position: str, child_key: str) -> str:
        for number, child in enumerate(self.game.children(position)):
            if self.game.key(child) == child_key:
                self._put(varint(MOVE + number))
                return child
        raise ValueError(f"no move from {self.game.describe(position)} to the planned position")

    def _loser_moves(self, position: str) -> None:
        key = self.game.key(position)
        if key in self._remembered:
            self._put(bytes([REF]))
            return
        node = self._node(position)
        if node.kind is Kind.UNIT:
            proof = bytearray(self._proof(node, position))
            if proof[0] == ALL:
                proof[0] = KEEP
            self._put(bytes(proof))
            if proof[0] in (KEEP, REF):
                self._remembered.add(key)
            return
        self._put(bytes([KEEP]))
        for child in self.game.children(position):
            self._winner_moves(child)
        self._remembered.add(key)

    def _proof(self, node: PlanNode, position: str) -> bytes:
        """Return a unit's proof for the mirror image that the walk has met."""
        if node.status is not Status.PROVED:
            raise ValueError(f"unit {node.id} is not proved")
        stored = self.store.certificate(node.id) if node.position == position else None
        if stored is None:
            stored = self.prove(position)
            self.proved_again += 1
        proof = proof_of(stored, self.game, position) if stored is not None else None
        if proof is None:
            raise ValueError(
                f"unit {node.id} has no certificate; run the campaign without --trust, "
                "or with a solver that writes certificates"
            )
        return proof
