"""Files made to hurt: both checkers end with a verdict, in bounded time and memory."""

from __future__ import annotations

import random
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import tiny

from zermelo.proof.checking import checker_folder

CHECKERS = ["zcheck", "zcheck.py"]
MEBIBYTE = 1 << 20
OVERHEAD = 64  # MiB: the interpreter, buffers, what is not counted
# A child is charged with the memory of the process that it was made from: this one is small, that of the tests is not.
PROBE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def measured(checker: str, file: Path, seconds: float, mebibytes: float) -> tuple[int, float]:
    """Run a checker; return its exit code and its peak memory in MiB."""
    program = str(checker_folder() / checker)
    command = [program] if checker == "zcheck" else [sys.executable, program]
    command += ["--time", str(seconds), "--memory", str(mebibytes), str(file)]
    said = subprocess.run([sys.executable, "-c", PROBE, *command], capture_output=True, text=True, check=True).stdout
    code, peak = map(int, said.split())
    return code, peak / 1024


@cache
def zeros(mebibytes: int) -> bytes:
    """A certificate of nothing but zeros, made without writing them: one deflate block again and again."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    start = squeeze.compress(bytes(MEBIBYTE)) + squeeze.flush(zlib.Z_FULL_FLUSH)
    # Zeros leave the first sum of Adler-32 at 1 and add that to the second, once a byte.
    checksum = ((mebibytes * MEBIBYTE) % 65521 << 16 | 1).to_bytes(4, "big")
    return b"ZCERT\x01\x01\x00\x78\xda" + start * mebibytes + b"\x03\x00" + checksum


def uncut(rows: int, cols: int) -> bytes:
    """One piece of a whole board: 8x8 has too many positions for any memory."""
    return tiny.container(tiny.domineering_claim(rows, cols, (1 << rows * cols) - 1, 0, 0) + b"\x00\x00")


def empty_claims() -> bytes:
    """A million empty claims about 4096 edges: each takes room for the edges that it leaves alone."""
    edges = [[i % 200, 200 + i // 200] for i in range(4096)]
    head = tiny.positional_claim(tiny.hypergraph_head(256, edges), [], [], 0, 1)
    return tiny.container(head + b"\x01\x00" * 1_000_000 + b"\x00")


def swaps() -> bytes:
    """Each swap compares up to 4096 edges with 4096 others."""
    rng = random.Random(4)
    edges = [[0, *rng.sample(range(2, 256), 3)] for _ in range(2048)]
    edges += [rng.sample(range(2, 256), 4) for _ in range(2048)]
    head = tiny.positional_claim(tiny.hypergraph_head(256, edges), [], [], 0, 1)
    pairs = bytes([1]) + b"".join(map(tiny.varint, (127, 0, *range(2, 255))))
    swap, back = bytes([5, 1, 0, 0, 1]), bytes([5, 1, 0, 1, 0])
    return tiny.container(head + pairs + (swap + back) * 20_000 + b"\x00")


def deepest() -> bytes:
    """Positions nest by squares: 128x2, where V plays her first move for ever, and H the first of her answers."""
    return tiny.container(tiny.domineering_claim(128, 2, (1 << 256) - 1, 0, 0) + bytes([8, 0] * 200))


def many_strips(rows: int, cols: int, free: int, plies: int) -> bytes:
    """A true proof that H, to move, loses: cuts into many strips answer all of her moves but the first nine."""
    cut = list[int]()  # every second row, and each row is one run
    for part in tiny.zvalues.connected(rows, cols, free):
        gaps = (part.bit_length() - 1) // cols - ((part & -part).bit_length() - 1) // cols
        cut += [gap % 2 for gap in range(gaps)]
    packed = sum(bit << place for place, bit in enumerate(cut)).to_bytes((len(cut) + 7) // 8, "little")
    out = bytearray([tiny.zdomineering.CUT + 1, *packed])
    truth = tiny.Truth(rows, cols)
    moves, replies = truth.moves(free, 1), truth.moves(free, 0)
    explicit = 9 if plies else 0
    answered = (1 << len(moves)) - 1 & ~((1 << explicit) - 1)
    out += answered.to_bytes((len(moves) + 7) // 8, "little")
    for move in moves[:explicit]:
        out.append(tiny.zdomineering.FIRST_MOVE)
        out += many_strips(rows, cols, free & ~move & ~replies[0], plies - 1)
    return bytes(out)


def wide() -> bytes:
    """V has four columns of sixteen squares, and there are fifteen 2x2 squares: 820 nodes of fifty strips."""
    rows = cols = 16
    columns = sum(1 << (row * cols + col) for row in range(rows) for col in (0, 2, 4, 6))
    square = 3 | 3 << cols
    free = columns | sum(square << (row * cols + col) for row in range(0, 15, 3) for col in (8, 11, 14))
    return tiny.container(tiny.domineering_claim(rows, cols, free, 1, 0) + many_strips(rows, cols, free, 3))


HURTS: dict[str, tuple[Callable[[], bytes], float, float, tuple[int, ...], float]] = {
    # what, seconds, MiB, exit codes, and the most MiB it may take
    "ten GiB of zeros end at the time limit": (lambda: zeros(10 * 1024), 1, 64, (3,), 64),
    "zeros are malformed when there is time: game 0 is unknown": (lambda: zeros(3), 60, 64, (2,), 64),
    "a piece that takes for ever ends at the memory limit": (lambda: uncut(8, 8), 60, 24, (3,), 3 * 24),
    "a piece that takes for ever ends at the time limit": (lambda: uncut(8, 8), 1, 1024, (3,), 3 * 1024),
    "many claims end at the memory limit": (empty_claims, 60, 48, (3,), 3 * 48),
    "swaps end at the time limit, or before": (swaps, 1, 1024, (1, 3), 1024),
    "nodes that take long end at the time limit, or before": (wide, 1, 64, (0, 3), 64),
    "the deepest proof is within the stack": (deepest, 30, 256, (1, 2), 256),
}


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("what", HURTS)
def test_a_file_made_to_hurt_has_a_verdict_within_limits(tmp_path: Path, checker: str, what: str) -> None:
    make, seconds, mebibytes, codes, most = HURTS[what]
    file = tmp_path / "hurts.zc"
    file.write_bytes(make())
    assert file.stat().st_size < 12 * MEBIBYTE
    begin = time.monotonic()
    code, peak = measured(checker, file, seconds, mebibytes)
    assert code in codes and peak < most + OVERHEAD
    assert seconds > 1 or time.monotonic() - begin < 30  # of a busy machine


def test_each_file_has_the_whole_time_and_a_limit_ends_no_other(tmp_path: Path) -> None:
    quick, slow = tmp_path / "quick.zc", tmp_path / "slow.zc"
    quick.write_bytes(uncut(2, 2))
    slow.write_bytes(uncut(8, 8))
    command = [str(checker_folder() / "zcheck"), "--each", "--time", "0.3"]
    names = "".join(f"{file}\n" for file in (quick, slow, quick, slow, quick))
    said = subprocess.run(command, input=names, capture_output=True, text=True)
    verdicts = [line.partition(":")[0] for line in said.stdout.splitlines()]
    assert (verdicts, said.returncode) == (["VERIFIED", "UNFINISHED"] * 2 + ["VERIFIED"], 3)


GIANT = [
    bytes([1, 0]) + tiny.varint(2**40) + tiny.varint(2**40),
    bytes([2]) + tiny.varint(2**40) * 3,
    bytes([3]) + tiny.varint(2**62),
    bytes([3, 4]) + tiny.varint(2**62),
    bytes([3, 4, 1]) + tiny.varint(2**62),
    bytes([2, 3, 3, 3]) + tiny.varint(2**62),
    bytes([2, 3, 3, 3, 0, 0, 0, 1, 1]) + tiny.varint(2**62),
    bytes([2, 3, 3, 3, 0, 0, 0, 1, 3]) + tiny.varint(2**62),
    bytes([2, 3, 3, 3, 0, 0, 0, 1, 4]) + tiny.varint(2**62),
    bytes([1, 0, 2, 2, 15, 0, 0]) + tiny.varint(2**62),
    bytes([4]) + tiny.varint(2**62) * 2,
    bytes([4]) + bytes([255]) * 40,  # a number without an end
    bytes([5, 0]) + tiny.varint(2**40),
]


@pytest.mark.parametrize("checker", CHECKERS)
def test_giant_numbers_are_not_believed(tmp_path: Path, checker: str) -> None:
    for number, payload in enumerate(GIANT):
        file = tmp_path / f"{number}.zc"
        file.write_bytes(tiny.container(payload + bytes(1000)))
        code, peak = measured(checker, file, 10, 64)
        assert code in (1, 2)
        assert peak < OVERHEAD
