"""Measure our best search beside another solver: by default Obsequi's figures, which were measured earlier.

  python tools/records.py [BOARD ...] [--solver COMMAND] [--seconds 120] [--threads N] [--rounds N] [--further]
                          [--csv FILE]

One search per starter. User seconds count for one thread, as for Obsequi; wall time for several. The strip tables are
loaded before the clock starts. COMMAND reads `solve rows R cols C P` on standard input and prints a line
`winner X, move (r,c), nodes N`. `--further` adds larger boards; `--rounds` repeats each board. The last line is the
mean speed-up.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from zermelo.bench.papers import measurement
from zermelo.bench.record import Measurement, geometric_mean, write_csv
from zermelo.cli.bench import show
from zermelo.domineering import GAME
from zermelo.domineering.position import PLAYERS, Player
from zermelo.domineering.solve import DomineeringChooser, outcome_of
from zermelo.game import Answer, Limits, Result
from zermelo.words import counted

OBSEQUI = json.loads(Path(__file__).with_name("obsequi.json").read_text())["rows"]
# Larger boards, nearly all decided by a cut of the empty board; then those that need a real search.
FURTHER = ("7x10", "9x10", "10x11", "8x10", "6x14", "4x17", "4x18", "4x19", "4x20", "4x21", "9x9", "10x10")
ANSWER = re.compile(r"winner\s+([VH]).*?nodes\s+([0-9][0-9,]*)", re.IGNORECASE)


def user_seconds(who: int = resource.RUSAGE_SELF) -> float:
    return resource.getrusage(who).ru_utime


def obsequi() -> dict[str, Measurement]:
    """Return what was measured of Obsequi, by board."""
    return {
        board: Measurement("records", board, "Obsequi", outcome_of(if_v, if_h), nodes_v + nodes_h, seconds)
        for board, if_v, if_h, nodes_v, nodes_h, seconds in OBSEQUI
    }


def parse_answer(output: str) -> tuple[Player, int]:
    """Read the last line such as ``winner V, move (1,2), nodes 2023301``.

    :raises ValueError: if there is none.
    """
    found = ANSWER.findall(output)
    if not found:
        raise ValueError("the other solver printed no line 'winner X, move (r,c), nodes N'")
    letter, nodes = found[-1]
    return ("V" if letter.upper() == "V" else "H"), int(nodes.replace(",", ""))


def theirs(command: str, board: str, seconds: float) -> Measurement:
    """Run the other solver for both starters."""
    rows, cols = board.split("x")
    winners, nodes, before = dict[Player, Player](), 0, user_seconds(resource.RUSAGE_CHILDREN)
    for first in PLAYERS:
        question = f"solve rows {rows} cols {cols} {first}\n"
        try:
            done = subprocess.run(shlex.split(command), input=question, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return Measurement("records", board, command, "unknown", 0, seconds, cut=True)
        winners[first], searched = parse_answer(done.stdout)
        nodes += searched
    spent = user_seconds(resource.RUSAGE_CHILDREN) - before
    return Measurement("records", board, command, outcome_of(winners["V"], winners["H"]), nodes, spent)


def ours(board: str, seconds: float, threads: int, other: Measurement | None) -> Measurement:
    """Measure our best search on one board, each starter on its own."""
    position, limits, way = GAME.parse(board), Limits(seconds, threads=threads), {"method": "search"}
    keeper = DomineeringChooser(limits, way)
    if "strip" in keeper.search_options(position).bounds:
        keeper.component_search(position)  # loads the strip tables, and builds them on first use
    now = user_seconds if threads == 1 else time.monotonic
    begin, starts = now(), dict[str, Answer]()
    for first in PLAYERS:
        starts[first] = DomineeringChooser(limits, way).answer(position, first, limits, want_move=False)
    spent = now() - begin
    result = Result(GAME.name, board, starts, GAME.outcome(starts), threads)
    nodes, answer = (None, None) if other is None or other.cut else (other.nodes, other.answer)
    row = measurement("records", f"ours, {counted(threads, 'thread')}", result, nodes=nodes, answer=answer)
    return replace(row, seconds=spent)


def records(
    boards: Iterable[str], seconds: float, *, threads: int = 1, solver: str | None = None
) -> Iterator[Measurement]:
    """Yield the other solver's row, if there is one, and ours, for each board."""
    known = obsequi()
    for board in boards:
        other = theirs(solver, board, seconds) if solver else known.get(board)
        if other is not None:
            yield other
        yield ours(board, seconds, threads, other)


def speedups(rows: Iterable[Measurement]) -> dict[str, float]:
    """Return the other solver's seconds over ours for every board that both finished.

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
    parser.add_argument("--solver", metavar="COMMAND")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--further", action="store_true")
    parser.add_argument("--csv", type=Path)
    given = parser.parse_args(words)
    boards = (given.boards or list(obsequi())) + (list(FURTHER) if given.further else [])
    rows = list(show(records(boards * given.rounds, given.seconds, threads=given.threads, solver=given.solver), 26))
    if given.csv:
        write_csv(given.csv, rows)
    if faster := speedups(rows):
        slowest = min(faster, key=faster.__getitem__)
        mean = geometric_mean(faster.values())
        print(f"\ntimes faster: geometric mean {mean:.1f} over {len(faster)}, least {faster[slowest]:.1f} ({slowest})")
    return int(any(row.wrong for row in rows))


if __name__ == "__main__":
    sys.exit(main())
