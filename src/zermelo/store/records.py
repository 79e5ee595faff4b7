"""The contents of a store: campaigns, the positions of their plans, the results of their units; and its tables.

A plan is a graph of positions. Each has the same claim: the campaign's winner wins here. A row of ``nodes`` is ``live``
if the root's proof needs it now, and not after a repair made it superfluous. ``key`` is the same for all symmetric
copies of a position; ``position`` is the copy that the moves from the root lead to: a unit's certificate is about it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple


class Status(IntEnum):
    """The state of the claim about a position, or of the campaign's."""

    OPEN = 0
    PROVED = 1
    REFUTED = 2
    GIVEN_UP = 3  # failed too often


class Kind(IntEnum):
    """The kind of a position of the plan."""

    NEW = 0  # not yet expanded
    UNIT = 1  # a frontier position: work
    CHOICE = 2  # the winner moves: one move is assumed
    ALL = 3  # the other moves: every move counts


@dataclass(frozen=True)
class Campaign:
    """A claim being proved: the winner wins the game from its starting position when ``first`` begins."""

    id: int
    name: str
    game: str
    spec: str
    first: str
    winner: str
    cut: int
    """Positions of this ply are units."""
    status: Status

    def status_of(self, winner: str | None) -> Status:
        """Return the status of the claim where this player wins; None: not known."""
        return Status.OPEN if winner is None else Status.PROVED if winner == self.winner else Status.REFUTED


@dataclass(frozen=True)
class PlanNode:
    """A position of the plan; a unit is one that is handed to a worker."""

    id: int
    position: str
    ply: int
    kind: Kind
    status: Status
    attempts: int = 0


@dataclass(frozen=True)
class UnitResult:
    """The result of a unit, on its way from the worker to the store; OPEN if a limit was reached."""

    node: int
    """The unit's number in the plan."""
    status: Status
    nodes: int = 0
    seconds: float = 0.0
    certificate: bytes | None = field(default=None, repr=False)
    worker: str = ""
    interrupted: bool = False


class Counts(NamedTuple):
    """Counts of a campaign's live plan and of its results, in the order in which they are selected."""

    units: int
    proved: int
    refuted: int
    open: int
    given_up: int
    superfluous: int
    nodes: int
    seconds: float
    failures: int
    leased: int
    uncertified: int
    """Results without a certificate, of units that the proof uses now."""


VERSION = 5
"""Raise it with every change of the tables."""

TABLES = (
    """CREATE TABLE campaigns (
        id {serial}, name TEXT NOT NULL UNIQUE, game TEXT NOT NULL, spec TEXT NOT NULL, first TEXT NOT NULL,
        winner TEXT NOT NULL, cut INTEGER NOT NULL, status SMALLINT NOT NULL DEFAULT 0)""",
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
        node BIGINT PRIMARY KEY, campaign BIGINT NOT NULL, owner TEXT NOT NULL, lease_until {real} NOT NULL)""",
    """CREATE TABLE results (
        node BIGINT PRIMARY KEY, campaign BIGINT NOT NULL, nodes BIGINT NOT NULL, seconds {real} NOT NULL,
        finished {real} NOT NULL)""",
    "CREATE INDEX results_campaign ON results (campaign, node)",
    "CREATE TABLE certificates (node BIGINT PRIMARY KEY, content {blob} NOT NULL)",
    """CREATE TABLE failures (
        id {serial}, campaign BIGINT NOT NULL, node BIGINT NOT NULL, worker TEXT NOT NULL, reason TEXT NOT NULL)""",
    "CREATE INDEX failures_campaign ON failures (campaign, id)",
)
