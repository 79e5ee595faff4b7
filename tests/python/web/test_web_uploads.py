"""Hostile uploads, on loopback: every request is answered in time, and nothing is left behind.

`pytest -s` shows the figures; ZERMELO_MUTANTS=100 is enough for a first look.
"""

from __future__ import annotations

import json
import os
import random
import zlib
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import tiny
from servers import served
from test_checker_limits import GIANT, zeros
from tiny import SAMPLES, varint

MUTANTS = int(os.environ.get("ZERMELO_MUTANTS", "3000"))
SECONDS = 2.0
"""The search that a request may ask of the attacked server."""
ATTACKERS, WALKS = 4, 200
CHANGES = (0, 1, 2, 3)
packed = partial(tiny.container, level=1)  # the quickest will do


def sample_payloads() -> list[bytes]:
    return [zlib.decompress(path.read_bytes()[8:]) for path in sorted(SAMPLES.glob("*.zc"))]


CLAIM = bytes([2, 5, 5, 5, 0, 0, 0, 1])  # Breaker wins 5,5,5 when Maker begins.
Family = Callable[[random.Random], bytes]


def reference_chain(chance: random.Random) -> bytes:
    """Records that refer several times to the one before: small files that unfold without end."""
    width, kind = chance.randint(1, 4), chance.choice([3, 4, 4, 4, 5])
    reference = bytes([1, 0]) if kind != 3 else bytes([chance.randrange(25), 1, 0])
    record = bytes([kind, width]) + reference * width
    body = bytes([4, 0]) + record * chance.choice([1, 10, 60, 1000])
    return packed(CLAIM + body + bytes([0]))


def sound_chain(chance: random.Random) -> bytes:
    """The same below a true proof, so that the checker has nothing to refuse: it is the walk that must be bounded."""
    proof = zlib.decompress((SAMPLES / "4-4-4.zc").read_bytes()[8:])
    assert proof[:4] == bytes([2, 4, 4, 4]) and proof[-1] == 0
    depth = chance.choice([5, 20, 60, 200])
    chain = bytes([4, 0]) + bytes([4, 2, 1, 0, 1, 0]) * depth
    # The last record of the proof and the chain after it, together.
    return packed(proof[:-1] + chain + bytes([4, 2]) + varint(depth + 2) + bytes([0, 1, 0, 0]))


def long_board(chance: random.Random) -> bytes:
    """A derivation that doubles a board with every line."""
    times = chance.choice([3, 20, 29, 60])
    lines = bytes([3, 1, 0]) + bytes([4, 1, 1]) * times
    return packed(bytes([4]) + varint(1) + varint(2**times) + bytes([0, 1]) + lines + bytes([0]))


def giant_count(chance: random.Random) -> bytes:
    """A count that promises more than there is, or more than there should be."""
    return packed(chance.choice(GIANT) + bytes([1, 0]) * chance.choice([0, 10, 100_000, 1_000_000]))


def unpack_bomb(chance: random.Random) -> bytes:
    """A small file that is large when it is unpacked."""
    return zeros(chance.choice([80] + 5 * [8] + 30 * [1]))


def mutant_of_a_sample(chance: random.Random, samples: list[bytes] = sample_payloads()) -> bytes:
    """A true certificate, more often a small one, with a few bytes changed, doubled or taken out."""
    return packed(tiny.mutated(min(chance.choices(samples, k=3), key=len), chance, CHANGES))


FAMILIES: tuple[Family, ...] = (
    reference_chain, sound_chain, long_board, giant_count, unpack_bomb, mutant_of_a_sample
)  # fmt: skip


def test_hostile_uploads_are_answered_in_time_and_leave_nothing_behind() -> None:
    with served("--seconds", str(SECONDS)) as server:
        good = (SAMPLES / "5x5.V.zc").read_bytes()
        assert server.json("/api/proofs/send", body=good)["checker"] == "zcheck"
        server.json("/api/domineering/solve?spec=6x6")
        statuses, walked, slowest, largest = Counter[int](), Counter[str](), Counter[str](), 0

        def attack(seed: int) -> None:
            nonlocal largest
            address, chance = f"127.0.1.{1 + seed % ATTACKERS}", random.Random(seed)
            family = FAMILIES[seed % len(FAMILIES)]
            data = family(chance)
            if chance.random() < 0.3:
                data = data[:8] + tiny.mutated(data[8:], chance, CHANGES)
            answers = [server.ask("/api/proofs/send", body=data, address=address)]
            status, answer, _ = answers[0]
            if status == 200 and walked[family.__name__] < WALKS:  # true after all: walk a little
                walked[family.__name__] += 1
                answers += server.walk(json.loads(answer)["id"], chance, 4, address)
            assert {status for status, _, _ in answers} <= {200, 422}, answers
            statuses[status] += 1
            largest = max(largest, *(len(answer) for _, answer, _ in answers))
            slowest[family.__name__] = max(slowest[family.__name__], *(seconds for _, _, seconds in answers))

        with server.watched() as sizes, ThreadPoolExecutor(ATTACKERS) as attackers:
            # Each attacker sends one upload after the other, from an address of its own.
            lines = [range(first, MUTANTS, ATTACKERS) for first in range(ATTACKERS)]
            list(attackers.map(lambda line: list(map(attack, line)), lines))
        free = server.seconds_until_free(1.0)
        print(
            f"{MUTANTS:,} uploads: {dict(statuses)}, walked {dict(walked)}; slowest by family {dict(slowest)} s; "
            f"largest answer {largest:,} bytes; free after {free:.2f} s; memory {sizes[0]} to {max(sizes)} MiB"
        )
        assert statuses[422] > MUTANTS / 2
        assert walked["sound_chain"] and walked["long_board"] and walked["mutant_of_a_sample"]
        assert max(slowest.values()) < SECONDS + 8  # other programs may use the machine, too
        assert largest < 200_000
        assert max(sizes) - sizes[0] < 200
        assert server.json("/api/health")["status"] == "well"
