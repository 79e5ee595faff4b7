"""Hostile uploads, on loopback: every request is answered in time, and nothing is left behind.

`pytest -s` shows the figures; ZERMELO_MUTANTS=100 is enough for a first look.
"""

from __future__ import annotations

import json
import os
import random
import threading
import zlib
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from urllib.parse import quote

import tiny
from servers import served
from tiny import SAMPLES, varint

MUTANTS = int(os.environ.get("ZERMELO_MUTANTS", "10000"))
SECONDS = 2.0
"""What a request may search on the attacked server."""
ATTACKERS, WALKS = 4, 200
CHANGES = (0, 1, 2, 3)
LINES = [range(first, MUTANTS, ATTACKERS) for first in range(ATTACKERS)]
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


def huge_count(chance: random.Random) -> bytes:
    """A count that promises more than there is, or more than there should be."""
    count = varint(chance.choice([257, 4096, 2**20, 2**31, 2**32 - 1, 2**40, 2**55]))
    filler = bytes([1, 0]) * chance.choice([0, 10, 100_000, 1_000_000])
    heads = [
        CLAIM + bytes([chance.choice([1, 3, 4])]) + count,
        bytes([2, 5, 5, 5]) + count,
        bytes([3]) + count + count,
        bytes([1, 3, 4, 4, 255, 255, 0, 0, 7]) + count,
        bytes([4]) + count + count + bytes([0, 0]),
        bytes([1, 0]) + count + count,
        bytes([5, 0]) + count,
    ]
    return packed(chance.choice(heads) + filler)


def nested_sum(chance: random.Random) -> bytes:
    """Sums of sums, wide and deep, of records far back."""
    body = bytes([1, 0])
    for depth in range(chance.choice([10, 100, 2000])):
        parts = chance.randint(0, 6)
        body += bytes([4, parts]) + b"".join(varint(chance.randint(1, depth + 1)) + bytes([0]) for _ in range(parts))
    return packed(CLAIM + body + bytes([0]))


def unpack_bomb(chance: random.Random) -> bytes:
    """A small file that is large when it is unpacked."""
    head = chance.choice([b"", CLAIM, bytes([1, 0, 8, 8])])
    body = bomb(chance.choice([80] + 5 * [8] + 30 * [1]), chance.choice([0, 4]), head)
    return b"ZCERT" + bytes([chance.randint(1, 2), 1, 0]) + body


@cache
def bomb(mebibytes: int, filler: int, head: bytes) -> bytes:
    squeeze, piece = zlib.compressobj(1), bytes([filler]) * (1 << 20)
    return squeeze.compress(head) + b"".join(squeeze.compress(piece) for _ in range(mebibytes)) + squeeze.flush()


def mutant_of_a_sample(chance: random.Random, samples: list[bytes] = sample_payloads()) -> bytes:
    """A true certificate, more often a small one, with a few bytes changed, doubled or taken out."""
    return packed(tiny.mutated(min(chance.choices(samples, k=3), key=len), chance, CHANGES))


FAMILIES: tuple[Family, ...] = (
    reference_chain,
    sound_chain,
    long_board,
    huge_count,
    nested_sum,
    unpack_bomb,
    mutant_of_a_sample,
)


def test_hostile_uploads_are_answered_in_time_and_leave_nothing_behind() -> None:
    with served("--seconds", str(SECONDS)) as server:
        good = (SAMPLES / "5x5.V.zc").read_bytes()
        proof = json.loads(server.ask("/api/proofs/send", body=good)[1])
        assert proof["checker"] == "zcheck"
        server.json("/api/domineering/solve?spec=6x6")
        begin, stop = server.resident, threading.Event()
        watcher = threading.Thread(target=server.watch, args=(stop,))
        watcher.start()
        seen, walked = Counter[str](), Counter[str]()
        slowest, largest = Counter[str](), 0

        def attack(seed: int) -> tuple[str, int, int, float]:
            address = f"127.0.1.{1 + seed % ATTACKERS}"
            chance = random.Random(seed)
            family = FAMILIES[seed % len(FAMILIES)]
            data = family(chance)
            if chance.random() < 0.3:
                data = data[:8] + tiny.mutated(data[8:], chance, CHANGES)
            status, answer, seconds = server.ask("/api/proofs/send", body=data, address=address)
            size = len(answer)
            if status == 200 and walked[family.__name__] < WALKS:  # true after all: walk a little
                walked[family.__name__] += 1
                name = quote(json.loads(answer)["id"])
                moves: list[str] = []
                for _ in range(4):
                    path = f"/api/proofs/node?proof={name}&moves={quote(';'.join(moves))}"
                    reached, node, took = server.ask(path, address=address)
                    assert reached in (200, 422), node
                    size, seconds = max(size, len(node)), max(seconds, took)
                    if reached == 422:
                        break
                    step = json.loads(node)
                    choices = [step["move"]] if step["move"] else [move["id"] for move in step["view"]["moves"]]
                    if not choices:
                        break
                    moves.append(chance.choice(choices))
            return family.__name__, status, size, seconds

        with ThreadPoolExecutor(ATTACKERS) as attackers:
            # Each attacker is one after the other, from an address of its own.
            lines = [attackers.submit(lambda line: list(map(attack, line)), line) for line in LINES]
            for name, status, size, seconds in (one for line in lines for one in line.result()):
                seen[str(status)] += 1
                slowest[name] = max(slowest[name], round(seconds, 2))
                largest = max(largest, size)
        free = server.seconds_until_free(1.0)
        stop.set()
        watcher.join()
        print(
            f"{MUTANTS:,} uploads: {dict(seen)}, walked {dict(walked)}; slowest by family "
            f"{dict(slowest)} s; largest answer {largest:,} bytes; "
            f"free after {free:.2f} s; memory {begin} to {max(server.sizes)} MiB"
        )
        assert set(seen) <= {"200", "422"} and seen["422"] > MUTANTS / 2
        assert walked["sound_chain"] and walked["long_board"] and walked["mutant_of_a_sample"]
        assert max(slowest.values()) < SECONDS + 8  # the machine of a test may be busy otherwise
        assert largest < 200_000
        assert max(server.sizes) - begin < 200
        assert server.json("/api/health")["status"] == "well"
