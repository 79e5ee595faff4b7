"""Random use of the page by many visitors, each from an address of its own: play, analyse, look up, prove, download.

    python tests/python/web/random_use.py --clients 50 --minutes 60

starts a server, uses it, and prints what was answered, how long it took, and how much memory the server held; it exits
with 1 if anything but an answer came. A test does the same for some seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
from servers import served

SAMPLES = Path(__file__).resolve().parents[2] / "data" / "certificates"
SHAPES = "5x5 6x6 8x8 8x8:V2,2;H4,4;V6,6;H7,1 torus:4x4 ..#.../....../.....# 4x9 10x10"
STARTS = {
    "domineering": SHAPES.split(),
    "mnk": ["3,3,3", "4,4,4", "5,5,4", "6,6,5", "7,7,5"],
    "hypergraph": ["a b / b c / c d"],
}
PATIENCE = 60.0
PAGES = "/ /table.html /proof.html /campaign.html /api.html /play.js /style.css /api/openapi.json"
SMALL = {"domineering": ["4x4", "5x5", "6x6", "5x8"], "mnk": ["3,3,3", "4,4,4", "5,5,5"]}


@dataclass
class Seen:
    """What came back."""

    statuses: Counter[str] = field(default_factory=Counter)
    waits: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    """Memory of the server in MiB, from time to time."""

    def report(self, seconds: float, cpu: float) -> str:
        """Say it in a few lines."""
        statuses = ", ".join(f"{status} {count:,}" for status, count in sorted(self.statuses.items()))
        tenth = max(1, len(self.sizes) // 10)
        sizes = [max(self.sizes[at : at + tenth]) for at in range(0, len(self.sizes), tenth)]
        lines = [f"{sum(self.statuses.values()):,} requests in {seconds:.0f} s: {statuses}; {cpu:.0f} s of processors"]
        lines.append(f"memory at most, by tenths of the time: {sizes} MiB")
        for kind, waits in sorted(self.waits.items()):
            middle, late = (sorted(waits)[len(waits) * share // 100] for share in (50, 99))
            lines.append(f"  {kind:10} {len(waits):7,} median {middle:7.3f} s, 99 % {late:7.3f} s")
        return "\n".join([*lines, f"{len(self.faults)} faults", *self.faults[:20]])


class Visitor:
    """Somebody who uses the page until the time is over."""

    def __init__(self, port: int, number: int, until: float, think: float, seen: Seen) -> None:
        transport = httpx.AsyncHTTPTransport(local_address=f"127.0.1.{1 + number % 250}")
        self._client = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", transport=transport, timeout=PATIENCE)
        self._chance, self._until, self._think, self._seen = random.Random(number), until, think, seen

    async def ask(
        self, what: str, path: str, *, leave: float = PATIENCE, body: bytes | None = None, **query: str
    ) -> httpx.Response | None:
        """Ask, again where the server is busy; hang up after ``leave`` seconds, as a visitor who clicks on does."""
        address, begin = f"{what} {path} {query}"[:300], time.monotonic()
        for _ in range(4):
            try:
                async with asyncio.timeout(leave):
                    answer = await self._client.request("POST" if body else "GET", path, params=query, content=body)
            except TimeoutError:
                self._seen.statuses["left"] += 1
                if leave == PATIENCE:
                    self._seen.faults.append(f"{address}: no answer in {PATIENCE} s")
                return None
            self._seen.statuses[str(answer.status_code)] += 1
            if answer.status_code != 503 or "retry-after" not in answer.headers:
                break
            await asyncio.sleep(3)
        self._seen.waits[what].append(time.monotonic() - begin)
        if answer.status_code == 200:
            return answer
        self._seen.faults.append(f"{address}: {answer.status_code} {answer.text[:200]}")
        return None

    async def get(self, what: str, path: str, **query: Any) -> Any:
        answer = await self.ask(what, f"/api/{path}", **query)
        return answer and answer.json()

    async def pause(self) -> None:
        await asyncio.sleep(self._chance.expovariate(1 / self._think) if self._think else 0)

    @property
    def over(self) -> bool:
        return time.monotonic() > self._until

    async def use(self) -> None:
        """Do one thing after the other."""
        ways: list[tuple[Callable[[], Awaitable[None]], int]] = [
            (self.play, 6),
            (self.browse, 2),
            (self.look_up, 2),
            (self.prove, 2),
            (self.send, 1),
            (self.save, 1),
        ]
        doing, weights = zip(*ways, strict=True)
        while not self.over:
            try:
                await self._chance.choices(doing, weights)[0]()
            except (httpx.HTTPError, ValueError, LookupError, TypeError) as error:
                self._seen.faults.append(repr(error))
            await self.pause()
        await self._client.aclose()

    async def play(self) -> None:
        """Play a game: look at the position, watch the marks for a while, ask why, move, get the reply."""
        game = self._chance.choice(list(STARTS))
        spec, moves = self._chance.choice(STARTS[game]), list[str]()
        fixed = await self.get("position", f"{game}/position", spec=spec)
        first = fixed["to_move"] if fixed else ""
        for _ in range(self._chance.randint(3, 12)):
            query = {"spec": spec, "moves": ";".join(moves)}
            view = await self.get("position", f"{game}/position", **query)
            if self.over or not view or not view["moves"]:
                return
            query["to_move"] = view["to_move"]
            await self.ask("moves", f"/api/{game}/moves", leave=self._chance.uniform(0.2, 8.0), **query)
            if self._chance.random() < 0.2 and game == "domineering":
                kind = self._chance.choice(["cover", "strip"])
                player = self._chance.choice(["V", "H"])
                if kind == "cover" or "torus" not in spec:
                    await self.get("explain", f"{game}/explain", kind=kind, player=player, **query)
            if view["to_move"] == first or self._chance.random() < 0.3:
                moves.append(self._chance.choice(view["moves"])["id"])
            else:
                reply = await self.get("reply", f"{game}/reply", **query)
                if not reply:
                    return
                moves.append(reply["move"])
            await self.pause()

    async def browse(self) -> None:
        for path in self._chance.sample(PAGES.split(), 3):
            await self.ask("page", path)
        await self.get("games", "games")

    async def look_up(self) -> None:
        side = str(self._chance.randint(5, 40))
        await self.get("table", "domineering/table", rows=side, cols=side)
        await self.pause()
        board = f"{self._chance.randint(1, 60)}x{self._chance.randint(1, 300)}"
        await self.get("why", "domineering/why", board=board)
        await self.get("solve", "domineering/solve", spec=self._chance.choice([board, "6x7", "7x7"]))

    async def prove(self) -> None:
        """Have a position proved, and walk through the proof."""
        game = self._chance.choice(list(SMALL))
        spec, first = self._chance.choice(SMALL[game]), "X" if game == "mnk" else self._chance.choice("VH")
        await self.walk(await self.get("prove", "proofs/prove", game=game, spec=spec, first=first))

    async def send(self) -> None:
        file = self._chance.choice(sorted(SAMPLES.glob("[3-7]*.zc")))
        answer = await self.ask("send", "/api/proofs/send", body=file.read_bytes())
        await self.walk(answer and answer.json())

    async def walk(self, proof: Any) -> None:
        moves: list[str] = []
        while proof and not proof["walk"] and not self.over and len(moves) < 8:
            node = await self.get("node", "proofs/node", proof=proof["id"], moves=";".join(moves))
            if not node or not (node["move"] or (node["goes_on"] and node["view"]["moves"])):
                return
            moves.append(node["move"] or self._chance.choice(node["view"]["moves"])["id"])
            await self.pause()

    async def save(self) -> None:
        game = self._chance.choice(list(STARTS))
        spec, file = self._chance.choice(STARTS[game]), self._chance.choice(["svg", "png", "tex"])
        await self.ask("picture", f"/api/{game}/picture", spec=spec, file=file, save="true")
        if game == "domineering":
            await self.get("components", "domineering/components", spec="..#.../..#...")


def use(clients: int, seconds: float, think: float, *, tell: float = 0) -> Seen:
    """Start a server, let so many visitors use it, end it, and return what they saw."""
    with served() as server:
        process, seen = psutil.Process(server.process.pid), Seen()

        async def watch(until: float) -> None:
            told = time.monotonic()
            while time.monotonic() < until:
                seen.sizes.append(process.memory_info().rss >> 20)
                if tell and time.monotonic() - told > tell:
                    told = time.monotonic()
                    done = sum(seen.statuses.values())
                    print(f"{done:,} requests, {seen.sizes[-1]} MiB, faults {seen.faults[-3:]}", flush=True)
                await asyncio.sleep(min(5.0, seconds / 20))

        async def load() -> None:
            until = time.monotonic() + seconds
            visitors = (Visitor(server.port, number, until, think, seen) for number in range(clients))
            await asyncio.gather(watch(until), *(visitor.use() for visitor in visitors))

        asyncio.run(load())
        spent = process.cpu_times()
    print(seen.report(seconds, spent.user + spent.system), flush=True)
    return seen


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--clients", type=int, default=50)
    options.add_argument("--minutes", type=float, default=60.0)
    options.add_argument("--think", type=float, default=10.0, help="mean pause of a visitor in seconds")
    told = options.parse_args()
    sys.exit(bool(use(told.clients, 60 * told.minutes, told.think, tell=60).faults))


if __name__ == "__main__":
    main()
