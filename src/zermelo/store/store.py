"""Campaigns and their work units: hand out under a lease, record each result once, note failures."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from zermelo.store.database import CHUNK, Database, chunks, connect, marks
from zermelo.store.plan import Plan
from zermelo.store.records import Campaign, Counts, PlanNode, Status, UnitResult
from zermelo.store.schema import check_version, make_tables

# A lease that begins in the future was written before the clock was set back: it counts as expired.
_EXPIRED = "(leases.lease_until <= {now} OR leases.leased_at > {now} + 5)"
_OPEN = "campaign = ? AND kind = 1 AND status = 0 AND live = 1"


class Store:
    """All that is known of campaigns, on disk; see :func:`open_store`."""

    def __init__(self, database: Database, *, read_only: bool = False) -> None:
        self.database = database
        try:
            check_version(database) if read_only else make_tables(database)
        except BaseException:
            database.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.database.close()

    # Campaigns

    def create(self, name: str, *, game: str, spec: str, first: str, winner: str, cut: int) -> Campaign:
        """Add a campaign.

        :raises ValueError: if the name is taken.
        """
        with self.database.transaction():
            if self.database.one("SELECT id FROM campaigns WHERE name = ?", (name,)):
                raise ValueError(f"campaign {name!r} exists already in this store")
            self.database.change(
                "INSERT INTO campaigns (name, game, spec, first, winner, cut, created)"
                " VALUES (?, ?, ?, ?, ?, ?, {now})",
                (name, game, spec, first, winner, cut),
            )
        return self.campaign(name)

    def campaigns(self) -> list[Campaign]:
        """Return all campaigns, oldest first."""
        found = self.database.rows("SELECT id, name, game, spec, first, winner, cut, status FROM campaigns ORDER BY id")
        return [Campaign(r[0], r[1], r[2], r[3], r[4], r[5], r[6], Status(r[7])) for r in found]

    def campaign(self, name: str | None = None) -> Campaign:
        """Return a campaign by name, or the only one.

        :raises ValueError: if there is none, or no name was given and there are several.
        """
        every = self.campaigns()
        found = [campaign for campaign in every if name in (None, campaign.name)]
        if len(found) == 1:
            return found[0]
        known = ", ".join(campaign.name for campaign in every) or "none"
        if found:
            raise ValueError(f"several campaigns in this store, name one of: {known}")
        raise ValueError(f"there is no campaign {name + ' ' if name else ''}in this store; there are: {known}")

    def finish(self, campaign: Campaign, status: Status) -> None:
        """Note how the campaign ended (or, with OPEN, that it did not)."""
        with self.database.transaction():
            self.database.change(
                "UPDATE campaigns SET status = ?, finished = {now} WHERE id = ?", (int(status), campaign.id)
            )

    def plan(self, campaign: Campaign) -> Plan:
        return Plan(self.database, campaign.id)

    # Work units

    def lease(self, campaign: Campaign, owner: str, *, limit: int, seconds: float) -> list[PlanNode]:
        """Take at most ``limit`` open units without a lease, for a time by the database's clock.

        They come from a random place of the plan: neighbours resemble one another, and the work left is estimated from
        the finished units.
        """
        ends = self.database.one(
            f"SELECT (SELECT min(id) FROM nodes WHERE {_OPEN}), (SELECT max(id) FROM nodes WHERE {_OPEN})",
            (campaign.id, campaign.id),
        )
        if ends is None or ends[0] is None:
            return []
        start = random.randint(ends[0], ends[1])
        units: list[PlanNode] = []
        # Two transactions, each of which takes rows in rising order: so two runners never wait for each other.
        for low, high in ((start, ends[1] + 1), (ends[0], start)):
            if len(units) < limit:
                units += self._take(campaign, owner, limit - len(units), seconds, low, high)
        return sorted(units, key=lambda unit: unit.id)

    def _take(self, campaign: Campaign, owner: str, limit: int, seconds: float, low: int, high: int) -> list[PlanNode]:
        """Lease units whose numbers are at least ``low`` and less than ``high``."""
        with self.database.transaction():
            taken = self.database.rows(
                "INSERT INTO leases (node, campaign, owner, leased_at, lease_until)"
                " SELECT nodes.id, nodes.campaign, ?, {now}, {now} + ? FROM nodes"
                " LEFT JOIN leases ON leases.node = nodes.id"
                " WHERE nodes.campaign = ? AND nodes.kind = 1 AND nodes.status = 0 AND nodes.live = 1"
                f" AND nodes.id >= ? AND nodes.id < ? AND (leases.node IS NULL OR {_EXPIRED})"
                " ORDER BY nodes.id LIMIT ?"
                " ON CONFLICT (node) DO UPDATE SET owner = excluded.owner,"
                " leased_at = excluded.leased_at, lease_until = excluded.lease_until"
                f" WHERE {_EXPIRED} RETURNING node",
                (owner, seconds, campaign.id, low, high, limit),
            )
            plan = self.plan(campaign)
            parts = chunks([row[0] for row in taken])
            return [unit for part in parts for unit in plan.nodes(f"id IN ({marks(len(part))})", part)]

    def renew(self, campaign: Campaign, owner: str, *, seconds: float) -> int:
        """Extend all leases of an owner from now; return how many there are."""
        with self.database.transaction():
            return self.database.change(
                "UPDATE leases SET leased_at = {now}, lease_until = {now} + ? WHERE campaign = ? AND owner = ?",
                (seconds, campaign.id, owner),
            )

    def release(self, campaign: Campaign, owner: str, nodes: Iterable[int] | None = None) -> None:
        """Give back leases of an owner: the named units, or all."""
        with self.database.transaction():
            if nodes is None:
                self.database.change("DELETE FROM leases WHERE campaign = ? AND owner = ?", (campaign.id, owner))
            else:
                self.database.change_many(
                    "DELETE FROM leases WHERE node = ? AND owner = ?", [(node, owner) for node in nodes]
                )

    def lease_owners(self, campaign: Campaign) -> list[str]:
        """Return the owners of leases."""
        found = self.database.rows(
            "SELECT DISTINCT owner FROM leases WHERE campaign = ? ORDER BY owner", (campaign.id,)
        )
        return [row[0] for row in found]

    def record(self, campaign: Campaign, results: Sequence[UnitResult]) -> int:
        """Record results in one transaction, each unit's once; return how many were new."""
        recorded: list[int] = []
        with self.database.transaction():
            for part in chunks(results):
                certificates: dict[str, bytes] = {}
                values: list[Any] = []
                for r in part:
                    digest = None
                    if r.certificate:
                        digest = hashlib.sha256(r.certificate).hexdigest()
                        certificates[digest] = r.certificate
                    values += [r.node, campaign.id, int(r.status), r.nodes, r.seconds, r.worker, digest]
                self.database.change_many(
                    "INSERT INTO certificates (hash, content) VALUES (?, ?) ON CONFLICT DO NOTHING",
                    certificates.items(),
                )
                new = self.database.rows(
                    "INSERT INTO results (node, campaign, verdict, nodes, seconds, worker, certificate, finished)"
                    " VALUES "
                    + ",".join(["(?,?,?,?,?,?,?,{now})"] * len(part))
                    + " ON CONFLICT (node) DO NOTHING RETURNING node",
                    values,
                )
                recorded += [row[0] for row in new]
            self._settle(results, set(recorded))
        return len(recorded)

    def _settle(self, results: Sequence[UnitResult], recorded: set[int]) -> None:
        """Mark the recorded units' positions and end their leases."""
        for status in (Status.PROVED, Status.REFUTED):
            nodes = [r.node for r in results if r.status == status and r.node in recorded]
            for part in chunks(nodes):
                self.database.change(
                    f"UPDATE nodes SET status = ? WHERE id IN ({marks(len(part))})", [int(status), *part]
                )
        for part in chunks([r.node for r in results]):
            self.database.change(f"DELETE FROM leases WHERE node IN ({marks(len(part))})", part)

    def fail(self, campaign: Campaign, node: int, *, worker: str, reason: str, attempts: int) -> Status:
        """Note a failed attempt and end its lease; at the last attempt the unit is given up."""
        with self.database.transaction():
            self.database.change("DELETE FROM leases WHERE node = ?", (node,))
            self.database.change(
                "INSERT INTO failures (campaign, node, worker, reason, at) VALUES (?, ?, ?, ?, {now})",
                (campaign.id, node, worker, reason[:500]),
            )
            self.database.change(
                "UPDATE nodes SET attempts = attempts + 1,"
                " status = CASE WHEN attempts + 1 >= ? THEN 3 ELSE status END"
                " WHERE id = ? AND status = 0",
                (attempts, node),
            )
            row = self.database.one("SELECT status FROM nodes WHERE id = ?", (node,))
        return Status(row[0]) if row else Status.OPEN

    def retry_given_up(self, campaign: Campaign) -> int:
        """Open the units again that failed too often; return how many."""
        with self.database.transaction():
            return self.database.change(
                "UPDATE nodes SET status = 0, attempts = 0 WHERE campaign = ? AND status = 3", (campaign.id,)
            )

    # Reading

    def certificate(self, node: int) -> bytes | None:
        """Return a unit's certificate, if it has one."""
        row = self.database.one(
            "SELECT content FROM certificates JOIN results ON hash = certificate WHERE node = ?", (node,)
        )
        return bytes(row[0]) if row else None

    def sizes(self, campaign: Campaign) -> Iterator[int]:
        """Yield the nodes of the finished units, in the order of the plan; a bounded number in memory at a time."""
        last = -1
        query = "SELECT node, nodes FROM results WHERE campaign = ? AND node > ? ORDER BY node LIMIT ?"
        while page := self.database.rows(query, (campaign.id, last, CHUNK)):
            yield from (row[1] for row in page)
            last = page[-1][0]

    def history(self, campaign: Campaign, *, limit: int) -> list[tuple[float, int]]:
        """Return (time by the database's clock, nodes) of results, oldest first."""
        found = self.database.rows(
            "SELECT finished, nodes FROM results WHERE campaign = ? ORDER BY finished, node LIMIT ?",
            (campaign.id, limit),
        )
        return [(float(row[0]), int(row[1])) for row in found]

    def failures(self, campaign: Campaign, *, limit: int = 20) -> list[tuple[int, str, str]]:
        """Return the latest failures: unit, worker, reason."""
        query = "SELECT node, worker, reason FROM failures WHERE campaign = ? ORDER BY id DESC LIMIT ?"
        return [(node, worker, reason) for node, worker, reason in self.database.rows(query, (campaign.id, limit))]

    def counts(self, campaign: Campaign) -> Counts:
        """Count units and sum their work."""
        units = self.database.rows(
            "SELECT coalesce(sum(live), 0), "
            + ", ".join(
                f"coalesce(sum(CASE WHEN {condition} THEN 1 ELSE 0 END), 0)"
                for condition in ("live = 1 AND status = 1", "status = 2", "live = 1 AND status = 0",
                                  "live = 1 AND status = 3", "live = 0")
            )
            + " FROM nodes WHERE campaign = ? AND kind = 1",
            (campaign.id,),
        )[0]  # fmt: skip
        sums = self.database.rows(
            "SELECT coalesce(sum(nodes), 0), coalesce(sum(seconds), 0),"
            " (SELECT count(*) FROM failures WHERE campaign = ?),"
            f" (SELECT count(*) FROM leases WHERE campaign = ? AND NOT {_EXPIRED}),"
            " (SELECT count(*) FROM results JOIN nodes ON nodes.id = results.node"
            " WHERE results.campaign = ? AND certificate IS NULL AND live = 1) FROM results WHERE campaign = ?",
            (campaign.id,) * 4,
        )[0]
        nodes, seconds, *others = sums  # PostgreSQL sums to decimal numbers
        return Counts._make([*map(int, units), int(nodes), float(seconds), *others])


def open_store(url: str, *, read_only: bool = False) -> Store:
    """Open a store: a SQLite file by path (made if missing) or ``postgresql://...``.

    :raises ValueError: if the address is not understood.
    :raises StoreError: if it cannot be opened, or another version of zermelo wrote it.
    """
    return Store(connect(url, read_only=read_only), read_only=read_only)
