"""A thousand clients at once: most are told to come back, and the page stays responsive.

Server, storm and visitor are processes of their own, as in life. Run as a program, this file is the storm.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from urllib.parse import urlsplit


async def get(site: str, path: str) -> tuple[int, bytes]:
    """Fetch once with as little client as possible, since it shares the processor with the server."""
    address = urlsplit(site)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    return int(answer[9:12]), answer


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
