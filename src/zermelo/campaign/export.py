"""One certificate for a whole campaign, joined from those of its units; and the check of a unit's certificate."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

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


def export_campaign(store: Store, campaign: Campaign, path: Path) -> int:
    """Write one certificate for a finished campaign; return how many units had to be proved again.

    It is the plan's tree, with the proofs of the units at its leaves. The planner stores units in the copy that this
    walk meets (numbers rise ply by ply in its order), so that only repairs and splits make exceptions, which are proved
    again.

    If the claim was refuted, the certificate says that the other player wins. The refuted positions of the plan count
    then: every move of the player who was claimed to win leads to one, and the other has a move to one.

    :raises ValueError: if it is not finished, or a unit's certificate is damaged.
    """
    status = store.campaign(campaign.name).status
    if status not in (Status.PROVED, Status.REFUTED):
        raise ValueError(f"campaign {campaign.name!r} is neither proved nor refuted")
    game, plan, winner, root = (
        find_game(campaign.game),
        store.plan(campaign),
        winner_by(campaign, status),
        start_of(campaign),
    )
    solver, proved_again = cache(lambda: UnitSolver(campaign.game, DEFAULT_MEMORY)), 0
    units: set[str] = set()
    """Keys of the loser's positions in proofs of units that may be referred to."""
    answers: dict[str, Turn] = {}
    """Key of a unit where the winner moves -> the position after her move, to which it may be referred."""

    def node_of(here: Turn) -> PlanNode:
        node = plan.by_key(here.key)
        if node is None:
            raise ValueError(f"the plan has no position {here.text}")
        return node

    def unit_proof(here: Turn) -> bytearray | None:
        """Return a unit's proof without the claim; None for a position above the units."""
        nonlocal proved_again
        node = node_of(here)
        if node.kind is not Kind.UNIT:
            return None
        if node.status is not status:
            raise ValueError(f"unit {node.id} is not {status.name.lower()}")
        claim = claim_of(here, winner)
        proof = proof_in(store.certificate(node.id), claim)
        if proof is None:  # none, of another copy of the position, or damaged
            proof = proof_in(solver().prove(here)[1], claim)
            proved_again += 1
        if proof is None:
            raise ValueError(f"unit {node.id} cannot be proved again")
        return bytearray(proof)

    def answer(here: Turn) -> tuple[Chunk, Turn | None]:
        if here.key in answers:
            return moved(here, {answers[here.key].key})
        proof = unit_proof(here)
        if proof is None:
            if here.decided == winner:
                return bytes([OVER]), None
            wanted = [one for one in plan.children(node_of(here)) if status is Status.PROVED or one.status is status]
            return moved(here, {Turn.read(game, child.position).key for child in wanted})
        reader = Bytes(bytes(proof))
        tag = reader.varint()
        if tag >= FIRST_MOVE and (tag_of_kept := game.kept_tag(reader.byte())) is not None:
            # The position after her move can be referred to from now on.
            proof[reader.at - 1] = tag_of_kept
            answers[here.key] = here.after(here.moves(winner)[tag - FIRST_MOVE])
            units.add(answers[here.key].key)
        return proof, None

    def moved(here: Turn, wanted: set[str]) -> tuple[Chunk, Turn]:
        for number, child in enumerate(here.children(winner)):
            if child.key in wanted:
                return varint(FIRST_MOVE + number), child
        raise ValueError(f"no move from {here.text} to the planned position")

    def replies(here: Turn) -> Sequence[Turn] | Chunk:
        proof = unit_proof(here)
        if proof is None:
            return here.children(winner)
        if (tag_of_kept := game.kept_tag(proof[0])) is not None:
            proof[0] = tag_of_kept
            units.add(here.key)
        return proof

    with scratch_name(path) as raw:
        with raw.open("wb") as out:
            write_strategy(
                root,
                root.player != winner,
                answer=answer,
                replies=replies,
                key=lambda here: here.key,
                settle=lambda here: bytes([REF]) if here.key in units else None,
                keep_all=True,
                put=out.write,
            )
        compress_proof(claim_of(root, winner), raw, path)
    return proved_again
