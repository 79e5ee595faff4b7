"""One certificate for a whole campaign, joined from those of its units; and the check of a unit's certificate."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from zermelo.campaign.turn import Turn, start_of
from zermelo.campaign.worker import DEFAULT_MEMORY, UnitSolver
from zermelo.files import scratch_name
from zermelo.game import find_game
from zermelo.proof.checking import Checker
from zermelo.proof.container import Bytes, compress_proof, payload_of, varint
from zermelo.proof.play import FIRST_MOVE, OVER, REF, Chunk, write_strategy
from zermelo.store import Campaign, Kind, PlanNode, Status, Store, UnitResult


def winner_by(campaign: Campaign, status: Status) -> str:
    """Return the player who wins if the claim is proved or refuted."""
    return campaign.winner if status is Status.PROVED else find_game(campaign.game).other(campaign.winner)


def claim_of(turn: Turn, winner: str) -> bytes:
    """Return a certificate's claim that a player wins here."""
    return turn.position.game.claim_bytes(turn.position, turn.player, winner)


def proof_in(certificate: bytes | None, claim: bytes) -> bytes | None:
    """Return the proof inside a certificate of exactly this claim; None if it claims something else, or is damaged."""
    try:
        payload = payload_of(certificate or b"")
    except ValueError:
        return None
    return payload[len(claim) :] if payload.startswith(claim) else None


def certificate_check(campaign: Campaign, checker: Checker) -> Callable[[str, UnitResult], bool]:
    """Return a function that accepts a result only if its certificate proves exactly that result.

    :raises ValueError: if there are no certificates of this game.
    """
    game = find_game(campaign.game)
    if not game.claim_codes:
        raise ValueError(f"the checkers do not know the rules of {game.title}: --trust counts answers without a proof")

    def accept(position: str, result: UnitResult) -> bool:
        claim = claim_of(Turn.read(game, position), winner_by(campaign, result.status))
        if result.certificate is None or proof_in(result.certificate, claim) is None:
            return False
        with tempfile.NamedTemporaryFile(suffix=".zcert") as file:
            file.write(result.certificate)
            file.flush()
            return checker.check(file.name).verified

    return accept


class PlanProof:
    """Writes the proof of a finished plan: its tree, with the proofs of the units at its leaves.

    The planner stores units in the copy that this walk meets (numbers rise ply by ply in its order), so that only
    repairs and splits make exceptions, which are proved again.

    Where the claim was refuted, the refuted positions of the plan count: every move of the player who was claimed to
    win leads to one, and the other has a move to one.
    """

    def __init__(self, store: Store, campaign: Campaign) -> None:
        self.status = store.campaign(campaign.name).status
        if self.status not in (Status.PROVED, Status.REFUTED):
            raise ValueError(f"campaign {campaign.name!r} is neither proved nor refuted")
        self.winner = winner_by(campaign, self.status)
        self.root = start_of(campaign)
        self.proved_again = 0
        self._store, self._campaign, self._plan = store, campaign, store.plan(campaign)
        self._game = find_game(campaign.game)
        self._solver: UnitSolver | None = None

    def _node(self, here: Turn) -> PlanNode:
        node = self._plan.by_key(here.key)
        if node is None:
            raise ValueError(f"the plan has no position {here.text}")
        return node

    def _is_unit(self, here: Turn) -> bool:
        return self._node(here).kind is Kind.UNIT

    def _chosen(self, here: Turn) -> set[str]:
        """Return the keys of the positions to one of which the winner moves."""
        children = self._plan.children(self._node(here))
        wanted = [child for child in children if self.status is Status.PROVED or child.status is self.status]
        return {Turn.read(self._game, child.position).key for child in wanted}

    def _unit(self, here: Turn) -> bytes:
        """Return a unit's proof without the claim."""
        node = self._node(here)
        if node.status is not self.status:
            raise ValueError(f"unit {node.id} is not {self.status.name.lower()}")
        claim, certificate = claim_of(here, self.winner), self._store.certificate(node.id)
        if proof_in(certificate, claim) is None:  # none, of another copy of the position, or damaged
            self._solver = self._solver or UnitSolver(self._campaign.game, DEFAULT_MEMORY)
            certificate = self._solver.prove(here)[1]
            self.proved_again += 1
        proof = proof_in(certificate, claim)
        if certificate is None or proof is None:
            raise ValueError(f"unit {node.id} cannot be proved again")
        return proof

    def write(self, out: BinaryIO) -> None:
        """Write the proof of the root, without its claim.

        :raises ValueError: if a unit's certificate is damaged.
        """
        units: set[str] = set()
        """Keys of the loser's positions in proofs of units that may be referred to."""
        answers: dict[str, Turn] = {}
        """Key of a unit where the winner moves -> the position after her move, to which it may be referred."""

        def answer(here: Turn) -> tuple[Chunk, Turn | None]:
            if here.key in answers:
                return moved(here, {answers[here.key].key})
            if here.decided == self.winner and not self._is_unit(here):
                return bytes([OVER]), None
            if not self._is_unit(here):
                return moved(here, self._chosen(here))
            proof = bytearray(self._unit(here))
            reader = Bytes(bytes(proof))
            tag = reader.varint()
            if tag >= FIRST_MOVE and (tag_of_kept := self._game.kept_tag(reader.byte())) is not None:
                # The position after her move can be referred to from now on.
                proof[reader.at - 1] = tag_of_kept
                answers[here.key] = here.after(here.moves(self.winner)[tag - FIRST_MOVE])
                units.add(answers[here.key].key)
            return proof, None

        def moved(here: Turn, wanted: set[str]) -> tuple[Chunk, Turn]:
            for number, child in enumerate(here.children(self.winner)):
                if child.key in wanted:
                    return varint(FIRST_MOVE + number), child
            raise ValueError(f"no move from {here.text} to the planned position")

        def replies(here: Turn) -> Sequence[Turn] | Chunk:
            if not self._is_unit(here):
                return here.children(self.winner)
            proof = bytearray(self._unit(here))
            if (tag_of_kept := self._game.kept_tag(proof[0])) is not None:
                proof[0] = tag_of_kept
                units.add(here.key)
            return proof

        write_strategy(
            self.root,
            self.root.player != self.winner,
            answer=answer,
            replies=replies,
            key=lambda here: here.key,
            settle=lambda here: bytes([REF]) if here.key in units else None,
            keep_all=True,
            put=out.write,
        )


def export_campaign(store: Store, campaign: Campaign, path: Path) -> int:
    """Write one certificate for a finished campaign; return how many units had to be proved again.

    If the claim was refuted, the certificate says that the other player wins.

    :raises ValueError: if it is not finished, or a unit's certificate is damaged.
    """
    proof = PlanProof(store, campaign)
    with scratch_name(path) as raw:
        with raw.open("wb") as out:
            proof.write(out)
        compress_proof(claim_of(proof.root, proof.winner), raw, path)
    return proof.proved_again
