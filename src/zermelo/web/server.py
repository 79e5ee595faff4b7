"""Runs the application with uvicorn: slow senders are dropped, Ctrl-C ends it in good order."""

from __future__ import annotations

import asyncio
import resource
import socket

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from zermelo.web.app import create_app
from zermelo.web.guard import HeadClock, head_clock
from zermelo.web.settings import Settings


def impatient(head_seconds: float) -> type[asyncio.Protocol]:
    """Return uvicorn's HTTP protocol with a deadline for the head of each request.

    uvicorn bounds the time between requests, not the time a client takes to send one: a thousand clients that
    send a byte a minute would hold a thousand connections for ever. The guard stops the clock while it answers.
    """

    class ImpatientProtocol(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.clock = HeadClock(transport, head_seconds)
            self.clock.start()

        def data_received(self, data: bytes) -> None:
            # The task that answers inherits this context.
            head_clock.set(self.clock)
            super().data_received(data)

        def connection_lost(self, exc: Exception | None) -> None:
            self.clock.stop()
            super().connection_lost(exc)

    return ImpatientProtocol


def allow_connections(count: int) -> None:
    """Raise the number of files this process may open, as far as the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + 200 if hard == resource.RLIM_INFINITY else min(count + 200, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def make_server(settings: Settings, *, host: str, port: int) -> uvicorn.Server:
    """Return a server that is ready to run."""
    allow_connections(settings.connections)
    config = uvicorn.Config(
        create_app(settings),
        host=host,
        port=port,
        http=impatient(settings.head_seconds),
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=3,
        limit_concurrency=settings.connections,
        h11_max_incomplete_event_size=32 * 1024,
    )
    return uvicorn.Server(config)


def bind(host: str, port: int) -> socket.socket:
    """Open the listening socket, so that an occupied port is one clear line.

    :raises ValueError: if the address cannot be used.
    """
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=512
        )
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ValueError(f"cannot listen on {host}:{port}: {reason}; choose another with --port") from None
