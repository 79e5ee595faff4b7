"""The contents of a store: campaigns, the positions of their plans, the results of their units."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple


class Status(IntEnum):
    """The state of the claim about a position, or of the campaign's."""

    OPEN = 0
    PROVED = 1
    REFUTED = 2
    GIVEN_UP = 3


class Kind(IntEnum):
    """The kind of a position of the plan."""

    NEW = 0
    UNIT = 1
    CHOICE = 2
    ALL = 3


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
