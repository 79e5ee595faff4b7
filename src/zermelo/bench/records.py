"""Our best search against Obsequi's measured figures, board by board, and the boards where only a limit stops us."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from dataclasses import replace

from zermelo.bench.papers import measurement, published
from zermelo.bench.record import Measurement
from zermelo.domineering import GAME
from zermelo.domineering.position import PLAYERS
from zermelo.domineering.solve import DomineeringChooser, outcome_of
from zermelo.draw.text import counted
from zermelo.game import Answer, Limits, Result

# Larger boards, nearly all decided by a cut of the empty board; then those that need a real search.
FURTHER = ("7x10", "9x10", "10x11", "8x10", "6x14", "4x17", "4x18", "4x19", "4x20", "4x21", "9x9", "10x10")


def user_seconds() -> float:
    """Return the processor time this process has spent outside the system."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def records(seconds: float, *, threads: int = 1, further: bool = False) -> Iterator[Measurement]:
    """Yield two rows per board: Obsequi as measured, and ours with one search per starter."""
    for board, if_v, if_h, nodes_v, nodes_h, spent in published("measured")["rows"]:
        answer = outcome_of(if_v, if_h)
        yield Measurement("records", board, "Obsequi", answer, nodes_v + nodes_h, spent)
        yield ours(board, seconds, threads, nodes_v + nodes_h, answer)
    if further:
        for board in FURTHER:
            yield ours(board, seconds, threads, None, None)


def ours(board: str, seconds: float, threads: int, nodes: int | None, answer: str | None) -> Measurement:
    """Measure our best search on one board, each starter on its own; user time counts for one thread, as for Obsequi.

    The strip tables are loaded (built and cached, on first use) before the clock starts.
    """
    position, limits, way = GAME.parse(board), Limits(seconds, threads=threads), {"method": "search"}
    keeper = DomineeringChooser(limits, way)
    if "strip" in keeper.search_options(position).bounds:
        keeper.component_search(position)
    now = user_seconds if threads == 1 else time.monotonic
    begin, starts = now(), dict[str, Answer]()
    for first in PLAYERS:
        starts[first] = DomineeringChooser(limits, way).answer(position, first, limits, want_move=False)
    spent = now() - begin
    del keeper
    result = Result(GAME.name, board, starts, GAME.outcome(starts), threads)
    row = measurement("records", f"ours, {counted(threads, 'thread')}", result, nodes=nodes, answer=answer)
    return replace(row, seconds=spent)


def speedups(rows: list[Measurement]) -> dict[str, float]:
    """Return Obsequi's seconds over ours for every board that both finished.

    Times below a millisecond count as one; the older program's own clock shows steps of 10 ms.
    """
    theirs = {row.case: row.seconds for row in rows if row.setting == "Obsequi"}
    return {
        row.case: theirs[row.case] / max(0.001, row.seconds)
        for row in rows
        if row.setting != "Obsequi" and row.case in theirs and row.answer != "unknown"
    }
