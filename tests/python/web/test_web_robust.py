"""Hostile and careless clients: refused politely, while the page stays responsive."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any
from unittest.mock import AsyncMock, Mock
from urllib.parse import urlsplit

import httpx
import pytest
from processes import ZERMELO, wait_until

from zermelo._core import CancelToken
from zermelo.game import Limits, find_game, games
from zermelo.web.guard import Guard
from zermelo.web.pool import BusyError, Pool, Shares
from zermelo.web.queries import Searchers, open_position
from zermelo.web.review import review_events
from zermelo.web.server import make_server
from zermelo.web.settings import Settings

SCOPE = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "client": ("a", 1)}
SCOPE["headers"] = [(b"host", b"localhost")]


def connect(site: str) -> socket.socket:
    address = urlsplit(site)
    assert address.hostname and address.port
    return socket.create_connection((address.hostname, address.port), timeout=10)


def seats_taken(site: str) -> int:
    return int(httpx.get(f"{site}/api/health").json()["seats_taken"])


def test_slow_head_is_dropped(serve: Callable[..., str]) -> None:
    site = serve(head_seconds=1.5)
    with connect(site) as idle, connect(site) as drip, connect(site) as second:
        second.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = b""
        while not answer.endswith(b"}"):  # Head and body may come apart.
            answer += second.recv(4096)
        assert b"200 OK" in answer
        second.sendall(b"GET /")  # A second request on the same connection may not drip either.
        drip.sendall(b"GET / HTTP/1.1\r\nHo")
        for client in (idle, drip, second):
            client.settimeout(8)
            assert client.recv(100) == b""


def test_long_answer_on_a_used_connection_is_not_taken_for_a_slow_head(serve: Callable[..., str]) -> None:
    site = serve(head_seconds=1.0)
    with httpx.Client(timeout=20) as client:
        for _ in range(2):
            client.get(f"{site}/api/domineering/moves?spec=4x4&to_move=V").raise_for_status()
            answer = client.get(f"{site}/api/domineering/reply?spec=12x12&to_move=V&seconds=1.5").raise_for_status()
            assert answer.json()["mark"] == "unknown"


def test_client_that_leaves_frees_its_seat(serve: Callable[..., str]) -> None:
    site = serve(seconds=30.0)
    for path in ("moves", "reply"):
        with connect(site) as client:
            client.sendall(
                f"GET /api/domineering/{path}?spec=12x12&to_move=V HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
            )
            wait_until(lambda: seats_taken(site) == 1)
        assert wait_until(lambda: seats_taken(site) == 0) < 3


def test_rate_limit_refuses_politely_and_recovers(serve: Callable[..., str]) -> None:
    site = serve(rate=5.0)
    with httpx.Client() as client:
        statuses = [client.get(f"{site}/api/health").status_code for _ in range(40)]
        assert statuses[:15] == [200] * 15 and 429 in statuses
        time.sleep(0.5)
        assert client.get(f"{site}/api/health").status_code == 200


def test_guard_gives_up_on_a_client_that_does_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    async def endless(scope: object, receive: object, send: Callable) -> None:  # type: ignore[type-arg]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while True:
            await send({"type": "http.response.body", "body": b"x" * 1000, "more_body": True})

    async def stuck(message: dict[str, object]) -> None:
        if message["type"] == "http.response.body":
            await asyncio.sleep(3600)

    async def receive() -> dict[str, object]:
        return {"type": "http.request"}

    monkeypatch.setattr("zermelo.web.guard.SEND_SECONDS", 0.1)
    guard = Guard(endless, Settings())  # type: ignore[arg-type]
    asyncio.run(asyncio.wait_for(guard({**SCOPE}, receive, stuck), 5))  # type: ignore[arg-type]


def test_chunked_body_is_bounded_in_size_and_time(site: str, serve: Callable[..., str]) -> None:
    def slowly() -> Iterator[bytes]:
        for _ in range(60):
            yield b"x"
            time.sleep(0.1)

    large = (bytes(1 << 16) for _ in range(200))
    assert httpx.post(f"{site}/api/proofs/send", content=large).status_code == 413
    assert httpx.post(f"{serve(head_seconds=1.0)}/api/proofs/send", content=slowly()).status_code == 408


def test_pool_refuses_when_full_and_cancels_on_leaving() -> None:
    async def scene() -> None:
        pool = Pool(workers=1, seats=Shares(total=1, each=1))
        begun = threading.Event()

        def until_cancelled(token: CancelToken) -> str:
            begun.set()
            while not token.cancelled:
                time.sleep(0.005)
            return "stopped"

        async with pool.seat("a") as seat:
            with pytest.raises(BusyError):
                async with pool.seat("b"):
                    pass
            running = asyncio.ensure_future(seat.run(until_cancelled))
            waiting = asyncio.ensure_future(seat.run(until_cancelled))
            await asyncio.to_thread(begun.wait, 5)
        assert await running == "stopped"
        assert await waiting is None
        assert pool.seats.taken == 0
        assert await pool.close()

    asyncio.run(asyncio.wait_for(scene(), 20))


def test_a_review_goes_on_where_no_worker_is_free() -> None:
    game, request = find_game("mnk"), Mock()
    request.app.state.searchers = Searchers(Settings())
    places = [open_position(game, "3,3,3", moves, None, Settings()) for moves in ("", "a1", "a1;b2")]
    seat = AsyncMock(run=AsyncMock(side_effect=BusyError))

    async def scene() -> list[Any]:
        return [event async for event in review_events(request, game, seat, places, None, Limits(seconds=1.0))]

    assert asyncio.run(scene()) == [{"event": "done", "unknown": 2}]


def test_every_address_gets_its_share_of_the_workers() -> None:
    async def scene() -> None:
        pool, gate = Pool(workers=1, seats=Shares(total=20, each=6), queue_seconds=0.5), threading.Event()
        order: list[str] = []

        def work(name: str) -> Callable[[CancelToken], None]:
            def wait(_: CancelToken) -> None:
                order.append(name)
                gate.wait(10)

            return wait

        async with AsyncExitStack() as stack:

            async def ask(address: str) -> asyncio.Task[None]:
                seat = await stack.enter_async_context(pool.seat(address))
                task = asyncio.create_task(seat.run(work(address)))
                await asyncio.sleep(0.01)
                return task

            tasks = [await ask(name) for name in "aaaabcdef"]
            # One worker for each address, four in all.
            assert (pool.busy, pool.waiting) == (4, 5)
            left = tasks.pop(1)
            left.cancel()  # a request that ends while it waits takes nobody's turn
            gate.set()
            await asyncio.gather(*tasks)
            assert order == [*"abcdef", *"aa"]  # the crowd takes its turns, no more
            gate.clear()
            stuck = [await ask(name) for name in "abcd"]
            with pytest.raises(BusyError):
                await (await ask("e"))
            assert pool.stuck() == 0
        for job in pool._jobs:
            job.ended = time.monotonic() - 3
        assert pool.stuck() == 4
        gate.set()
        await asyncio.gather(*stuck)
        assert pool.stuck() == pool.busy == pool.waiting == pool.seats.taken == 0
        assert await pool.close()

    asyncio.run(asyncio.wait_for(scene(), 20))


@pytest.fixture(scope="module")
def behind_a_proxy() -> Any:
    return make_server(Settings(proxies=("10.0.0.0/8",)), host="127.0.0.1", port=0).config.loaded_app


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("10.0.0.1", "1.2.3.4", "1.2.3.4"),
        ("10.0.0.1", "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        ("10.0.0.1", "1.2.3.4, 10.0.0.7", "1.2.3.4"),
        ("10.0.0.1", None, "10.0.0.1"),
        ("9.9.9.9", "1.2.3.4", "9.9.9.9"),
        ("10.0.0.1", "2001:db8::1:2", "2001:db8::/64"),
        ("10.0.0.1", "nonsense", "nonsense"),
    ],
)
def test_only_a_proxy_that_is_trusted_says_for_whom_it_asks(
    behind_a_proxy: Any, peer: str, forwarded: str | None, address: str
) -> None:
    headers = [(b"host", b"localhost"), *([] if forwarded is None else [(b"x-forwarded-for", forwarded.encode())])]
    scope = {**SCOPE, "headers": headers, "client": (peer, 1)}

    async def ask() -> None:
        receive, send = AsyncMock(return_value={"type": "http.request"}), AsyncMock()
        await behind_a_proxy(scope, receive, send)

    asyncio.run(ask())
    assert scope["client"][0] == address


def test_serve_that_cannot_start_says_why_in_one_line() -> None:
    without_extra = "import sys; sys.modules['fastapi'] = None; sys.argv = ['zermelo', 'serve'];"
    without_extra += "from zermelo.cli.app import main; main()"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for command, words in (
            ([sys.executable, "-c", without_extra], "pip install 'zermelo[web]'"),
            ([ZERMELO, "serve", "--port", str(taken.getsockname()[1])], "choose another with --port"),
        ):
            result = subprocess.run(command, capture_output=True, text=True, timeout=60)
            assert (result.returncode, result.stderr.count("\n")) == (2, 1)
            assert words in result.stderr


def test_tables_are_kept_of_a_few_games_only() -> None:
    searchers = Searchers(Settings(memory_mib=1))
    first = searchers.of(find_game("domineering"))
    assert searchers.of(find_game("domineering")) is first
    for game in games():
        assert searchers.of(game) is searchers.of(game)
    assert searchers.of(find_game("domineering")) is not first
