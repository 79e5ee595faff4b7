"""Coverage-guided fuzzing of zcheck.py, with the fast checker as second opinion. Seeded.

  python tests/fuzz/checker_fuzz.py [--runs N] [--seed N] [--corpus FOLDER] [--alone]

An input that reaches a new step from line to line of the checker is kept and mutated on. Laws: no exception; the fast
checker says the same (unless one of them reached a limit); a claim that is verified is true (by brute force, if small).
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "python" / "proof"))

import tiny  # noqa: E402
from tiny import zcheck, zformat  # noqa: E402

from zermelo.proof.checking import Checker  # noqa: E402

CHECKER = str(ROOT / "checker")
SECONDS, MEBIBYTES = 2, 256
LARGEST = 4096


@dataclass
class Fuzzer:
    """A corpus that grows by what reaches new code."""

    seed: int = 1
    fast: Checker | None = None
    corpus: list[bytes] = field(default_factory=list)
    seen: set[tuple[str, int, int]] = field(default_factory=set)
    verdicts: dict[int, int] = field(default_factory=lambda: dict.fromkeys(range(4), 0))

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.file = Path(tempfile.mkdtemp(), "input.zc")

    def seeds(self) -> Iterable[bytes]:
        """Yield small valid certificates of every kind."""
        for number in range(104):
            kind = tiny.KINDS[number % len(tiny.KINDS)]
            yield tiny.container(tiny.random_payload(self.random, kind), number % 5 == 0)
        for sample in sorted(tiny.SAMPLES.glob("*.zc")):
            if sample.stat().st_size <= 200:
                yield sample.read_bytes()

    def trial(self, data: bytes) -> bool:
        """Check one input; say whether it went where none has gone before.

        :raises AssertionError: if a law is broken; the message holds the input.
        """
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
            return local if frame.f_code.co_filename.startswith(CHECKER) else None

        sys.settrace(enter)
        try:
            verdict, said = zcheck.check(str(self.file), SECONDS, MEBIBYTES)
        finally:
            sys.settrace(None)
        self.verdicts[verdict] += 1
        self.seen |= fresh
        if verdict == zformat.VERIFIED:
            assert tiny.claim_is_true(said) is not False, f"verified but false: {data.hex()}"
        if self.fast is not None:
            second = self.fast.check(self.file).exit_code
            agreed = second == verdict or zformat.UNFINISHED in (second, verdict)
            assert agreed and second in range(4), f"{verdict} or {second}: {data.hex()}"
        return bool(fresh)

    def run(self, runs: int) -> None:
        """Try the corpus and the seeds, then mutations of them."""
        self.corpus += self.seeds()
        for data in self.corpus:
            self.trial(data)
        self.mutate(runs)

    def mutate(self, runs: int) -> None:
        """Try so many mutations of the corpus, which grows by what reaches new code."""
        for _ in range(runs):
            chosen = self.random.choice(self.corpus)
            data = tiny.mutated(chosen, self.random, (1, 1, 2, 3, 6), self.corpus)[:LARGEST]
            if self.trial(data):
                self.corpus.append(data)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, help="further inputs to begin with")
    parser.add_argument("--alone", action="store_true", help="without the fast checker as second opinion")
    options = parser.parse_args()
    fuzzer = Fuzzer(options.seed, None if options.alone else Checker(mebibytes=MEBIBYTES))
    if options.corpus:
        fuzzer.corpus = [path.read_bytes() for path in sorted(options.corpus.iterdir())]
    fuzzer.run(options.runs)
    verdicts = ", ".join(
        f"{count} {word.lower()}" for word, count in zip(zcheck.WORDS, fuzzer.verdicts.values(), strict=True)
    )
    print(f"{len(fuzzer.seen)} steps reached, {len(fuzzer.corpus)} inputs kept; {verdicts}")


if __name__ == "__main__":
    main()
