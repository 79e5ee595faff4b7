"""The limits of a search, a clock that measures them, and the progress of a search."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from zermelo import _core
from zermelo._core import CancelToken
from zermelo.words import counted

Limit = Literal["stopped", "time", "nodes", "memory", "size"]
"""The reasons why a question stays open: the search was stopped, or ran out of one of these."""

STOPPED: dict[_core.StopReason, Limit] = {
    _core.StopReason.NODES: "nodes",
    _core.StopReason.TIME: "time",
    _core.StopReason.CANCELLED: "stopped",
    _core.StopReason.MEMORY: "memory",
}
"""The limit that ended a search of the core."""


@dataclass(frozen=True)
class Limits:
    """The limits of a search. A limit that is reached gives "unknown", never a guess."""

    seconds: float | None = None
    nodes: int | None = None
    memory: int = 1 << 30
    """Bytes for tables."""
    threads: int = 1
    cancel: CancelToken | None = field(default=None, compare=False, repr=False)
    """Cancels from another thread. Copy it when you derive new limits."""
    on_progress: OnProgress | None = field(default=None, compare=False, repr=False)
    """Called now and then with the progress of the search."""

    def __post_init__(self) -> None:
        whole = (self.nodes or 0, self.memory, self.threads)
        if not isinstance(self.seconds or 0, int | float) or not all(isinstance(one, int) for one in whole):
            raise TypeError("limits are numbers: seconds, and whole ones of nodes, bytes of memory, threads")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError("the time limit must be more than 0 seconds")
        if self.nodes is not None and not 1 <= self.nodes < 1 << 63:
            raise ValueError("the node limit must be at least 1, and less than 2**63")
        if not 0 <= self.memory < 1 << 63:
            raise ValueError("the memory must be 0 bytes or more, and less than 2**63")
        if not 1 <= self.threads <= 256:
            raise ValueError(f"{self.threads} threads are not possible: 1 to 256")

    def __repr__(self) -> str:
        given = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
        usual = (f"{one.name}={one.default!r}" for one in fields(self) if one.repr)
        return f"Limits({', '.join(now for now, before in zip(given, usual, strict=True) if now != before)})"

    @property
    def cancelled(self) -> bool:
        """Whether the search was cancelled."""
        return self.cancel is not None and self.cancel.cancelled

    def of_core(self, cancel: CancelToken | None) -> _core.Limits:
        """Return the same limits as the core takes them, but with this token."""
        report = self.on_progress

        def tell(now: _core.Progress) -> None:
            assert report is not None
            report(Progress(now.nodes, now.seconds, now.root_moves_done / now.root_moves if now.root_moves else None))

        return _core.Limits(self.nodes, self.seconds, self.memory, cancel, None if report is None else tell)

    def with_(self, **changes: Any) -> Limits:
        """Return the same limits with some of them changed."""
        return replace(self, **changes)


class Clock:
    """Measures the rest of some limits. It starts when it is made."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._begin = time.monotonic()
        self._end = math.inf if limits.seconds is None else self._begin + limits.seconds
        self.nodes = 0
        """Nodes spent so far; each search adds its own."""

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._begin

    @property
    def seconds_left(self) -> float:
        """Seconds until the time limit, infinity without one, at least 0."""
        return max(0.0, self._end - time.monotonic())

    @property
    def over(self) -> bool:
        """Whether the time or the nodes are spent, or the search was cancelled."""
        return self.reached != "memory"

    @property
    def reached(self) -> Limit:
        """The limit that has been reached; ``memory`` if it is no other."""
        if self.limits.cancelled:
            return "stopped"
        if self.seconds_left <= 0:
            return "time"
        return "nodes" if self.limits.nodes is not None and self.nodes >= self.limits.nodes else "memory"

    def left(self, parts: int = 1) -> Limits:
        """Return the rest of the limits, or one of so many equal parts of it; at least a little of each."""
        seconds = None if self.limits.seconds is None else max(0.001, self.seconds_left / parts)
        nodes = None if self.limits.nodes is None else max(1, (self.limits.nodes - self.nodes) // parts)
        return self.limits.with_(seconds=seconds, nodes=nodes)


@dataclass(frozen=True)
class Progress:
    """How far a search has come; ``share`` is a guess of the finished part, where there is one."""

    nodes: int
    seconds: float
    share: float | None = None


OnProgress = Callable[[Progress], None]


def unknown_words(limits: Limits, reached: Limit | None = None) -> str:
    """Say which limits left a question open, or which one did.

    >>> unknown_words(Limits(seconds=20, nodes=40_640))
    'unknown within 20 s and 40,640 nodes'
    >>> unknown_words(Limits(seconds=20, memory=64 << 20), "memory")
    'unknown within 64 MiB'
    """
    if limits.cancelled:
        return "unknown: stopped"
    if reached == "memory":
        return f"unknown within {limits.memory >> 20} MiB"
    words = [] if limits.seconds is None else [f"{round(limits.seconds, 3):g} s"]
    if limits.nodes is not None:
        words.append(counted(limits.nodes, "node"))
    return f"unknown within {' and '.join(words) or 'the memory'}"
