"""One certificate for a whole campaign, joined from the certificates of its units, and what accepts a unit's."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from zermelo.campaign.worker import campaign_tree, make_solver
from zermelo.files import scratch_name
from zermelo.game.units import Status, Tree, UnitResult, UnitSolver
from zermelo.proof.checking import Checker
from zermelo.proof.container import compress_proof, payload_of
from zermelo.store import Campaign, Kind, PlanNode, Store


def proof_in(certificate: bytes | None, claim: bytes) -> bytes | None:
    """Return the proof inside a certificate of just this claim; None if it is about something else, or damaged."""
    try:
        payload = payload_of(certificate or b"")
    except ValueError:
        return None
    return payload[len(claim) :] if payload.startswith(claim) else None


def claimed_tree(tree: Tree, status: Status) -> Tree:
    """Return the tree whose winner is the one who wins: the other player where the claim is refuted."""
    return tree if status is Status.PROVED else tree.for_winner(tree.loser)


def certificate_check(tree: Tree, checker: Checker) -> Callable[[str, UnitResult], bool]:
    """Return what accepts an answer only with a certificate of just that answer, verified by the checker.

    :raises ValueError: if there are no certificates for this game.
    """
    trees = {status: claimed_tree(tree, status) for status in (Status.PROVED, Status.REFUTED)}
    try:
        tree.claim(tree.root())
    except ValueError as error:
        raise ValueError(f"{error}; --trust counts answers without certificates") from None

    def accept(position: str, found: UnitResult) -> bool:
        if found.certificate is None or proof_in(found.certificate, trees[found.status].claim(position)) is None:
            return False
        with tempfile.NamedTemporaryFile(suffix=".zcert") as file:
            file.write(found.certificate)
            file.flush()
            return checker.check(file.name).verified

    return accept


class StoredPieces:
    """The proofs of a finished campaign's units, by position; what is missing is proved again.

    Where the claim was refuted, those positions of the plan count that are refuted: every move of the player who was
    claimed to win leads to one, and the other has a move to one.
    """

    def __init__(self, store: Store, campaign: Campaign, tree: Tree, solver: str) -> None:
        self.status = store.campaign(campaign.name).status
        if self.status not in (Status.PROVED, Status.REFUTED):
            raise ValueError(f"campaign {campaign.name!r} is neither proved nor refuted")
        self.tree = claimed_tree(tree, self.status)
        self.proved_again = 0
        self._store = store
        self._plan = store.plan(campaign)
        self._claimed, self._solver_name = tree, solver
        self._solver: UnitSolver | None = None

    def _node(self, position: str) -> PlanNode:
        node = self._plan.by_key(self.tree.key(position))
        if node is None:
            raise ValueError(f"the plan has no position {self.tree.describe(position)}")
        return node

    def units(self) -> Iterator[tuple[str, bytes]]:
        for node in self._plan.units():
            if node.status is self.status:
                yield node.position, self.unit(node.position)

    def is_unit(self, position: str) -> bool:
        return self._node(position).kind is Kind.UNIT

    def chosen(self, position: str) -> list[str]:
        children = self._plan.children(self._node(position))
        wanted = [child for child in children if self.status is Status.PROVED or child.status is self.status]
        return [child.position for child in wanted]

    def unit(self, position: str) -> bytes:
        node = self._node(position)
        if node.status is not self.status:
            raise ValueError(f"unit {node.id} is not {self.status.name.lower()}")
        certificate = self._store.certificate(node.id) if node.position == position else None
        if certificate is None:
            self._solver = self._solver or make_solver(self._claimed, self._solver_name, certify=True)
            certificate = self._solver.solve(position, nodes=1 << 62, certify=True).certificate
            self.proved_again += 1
        proof = proof_in(certificate, self.tree.claim(position))
        if certificate is None or proof is None:
            raise ValueError(
                f"unit {node.id} has no certificate; run the campaign without --trust, "
                "or with a solver that writes certificates"
            )
        return proof


def export_campaign(store: Store, campaign: Campaign, path: Path, *, solver: str = "auto") -> int:
    """Write one certificate for a finished campaign; return how many units had to be proved again.

    If the claim was refuted, the certificate says that the other player wins.

    :raises ValueError: if it is not finished, or units have no certificates.
    """
    pieces = StoredPieces(store, campaign, campaign_tree(campaign), solver)
    with scratch_name(path) as raw:
        with raw.open("wb") as out:
            pieces.tree.join(pieces, out.write)
        compress_proof(pieces.tree.claim(pieces.tree.root()), raw, path)
    return pieces.proved_again
