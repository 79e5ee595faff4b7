"""Another solver and ours on the same boards, one after the other in one run."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from zermelo.bench.external import measure
from zermelo.bench.papers import measurement, run
from zermelo.bench.record import Measurement
from zermelo.domineering.position import PLAYERS, Position
from zermelo.domineering.searcher import OBSEQUI_OPTIONS, SearchOptions

DEFAULT_BOARDS = ("6x6", "6x7", "6x8", "6x9", "7x7", "7x8", "7x9", "8x8")


def side_by_side(command: str, boards: Sequence[str], seconds: float) -> Iterator[Measurement]:
    """Yield three rows per board and starter: the other solver, ours in the papers' setting, ours at its best.

    :raises ValueError: if a board is not an empty rectangle or the command fails.
    """
    for board in boards:
        position = Position.from_text(board)
        if position.spec != f"{position.rows}x{position.cols}":
            raise ValueError(f"board {board!r}: other solvers take empty rectangles such as 8x8 only")
        for first in PLAYERS:
            case = f"{board} {first} first"
            theirs = measure(command, position.rows, position.cols, first, timeout=seconds)
            said = ("unknown", 0, seconds) if theirs is None else (theirs.winner, theirs.nodes, theirs.seconds)
            yield Measurement("versus", case, "external", *said)
            for setting, options in (("cover", OBSEQUI_OPTIONS), ("best", SearchOptions())):
                begin = time.process_time()
                result = run(position, options, seconds, first=first)
                spent = time.process_time() - begin
                nodes, answer = (theirs.nodes, theirs.winner) if theirs else (None, None)
                row = measurement("versus", setting, result, case=case, nodes=nodes, answer=answer)
                yield replace(row, seconds=spent)
