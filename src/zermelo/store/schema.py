"""The store's tables, by version: a migration is only ever added at the end, never edited.

A plan is a graph of positions, each with the same assertion: the campaign's winner wins here. A row of ``nodes`` is

    kind    0 new (not yet expanded)   1 unit (a frontier position: work)
            2 choice (the winner moves: one move is assumed)   3 all (the other moves: every move counts)
    status  0 open   1 proved   2 refuted   3 given up (failed too often)
    live    1 if the root's proof needs it now, 0 after a repair made it superfluous

``key`` is the same for all symmetric copies of a position, ``position`` is the copy that the moves from the root
lead to: a certificate is about that one.
"""

from __future__ import annotations

from zermelo.store.database import Database, StoreError

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE campaigns (
            id {serial}, name TEXT NOT NULL UNIQUE, game TEXT NOT NULL, spec TEXT NOT NULL,
            winner TEXT NOT NULL, options TEXT NOT NULL, status SMALLINT NOT NULL DEFAULT 0,
            created {real} NOT NULL, finished {real})""",
        """CREATE TABLE nodes (
            id {serial}, campaign BIGINT NOT NULL, key TEXT NOT NULL, position TEXT NOT NULL, ply INTEGER NOT NULL,
            kind SMALLINT NOT NULL, status SMALLINT NOT NULL DEFAULT 0, live SMALLINT NOT NULL DEFAULT 1,
            estimate {real}, attempts INTEGER NOT NULL DEFAULT 0,
            UNIQUE (campaign, key))""",
        "CREATE INDEX nodes_open ON nodes (campaign, kind, id) WHERE status = 0 AND live = 1",
        "CREATE INDEX nodes_refuted ON nodes (campaign, id) WHERE status = 2",
        """CREATE TABLE edges (
            parent BIGINT NOT NULL, child BIGINT NOT NULL, used SMALLINT NOT NULL DEFAULT 1,
            PRIMARY KEY (parent, child))""",
        "CREATE INDEX edges_child ON edges (child)",
        """CREATE TABLE leases (
            node BIGINT PRIMARY KEY, campaign BIGINT NOT NULL, owner TEXT NOT NULL,
            leased_at {real} NOT NULL, lease_until {real} NOT NULL)""",
        """CREATE TABLE results (
            node BIGINT PRIMARY KEY, campaign BIGINT NOT NULL, verdict SMALLINT NOT NULL, nodes BIGINT NOT NULL,
            seconds {real} NOT NULL, worker TEXT NOT NULL, host TEXT NOT NULL, finished {real} NOT NULL,
            certificate TEXT, checked SMALLINT NOT NULL DEFAULT 0)""",
        "CREATE INDEX results_campaign ON results (campaign, node)",
        "CREATE TABLE certificates (hash TEXT PRIMARY KEY, content {blob} NOT NULL)",
    ),
    (
        # What went wrong, for `campaign status`: a crash, a lie, a time-out.
        """CREATE TABLE failures (
            id {serial}, campaign BIGINT NOT NULL, node BIGINT NOT NULL, worker TEXT NOT NULL,
            reason TEXT NOT NULL, at {real} NOT NULL)""",
        "CREATE INDEX failures_campaign ON failures (campaign, id)",
    ),
)


def schema_version(database: Database) -> int:
    """Return the version of the store's tables; 0 if it is empty."""
    row = database.one("SELECT max(version) FROM schema_version")
    return int(row[0] or 0) if row else 0


def check_version(database: Database) -> None:
    """Refuse tables of another version, for a reader that must not change them.

    :raises StoreError: if they are of another version.
    """
    version = schema_version(database)
    if version != len(MIGRATIONS):
        raise StoreError(
            f"store {database.url}: version {version} is not the one this zermelo reads "
            f"({len(MIGRATIONS)}); campaign run brings an older one up to date"
        )


def migrate(database: Database, *, to: int = len(MIGRATIONS)) -> None:
    """Bring the tables up to date, all of it or nothing.

    :raises StoreError: if a newer program wrote this store.
    """
    with database.transaction():
        database.lock_schema()
        database.change("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)")
        version = schema_version(database)
        if version > len(MIGRATIONS):
            raise StoreError(
                f"store {database.url}: version {version} was written by a newer zermelo "
                f"(this one knows {len(MIGRATIONS)})"
            )
        for number, statements in enumerate(MIGRATIONS[version:to], start=version + 1):
            for statement in statements:
                database.change(statement)
            database.change("INSERT INTO schema_version (version) VALUES (?)", (number,))
