"""A campaign's plan in the store: positions, the moves between them, and which of them the proof uses now.

The graph lives in the database and not in memory, so that a plan of millions of positions needs a bounded
amount of memory and survives a kill at any moment: the planner takes NEW positions in portions and writes each
portion's children in one transaction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.store.database import Database, chunks, marks
from zermelo.store.records import Kind, PlanNode, Status

PORTION = 2000

Child = tuple[str, str]
"""A position to add: the key that its symmetric copies share, and its text."""


@dataclass(frozen=True)
class Expansion:
    """The kind of a position of the plan, and the positions that its claim rests on."""

    node: PlanNode
    kind: Kind
    status: Status = Status.OPEN
    children: tuple[Child, ...] = ()


class Plan:
    """The plan of one campaign."""

    def __init__(self, database: Database, campaign: int) -> None:
        self.database = database
        self.campaign = campaign

    def nodes(self, where: str, *values: Any) -> list[PlanNode]:
        """Return the positions for which a condition holds."""
        query = f"SELECT id, position, ply, kind, status, attempts FROM nodes WHERE {where}"
        return [PlanNode(r[0], r[1], r[2], Kind(r[3]), Status(r[4]), r[5]) for r in self.database.rows(query, values)]

    def among(self, nodes: Sequence[int], condition: str = "") -> list[PlanNode]:
        """Return positions by their numbers."""
        parts = chunks(nodes)
        return [node for part in parts for node in self.nodes(f"{condition} id IN ({marks(len(part))})", *part)]

    def begin(self, root: Child) -> None:
        """Add the root, once."""
        with self.database.transaction():
            if self.root() is None:
                self._add([(root, 0)])

    def root(self) -> PlanNode | None:
        """Return the position the claim is about."""
        return self._first("campaign = ? AND ply = 0 ORDER BY id LIMIT 1", self.campaign)

    def by_key(self, key: str) -> PlanNode | None:
        """Return a position of the plan by its key."""
        return self._first("campaign = ? AND key = ?", self.campaign, key)

    def node(self, node: int) -> PlanNode:
        """Return a position by its number."""
        found = self._first("id = ?", node)
        if found is None:
            raise ValueError(f"no position {node} in this plan")
        return found

    def _first(self, where: str, *values: Any) -> PlanNode | None:
        return next(iter(self.nodes(where, *values)), None)

    def _add(self, positions: Sequence[tuple[Child, int]]) -> None:
        # Many rows a statement, because the answer of the server to each statement takes the time.
        for part in chunks(positions):
            values = [value for child, ply in part for value in (self.campaign, *child, ply)]
            self.database.change(
                "INSERT INTO nodes (campaign, key, position, ply, kind) VALUES "
                + ",".join(["(?, ?, ?, ?, 0)"] * len(part))
                + " ON CONFLICT (campaign, key) DO NOTHING",
                values,
            )

    # Growing

    def new_nodes(self, limit: int = PORTION) -> list[PlanNode]:
        """Return positions not yet expanded, oldest first."""
        where = "campaign = ? AND kind = 0 AND status = 0 AND live = 1 ORDER BY id LIMIT ?"
        return self.nodes(where, self.campaign, limit)

    def expand(self, *expansions: Expansion, afresh: bool = False) -> None:
        """Write expansions and their children, in one transaction; afresh: they rest on no others any more."""
        edges = [(e.node.id, key) for e in expansions for key, _ in e.children]
        units = [e.node.id for e in expansions if e.kind is Kind.UNIT]
        inner = [e for e in expansions if e.kind is not Kind.UNIT]
        with self.database.transaction():
            if afresh:
                parents = [(e.node.id,) for e in expansions]
                self.database.change_many("UPDATE edges SET used = 0 WHERE parent = ?", parents)
            for part in chunks(units):
                self.database.change(f"UPDATE nodes SET kind = 1, status = 0 WHERE id IN ({marks(len(part))})", part)
            self.database.change_many(
                "UPDATE nodes SET kind = ?, status = ? WHERE id = ?",
                [(int(e.kind), int(e.status), e.node.id) for e in inner],
            )
            self._add([(child, e.node.ply + 1) for e in expansions for child in e.children])
            self._link(edges)

    def _link(self, edges: Sequence[tuple[int, str]]) -> None:
        """Inside a transaction: let positions rest on others, named by their keys."""
        for pairs in chunks(edges):
            rows = ",".join(["(CAST(? AS BIGINT), CAST(? AS TEXT))"] * len(pairs))
            self.database.change(
                f"WITH wanted(parent, key) AS (VALUES {rows})"
                " INSERT INTO edges (parent, child, used) SELECT wanted.parent, nodes.id, 1"
                " FROM wanted JOIN nodes ON nodes.campaign = ? AND nodes.key = wanted.key"
                " WHERE true ON CONFLICT (parent, child) DO UPDATE SET used = 1",
                [*(value for pair in pairs for value in pair), self.campaign],
            )

    # Repairing

    def broken(self, limit: int = PORTION) -> list[PlanNode]:
        """Return open positions that rest on a refuted one."""
        return self.nodes(
            "status = 0 AND id IN (SELECT e.parent FROM nodes c JOIN edges e ON e.child = c.id"
            " WHERE c.campaign = ? AND c.status = 2 AND e.used = 1) ORDER BY id LIMIT ?",
            self.campaign,
            limit,
        )

    def is_refuted(self, key: str) -> bool:
        """Whether the position with this key is known to be refuted."""
        query = "SELECT id FROM nodes WHERE campaign = ? AND status = 2 AND key = ?"
        return self.database.one(query, (self.campaign, key)) is not None

    def nodes_below(self, node: PlanNode) -> int:
        """Return how many nodes were searched in all units below a position, also in those no longer used."""
        row = self.database.one(
            "WITH RECURSIVE below(id) AS (SELECT child FROM edges WHERE parent = ? UNION"
            " SELECT e.child FROM edges e JOIN below ON e.parent = below.id)"
            " SELECT coalesce(sum(r.nodes), 0) FROM below JOIN results r ON r.node = below.id",
            (node.id,),
        )
        return int(row[0]) if row else 0

    def sweep(self) -> None:
        """Find again which positions the root's proof uses."""
        root = self.root()
        if root is None:
            return
        with self.database.transaction():
            self.database.change(
                "WITH RECURSIVE reached(id) AS (SELECT CAST(? AS BIGINT) UNION"
                " SELECT e.child FROM edges e JOIN reached ON e.parent = reached.id"
                " WHERE e.used = 1)"
                " UPDATE nodes SET live = 1 - live WHERE campaign = ? AND live <>"
                " (CASE WHEN id IN (SELECT id FROM reached) THEN 1 ELSE 0 END)",
                (root.id, self.campaign),
            )

    # Reading

    def settled(self) -> bool:
        """Whether nothing is left to do: no open unit, nothing new, nothing given up."""
        row = self.database.one(
            "SELECT id FROM nodes WHERE campaign = ? AND live = 1 AND"
            " ((status = 0 AND kind IN (0, 1)) OR status = 3) LIMIT 1",
            (self.campaign,),
        )
        return row is None and not self.broken(1)

    def children(self, node: PlanNode) -> list[PlanNode]:
        """Return the positions a position rests on now."""
        return self.nodes("id IN (SELECT child FROM edges WHERE parent = ? AND used = 1) ORDER BY id", node.id)

    def units(self) -> Iterator[PlanNode]:
        """Yield the units that the proof uses now, a portion in memory at a time."""
        last = -1
        where = "campaign = ? AND id > ? AND kind = 1 AND live = 1 ORDER BY id LIMIT ?"
        while page := self.nodes(where, self.campaign, last, PORTION):
            yield from page
            last = page[-1].id

    def live_among(self, nodes: Sequence[int]) -> set[int]:
        """Return those of these positions that the proof uses now."""
        return {node.id for node in self.among(nodes, "live = 1 AND")}

    def by_ply(self) -> list[dict[str, int]]:
        """Count the positions that the proof uses now, and the units among them, ply by ply."""
        found = self.database.rows(
            "SELECT ply, count(*), count(*) FILTER (WHERE kind = 1) FROM nodes"
            " WHERE campaign = ? AND live = 1 GROUP BY ply ORDER BY ply",
            (self.campaign,),
        )
        return [dict(zip(("ply", "positions", "units"), row, strict=True)) for row in found]
