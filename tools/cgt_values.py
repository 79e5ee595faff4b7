"""Values of empty boards by Zermelo and by cgt-py, where that is installed: one after the other in one run.

  python tools/cgt_values.py [BOARD ...] [--seconds 600] [--memory 4096]

Each question is a process of its own without a database, so that nothing is known before. Seconds are of the processor,
the start of Python included. Ends with an error if the two disagree.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec

from zermelo.cgt import Value
from zermelo.domineering.position import Position

# {rows} is the board as ...|..., {memory} the bytes that ours may use.
PROGRAMS = {
    "zermelo": """
from zermelo.cgt import LimitReached, limits
from zermelo.domineering.values import domineering_value
try:
    with limits(memory={memory}):
        print(domineering_value('{rows}').short())
except LimitReached:
    print('unknown')
""",
    "cgt-py": """
import cgt_py
print(repr(cgt_py.Domineering('{rows}').canonical_form).split("'")[1])
""",
}
COST = """
import resource
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def ask(program: str, board: str, seconds: float, memory: int) -> tuple[str, float, float]:
    """Return the value, or 'unknown' if a limit was reached, with the seconds and the MiB of the process."""
    position = Position(board)
    rows = position.lattice.grid(position.blocked, "|")
    words = [sys.executable, "-c", PROGRAMS[program].format(rows=rows, memory=memory) + COST]
    with tempfile.TemporaryDirectory() as empty:
        env = {**os.environ, "ZERMELO_CACHE": empty}
        try:
            done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=seconds, env=env)
        except subprocess.TimeoutExpired:
            return "unknown", seconds, 0.0
    value, cost = done.stdout.strip().split("\n")
    spent, size = map(float, cost.split())
    return value, spent, size


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("boards", nargs="*", metavar="BOARD", default=["5x5", "5x6"])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--memory", type=int, default=4096, help="MiB for ours")
    given = parser.parse_args(words)
    print(f"{'board':<10}{'program':<10}{'seconds':>10}{'MiB':>10}  value")
    for board in given.boards:
        known = list[str]()
        for program in ("zermelo", "cgt-py") if find_spec("cgt_py") else ("zermelo",):
            value, spent, size = ask(program, board, given.seconds, given.memory << 20)
            print(f"{board:<10}{program:<10}{spent:>10.3f}{size:>10.1f}  {value:.60}", flush=True)
            known += [value] if value != "unknown" and "too long" not in value else []
        if len({Value(value) for value in known}) > 1:
            raise SystemExit(f"{board}: the two disagree")


if __name__ == "__main__":
    main()
