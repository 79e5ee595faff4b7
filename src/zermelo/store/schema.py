"""The store's tables.

A plan is a graph of positions. Each has the same claim: the campaign's winner wins here. A row of ``nodes`` is

    kind    0 new (not yet expanded)   1 unit (a frontier position: work)
            2 choice (the winner moves: one move is assumed)   3 all (the other moves: every move counts)
    status  0 open   1 proved   2 refuted   3 given up (failed too often)
    live    1 if the root's proof needs it now, 0 after a repair made it superfluous

``key`` is the same for all symmetric copies of a position. ``position`` is the copy that the moves from the root
lead to: a unit's certificate is about that copy.
"""

from __future__ import annotations

from zermelo.store.database import Database, StoreError

VERSION = 3
"""Raise it with every change of the tables."""

TABLES = (
    """CREATE TABLE campaigns (
        id {serial}, name TEXT NOT NULL UNIQUE, game TEXT NOT NULL, spec TEXT NOT NULL, first TEXT NOT NULL,
        winner TEXT NOT NULL, cut INTEGER NOT NULL, status SMALLINT NOT NULL DEFAULT 0,
        created {real} NOT NULL, finished {real})""",
    """CREATE TABLE nodes (
        id {serial}, campaign BIGINT NOT NULL, key TEXT NOT NULL, position TEXT NOT NULL, ply INTEGER NOT NULL,
        kind SMALLINT NOT NULL, status SMALLINT NOT NULL DEFAULT 0, live SMALLINT NOT NULL DEFAULT 1,
        attempts INTEGER NOT NULL DEFAULT 0, UNIQUE (campaign, key))""",
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
        seconds {real} NOT NULL, worker TEXT NOT NULL, finished {real} NOT NULL, certificate TEXT)""",
    "CREATE INDEX results_campaign ON results (campaign, node)",
    "CREATE TABLE certificates (hash TEXT PRIMARY KEY, content {blob} NOT NULL)",
    """CREATE TABLE failures (
        id {serial}, campaign BIGINT NOT NULL, node BIGINT NOT NULL, worker TEXT NOT NULL,
        reason TEXT NOT NULL, at {real} NOT NULL)""",
    "CREATE INDEX failures_campaign ON failures (campaign, id)",
)


def check_version(database: Database) -> None:
    """Refuse a store of another version.

    :raises StoreError: if it has other tables than these.
    """
    (version,) = database.one("SELECT max(version) FROM schema_version") or (None,)
    if version != VERSION:
        raise StoreError(
            f"store {database.url}: another version of zermelo wrote it ({version}, this one reads {VERSION}); "
            "use that version, or another store"
        )


def make_tables(database: Database) -> None:
    """Make the tables where there are none, all or nothing.

    :raises StoreError: if another version of zermelo wrote the store.
    """
    with database.transaction():
        database.lock_schema()
        database.change("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)")
        if database.one("SELECT version FROM schema_version") is None:
            for statement in TABLES:
                database.change(statement)
            database.change("INSERT INTO schema_version (version) VALUES (?)", (VERSION,))
    check_version(database)
