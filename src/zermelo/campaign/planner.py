"""Cuts a proof into work units: Bullock's way to 10x10 (thesis, chapter 5), with repairs only where needed.

The claim "W wins" is a tree in which W makes one move at each turn and every move of the other is answered.
The planner walks down to the cut and takes for granted that W wins every position there: these are the units.
When a unit is refuted, the choice above it is taken back: the next move is assumed instead, or, if none is left,
the refutation moves up. Nothing else of the plan changes.

To refute a wrong claim move by move is expensive (7x9: 3,000 units, where one search takes 6,400 nodes). So the root,
and a position whose choice is to be taken back, is searched itself for as many nodes as were spent below it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from zermelo.game.units import Status, Tree, UnitResult
from zermelo.store.plan import Child, Expansion, Plan
from zermelo.store.records import Kind, PlanNode

PORTION = 2000
PROBED_MOVES = 8
MOST_SEARCHED = 300_000
"""Nodes: a repair shall not hold up the runner for more than two seconds or so."""

Probe = Callable[[str, int], Status]
"""A search of a position within so many nodes; OPEN if that does not decide it."""


class Planner:
    """Grows and repairs one campaign's plan."""

    def __init__(self, tree: Tree, plan: Plan, *, cut: int, search: Probe | None = None, probe: int = 0) -> None:
        """Prepare to plan.

        :param cut: positions of this ply are units.
        :param search: looks at positions before they are planned; without it moves are taken as they come.
        :param probe: nodes of a very short search: what it decides is a unit above the cut already, and at the
            winner's turn a move that it proves is taken first.
        """
        if cut < 0:
            raise ValueError(f"cut {cut} is not a ply: 0 or more")
        self.tree = tree
        self.plan = plan
        self.cut = cut
        self.search = search
        self.probe = probe
        self.estimate: Callable[[str], float] | None = None
        self._searched_for: dict[int, int] = {}  # position -> nodes

    def grow(self, *, on_portion: Callable[[int], None] | None = None) -> None:
        """Expand everything above the cut; may be killed and called again at any time."""
        root = self.tree.root()
        self.plan.begin(Child(self.tree.key(root), root))
        while portion := self.plan.new_nodes(PORTION):
            for part in self._expansions(portion):
                self.plan.expand(part)
            if on_portion:
                on_portion(portion[-1].ply)

    def _expansions(self, portion: list[PlanNode]) -> Iterator[list[Expansion]]:
        """Expand positions, so many at a time that their children fit in a bounded amount of memory."""
        part: list[Expansion] = []
        children = 0
        for node in portion:
            part.append(self._expansion(node, node.ply < self.cut))
            children += len(part[-1].children)
            if children >= PORTION:
                yield part
                part, children = [], 0
        yield part

    def _expansion(self, node: PlanNode, inner: bool) -> Expansion:
        decided = self.tree.verdict(self.tree.decided(node.position))
        kind = Kind.CHOICE if self.tree.mover(node.position) == self.tree.winner else Kind.ALL
        if decided is not Status.OPEN:
            return Expansion(node, kind, decided)
        if not inner or self._searched(node.position, self.probe) is not Status.OPEN:
            estimate = self.estimate(node.position) if self.estimate else None
            return Expansion(node, Kind.UNIT, estimate=estimate)
        if kind is Kind.ALL:
            return Expansion(node, kind, children=self._keyed(self.tree.children(node.position)))
        best = self._choose(node.position)
        if best is None:
            return Expansion(node, kind, Status.REFUTED)
        return Expansion(node, kind, children=(best,))

    def _searched(self, position: str, nodes: int) -> Status:
        return self.search(position, nodes) if self.search and nodes > 0 else Status.OPEN

    def _keyed(self, positions: list[str]) -> tuple[Child, ...]:
        """Return positions with their keys, the first of each key only."""
        first: dict[str, str] = {}
        for position in positions:
            first.setdefault(self.tree.key(position), position)
        return tuple(Child(key, position) for key, position in first.items())

    def _choose(self, position: str) -> Child | None:
        """Return the move to assume: the first one that a probe proves, else the first that nothing speaks against."""
        children = self._keyed(self.tree.ordered(position))
        refuted = self.plan.refuted_among([child.key for child in children])
        left = [child for child in children if child.key not in refuted]
        unknown = None
        for child in left[:PROBED_MOVES]:
            status = self._searched(child.position, self.probe)
            if status is Status.PROVED:
                return child
            if status is Status.OPEN and unknown is None:
                unknown = child
        # What a probe refutes is not recorded: the last resort is a unit, so that a worker refutes it for all to see.
        rest = left[PROBED_MOVES:]
        return unknown or (rest[0] if rest else left[0] if left else None)

    def repair(self) -> int:
        """Take back every assumption that was refuted and plan the replacements; return how many."""
        count = 0
        while True:
            while portion := self.plan.broken():
                for node in portion:
                    self._repair_node(node)
                    count += 1
            self.grow()
            if not self.plan.broken(1):
                break
        if count:
            self.plan.sweep()
        return count

    def _repair_node(self, node: PlanNode) -> None:
        if node.kind is Kind.ALL:
            best = None
        elif self._searched_again(node, self.plan.nodes_below(node)) is not Status.OPEN:
            self.plan.make_unit(node)  # so that a worker finds it again, for all to see
            return
        else:
            best = self._choose(node.position)
        if best is None:
            self.plan.conclude(node, Status.REFUTED)
        else:
            self.plan.choose(node, best)

    def concerned(self, results: Sequence[UnitResult]) -> bool:
        """Whether results may change the plan."""
        return any(result.status is Status.REFUTED for result in results)

    def recheck_root(self, spent: int) -> bool:
        """Search the root for as many nodes as were spent so far; if the claim is wrong, let it be the only unit."""
        root = self.plan.root()
        if root is None or self._searched_again(root, spent) is not Status.REFUTED:
            return False
        self.plan.make_unit(root)
        self.plan.sweep()
        return True

    def _searched_again(self, node: PlanNode, spent: int) -> Status:
        """Search an inner position for as many nodes as were spent on it; again only when that is twice as many."""
        nodes = min(max(spent, self.probe), MOST_SEARCHED)
        if node.kind is Kind.UNIT or node.status is not Status.OPEN:
            return Status.OPEN
        if nodes < 2 * self._searched_for.get(node.id, 0):
            return Status.OPEN
        self._searched_for[node.id] = nodes
        return self._searched(node.position, nodes)

    def split(self, node: PlanNode) -> int:
        """Replace a heavy unit by the units one reply further down; return how many there are now.

        A unit where the winner moves would become one unit of the same weight, so it is split through the
        other's next move as well.
        """
        first = self._expansion(node, True)
        self.plan.expand([first])
        count = len(first.children)
        if first.kind is Kind.CHOICE and first.children:
            below = self.plan.by_key(first.children[0].key)
            if below is not None and below.kind in (Kind.NEW, Kind.UNIT) and not below.status:
                second = self._expansion(below, True)
                self.plan.expand([second])
                count = len(second.children)
        self.grow()
        return count

    def verdict(self) -> Status:
        """Return PROVED or REFUTED once that is certain, else OPEN."""
        root = self.plan.root()
        if root is None:
            return Status.OPEN
        if root.status in (Status.PROVED, Status.REFUTED):
            return root.status
        return Status.PROVED if self.plan.settled() else Status.OPEN
