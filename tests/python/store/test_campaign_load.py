"""Many units: planned, stored, handed out and completed with bounded memory, on both kinds of store.

10,000 units in CI; ZERMELO_EXHAUSTIVE=1 takes 1,000,000 and prints units per second
of the runner's own CPU time (docs/howto-cluster.md).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from synthetic import environment

WIDTH = 1000 if os.environ.get("ZERMELO_EXHAUSTIVE") else 100

PROGRAM = """
import json, sys, time
from zermelo.campaign.executor import InlineExecutor
from zermelo.campaign.runner import RunOptions
from zermelo.campaign.service import PlanOptions, new_campaign, run_campaign
from zermelo.game import find_game
from zermelo.store import open_store

def peak():
    lines = open("/proc/self/status").read().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024

url, width = sys.argv[1], int(sys.argv[2])
with open_store(url) as store:
    begin, before = time.process_time(), peak()
    tree = find_game("synthetic").campaign_tree(f"{width}x5:8", "", "A")
    campaign = new_campaign(store, "load", tree, PlanOptions(cut=4, sample=0))
    planned = time.process_time()
    units = store.progress(campaign).units
    status = run_campaign(store, campaign, executor=InlineExecutor, trust=True,
                          options=RunOptions(solver="plain", recheck=0, batch_seconds=0.2))
    done = time.process_time()
    results = sum(1 for _ in store.results(campaign, live=False))
    print(json.dumps({"units": units, "status": status.name, "results": results, "MiB": peak() - before,
                      "planned_per_second": units / (planned - begin),
                      "completed_per_second": results / (done - planned)}))
"""


def test_many_units_are_planned_and_completed_with_bounded_memory(store_url: str, tmp_path: Path) -> None:
    words = [sys.executable, "-c", PROGRAM, store_url, str(WIDTH)]
    run = subprocess.run(words, env=environment(tmp_path), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    report = json.loads(run.stdout)
    print(store_url.split(":")[0], report)
    assert report["units"] >= WIDTH * WIDTH
    assert report["status"] == "PROVED"
    assert report["results"] >= report["units"]
    assert report["MiB"] < 250
