"""A watch for searches in Python: it counts positions, and stops at a limit."""

from __future__ import annotations

from zermelo.game.limits import Clock, Limits, Progress

REPORT_SECONDS = 0.2


class Stopped(Exception):  # noqa: N818 (not an error: a limit)
    """A limit was reached, or the search was cancelled."""


class Watch:
    """Counts positions; stops when a limit is reached or the search is cancelled."""

    def __init__(self, limits: Limits) -> None:
        self.clock = Clock(limits)
        self._report_at = REPORT_SECONDS

    def look(self) -> None:
        """Look at the clock: also within a position, which may have a million moves.

        :raises Stopped: if the time is over.
        """
        if self.clock.seconds_left <= 0 or self.clock.limits.cancelled:
            raise Stopped

    def step(self) -> None:
        """Count one position.

        :raises Stopped: if there may be no more.
        """
        if self.clock.over:
            raise Stopped
        self.clock.nodes += 1
        on_progress = self.clock.limits.on_progress
        if on_progress is not None and self.clock.seconds > self._report_at:
            self._report_at = self.clock.seconds + REPORT_SECONDS
            on_progress(Progress(self.clock.nodes, self.clock.seconds))
