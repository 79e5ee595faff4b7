"""Another Domineering solver and ours on the same boards, one after the other in one run.

The other one is a command; its answer is read from standard output.
"""

from __future__ import annotations

import re
import resource
import shlex
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from zermelo.bench.papers import measurement, run
from zermelo.bench.record import Measurement
from zermelo.domineering.position import PLAYERS, Player, Position
from zermelo.domineering.searcher import OBSEQUI_OPTIONS, SearchOptions

DEFAULT_BOARDS = ("6x6", "6x7", "6x8", "6x9", "7x7", "7x8", "7x9", "8x8")
ANSWER = re.compile(r"winner\s+([VH]).*?nodes\s+([0-9][0-9,]*)", re.IGNORECASE)


class ExternalAnswer(NamedTuple):
    """What another solver said, and its user time."""

    winner: Player
    nodes: int
    seconds: float


def parse_answer(output: str) -> tuple[Player, int]:
    """Read the last line such as ``winner V, move (1,2), nodes 2023301``.

    >>> parse_answer("winner V, move (1,2), nodes 2,023,301")
    ('V', 2023301)

    :raises ValueError: if there is none.
    """
    found = ANSWER.findall(output)
    if not found:
        raise ValueError("the external solver printed no line 'winner X, move (r,c), nodes N'")
    letter, nodes = found[-1]
    return ("V" if letter.upper() == "V" else "H"), int(nodes.replace(",", ""))


def measure(command: str, rows: int, cols: int, first: Player, *, timeout: float) -> ExternalAnswer | None:
    """Run the solver on ``solve rows R cols C P`` given on standard input; None at the time limit.

    :raises ValueError: if the command cannot be run or its answer cannot be read.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    words = shlex.split(command)
    if not words:
        raise ValueError("the external solver is missing: name a program")
    try:
        result = subprocess.run(
            words, input=f"solve rows {rows} cols {cols} {first}\n", capture_output=True, text=True, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        return None
    except OSError as error:
        raise ValueError(f"the external solver {command!r} cannot be run: {error.strerror}") from None
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    winner, nodes = parse_answer(result.stdout)
    return ExternalAnswer(winner, nodes, seconds)


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
            yield Measurement("versus", case, "external", *(theirs or ("unknown", 0, seconds)))
            for setting, options in (("cover", OBSEQUI_OPTIONS), ("best", SearchOptions())):
                begin = time.process_time()
                result = run(position, options, seconds, first=first)
                spent = time.process_time() - begin
                answer, nodes = theirs[:2] if theirs else (None, None)
                row = measurement("versus", setting, result, case=case, nodes=nodes, answer=answer)
                yield replace(row, seconds=spent)
