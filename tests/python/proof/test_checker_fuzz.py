"""A few seconds of the coverage-guided fuzzer, both checkers on every input; tests/fuzz/README.md runs it longer."""

from __future__ import annotations

import importlib.util
import sys

import tiny
from tiny import zformat


def test_fuzzer_finds_no_fault_and_new_code() -> None:
    path = tiny.ROOT / "tests" / "fuzz" / "checker_fuzz.py"
    spec = importlib.util.spec_from_file_location("checker_fuzz", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["checker_fuzz"] = module
    spec.loader.exec_module(module)
    fuzzer = module.Fuzzer(seed=1, fast=tiny.FAST)
    for data in fuzzer.seeds():
        fuzzer.trial(data)
        fuzzer.corpus.append(data)
    seeds, steps = len(fuzzer.corpus), len(fuzzer.seen)
    assert fuzzer.verdicts[zformat.VERIFIED] == seeds
    fuzzer.mutate(500)
    assert len(fuzzer.corpus) > seeds and len(fuzzer.seen) > steps
    assert fuzzer.verdicts[zformat.REJECTED] and fuzzer.verdicts[zformat.MALFORMED]
