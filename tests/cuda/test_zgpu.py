"""The program for graphics cards where there is none, or no driver for one: one line, exit code 2.

The step ``cuda`` of ``./dev test`` compiles it and runs this. With a card, ``zermelo doctor`` is the test.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ZGPU = Path(__file__).resolve().parents[2] / "build" / sys.implementation.cache_tag / "zgpu"
OLD_DRIVER = """
#include <cstring>
extern "C" int cuDriverGetVersion(int* version) { return *version = 12040, 0; }
extern "C" int cuGetProcAddress_v2(const char* name, void** found, int, unsigned long, int*) {
  *found = std::strcmp(name, "cuDriverGetVersion") ? nullptr : reinterpret_cast<void*>(cuDriverGetVersion);
  return *found ? 0 : 500;
}
"""


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ZGPU, *words], capture_output=True, text=True, env={**os.environ, **environment})


@pytest.mark.skipif(Path("/dev/nvidiactl").exists(), reason="there is a card")
@pytest.mark.parametrize("words", ["doctor", "verdicts 10 1", "bound", "units 100", "solve 6x6 V"])
def test_without_a_card_every_command_says_so(words: str) -> None:
    done = run(*words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("zgpu: no NVIDIA card was found on this machine")
    assert done.stderr.count("\n") == 1


def test_an_old_driver_is_named(tmp_path: Path) -> None:
    source = tmp_path / "driver.cpp"
    source.write_text(OLD_DRIVER)
    subprocess.run(["c++", "-shared", "-fPIC", "-o", tmp_path / "libcuda.so.1", source], check=True)
    done = run("doctor", LD_LIBRARY_PATH=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr == (
        "zgpu: the card's driver is too old: it is made for CUDA 12.4, and this program needs 13.0 or newer\n"
    )
