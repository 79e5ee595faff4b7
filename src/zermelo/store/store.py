"""Campaigns and their work units: hand out under a lease, record each result once, note failures."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

from zermelo.store.database import CHUNK, Database, StoreError, chunks, marks
from zermelo.store.plan import Plan
from zermelo.store.records import TABLES, VERSION, Campaign, Counts, PlanNode, Status, UnitResult

# No lease lasts an hour: one that seems to was written before the clock was set back.
_EXPIRED = "(leases.lease_until <= {now} OR leases.lease_until > {now} + 3600)"
_OPEN = "campaign = ? AND kind = 1 AND status = 0 AND live = 1"


class Store:
    """All that is known of campaigns, on disk; see :func:`open_store`."""

    def __init__(self, database: Database) -> None:
        self.database = database

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
                "INSERT INTO campaigns (name, game, spec, first, winner, cut) VALUES (?, ?, ?, ?, ?, ?)",
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
            self.database.change("UPDATE campaigns SET status = ? WHERE id = ?", (int(status), campaign.id))

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
                "INSERT INTO leases (node, campaign, owner, lease_until)"
                " SELECT nodes.id, nodes.campaign, ?, {now} + ? FROM nodes"
                " LEFT JOIN leases ON leases.node = nodes.id"
                " WHERE nodes.campaign = ? AND nodes.kind = 1 AND nodes.status = 0 AND nodes.live = 1"
                f" AND nodes.id >= ? AND nodes.id < ? AND (leases.node IS NULL OR {_EXPIRED})"
                " ORDER BY nodes.id LIMIT ?"
                " ON CONFLICT (node) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until"
                f" WHERE {_EXPIRED} RETURNING node",
                (owner, seconds, campaign.id, low, high, limit),
            )
            return self.plan(campaign).among([row[0] for row in taken])

    def renew(self, campaign: Campaign, owner: str, *, seconds: float) -> int:
        """Extend all leases of an owner from now; return how many there are."""
        with self.database.transaction():
            return self.database.change(
                "UPDATE leases SET lease_until = {now} + ? WHERE campaign = ? AND owner = ?",
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
        recorded: set[int] = set()
        with self.database.transaction():
            for part in chunks(results):
                new = self.database.rows(
                    "INSERT INTO results (node, campaign, nodes, seconds, finished) VALUES "
                    + ",".join(["(?,?,?,?,{now})"] * len(part))
                    + " ON CONFLICT (node) DO NOTHING RETURNING node",
                    [v for r in part for v in (r.node, campaign.id, r.nodes, r.seconds)],
                )
                recorded |= {row[0] for row in new}
                leases = [r.node for r in part]
                self.database.change(f"DELETE FROM leases WHERE node IN ({marks(len(part))})", leases)
            fresh = [r for r in results if r.node in recorded]
            self.database.change_many(
                "INSERT INTO certificates (node, content) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [(r.node, r.certificate) for r in fresh if r.certificate],
            )
            self.database.change_many(
                "UPDATE nodes SET status = ? WHERE id = ?", [(int(r.status), r.node) for r in fresh]
            )
        return len(recorded)

    def fail(self, campaign: Campaign, node: int, *, worker: str, reason: str, attempts: int) -> Status:
        """Note a failed attempt and end its lease; at the last attempt the unit is given up."""
        with self.database.transaction():
            self.database.change("DELETE FROM leases WHERE node = ?", (node,))
            self.database.change(
                "INSERT INTO failures (campaign, node, worker, reason) VALUES (?, ?, ?, ?)",
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
        row = self.database.one("SELECT content FROM certificates WHERE node = ?", (node,))
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
            "SELECT count(*) FILTER (WHERE live = 1), count(*) FILTER (WHERE live = 1 AND status = 1),"
            " count(*) FILTER (WHERE status = 2), count(*) FILTER (WHERE live = 1 AND status = 0),"
            " count(*) FILTER (WHERE live = 1 AND status = 3), count(*) FILTER (WHERE live = 0)"
            " FROM nodes WHERE campaign = ? AND kind = 1",
            (campaign.id,),
        )[0]
        nodes, seconds, *others = self.database.rows(
            "SELECT coalesce(sum(nodes), 0), coalesce(sum(seconds), 0),"
            " (SELECT count(*) FROM failures WHERE campaign = ?),"
            f" (SELECT count(*) FROM leases WHERE campaign = ? AND NOT {_EXPIRED}),"
            " (SELECT count(*) FROM results r JOIN nodes ON nodes.id = r.node WHERE r.campaign = ? AND live = 1"
            " AND NOT EXISTS (SELECT 1 FROM certificates c WHERE c.node = r.node)) FROM results WHERE campaign = ?",
            (campaign.id,) * 4,
        )[0]
        return Counts._make([*units, int(nodes), float(seconds), *others])  # PostgreSQL sums to decimal numbers


def open_store(url: str, *, read_only: bool = False) -> Store:
    """Open a store: a SQLite file by path (made if missing) or ``postgresql://...``.

    :raises ValueError: if the address is not understood.
    :raises StoreError: if it cannot be opened, or another version of zermelo wrote it.
    """
    database = Database(url, read_only=read_only)
    try:
        if not read_only:
            with database.transaction():  # the tables, where there are none: all or nothing
                database.rows("{lock}")
                database.change("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)")
                if database.one("SELECT version FROM schema_version") is None:
                    for statement in TABLES:
                        database.change(statement)
                    database.change("INSERT INTO schema_version (version) VALUES (?)", (VERSION,))
        (version,) = database.one("SELECT max(version) FROM schema_version") or (None,)
        if version != VERSION:
            raise StoreError(
                f"store {database.url}: another version of zermelo wrote it ({version}, this one reads {VERSION}); "
                "use that version, or another store"
            )
    except BaseException:
        database.close()
        raise
    return Store(database)
