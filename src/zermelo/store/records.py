"""What the store holds: campaigns, work units, results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any


class Kind(IntEnum):
    """What a position of the plan is."""

    NEW = 0
    UNIT = 1
    CHOICE = 2
    ALL = 3


class Status(IntEnum):
    """What is known of a position, or of the campaign."""

    OPEN = 0
    PROVED = 1
    REFUTED = 2
    GIVEN_UP = 3


@dataclass(frozen=True)
class Campaign:
    """A claim being proved: the winner wins the game from its starting position."""

    id: int
    name: str
    game: str
    spec: str
    winner: str
    options: Mapping[str, Any]
    status: Status


@dataclass(frozen=True)
class Unit:
    """A frontier position handed to a worker."""

    id: int
    position: str
    ply: int
    estimate: float | None
    attempts: int


@dataclass(frozen=True)
class UnitResult:
    """What a worker found; ``status`` is PROVED or REFUTED."""

    node: int
    status: Status
    nodes: int
    seconds: float
    worker: str
    host: str
    certificate: bytes | None = field(default=None, repr=False)
    checked: bool = False


@dataclass(frozen=True)
class Progress:
    """Counts of a campaign's live plan and of its results."""

    units: int
    proved: int
    refuted: int
    open: int
    leased: int
    given_up: int
    superfluous: int
    nodes: int
    seconds: float
    failures: int
    checked: int

    @property
    def done(self) -> int:
        """Finished units that the proof uses now, and refuted ones."""
        return self.proved + self.refuted
