"""Many clients at once: fifty click without an error, a thousand are told to come back while the page stays responsive.

Server, storm and visitor are processes of their own, as in life. Run as a program, this file is the storm. The fifty
click for a minute with ZERMELO_EXHAUSTIVE=1.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, urlsplit

import psutil
import pytest

CLIENTS = 50
SECONDS = 60 if os.environ.get("ZERMELO_EXHAUSTIVE") else 4
BOARDS = ["5x5", "6x6", "8x8:V2,2;H4,4;V6,6;H7,1", "torus:4x4", "..#.../....../.....#", "4x9"]


async def get(site: str, path: str, *, leave_after: float | None = None) -> tuple[int, bytes]:
    """Fetch once with as little client as possible, since it shares the processor with the server.

    With ``leave_after`` hang up in the middle, as a visitor who clicks on does: status 0.
    """
    address = urlsplit(site)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    try:
        answer = await asyncio.wait_for(reader.read(-1), leave_after)
    except TimeoutError:
        return 0, b""
    finally:
        writer.close()
    return int(answer[9:12]), answer


async def click(site: str, until: float, seed: int, seen: Counter[int], waits: list[float]) -> None:
    """One visitor: look at a position, watch the marks for a while, move, get the reply, and so on."""
    chance = random.Random(seed)
    while time.monotonic() < until:
        spec, to_move = chance.choice(BOARDS), "V"
        while time.monotonic() < until:
            query = f"spec={quote(spec)}&to_move={to_move}"
            begin = time.monotonic()
            status, answer = await get(site, f"/api/domineering/position?{query}")
            waits.append(time.monotonic() - begin)
            seen[status] += 1
            if status != 200 or not (moves := json.loads(answer.partition(b"\r\n\r\n")[2])["moves"]):
                break
            status, _ = await get(site, f"/api/domineering/moves?{query}", leave_after=chance.uniform(0.1, 1.0))
            seen[status] += 1
            move = chance.choice(moves)["id"]
            spec += (";" if re.search(r"[VH]\d", spec) else ":") + move
            to_move = "H" if to_move == "V" else "V"
            await asyncio.sleep(chance.uniform(0, 0.3))


@pytest.mark.slow
def test_fifty_clients_click_without_errors_in_bounded_memory() -> None:
    command = [str(Path(sys.executable).parent / "zermelo"), "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        match = re.search(r"(http://\S+)/ ", server.stdout.readline())
        assert match
        site = match[1]
        seen: Counter[int] = Counter()
        waits: list[float] = []
        sizes: list[int] = []

        async def watch(until: float) -> None:
            process = psutil.Process(server.pid)
            while time.monotonic() < until:
                sizes.append(process.memory_info().rss >> 20)
                await asyncio.sleep(0.2)

        async def load() -> None:
            until = time.monotonic() + SECONDS
            clients = (click(site, until, seed, seen, waits) for seed in range(CLIENTS))
            await asyncio.gather(watch(until), *clients)

        asyncio.run(load())
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=15) in (0, 130)
    waits.sort()
    print(
        f"{CLIENTS} clients for {SECONDS} s: answers {dict(seen)} (0: left in the middle), position "
        f"median {waits[len(waits) // 2]:.3f} s, 95 % {waits[len(waits) * 95 // 100]:.3f} s, "
        f"memory {sizes[0]} to {max(sizes)} MiB"
    )
    assert set(seen) <= {0, 200}
    assert seen[200] > 2 * CLIENTS
    assert max(sizes) < 1500


async def solve(site: str) -> str:
    """Ask for a hard position; a refusal that does not say when to come back is called rude."""
    status, answer = await get(site, "/api/domineering/reply?spec=12x12&to_move=V")
    polite = b"retry-after:" in answer.lower() and b"try again" in answer
    return str(status) if polite or status == 200 else f"rude {status}"


async def storm(site: str) -> None:
    solves = [asyncio.create_task(solve(site)) for _ in range(1000)]
    await asyncio.sleep(0.1)
    print("begun", flush=True)
    print(json.dumps(Counter(await asyncio.gather(*solves))))


async def visit(site: str) -> float:
    """Load the page as a browser does, and return how long its slowest answer took."""
    slowest = 0.0
    for path in ("/", "/play.js", "/api/domineering/position?spec=8x8&to_move=V"):
        begin = time.monotonic()
        status, _ = await get(site, path)
        slowest = max(slowest, time.monotonic() - begin)
        assert status == 200
    return slowest


async def visits(site: str) -> float:
    return max([await visit(site) for _ in range(10)])


def test_thousand_parallel_solves_are_refused_politely(serve_apart: Callable[..., str]) -> None:
    site = serve_apart(seconds=1.0, seats=20, search_rate=200.0, burst_seconds=2.0)
    best = float("inf")
    for _ in range(4):  # The machine may be busy with something else: the best of a few storms counts.
        with subprocess.Popen([sys.executable, __file__, site], stdout=subprocess.PIPE, text=True) as clients:
            assert clients.stdout and clients.stdout.readline() == "begun\n"
            slowest = asyncio.run(visits(site))
            statuses = json.loads(clients.stdout.read())
        print(f"1000 parallel solves: {statuses}; slowest answer of the page {slowest:.2f} s")
        assert set(statuses) <= {"200", "429", "503"}
        assert statuses.get("429", 0) + statuses["503"] >= 900
        assert statuses["200"] >= 20
        best = min(best, slowest)
        if best < 1.0:
            break
        time.sleep(2.0)  # The refused come back later, as they were asked to.
    assert best < 1.0


if __name__ == "__main__":
    asyncio.run(storm(sys.argv[1]))
