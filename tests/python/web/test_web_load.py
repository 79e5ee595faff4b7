"""Fifty clients click without an error; for a minute with ZERMELO_EXHAUSTIVE=1. The server is a process of its own."""

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
from pathlib import Path
from urllib.parse import quote, urlsplit

import psutil
import pytest

CLIENTS = 50
SECONDS = 60 if os.environ.get("ZERMELO_EXHAUSTIVE") else 4
BOARDS = ["5x5", "6x6", "8x8:V2,2;H4,4;V6,6;H7,1", "torus:4x4", "..#.../....../.....#", "4x9"]


async def get(
    site: str, path: str, *, leave_after: float | None = None, address: str = "127.0.0.1"
) -> tuple[int, bytes]:
    """Fetch once with as little client as possible, since it shares the processor with the server.

    With ``leave_after`` hang up in the middle, as a visitor who clicks on does: status 0.
    """
    server = urlsplit(site)
    reader, writer = await asyncio.open_connection(server.hostname, server.port, local_addr=(address, 0))
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
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
