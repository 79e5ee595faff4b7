"""A thousand clients at once."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable

import httpx

HARD = {"spec": "12x12", "to_move": "V"}


def test_full_server_says_so_and_the_page_stays_responsive(serve: Callable[..., str]) -> None:
    site = serve(seconds=4.0, seats=20, search_rate=300.0, burst_seconds=1.0)

    async def storm() -> tuple[Counter[int], float]:
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(limits=limits, timeout=60) as client:

            async def solve() -> int:
                answer = await client.get(f"{site}/api/domineering/reply", params=HARD)
                if answer.status_code in (429, 503):
                    assert answer.headers["retry-after"]
                    assert "try again" in answer.json()["detail"]
                return answer.status_code

            solves = [asyncio.create_task(solve()) for _ in range(1000)]
            await asyncio.sleep(0.5)
            slowest = 0.0
            async with httpx.AsyncClient(timeout=60) as visitor:
                for _ in range(10):
                    begin = time.monotonic()
                    for path in ("/", "/play.js", "/api/domineering/position?spec=8x8&to_move=V"):
                        assert (await visitor.get(site + path)).status_code == 200
                    slowest = max(slowest, time.monotonic() - begin)
            return Counter(await asyncio.gather(*solves)), slowest

    statuses, slowest = asyncio.run(storm())
    print(f"1000 parallel solves: {dict(statuses)}; slowest page load meanwhile {slowest:.2f} s")
    assert set(statuses) == {200, 429, 503}
    assert statuses[200] >= 20
    assert slowest < 2.0
