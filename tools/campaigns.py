"""Campaigns beside direct searches of the same claims, in one run: nodes, wall time and CPU time, as ratios.

  python tools/campaigns.py [--workers N] [--memory MIB] [--certify] [CLAIM ...]

A CLAIM is SPEC:FIRST:WINNER:CUT of Domineering, such as 6x14:V:H:2. Prints a Markdown table. The direct search has as
many threads as the campaign has workers, and as much memory as all of them together. With --certify the direct search
writes its certificate and `check` verifies it, against a campaign whose units are certified and checked one by one,
exported and checked as a whole. CPU time is that of all processes, the start of Python and of the workers included.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ZERMELO = Path(sys.executable).parent / "zermelo"
CLAIMS = ["8x8:V:V:3", "6x14:V:H:2"]


@dataclass(frozen=True)
class Cost:
    """The cost of some commands together, and the answer of the last one."""

    wall: float
    cpu: float
    answer: dict[str, Any]

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.wall + other.wall, self.cpu + other.cpu, other.answer)


def children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def zermelo(*words: str | Path) -> Cost:
    """Run a command with --json and return its cost."""
    cpu, begin = children_cpu(), time.monotonic()
    run = subprocess.run([ZERMELO, *map(str, words), "--json"], stdout=subprocess.PIPE, text=True, check=True)
    wall = time.monotonic() - begin
    return Cost(wall, children_cpu() - cpu, json.loads(run.stdout.splitlines()[-1]))


def row(title: str, cost: Cost, nodes: int, direct: Cost, units: str = "") -> str:
    cells = [title, units, f"{nodes:,}", f"{cost.wall:.1f}", f"{cost.cpu:.1f}"]
    cells += [f"{cost.wall / direct.wall:.2f}", f"{cost.cpu / direct.cpu:.2f}"]
    return "| " + " | ".join(cells) + " |"


def measure(claim: str, folder: Path, *, workers: int, memory: int, certify: bool) -> None:
    """Print the rows of one claim."""
    spec, first, winner, cut = claim.split(":")
    game = ["domineering", spec, "--first", first]
    power = ["--threads", str(workers), "--memory", f"{workers * memory}M", "--method", "search"]
    whole = folder / "direct.zcert"
    direct = zermelo("solve", *game, *power, *(["--proof", str(whole)] if certify else []))
    assert direct.answer["starts"][first]["winner"] == winner, direct.answer
    nodes = int(direct.answer["nodes"])
    if certify:
        direct += zermelo("check", whole)
    title = f"{spec}, {first} first, {workers} threads"
    print(row(title, direct, nodes, direct), flush=True)

    store = folder / f"{spec}.db"
    campaign = zermelo("campaign", "new", *game, "--winner", winner, "--cut", cut, "--store", store)
    trust = [] if certify else ["--trust"]
    options = ["--workers", str(workers), "--memory", str(memory), *trust, "--store", str(store)]
    campaign += zermelo("campaign", "run", *options)
    report = campaign.answer
    assert report["status"] == "proved", report
    if certify:
        exported = folder / "campaign.zcert"
        campaign += zermelo("campaign", "export", "--store", store, "--output", exported)
        campaign += zermelo("check", exported)
    units = f"{report['proved']} of {report['seconds'] / max(report['proved'], 1):.2f} s"
    spent = report["nodes"] + report["interrupted_nodes"]
    print(row(f"campaign, {workers} workers", campaign, spent, direct, units), flush=True)


def main(words: Sequence[str] | None = None) -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else a command takes twice as long to start
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("claims", nargs="*", metavar="CLAIM")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", type=int, default=1024, help="MiB of a worker")
    parser.add_argument("--certify", action="store_true", help="with certificates, checked")
    wanted = parser.parse_args(words)
    titles = ["claim", "units", "nodes", "wall s", "CPU s", "wall, ratio", "CPU, ratio"]
    print("| " + " | ".join(titles) + " |")
    print("|---|---|" + "---:|" * (len(titles) - 2), flush=True)
    for claim in wanted.claims or CLAIMS:
        with tempfile.TemporaryDirectory() as folder:
            measure(claim, Path(folder), workers=wanted.workers, memory=wanted.memory, certify=wanted.certify)


if __name__ == "__main__":
    main()
