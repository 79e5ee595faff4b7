"""Runs the application with uvicorn: slow senders are dropped, connections are shared, a signal ends it at once."""

from __future__ import annotations

import asyncio
import json
import resource
import socket
import sys
from http import HTTPStatus

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from zermelo.web.app import create_app
from zermelo.web.guard import HEADERS, Callers, HeadClock, head_clock
from zermelo.web.pool import Pool, Shares
from zermelo.web.settings import Settings

REFUSED_SECONDS, LINGERING = 0.5, 150
BACKLOG = 4096
"""Connections that the system holds for us; one more must try again, after one, three, seven, ... seconds."""
ANSWER_SECONDS = 0.4
"""How long answers may take to end at a signal; a question whose body never comes would wait for the whole second."""
SWITCH_SECONDS = 0.001
"""How long a worker that runs Python may keep the thread that answers waiting."""


def refusal(status: int, sentence: str) -> bytes:
    """Return an answer for where there is no request to answer."""
    body = json.dumps({"detail": sentence}).encode()
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
    lines += [f"{name}: {value}" for name, value in HEADERS.items()]
    lines += ["content-type: application/json", f"content-length: {len(body)}", "retry-after: 3"]
    lines += ["cache-control: no-store", "connection: close", "", ""]
    return "\r\n".join(lines).encode() + body


TOO_MANY = refusal(503, "Too many connections at once from your address; try again in a moment.")
NO_REQUEST = refusal(400, "This is not a request that HTTP knows.")
lingering: set[asyncio.Transport] = set()
"""Connections that were turned away and are still open."""


def turn_away(transport: asyncio.Transport, answer: bytes) -> None:
    """Send an answer and close; where many are turned away, sooner than they may have read it.

    A connection that is closed while something still arrives takes the answer with it. But each that is open takes one
    of the files that the system allows, and where there are none nobody is let in.
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


def careful(settings: Settings) -> type[asyncio.Protocol]:
    """Return uvicorn's HTTP protocol with bounds of ours.

    uvicorn bounds the time between requests, not the time a client takes to send one: a thousand clients that
    send a byte a minute would hold a thousand connections for ever. The guard stops the clock while it answers.
    It bounds all connections together, so that one address can take them all.
    """
    connections = Shares(total=settings.connections, each=settings.connections_each)
    callers = Callers(settings)

    class CarefulProtocol(H11Protocol):
        address: str | None = None
        """Whose share this connection counts to, if it was let in."""
        refused = False

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            peer = (transport.get_extra_info("peername") or ("",))[0]
            # A proxy asks for many, and bounds them itself.
            address = f"{peer} {id(self)}" if callers.trusted(peer) else callers.network(peer)
            if not connections.take(address):  # in a flood there is no time for more than this
                self.refused = True
                turn_away(transport, TOO_MANY)
                return
            self.address = address
            super().connection_made(transport)
            self.clock = HeadClock(transport, settings.head_seconds)
            self.clock.start()

        def data_received(self, data: bytes) -> None:
            if self.refused:
                return
            # The task that answers inherits this context.
            head_clock.set(self.clock)
            super().data_received(data)

        def connection_lost(self, exc: Exception | None) -> None:
            if self.address is not None:
                self.clock.stop()
                connections.give_back(self.address)
                super().connection_lost(exc)

        def send_400_response(self, msg: str) -> None:
            self.refused = True
            turn_away(self.transport, NO_REQUEST)

    return CarefulProtocol


class Server(uvicorn.Server):
    """A server whose searches end at once when it is told to."""

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
    """Raise the number of files this process may open, as far as the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + 200 if hard == resource.RLIM_INFINITY else min(count + 200, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def make_server(settings: Settings, *, host: str, port: int) -> Server:
    """Return a server that is ready to run."""
    allow_connections(settings.connections)
    sys.setswitchinterval(SWITCH_SECONDS)
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=careful(settings),
        ws="none",
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the guard reads them
        timeout_keep_alive=5,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=32 * 1024,
        backlog=BACKLOG,
    )
    return Server(config, app.state.pool)


def bind(host: str, port: int) -> socket.socket:
    """Open the listening socket, so that an occupied port is one clear line.

    :raises ValueError: if the address cannot be used.
    """
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=BACKLOG
        )
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ValueError(f"cannot listen on {host}:{port}: {reason}; choose another with --port") from None
