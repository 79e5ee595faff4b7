"""`--memory` is a promise: what a search takes beyond the interpreter, measured from outside."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# Not ru_maxrss: Linux lets a new program inherit the peak of the process that started it.
PROBE = (
    "import re, sys; from zermelo.cli.app import run; code = run(sys.argv[1:]);"
    "print(int(re.search(r'VmHWM:\\s+(\\d+) kB', open('/proc/self/status').read())[1]) << 10); sys.exit(code)"
)
NOISE = 2 << 20  # of the interpreter and its threads, from run to run; more on a busy machine


def peak_bytes(*words: str) -> int:
    result = subprocess.run(
        [sys.executable, "-c", PROBE, "solve", "domineering", *words],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    return int(result.stdout.splitlines()[-1])


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/status")
def test_search_of_8x8_stays_within_its_memory(tmp_path: Path) -> None:
    base = peak_bytes("2x2", "--memory", "1M")
    proof_base = peak_bytes("2x2", "--memory", "1M", "--proof", str(tmp_path / "2x2.zcert"))
    for megabytes in (16, 64):
        used = peak_bytes("8x8", "--memory", f"{megabytes}M") - base
        assert used <= (megabytes << 20) + NOISE, f"{used >> 10} KiB with --memory {megabytes}M"
        proved = peak_bytes("8x8", "--memory", f"{megabytes}M", "--proof", str(tmp_path / "8x8.zcert")) - proof_base
        assert proved <= (megabytes << 20) + NOISE, f"{proved >> 10} KiB with a proof and --memory {megabytes}M"
    # It would take more if it were let.
    assert peak_bytes("8x8", "--memory", "512M") - base > (64 << 20) + NOISE
