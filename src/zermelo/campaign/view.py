"""The state of a campaign in words, for the terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from zermelo.campaign.runner import Runner
from zermelo.campaign.service import campaign_report


def human(value: float | None) -> str:
    """Return a number in a short form.

    >>> human(1234), human(5_600_000), human(3.5e12)
    ('1,234', '5.6 million', '3.5 trillion')
    """
    if value is None:
        return "unknown"
    for size, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if value >= size:
            return f"{value / size:.1f} {word}"
    return f"{value:,.0f}"


def duration(seconds: float | None) -> str:
    """Return a time in a short form.

    >>> duration(42), duration(4000), duration(200_000)
    ('42 s', '1 h 6 min', '2 d 7 h')
    """
    if seconds is None:
        return "unknown"
    whole = int(seconds)
    days, hours, minutes = whole // 86400, whole // 3600 % 24, whole // 60 % 60
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"


def nodes(count: float | None) -> str:
    """Return a number of nodes in a short form.

    >>> nodes(1), nodes(40_640)
    ('1 node', '40,640 nodes')
    """
    words = human(count)
    return f"{words} node{'' if words == '1' else 's'}"


def run_report(runner: Runner) -> dict[str, Any]:
    """Return the campaign's report with the figures of this run."""
    report, elapsed = campaign_report(runner.store, runner.campaign), time.monotonic() - runner.began
    busy = runner.task_seconds / elapsed if elapsed else 0.0
    speed, left = report["nodes_per_second"], report["remaining_nodes"]
    return report | {
        "workers": runner.workers(),
        "elapsed": round(elapsed, 1),
        "interrupted_nodes": runner.interrupted_nodes,
        "schedulers_lost": runner.executors_lost,
        "busy": round(busy, 2),
        "remaining_seconds": round(left / speed / max(busy, 0.01), 1) if speed and left is not None else None,
    }


class LiveView:
    """Shows a run every second or so; counting takes at most a tenth of the time."""

    def __init__(self, show: Callable[[str], None] | None) -> None:
        self.runner: Runner | None = None
        self._show, self._next = show, 0.0

    def step(self, runner: Runner) -> None:
        """Show the run, if it is time."""
        self.runner, begin = runner, time.monotonic()
        if self._show is not None and begin >= self._next:
            self._show(run_line(run_report(runner)))
            now = time.monotonic()
            self._next = now + max(1.0, 10 * (now - begin))


def run_line(report: dict[str, Any]) -> str:
    """Return the state of a run in one line."""
    units = f"{report['proved']:,} of {report['units']:,} units proved, {nodes(report['nodes'])}"
    work = f"{report['busy']:.1f} of {report['workers']} workers busy"
    return f"{units}, {work}, {duration(report['elapsed'])}, about {duration(report['remaining_seconds'])} left"


def status_lines(report: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the state of a campaign as names and words; of a decided claim without the work left."""
    decided = report["status"] in ("proved", "refuted")
    units = f"{report['proved']:,} of {report['units']:,} proved, {report['refuted']:,} refuted"
    units += f", {report['superfluous']:,} superfluous"
    yield "claim", report["claim"]
    yield "units", units + ("" if decided else f", {report['leased']:,} handed out")
    yield "work done", nodes(report["nodes"])
    if not decided:
        interval = f"({human(report['remaining_low'])} to {human(report['remaining_high'])})"
        sure = " (rough: few units are finished)" if report["rough"] else ""
        known = report["remaining_nodes"] is not None  # once a unit is finished
        yield "work left", f"{nodes(report['remaining_nodes'])} {interval}{sure}" if known else "unknown yet"
    yield "failures", f"{report['failures']:,}, {report['given_up']:,} units given up"
