"""Values of empty boards by ours and by cgt-py, one after the other in one run."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from zermelo import _core
from zermelo.cgt import Value
from zermelo.domineering.position import Position

DEFAULT_BOARDS = ("5x5", "5x6")

# What each calculator is asked; {rows} is the board as ...|..., {memory} what ours may use. Then what it took.
PROGRAMS = {
    "zermelo": """
from zermelo.cgt import LimitReached, limits
from zermelo.domineering.values import domineering_value
try:
    with limits(memory={memory}):
        print(domineering_value('{rows}').short())
except LimitReached as limit:
    print('unknown:', limit)
""",
    "cgt-py": """
import cgt_py
print(repr(cgt_py.Domineering('{rows}').canonical_form).split("'")[1])
""",
}
COST = """
import resource
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


@dataclass(frozen=True)
class TimedValue:
    """What one calculator says of a board, and what a fresh process takes to say it."""

    board: str
    program: str
    value: str | None  # None: a limit was reached
    seconds: float  # of processor time
    mebibytes: float | None  # None where it was stopped
    times_ours: float | None


def others() -> list[str]:
    """Name the other calculators that are installed here."""
    return ["cgt-py"] if find_spec("cgt_py") else []


def ask(program: str, rows: str, seconds: float, memory: int) -> tuple[str | None, float, float | None]:
    """Return value, seconds and mebibytes of a process of its own, without a database: nothing is known before."""
    with tempfile.TemporaryDirectory() as empty:
        try:
            done = subprocess.run(
                [sys.executable, "-c", PROGRAMS[program].format(rows=rows, memory=memory) + COST],
                capture_output=True,
                text=True,
                check=True,
                timeout=seconds,
                env={**os.environ, "ZERMELO_CACHE": empty},
            )
        except subprocess.TimeoutExpired:
            return None, seconds, None
        value, cost = done.stdout.strip().split("\n")
        spent, kibibytes = map(float, cost.split())
        return None if value.startswith("unknown") else value, spent, round(kibibytes / 1024, 1)


def side_by_side(boards: Sequence[str], seconds: float, memory: int = 4 << 30) -> Iterator[TimedValue]:
    """Yield what every installed calculator says of every board, ours first.

    :raises ValueError: if a board is not a part of a rectangle, or two calculators disagree.
    """
    for board in boards:
        core_board = Position.from_text(board).board
        if core_board.topology != _core.Topology.RECTANGLE:
            raise ValueError(f"board {board!r}: other calculators take no cylinders and tori")
        rows = core_board.grid("|")
        ours, own_seconds, own_size = ask("zermelo", rows, seconds, memory)
        yield TimedValue(board, "zermelo", ours, own_seconds, own_size, 1.0)
        for program in others():
            value, spent, size = ask(program, rows, seconds, memory)
            known = ours is not None and value is not None and "too long" not in ours
            if known and Value(value or "") != Value(ours or ""):
                raise ValueError(f"{board}: we say {ours}, {program} says {value}")
            yield TimedValue(board, program, value, spent, size, None if size is None else spent / own_seconds)
