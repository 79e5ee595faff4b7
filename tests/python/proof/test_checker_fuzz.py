"""A fuzzer of zcheck.py that is guided by the lines it reaches, with the fast checker as second opinion.

ZERMELO_FUZZ_RUNS says how many inputs to try (500), ZERMELO_FUZZ_CORPUS names a folder with more inputs to begin with.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import tiny
from tiny import zcheck, zformat

SECONDS, MEBIBYTES = 2, 256
LARGEST = 4096


class Fuzzer:
    """Checks inputs, and keeps those that reach a new step from line to line of the checker."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.corpus: list[bytes] = []
        self.seen: set[tuple[str, int, int]] = set()
        self.verdicts = dict.fromkeys(range(4), 0)

    def trial(self, data: bytes) -> None:
        """Check one input. The checkers must agree, and a verified claim must be true (by brute force, if small)."""
        self.file.write_bytes(data)
        fresh: set[tuple[str, int, int]] = set()
        last = 0

        def local(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal last
            step = (frame.f_code.co_filename, last, frame.f_lineno)
            last = frame.f_lineno
            if step not in self.seen:
                fresh.add(step)
            return local

        def enter(frame: FrameType, event: str, _: Any) -> Any:
            return local if Path(frame.f_code.co_filename).parent.name == "checker" else None

        sys.settrace(enter)
        try:
            verdict, said = zcheck.check(str(self.file), SECONDS, MEBIBYTES)
        finally:
            sys.settrace(None)
        self.verdicts[verdict] += 1
        self.seen |= fresh
        if verdict == zformat.VERIFIED:
            assert tiny.claim_is_true(said) is not False, f"verified but false: {data.hex()}"
        second = tiny.FAST.check(self.file).exit_code
        agreed = second == verdict or zformat.UNFINISHED in (second, verdict)
        assert agreed and second in range(4), f"{verdict} or {second}: {data.hex()}"
        if fresh:
            self.corpus.append(data)


def test_fuzzer_finds_no_fault_and_new_code(tmp_path: Path) -> None:
    chance = random.Random(1)
    fuzzer = Fuzzer(tmp_path / "input.zc")
    kinds = [tiny.KINDS[number % len(tiny.KINDS)] for number in range(104)]
    seeds = [tiny.container(tiny.random_payload(chance, kind), at % 5 == 0) for at, kind in enumerate(kinds)]
    seeds += [path.read_bytes() for path in sorted(tiny.SAMPLES.glob("*.zc")) if path.stat().st_size <= 200]
    for data in seeds:
        fuzzer.trial(data)
    assert fuzzer.verdicts[zformat.VERIFIED] == len(seeds)
    if folder := os.environ.get("ZERMELO_FUZZ_CORPUS"):
        seeds += [path.read_bytes() for path in sorted(Path(folder).iterdir())]
    fuzzer.corpus, steps = [*seeds], len(fuzzer.seen)
    for _ in range(int(os.environ.get("ZERMELO_FUZZ_RUNS", "500"))):
        fuzzer.trial(tiny.mutated(chance.choice(fuzzer.corpus), chance, (1, 1, 2, 3, 6), fuzzer.corpus)[:LARGEST])
    assert len(fuzzer.corpus) > len(seeds) and len(fuzzer.seen) > steps
    assert fuzzer.verdicts[zformat.REJECTED] and fuzzer.verdicts[zformat.MALFORMED]
