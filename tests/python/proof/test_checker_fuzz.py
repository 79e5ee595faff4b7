"""A few seconds of the coverage-guided fuzzer, both checkers on every input; tests/fuzz/README.md runs it longer."""

from __future__ import annotations

import tiny
from checker_fuzz import Fuzzer
from tiny import zformat


def test_fuzzer_finds_no_fault_and_new_code() -> None:
    fuzzer = Fuzzer(seed=1, fast=tiny.FAST)
    for data in fuzzer.seeds():
        fuzzer.trial(data)
        fuzzer.corpus.append(data)
    seeds, steps = len(fuzzer.corpus), len(fuzzer.seen)
    assert fuzzer.verdicts[zformat.VERIFIED] == seeds
    fuzzer.mutate(500)
    assert len(fuzzer.corpus) > seeds and len(fuzzer.seen) > steps
    assert fuzzer.verdicts[zformat.REJECTED] and fuzzer.verdicts[zformat.MALFORMED]
