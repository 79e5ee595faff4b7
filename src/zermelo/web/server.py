"""Runs the application with uvicorn; bounds connections and slow senders, and ends at once at a signal."""

from __future__ import annotations

import asyncio
import resource
import socket
import sys
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import Any, cast

import uvicorn
from starlette.responses import JSONResponse

from zermelo.web.app import create_app
from zermelo.web.guard import HEADERS, HeadClock, head_clock, network_of
from zermelo.web.pool import Pool, Shares
from zermelo.web.settings import Settings

CONNECTIONS, CONNECTIONS_EACH = 4000, 400
"""Connections at once, in all and from one address; one more is answered 503."""
REFUSED_SECONDS, LINGERING = 0.5, 150
BACKLOG = 4096
"""Connections that wait for us in the system; one more must try again after a second."""
ANSWER_SECONDS = 0.4
"""How long answers may take to end at a signal, before their connections are closed."""
SWITCH_SECONDS = 0.001
"""How long a worker that runs Python may hold the GIL while the thread that answers waits."""


def refusal(status: int, sentence: str) -> bytes:
    """Return the bytes of an answer outside the application."""
    headers = {**HEADERS, "retry-after": "3", "cache-control": "no-store", "connection": "close"}
    answer = JSONResponse({"detail": sentence}, headers=headers)
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode()]
    lines += [name + b": " + value for name, value in answer.raw_headers]
    return b"\r\n".join([*lines, b"", answer.body])


TOO_MANY = refusal(503, "Too many connections at once from your address; try again in a moment.")
NO_REQUEST = refusal(400, "This is not a request that HTTP knows.")
lingering: set[asyncio.Transport] = set()
"""Connections that were turned away and are still open."""


def turn_away(transport: asyncio.Transport, answer: bytes) -> None:
    """Send an answer and close, with a delay so that the client can read it.

    The client would not see the answer if the connection were closed while it still sends. But an open connection
    takes one of the files that the system allows, so only some of them are delayed.
    """
    transport.write(answer)
    if len(lingering) >= LINGERING:
        transport.close()
        return
    if transport.can_write_eof():
        transport.write_eof()
    lingering.add(transport)
    asyncio.get_running_loop().call_later(REFUSED_SECONDS, close, transport)


def close(transport: asyncio.Transport) -> None:
    lingering.discard(transport)
    transport.close()


class Line:
    """A connection for uvicorn. Bytes that it writes outside an answer refuse a request: we send our own refusal."""

    def __init__(self, transport: asyncio.Transport, clock: HeadClock) -> None:
        self._transport, self._clock, self.refused = transport, clock, False

    def write(self, data: bytes) -> None:
        if self._clock.answering:
            self._transport.write(data)
        elif not self.refused:
            self.refused = True
            turn_away(self._transport, NO_REQUEST)

    def close(self) -> None:
        if not self.refused:
            self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Door:
    """A protocol in front of uvicorn's: a share of connections for each address, and a time limit for each request.

    uvicorn bounds the time between requests, but not the time that a client takes to send one; and it bounds all
    connections together, so that one address could take them all. The guard stops the clock while it answers.
    """

    def __init__(self, enter: Callable[[], asyncio.Protocol], settings: Settings, connections: Shares) -> None:
        self._enter, self._settings, self._connections = enter, settings, connections
        self._inner = asyncio.Protocol()  # does nothing
        self._line: Line | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        peer = (transport.get_extra_info("peername") or ("",))[0]
        # A proxy asks for many visitors, and bounds them itself.
        self._address = f"{peer} {id(self)}" if is_proxy(peer, self._settings) else network_of(peer)
        if not self._connections.take(self._address):
            turn_away(transport, TOO_MANY)
            return
        self._clock = HeadClock(transport, self._settings.head_seconds)
        self._line, self._inner = Line(transport, self._clock), self._enter()
        self._inner.connection_made(cast(asyncio.Transport, self._line))

    def data_received(self, data: bytes) -> None:
        if self._line is not None and not self._line.refused:
            head_clock.set(self._clock)  # the task that answers inherits this context
            self._inner.data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._line is not None:
            self._clock.end()
            self._connections.give_back(self._address)
            self._inner.connection_lost(exc)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def is_proxy(address: str, settings: Settings) -> bool:
    try:
        return any(ip_address(address) in ip_network(proxy, strict=False) for proxy in settings.proxies)
    except ValueError:
        return False


class Server(uvicorn.Server):
    """A server whose searches end at once when it stops."""

    def __init__(self, config: uvicorn.Config, pool: Pool) -> None:
        super().__init__(config)
        self.pool = pool

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Cancel every search, so that all answers end, and then close."""
        self.pool.stop()
        asyncio.get_running_loop().call_later(ANSWER_SECONDS, self._hang_up)
        await super().shutdown(sockets)

    def _hang_up(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()


def allow_connections(count: int) -> None:
    """Raise the number of files that this process may open, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + 200 if hard == resource.RLIM_INFINITY else min(count + 200, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def make_server(settings: Settings, *, host: str, port: int) -> Server:
    """Return a server that is ready to run."""
    allow_connections(CONNECTIONS)
    sys.setswitchinterval(SWITCH_SECONDS)
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http="h11",
        ws="none",
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        timeout_keep_alive=5,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=32 * 1024,
        backlog=BACKLOG,
    )
    config.load()
    connections, enter = Shares(total=CONNECTIONS, each=CONNECTIONS_EACH), config.http_protocol_class
    config.http_protocol_class = cast(Any, lambda **given: Door(partial(enter, **given), settings, connections))
    return Server(config, app.state.pool)


def bind(host: str, port: int) -> socket.socket:
    """Open the listening socket.

    :raises ValueError: if the address cannot be used.
    """
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=BACKLOG
        )
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ValueError(f"cannot listen on {host}:{port}: {reason}; choose another with --port") from None
