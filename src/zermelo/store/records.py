"""What the store holds: campaigns and their plans. What is found of a unit is a `zermelo.game.units.UnitResult`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from zermelo.game.units import Status


class Kind(IntEnum):
    """What a position of the plan is."""

    NEW = 0
    UNIT = 1
    CHOICE = 2
    ALL = 3


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

    @property
    def first(self) -> str:
        """Who begins; empty where the position says so."""
        return str(self.options.get("first", ""))


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
class CampaignProgress:
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
