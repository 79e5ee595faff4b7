"""Many units: planned, stored, handed out and completed with bounded memory, on both kinds of store.

10,000 units in CI; ZERMELO_EXHAUSTIVE=1 takes 1,000,000 and prints units per second
of the process's own CPU time (docs/howto-cluster.md).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

UNITS = 1_000_000 if os.environ.get("ZERMELO_EXHAUSTIVE") else 10_000

PROGRAM = """
import json, sys, time
sys.path.insert(0, sys.argv[3])
from test_store_units import campaign_with_units, result
from zermelo.store import open_store

def peak():
    lines = open("/proc/self/status").read().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024

url, units = sys.argv[1], int(sys.argv[2])
with open_store(url) as store:
    begin, before = time.process_time(), peak()
    campaign = campaign_with_units(store, units)
    planned = time.process_time()
    while leased := store.lease(campaign, "runner", limit=1000, seconds=60):
        store.record(campaign, [result(unit.id, certificate=b"%d" % unit.id + bytes(200)) for unit in leased])
    done = time.process_time()
    assert store.plan(campaign).settled()
    print(json.dumps({"proved": store.counts(campaign).proved, "sizes": sum(1 for _ in store.sizes(campaign)),
                      "MiB": peak() - before, "planned_per_second": units / (planned - begin),
                      "completed_per_second": units / (done - planned)}))
"""


def test_many_units_are_planned_and_completed_with_bounded_memory(store_url: str) -> None:
    words = [sys.executable, "-c", PROGRAM, store_url, str(UNITS), str(Path(__file__).parent)]
    run = subprocess.run(words, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    report = json.loads(run.stdout)
    print(store_url.split(":")[0], report)
    assert report["proved"] == report["sizes"] == UNITS
    assert report["MiB"] < 250
