"""Measure our best search beside Obsequi's figures, which were measured earlier.

  python tools/records.py [BOARD ...] [--seconds 120] [--threads N] [--rounds N] [--further] [--csv FILE]

One search per starter. User seconds count for one thread, as for Obsequi; wall time for several. The strip tables are
loaded before the clock starts. `--further` adds larger boards; `--rounds` repeats each board. The last line is the mean
speed-up.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from zermelo.bench.papers import measurement
from zermelo.bench.record import Measurement, geometric_mean, write_csv
from zermelo.cli.bench import show
from zermelo.domineering import GAME
from zermelo.domineering.position import PLAYERS
from zermelo.domineering.rules.outcomes import OUTCOMES, from_winners
from zermelo.domineering.solve import DomineeringChooser
from zermelo.game import Answer, Limits, Result
from zermelo.words import counted

OBSEQUI = json.loads(Path(__file__).with_name("obsequi.json").read_text())["rows"]
# Larger boards, nearly all decided by a cut of the empty board; then those that need a real search.
FURTHER = ("7x10", "9x10", "10x11", "8x10", "6x14", "4x17", "4x18", "4x19", "4x20", "4x21", "9x9", "10x10")


def user_seconds() -> float:
    return os.times().user


def obsequi() -> dict[str, Measurement]:
    """Return Obsequi's measurements by board."""
    return {
        board: Measurement("records", board, "Obsequi", OUTCOMES[from_winners(if_v, if_h)], nodes_v + nodes_h, seconds)
        for board, if_v, if_h, nodes_v, nodes_h, seconds in OBSEQUI
    }


def ours(board: str, seconds: float, threads: int, other: Measurement | None) -> Measurement:
    """Measure our best search on one board, each starter on its own."""
    position, limits, way = GAME.parse(board), Limits(seconds, threads=threads), {"method": "search"}
    keeper = DomineeringChooser(limits, way)
    if keeper.papers_settings(position) is None:
        keeper.component_search(position)  # loads the strip tables, and builds them on first use
    now = user_seconds if threads == 1 else time.monotonic
    begin, starts = now(), dict[str, Answer]()
    for first in PLAYERS:
        starts[first] = DomineeringChooser(limits, way).answer(position, first, limits, want_move=False)
    spent = now() - begin
    result = Result(GAME.name, board, starts, GAME.outcome(starts), threads)
    nodes, answer = (None, None) if other is None else (other.nodes, other.answer)
    row = measurement("records", f"ours, {counted(threads, 'thread')}", result, nodes=nodes, answer=answer)
    return replace(row, seconds=spent)


def records(boards: Iterable[str], seconds: float, *, threads: int = 1) -> Iterator[Measurement]:
    """Yield Obsequi's row, if there is one, and ours, for each board."""
    known = obsequi()
    for board in boards:
        if board in known:
            yield known[board]
        yield ours(board, seconds, threads, known.get(board))


def speedups(rows: Iterable[Measurement]) -> dict[str, float]:
    """Return Obsequi's seconds over ours for every board that both finished.

    Times below a millisecond count as one; Obsequi's own clock shows steps of 10 ms.
    """
    found, other = dict[str, float](), dict[str, float]()
    for row in rows:
        if not row.setting.startswith("ours"):
            other[row.case] = row.seconds
        elif row.case in other and row.answer != "unknown":
            found[row.case] = other[row.case] / max(0.001, row.seconds)
    return found


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("boards", nargs="*", metavar="BOARD", help="Obsequi's boards if none is named")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--further", action="store_true")
    parser.add_argument("--csv", type=Path)
    given = parser.parse_args(words)
    boards = (given.boards or list(obsequi())) + (list(FURTHER) if given.further else [])
    rows = list(show(records(boards * given.rounds, given.seconds, threads=given.threads), 26))
    if given.csv:
        write_csv(given.csv, rows)
    if faster := speedups(rows):
        slowest = min(faster, key=faster.__getitem__)
        mean = geometric_mean(faster.values())
        print(f"\ntimes faster: geometric mean {mean:.1f} over {len(faster)}, least {faster[slowest]:.1f} ({slowest})")
    return int(any(row.wrong for row in rows))


if __name__ == "__main__":
    sys.exit(main())
