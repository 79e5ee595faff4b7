"""Measure another Domineering solver beside ours: one command per board, its answer read from standard output."""

from __future__ import annotations

import re
import resource
import shlex
import subprocess
from dataclasses import dataclass

from zermelo.domineering.position import Player

ANSWER = re.compile(r"winner\s+([VH]).*?nodes\s+([0-9][0-9,]*)", re.IGNORECASE)


@dataclass(frozen=True)
class ExternalAnswer:
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
