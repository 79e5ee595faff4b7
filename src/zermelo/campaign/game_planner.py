"""Plans of games that name their own units: the search ends at them, and a finished one may answer for others."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from zermelo.campaign.planner import Planner
from zermelo.game.units import KnownUnit, Status, Tree, UnitResult
from zermelo.store.plan import Child, Plan
from zermelo.store.records import Kind, PlanNode


class GamePlanner(Planner):
    """For games that plan themselves: they name the units anew whenever some are finished.

    The root is the first unit; what is heavy is split. A finished unit may answer for others, which are no longer
    worked on, and its result may lead to others.
    """

    def __init__(self, tree: Tree, plan: Plan, *, cut: int, certificate: Callable[[int], bytes | None]) -> None:
        """Prepare to plan; ``certificate`` returns that of a unit by its number in the plan."""
        super().__init__(tree, plan, cut=cut)
        self._certificate = certificate
        self._regions: dict[int, tuple[int, ...]] = {}
        self._winner: str | None = None
        self._wanted: list[tuple[str, int]] | None = None
        self._took, self._planned = 0.0, 0.0

    def grow(self, *, on_portion: Callable[[int], None] | None = None) -> None:
        root = self.tree.root()
        self.plan.begin(Child(self.tree.key(root), root))
        if self._wanted is None:
            self.repair()

    def concerned(self, results: Sequence[UnitResult]) -> bool:
        root = self.plan.root()
        for result in results:
            if result.certificate is not None and (root is None or result.node != root.id):  # the root ends it all
                self._regions[result.node] = self._region(self.plan.node(result.node), result.certificate)
        # Planning shall take a small part of the time; when nothing is left to do, verdict() plans.
        return bool(results) and time.monotonic() - self._planned > 4 * self._took

    def _region(self, unit: PlanNode, certificate: bytes | None) -> tuple[int, ...]:
        return self.tree.region(unit.position, certificate) if certificate is not None else ()

    def _known(self) -> list[KnownUnit]:
        known = []
        for unit in self.plan.nodes("campaign = ? AND kind = 1 AND status IN (1, 2)", (self.plan.campaign,)):
            if unit.id not in self._regions:
                self._regions[unit.id] = self._region(unit, self._certificate(unit.id))
            winner = self.tree.winner if unit.status is Status.PROVED else self.tree.loser
            known.append(KnownUnit(unit.position, winner, self._regions[unit.id]))
        return known

    def repair(self) -> int:
        root = self.plan.root()
        if root is None or root.status is not Status.OPEN:
            return 0
        begin = time.monotonic()
        split = self.plan.nodes("campaign = ? AND kind = 3", (self.plan.campaign,))
        winner, units = self.tree.plan(self.cut, [unit.position for unit in split], self._known())
        self._winner = winner or self._winner
        changed, self._wanted = units != self._wanted, units
        children = [(Child(self.tree.key(position), position), ply) for position, ply in units]
        alone = [child.key for child, _ in children] == [self.tree.key(root.position)]
        if alone or winner not in (None, self.tree.joined):
            if root.kind is not Kind.UNIT:  # what is not joined from units has a certificate of its own
                self.plan.make_unit(root)
                self.plan.sweep()
        elif changed:
            self.plan.rest_on(root, children)
        self._planned = time.monotonic()
        self._took = self._planned - begin
        return int(changed)

    def recheck_root(self, spent: int) -> bool:
        return False  # the root was the first unit

    def split(self, node: PlanNode) -> int:
        if self._winner is not None:
            # Who wins is known, only the root's certificate is too much for a unit: whoever wants it has more time.
            self.plan.conclude(node, self.tree.verdict(self._winner))
            return 0
        self.plan.open_up(node)
        self._wanted = None
        return self.repair()

    def verdict(self) -> Status:
        self._winner = None
        self.repair()
        root = self.plan.root()
        if root is not None and root.status in (Status.PROVED, Status.REFUTED):
            return root.status
        return self.tree.verdict(self._winner) if self._winner == self.tree.joined else Status.OPEN
