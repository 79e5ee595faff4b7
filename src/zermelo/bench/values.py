"""Values of empty boards by ours and by cgt-py, one after the other in one run."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from zermelo import _core
from zermelo.cgt import Game
from zermelo.domineering.position import Position

DEFAULT_BOARDS = ("4x5", "5x5")

# What each calculator is asked; {rows} is the board as ...|...
PROGRAMS = {
    "zermelo": "from zermelo.cgt import domineering_value as value; print(value('{rows}'))",
    "cgt-py": "import cgt_py; print(repr(cgt_py.Domineering('{rows}').canonical_form).split(chr(39))[1])",
}


@dataclass(frozen=True)
class TimedValue:
    """What one calculator says of a board, and the seconds that a fresh process takes to say it."""

    board: str
    program: str
    value: str | None  # None: the time limit was reached
    seconds: float
    times_ours: float


def others() -> list[str]:
    """Name the other calculators that are installed here."""
    return ["cgt-py"] if find_spec("cgt_py") else []


def ask(program: str, rows: str, seconds: float) -> tuple[str | None, float]:
    """Return value and seconds of a process of its own, without a database, so that nothing is known before."""
    with tempfile.TemporaryDirectory() as empty:
        begin = time.perf_counter()
        try:
            done = subprocess.run(
                [sys.executable, "-c", PROGRAMS[program].format(rows=rows)],
                capture_output=True,
                text=True,
                check=True,
                timeout=seconds,
                env={**os.environ, "ZERMELO_CACHE": empty},
            )
        except subprocess.TimeoutExpired:
            return None, seconds
        return done.stdout.strip(), time.perf_counter() - begin


def side_by_side(boards: Sequence[str], seconds: float) -> Iterator[TimedValue]:
    """Yield what every installed calculator says of every board, ours first.

    :raises ValueError: if a board is not a part of a rectangle, or two calculators disagree.
    """
    for board in boards:
        core_board = Position.from_text(board).board
        if core_board.topology != _core.Topology.RECTANGLE:
            raise ValueError(f"board {board!r}: other calculators take no cylinders and tori")
        rows = core_board.grid("|")
        ours, own_seconds = ask("zermelo", rows, seconds)
        yield TimedValue(board, "zermelo", ours, own_seconds, 1.0)
        for program in others():
            value, spent = ask(program, rows, seconds)
            if ours is not None and value is not None and Game(value) != Game(ours):
                raise ValueError(f"{board}: we say {ours}, {program} says {value}")
            yield TimedValue(board, program, value, spent, spent / own_seconds)
