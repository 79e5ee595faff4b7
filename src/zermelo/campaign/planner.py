"""Cuts a proof into work units: Bullock's way to 10x10 (thesis, chapter 5), with repairs only where needed.

The claim "W wins" is a tree in which W makes one move at each turn and every move of the other is answered.
The planner walks down to the cut and takes for granted that W wins every position there: these are the units.
When a unit is refuted, the choice above it is taken back: the next move is assumed instead, or, if none is left,
the refutation moves up. Nothing else of the plan changes.

To refute a wrong claim move by move is expensive (7x9: 3,000 units, where one search takes 6,400 nodes). So the root,
and a position whose choice is to be taken back, is searched itself for as many nodes as were spent below it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from zermelo.campaign.turn import Turn, start_of
from zermelo.game import Player, find_game
from zermelo.store import Campaign, Kind, PlanNode, Status
from zermelo.store.plan import Child, Expansion, Plan

PORTION = 2000
LEAST_SEARCHED, MOST_SEARCHED = 100, 300_000
"""Nodes of the search of a position in doubt: a repair shall not hold up the runner for more than two seconds or so."""

Search = Callable[[Turn, int], Player | None]
"""A search of a position within so many nodes; None if they do not decide it."""


class Planner:
    """Grows and repairs one campaign's plan."""

    def __init__(self, campaign: Campaign, plan: Plan, search: Search | None = None) -> None:
        """Prepare to plan; without a ``search`` wrong claims are refuted move by move."""
        self.campaign = campaign
        self.plan = plan
        self._game = find_game(campaign.game)
        self._search = search
        self._searched_for: dict[int, int] = {}  # position -> nodes

    def grow(self) -> None:
        """Expand everything above the cut; may be killed and called again at any time."""
        root = start_of(self.campaign)
        self.plan.begin((root.key, root.text))
        while portion := self.plan.new_nodes(PORTION):
            for part in self._expansions(portion):
                self.plan.expand(*part)

    def _expansions(self, portion: list[PlanNode]) -> Iterator[list[Expansion]]:
        """Expand positions, so many at a time that their children fit in a bounded amount of memory."""
        part: list[Expansion] = []
        children = 0
        for node in portion:
            part.append(self._expansion(node, node.ply < self.campaign.cut))
            children += len(part[-1].children)
            if children >= PORTION:
                yield part
                part, children = [], 0
        yield part

    def _expansion(self, node: PlanNode, inner: bool) -> Expansion:
        here = Turn.read(self._game, node.position)
        decided = self.campaign.status_of(here.decided)
        kind = Kind.CHOICE if here.player == self.campaign.winner else Kind.ALL
        if decided is not Status.OPEN:
            return Expansion(node, kind, decided)
        if not inner:
            return Expansion(node, Kind.UNIT)
        if kind is Kind.ALL:
            first = dict[str, str]()  # of each key
            for turn in here.children(self.campaign.winner):
                first.setdefault(turn.key, turn.text)
            return Expansion(node, kind, children=tuple(first.items()))
        best = self._choose(here)
        if best is None:
            return Expansion(node, kind, Status.REFUTED)
        return Expansion(node, kind, children=(best,))

    def _choose(self, here: Turn) -> Child | None:
        """Return the position after the most promising move that is not refuted; None if all are."""
        worth = self._game.move_worth(here.position, here.player)
        moves = sorted(here.moves(self.campaign.winner), key=worth, reverse=True)
        children = ((after.key, after.text) for after in map(here.after, moves))
        return next((child for child in children if not self.plan.is_refuted(child[0])), None)

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
        choice = node.kind is not Kind.ALL
        if choice and self._searched_again(node, self.plan.nodes_below(node)) is not Status.OPEN:
            self.plan.expand(Expansion(node, Kind.UNIT), afresh=True)  # a worker finds it again, with a certificate
        elif choice and (best := self._choose(Turn.read(self._game, node.position))) is not None:
            self.plan.expand(Expansion(node, Kind.CHOICE, children=(best,)), afresh=True)
        else:
            self.plan.expand(Expansion(node, node.kind, Status.REFUTED))

    def recheck_root(self, spent: int) -> bool:
        """Search the root for as many nodes as were spent so far; if the claim is wrong, let it be the only unit."""
        root = self.plan.root()
        if root is None or self._searched_again(root, spent) is not Status.REFUTED:
            return False
        self.plan.expand(Expansion(root, Kind.UNIT), afresh=True)
        self.plan.sweep()
        return True

    def _searched_again(self, node: PlanNode, spent: int) -> Status:
        """Search an inner position for as many nodes as were spent on it; again only when that is twice as many."""
        nodes = min(max(spent, LEAST_SEARCHED), MOST_SEARCHED)
        if self._search is None or node.kind is Kind.UNIT or node.status is not Status.OPEN:
            return Status.OPEN
        if nodes < 2 * self._searched_for.get(node.id, 0):
            return Status.OPEN
        self._searched_for[node.id] = nodes
        return self.campaign.status_of(self._search(Turn.read(self._game, node.position), nodes))

    def split(self, node: PlanNode) -> None:
        """Replace a heavy unit by the units one reply further down.

        A unit where the winner moves would become one unit of the same weight, so it is split through the
        other's next move as well.
        """
        first = self._expansion(node, True)
        self.plan.expand(first)
        if first.kind is Kind.CHOICE and first.children:
            below = self.plan.by_key(first.children[0][0])
            if below is not None and below.kind in (Kind.NEW, Kind.UNIT) and not below.status:
                self.plan.expand(self._expansion(below, True))
        self.grow()

    def verdict(self) -> Status:
        """Return PROVED or REFUTED once that is certain, else OPEN."""
        root = self.plan.root()
        if root is None:
            return Status.OPEN
        if root.status in (Status.PROVED, Status.REFUTED):
            return root.status
        return Status.PROVED if self.plan.settled() else Status.OPEN
