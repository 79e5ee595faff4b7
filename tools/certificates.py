"""Certificates of the article's boards, of rings and of mnk games: written, checked by both checkers, measured.

  python tools/certificates.py [--slow] [--large] [--threads N] [SPEC ...]

Prints a Markdown table: bytes, nodes, CPU seconds (user and system) to solve without and with the proof, packing
included, and to check it; strip tables are loaded before. --slow also runs zcheck.py; --large adds 9x9 and 8,8,5, which
take minutes.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from zermelo.game import Game, Limits, Written, find_game
from zermelo.proof import check_file

BOARDS = [f"{r}x{c}" for r in range(2, 10) for c in range(r, 10) if r * c <= 64]
RINGS = ["torus:5x5", "torus:6x6", "hcylinder:6x6", "vcylinder:5x6"]
LINES = ["3,3,3", "5,5,4", "4,4,4", "5,5,5", "6,6,5", "7,7,5"]  # Maker wins the first two, Breaker the others
LARGE = ["9x9", "8,8,5"]


def costs(game: Game, spec: str, first: str, file: Path, threads: int) -> tuple[Written, int, float, float]:
    """Return the certificate, the nodes searched, and the CPU seconds to solve without and with the proof."""
    position = game.parse(spec)
    chooser = game.proof_chooser(Limits(memory=1 << 32, threads=threads))
    # This loads the strip tables, which is no part of either cost.
    chooser.answer(position, first, Limits(nodes=1), want_move=False)
    begin = time.process_time()
    found = chooser.answer(position, first, Limits(), want_move=False)
    alone = time.process_time() - begin
    written = game.prove(position, first, file, chooser=chooser, answer=found)
    return written, found.nodes, alone, time.process_time() - begin


def measured(spec: str, first: str, folder: Path, *, slow: bool, threads: int) -> str:
    """Return one row of the table."""
    file = folder / "certificate.zc"
    game = find_game("mnk" if "," in spec else "domineering")
    written, searched, alone, together = costs(game, spec, first, file, threads)
    times, nodes = [], 0
    for use_slow in (False, True) if slow else (False,):
        before = os.times()
        report = check_file(file, slow=use_slow)
        if not report.verified:
            raise SystemExit(f"{spec} {first}: {report.said}")
        nodes = report.said["nodes"]
        times.append(f"{sum(os.times()[2:4]) - sum(before[2:4]):.2f}")
    cells = [spec, first, str(written.winner), f"{written.size:,}", f"{nodes:,}"]
    cells += [f"{searched:,}", f"{alone:.3f}", f"{together:.3f}"]
    return "| " + " | ".join(cells + times) + " |"


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("specs", nargs="*", metavar="SPEC")
    parser.add_argument("--slow", action="store_true", help="run zcheck.py too")
    parser.add_argument("--large", action="store_true", help="add 9x9 and 8,8,5")
    parser.add_argument("--threads", type=int, default=1)
    wanted = parser.parse_args(words)
    specs = (wanted.specs or BOARDS + RINGS + LINES) + (LARGE if wanted.large else [])
    titles = ["game", "starts", "wins", "bytes", "nodes in the proof", "nodes searched", "solve s"]
    titles += ["with proof s", "`zcheck` s", *(["`zcheck.py` s"] if wanted.slow else [])]
    print("| " + " | ".join(titles) + " |")
    print("|" + "---|" * len(titles), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for spec in specs:
            for first in ("V", "H") if "x" in spec else ("X",):
                row = measured(spec, first, Path(folder), slow=wanted.slow, threads=wanted.threads)
                print(row, flush=True)


if __name__ == "__main__":
    main()
