"""zverify, the proved checker, beside zcheck: "verified" for the same files, where it knows the claim."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from zermelo.proof import check_file
from zermelo.proof.checking import checker_folder, proved_checker

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "tests/data/certificates").glob("*.zc"))
PROVED_KINDS = {1, 2, 3, 6, 7}
LEFT_OUT = {"torus-5x5.V", "6-6-4.threats"}  # boards with rings are not proved, nor are covers and wins by threats
MUTANTS = 20_000 if os.environ.get("ZERMELO_EXHAUSTIVE") else 1_000
Ask = Callable[[Path], str]


def payload(file: Path) -> bytes:
    data = file.read_bytes()
    return zlib.decompress(data[8:]) if data[6] else data[8:]


@pytest.fixture(scope="module")
def ask() -> Iterator[tuple[Ask, Ask]]:
    """Both checkers, each as one process that answers line by line."""
    programs = [checker_folder() / "zcheck", proved_checker()]
    running = [
        subprocess.Popen([program, "--json", "--each"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for program in programs
    ]

    def asker(process: subprocess.Popen[str]) -> Ask:
        def verdict(file: Path) -> str:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(f"{file}\n")
            process.stdin.flush()
            return str(json.loads(process.stdout.readline())["verdict"])

        return verdict

    yield asker(running[0]), asker(running[1])
    for process in running:
        process.communicate()


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_samples_of_proved_kinds_are_verified_and_others_unfinished(file: Path) -> None:
    report = check_file(file, formal=True)
    assert report.checker == "zverify"
    if payload(file)[0] in PROVED_KINDS and file.stem not in LEFT_OUT:
        said = check_file(file).said
        assert report.said == {"verdict": "verified", **{k: said[k] for k in report.said if k != "verdict"}}
    else:
        assert report.exit_code == 3


def test_mutants_that_zverify_verifies_are_verified_by_zcheck(ask: tuple[Ask, Ask], tmp_path: Path) -> None:
    zcheck, zverify = ask
    rng, verified = random.Random(7), 0
    samples = [p for p in map(payload, SAMPLES) if p[0] in PROVED_KINDS and not (p[0] == 1 and len(p) > 1000)]
    file = tmp_path / "mutant.zc"
    for _ in range(MUTANTS):
        data = bytearray(rng.choice(samples))
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(min(len(data), 400))
            change = rng.random()
            if change < 0.7:
                data[at] = rng.choice(
                    (data[at] ^ 1 << rng.randrange(8), rng.randrange(12), data[rng.randrange(len(data))])
                )
            elif change < 0.85:
                data.insert(at, rng.randrange(64))
            elif len(data) > 1:
                del data[at]
        file.write_bytes(b"ZCERT\x01\x00\x00" + data)
        ours, theirs = zverify(file), zcheck(file)
        if data[0] in PROVED_KINDS:
            same = (ours == "verified") == (theirs == "verified")
            # A limit, or a ring or a cover that a mutant of a Domineering certificate has, or a win by threats.
            assert same or ours == "unfinished" or (data[0] == 1 and theirs == "unfinished"), (
                ours,
                theirs,
                bytes(data)[:200].hex(),
            )
        else:
            assert ours != "verified"
        verified += ours == "verified"
    assert verified


def test_damaged_containers_are_malformed(ask: tuple[Ask, Ask], tmp_path: Path) -> None:
    good = (ROOT / "tests/data/certificates/3-3-3.strong.zc").read_bytes()
    file = tmp_path / "damaged.zc"
    for bad in (b"", good[:7], good[:-1], good + b"\0", good[:5] + b"\x02" + good[6:], good[:20] + b"\0\0" + good[22:]):
        file.write_bytes(bad)
        assert [verdict(file) for verdict in ask] == ["malformed", "malformed"]


def test_limits_end_in_unfinished(tmp_path: Path) -> None:
    pairs = bytes([2, 16, 16, 5, 0, 0, 0, 1]) + bytes([4, 0]) * 3_000_000
    file = tmp_path / "long.zc"
    file.write_bytes(b"ZCERT\x01\x00\x00" + pairs)
    assert check_file(file, formal=True, seconds=0.2).exit_code == 3
    assert check_file(file, formal=True, mebibytes=64).exit_code == 3


def test_theorem_assumes_nothing() -> None:
    log = (ROOT / "build/formal/Check.v.log").read_text()
    assert log.strip() == "Closed under the global context"
    assert not [
        file.name for file in (ROOT / "formal").glob("*.v") if {"Admitted.", "Axiom"} & {*file.read_text().split()}
    ]


def test_command_line_takes_formal() -> None:
    words = [sys.executable, "-m", "zermelo", "check", "--formal", "tests/data/certificates/7-7-5.zc"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("verified: mnk 7,7,5")
