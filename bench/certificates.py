"""Certificates of the article's boards, of rings and of mnk games: written, checked by both checkers, measured.

  python bench/certificates.py [--slow] [--large] [SPEC ...]

Prints a Markdown table: size, nodes, seconds to solve and to write the proof, CPU seconds to check it. --slow also
runs zcheck.py; --large adds 9x9 and 8,8,5, which take minutes.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from pathlib import Path

from zermelo.proof import check_file, write_domineering, write_positional

BOARDS = [f"{r}x{c}" for r in range(2, 10) for c in range(r, 10) if r * c <= 64]
RINGS = ["torus:5x5", "torus:6x6", "hcylinder:6x6", "vcylinder:5x6"]
LINES = [
    "3,3,3",
    "5,5,4",
    "4,4,4",
    "5,5,5",
    "6,6,5",
    "7,7,5",
]  # Maker wins the first two, Breaker the others
LARGE = ["9x9", "8,8,5"]


def children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measured(spec: str, first: str, folder: Path, slow: bool) -> str:
    """Return one row of the table."""
    file = folder / "certificate.zc"
    if "x" in spec:
        written = write_domineering(spec, "V" if first == "V" else "H", file)
    else:
        written = write_positional(spec, file)
    times, nodes = [], 0
    for use_slow in (False, True) if slow else (False,):
        before = children_cpu()
        report = check_file(file, slow=use_slow)
        if not report.verified:
            raise SystemExit(f"{spec} {first}: {report.said}")
        nodes = report.said["nodes"]
        times.append(f"{children_cpu() - before:.2f}")
    cells = [spec, first, str(written.winner), f"{written.size:,}", f"{nodes:,}"]
    cells += [
        f"{written.nodes:,}",
        f"{written.solving_seconds:.3f}",
        f"{written.proof_seconds:.3f}",
    ]
    return "| " + " | ".join(cells + times) + " |"


def main() -> None:
    words = sys.argv[1:]
    slow = "--slow" in words
    specs = [word for word in words if not word.startswith("-")] or BOARDS + RINGS + LINES
    if "--large" in words:
        specs += LARGE
    titles = ["game", "starts", "wins", "bytes", "nodes in proof", "nodes searched", "solve s"]
    titles += ["write s", "zcheck CPU s", *(["zcheck.py CPU s"] if slow else [])]
    print("| " + " | ".join(titles) + " |")
    print("|" + "---|" * len(titles), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for spec in specs:
            for first in ("V", "H") if "x" in spec else ("Maker",):
                print(measured(spec, first, Path(folder), slow), flush=True)


if __name__ == "__main__":
    main()
