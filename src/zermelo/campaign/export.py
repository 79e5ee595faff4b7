"""One certificate for a whole campaign: the plan's tree with the units' certificates at its leaves.

The certificate is written in the order of play. A position met again is a reference, so each unit's certificate is
needed once, in the mirror image in which the walk meets it first; the planner stores units in just that image
(ids rise ply by ply in the order of this walk), so that only repairs and splits make exceptions, which are proved
again here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from zermelo.campaign.certificate import (
    can_be_referred_to,
    claim,
    proof_of,
    read_varint,
    remembered,
    version_of,
    whole_file,
)
from zermelo.campaign.domineering import DomineeringGame
from zermelo.proof.container import varint
from zermelo.proof.strategy import FIRST_MOVE, KEEP, REF
from zermelo.store import Kind, Status, Store
from zermelo.store.plan import Plan, PlanNode

Prover = Callable[[str], bytes | None]


class DomineeringExport:
    """Writes the certificate of a finished Domineering campaign: ``status`` says of which positions.

    In a refuted campaign ``game`` has the other player as the winner. Of the plan's positions those count then that
    are refuted: every move of the player who was claimed to win leads to one, and the other has a move to one.
    """

    def __init__(self, store: Store, plan: Plan, game: DomineeringGame, status: Status, prove: Prover) -> None:
        self.store = store
        self.plan = plan
        self.game = game
        self.status = status
        self.prove = prove
        self.proved_again = 0
        self._remembered: set[str] = set()
        self._answers: dict[str, str] = {}  # unit where the winner moves -> key after her move

    def write(self, path: Path) -> None:
        """Write the certificate, whole or not at all.

        :raises ValueError: if a unit has no certificate and cannot be proved again.
        """
        with whole_file(path) as self._file:
            self._put = self._file.put
            root = self.game.root()
            self._put(claim(self.game, root))
            if self.game.mover(root) == self.game.winner:
                self._winner_moves(root)
            else:
                self._loser_moves(root)

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
            if tag >= FIRST_MOVE:
                # The position after her move can be referred to, if it is remembered.
                proof[after] = remembered(proof[after])
                child = self.game.key(self.game.children(position)[tag - FIRST_MOVE])
                if can_be_referred_to(proof[after]):
                    self._answers[key] = child
                    self._remembered.add(child)
            self._put(bytes(proof))
            return
        child_node = next(
            child for child in self.plan.children(node) if self.status is Status.PROVED or child.status is self.status
        )
        child_position = self._put_move(position, self.game.key(child_node.position))
        self._loser_moves(child_position)

    def _put_move(self, position: str, child_key: str) -> str:
        for number, child in enumerate(self.game.children(position)):
            if self.game.key(child) == child_key:
                self._put(varint(FIRST_MOVE + number))
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
            proof[0] = remembered(proof[0])
            self._put(bytes(proof))
            if can_be_referred_to(proof[0]):
                self._remembered.add(key)
            return
        self._put(bytes([KEEP]))
        for child in self.game.children(position):
            self._winner_moves(child)
        self._remembered.add(key)

    def _proof(self, node: PlanNode, position: str) -> bytes:
        """Return a unit's proof for the mirror image that the walk has met."""
        if node.status is not self.status:
            raise ValueError(f"unit {node.id} is not {self.status.name.lower()}")
        stored = self.store.certificate(node.id) if node.position == position else None
        if stored is None:
            stored = self.prove(position)
            self.proved_again += 1
        proof = proof_of(stored, self.game, position) if stored is not None else None
        if stored is None or proof is None:
            raise ValueError(
                f"unit {node.id} has no certificate; run the campaign without --trust, "
                "or with a solver that writes certificates"
            )
        self._file.version = max(self._file.version, version_of(stored))
        return proof
