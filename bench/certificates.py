"""Certificates of the article's boards, of rings and of mnk games: written, checked by both checkers, measured.

  python bench/certificates.py [--slow] [--large] [--threads N] [SPEC ...]

Prints a Markdown table: bytes, nodes, CPU seconds (user and system) to solve without and with the proof, packing
included, and to check it; strip tables are loaded before, and of short runs the least of five counts. --slow also runs
zcheck.py; --large adds 9x9 and 8,8,5, which take minutes.
"""

from __future__ import annotations

import argparse
import math
import resource
import tempfile
import time
from pathlib import Path

from zermelo.domineering.engine import winner_of
from zermelo.domineering.position import Player, Position, core_player
from zermelo.domineering.solve import solve
from zermelo.positional import MNK
from zermelo.proof import Written, check_file, write_domineering, write_positional
from zermelo.proof.writing import proof_engine

BOARDS = [f"{r}x{c}" for r in range(2, 10) for c in range(r, 10) if r * c <= 64]
RINGS = ["torus:5x5", "torus:6x6", "hcylinder:6x6", "vcylinder:5x6"]
LINES = ["3,3,3", "5,5,4", "4,4,4", "5,5,5", "6,6,5", "7,7,5"]  # Maker wins the first two, Breaker the others
LARGE = ["9x9", "8,8,5"]


MEMORY = 1 << 32
SHORT_RUNS, LONG = 5, 1.0


def children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def board_costs(spec: str, first: Player, file: Path, threads: int) -> tuple[Written, int, float, float]:
    """Return what was written, nodes searched, and the CPU seconds to solve without and with the proof.

    The least of several runs, if they are short.
    """
    board = Position.from_text(spec).board
    engine = proof_engine(board, MEMORY, threads)
    # This loads the strip tables, which is no part of either cost.
    engine.solve(board, core_player(first), nodes=1)
    alone = together = math.inf
    for _ in range(SHORT_RUNS):
        engine.clear()
        begin = time.process_time()
        found = engine.solve(board, core_player(first))
        alone = min(alone, time.process_time() - begin)
        winner = winner_of(found, first)
        assert winner is not None
        written = write_domineering(spec, first, file, memory=MEMORY, threads=threads, solved=(engine, winner))
        together = min(together, time.process_time() - begin)
        if alone > LONG:
            break
    return written, found.nodes, alone, together


def ring_costs(spec: str, first: Player, file: Path) -> tuple[Written, int, float, float]:
    """Return the same for a cylinder or torus; the certificate is written from a search of its own."""
    begin = time.process_time()
    found = solve(spec, first=first)
    alone = time.process_time() - begin
    begin = time.process_time()
    written = write_domineering(spec, first, file)
    return written, found.nodes, alone, time.process_time() - begin


def game_costs(spec: str, file: Path) -> tuple[Written, int, float, float]:
    """Return the same for an m,n,k game; its strategy is recorded while it is solved."""
    begin = time.process_time()
    MNK.solve(spec)
    solved = time.process_time() - begin
    begin = time.process_time()
    written = write_positional(spec, file)
    return written, written.nodes, solved, time.process_time() - begin


def measured(spec: str, first: str, folder: Path, *, slow: bool, threads: int) -> str:
    """Return one row of the table."""
    file = folder / "certificate.zc"
    starter: Player = "V" if first == "V" else "H"
    if ":" in spec:
        costs = ring_costs(spec, starter, file)
    elif "x" in spec:
        costs = board_costs(spec, starter, file, threads)
    else:
        costs = game_costs(spec, file)
    written, searched, alone, together = costs
    times, nodes = [], 0
    for use_slow in (False, True) if slow else (False,):
        before = children_cpu()
        report = check_file(file, slow=use_slow)
        if not report.verified:
            raise SystemExit(f"{spec} {first}: {report.said}")
        nodes = report.said["nodes"]
        times.append(f"{children_cpu() - before:.2f}")
    cells = [spec, first, str(written.winner), f"{written.size:,}", f"{nodes:,}"]
    cells += [f"{searched:,}", f"{alone:.3f}", f"{together:.3f}"]
    return "| " + " | ".join(cells + times) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("specs", nargs="*", metavar="SPEC")
    parser.add_argument("--slow", action="store_true", help="run zcheck.py too")
    parser.add_argument("--large", action="store_true", help="add 9x9 and 8,8,5")
    parser.add_argument("--threads", type=int, default=1)
    wanted = parser.parse_args()
    specs = (wanted.specs or BOARDS + RINGS + LINES) + (LARGE if wanted.large else [])
    titles = ["game", "starts", "wins", "bytes", "nodes in the proof", "nodes searched", "solve s"]
    titles += ["with proof s", "`zcheck` s", *(["`zcheck.py` s"] if wanted.slow else [])]
    print("| " + " | ".join(titles) + " |")
    print("|" + "---|" * len(titles), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for spec in specs:
            for first in ("V", "H") if "x" in spec else ("Maker",):
                row = measured(spec, first, Path(folder), slow=wanted.slow, threads=wanted.threads)
                print(row, flush=True)


if __name__ == "__main__":
    main()
