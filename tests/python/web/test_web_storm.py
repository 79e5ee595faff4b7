"""A thousand clients at once: most are told to come back, and the page stays responsive."""

from __future__ import annotations

import asyncio
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


async def solve(site: str) -> int:
    status, answer = await get(site, "/api/domineering/reply?spec=12x12&to_move=V")
    if status in (429, 503):
        assert b"retry-after:" in answer.lower()
        assert b"try again" in answer
    return status


async def visit(site: str) -> float:
    """Load the page as a browser does, and return how long its slowest answer took."""
    slowest = 0.0
    for path in ("/", "/play.js", "/api/domineering/position?spec=8x8&to_move=V"):
        begin = time.monotonic()
        status, _ = await get(site, path)
        slowest = max(slowest, time.monotonic() - begin)
        assert status == 200
    return slowest


async def storm(site: str) -> tuple[Counter[int], float]:
    solves = [asyncio.create_task(solve(site)) for _ in range(1000)]
    await asyncio.sleep(0.2)
    slowest = max([await visit(site) for _ in range(10)])
    return Counter(await asyncio.gather(*solves)), slowest


def test_thousand_parallel_solves_are_refused_politely(
    serve_apart: Callable[..., str],
) -> None:
    # The server runs in a process of its own, as in life: here a thousand clients share one interpreter.
    site = serve_apart(seconds=3.0, seats=20, search_rate=200.0, burst_seconds=2.0)
    best = float("inf")
    for _ in range(
        4
    ):  # The machine may be busy with something else: the best of a few storms counts.
        statuses, slowest = asyncio.run(storm(site))
        print(f"1000 parallel solves: {dict(statuses)}; slowest answer of the page {slowest:.2f} s")
        assert set(statuses) <= {200, 429, 503}
        assert statuses[429] + statuses[503] >= 900
        assert statuses[200] >= 20
        best = min(best, slowest)
        if best < 1.0:
            break
        time.sleep(2.0)  # The refused come back later, as they were asked to.
    assert best < 1.0
