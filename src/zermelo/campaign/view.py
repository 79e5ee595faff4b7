"""The live view of a running campaign, for the terminal."""

from __future__ import annotations

import time
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


class LiveView:
    """Turns a runner's state into a picture, and refreshes the counts every second or so."""

    def __init__(self) -> None:
        self._report: dict[str, Any] = {}
        self._at = 0.0
        self._cost = 0.0

    def report(self, runner: Runner, *, fresh: bool = False) -> dict[str, Any]:
        """Return the campaign's report with the figures of this run; counting takes at most a tenth of the time."""
        now = time.monotonic()
        if fresh or not self._report or now - self._at > max(1.0, 10 * self._cost):
            self._report = campaign_report(runner.store, runner.campaign)
            self._at = time.monotonic()
            self._cost = self._at - now
            elapsed = self._at - runner.began
            self._report |= {
                "workers": runner.workers(),
                "elapsed": round(elapsed, 1),
                "interrupted_nodes": runner.interrupted_nodes,
                "schedulers_lost": runner.executors_lost,
                "busy": round(runner.task_seconds / elapsed, 2) if elapsed else 0.0,
            }
            speed = self._report["nodes_per_second"]
            left, busy = self._report["remaining_nodes"], self._report["busy"]
            at_once = max(busy, 0.01)
            self._report["remaining_seconds"] = round(left / speed / at_once, 1) if speed and left is not None else None
        return self._report

    def render(self, report: dict[str, Any]) -> Any:
        """Return the picture of a report, for Rich; for a decided claim without the work left."""
        from rich.console import Group  # loaded only for a picture: it takes a quarter of a command's start
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        done = report["proved"]
        total = max(report["units"], 1)
        decided = report["status"] in ("proved", "refuted")
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold")
        table.add_column()
        table.add_row("claim", report["claim"])
        units = f"{done:,} of {total:,} proved, {report['refuted']:,} refuted, {report['superfluous']:,} superfluous"
        table.add_row("units", units + ("" if decided else f", {report['leased']:,} handed out"))
        table.add_row("work done", nodes(report["nodes"]))
        if not decided:
            interval = f"{human(report['remaining_low'])} to {human(report['remaining_high'])}"
            sure = " (rough: few units are finished)" if report["rough"] else ""
            known = report["remaining_nodes"] is not None  # once a unit is finished
            words = f"{nodes(report['remaining_nodes'])} ({interval}){sure}" if known else "unknown yet"
            table.add_row("work left", words)
        if "workers" in report:
            speed = f"{nodes(report['nodes_per_second'])} a second each, {report['busy']:.1f} busy"
            table.add_row("workers", f"{report['workers']}, {speed}")
            left = "" if decided else f", about {duration(report['remaining_seconds'])} left"
            table.add_row("time", f"{duration(report['elapsed'])} so far{left}")
        table.add_row("failures", f"{report['failures']:,}, {report['given_up']:,} units given up")
        bar = Table.grid()
        bar.add_row(ProgressBar(total=total, completed=done, width=60))
        return Group(bar, table)
