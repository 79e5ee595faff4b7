"""What stands between the network and the application: rates, body size, slow clients, security headers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import OrderedDict
from contextvars import ContextVar

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.web.settings import Settings

HEADERS = {
    # Everything comes from this server; pictures may also be data: addresses made by the page itself.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Buckets:
    """Token buckets by client address; the least recently seen addresses are forgotten.

    >>> buckets = Buckets(rate=1, burst=2)
    >>> [buckets.wait("a", now=0.0), buckets.wait("a", now=0.0), buckets.wait("a", now=0.5)]
    [0.0, 0.0, 0.5]
    """

    def __init__(self, *, rate: float, burst: float, addresses: int = 10_000) -> None:
        self.rate, self.burst, self.addresses = rate, burst, addresses
        self._full: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str, *, now: float) -> float:
        """Take one token and return 0, or return the seconds until there is one."""
        tokens, last = self._full.pop(address, (self.burst, now))
        tokens = min(self.burst, tokens + (now - last) * self.rate)
        allowed = tokens >= 1
        self._full[address] = (tokens - 1 if allowed else tokens, now)
        while len(self._full) > self.addresses:
            self._full.popitem(last=False)
        return 0.0 if allowed else (1 - tokens) / self.rate


class SlowClientError(Exception):
    """The client took too long to send its request or to take the answer."""


class TooLargeError(Exception):
    """The request body is larger than the server takes."""


class HeadClock:
    """Drops a connection whose next request does not arrive in time."""

    def __init__(self, transport: asyncio.BaseTransport, seconds: float) -> None:
        self._transport, self._seconds = transport, seconds
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Wait for a request; it does not matter how many bytes of it have come."""
        self.stop()
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._transport.close)

    def stop(self) -> None:
        """A request is there, or the connection is gone."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


head_clock: ContextVar[HeadClock | None] = ContextVar("head_clock", default=None)
"""The clock of the connection that a request came by; the server sets it before it reads."""


class Guard:
    """ASGI middleware that refuses politely and early, before any work is done."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.reading = Buckets(rate=settings.read_rate, burst=settings.read_rate * settings.burst_seconds)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        clock = head_clock.get()
        if clock is not None:
            clock.stop()
        try:
            await self.serve(scope, receive, send)
        finally:
            if clock is not None:
                clock.start()

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        started = False

        async def guarded_send(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                add_headers(message, scope["path"])
            try:
                await asyncio.wait_for(send(message), self.settings.send_seconds)
            except TimeoutError:
                raise SlowClientError from None

        refusal = self.refusal(scope)
        if refusal is not None:
            await refuse(guarded_send, receive, *refusal)
            return
        try:
            await self.app(scope, self.guarded_receive(receive), guarded_send)
        except (SlowClientError, TooLargeError) as error:
            # When the answer had begun there is nothing polite left to say: the connection is closed.
            if started:
                return
            if isinstance(error, TooLargeError):
                await refuse(guarded_send, receive, 413, self.too_large())
            else:
                await refuse(guarded_send, receive, 408, "The request took too long to arrive.")

    def refusal(self, scope: Scope) -> tuple[int, str, float] | None:
        """Say why this request is not served, if so: status, sentence, seconds to wait."""
        path: str = scope["path"]
        headers = dict(scope["headers"])
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self.settings.body_bytes:
            return 413, self.too_large(), 0
        if not path.startswith("/api/"):
            return None
        address = scope["client"][0] if scope["client"] else ""
        wait = self.reading.wait(address, now=time.monotonic())
        if wait:
            return 429, "Too many requests from your address; try again in a moment.", wait
        return None

    def too_large(self) -> str:
        return f"The request body is larger than {self.settings.body_bytes // 2**20} MiB."

    def guarded_receive(self, receive: Receive) -> Receive:
        """Bound the body in size and in time; waiting for the client to leave is not bounded."""
        size, complete = 0, False
        deadline = time.monotonic() + self.settings.head_seconds

        async def guarded() -> Message:
            nonlocal size, complete
            if complete:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), max(0.0, deadline - time.monotonic()))
            except TimeoutError:
                raise SlowClientError from None
            if message["type"] == "http.request":
                size += len(message.get("body", b""))
                if size > self.settings.body_bytes:
                    raise TooLargeError
                complete = not message.get("more_body", False)
            return message

        return guarded


# How long a refused client may go on sending.
LINGER_SECONDS = 1.0


def add_headers(message: Message, path: str) -> None:
    """Put the security headers on an answer; the API's answers are not stored by browsers."""
    headers = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)  # a route may allow more
    headers.setdefault("Cache-Control", "no-store" if path.startswith("/api/") else "no-cache")


async def refuse(send: Send, receive: Receive, status: int, sentence: str, wait: float = 0) -> None:
    """Send one sentence as JSON and close the connection."""
    body = json.dumps({"detail": sentence}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if wait:
        headers.append((b"retry-after", str(int(wait) + 1).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    # A connection that is closed while the body still arrives takes the answer with it: let the client finish.
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(discard_body(receive), LINGER_SECONDS)
    await send({"type": "http.response.body", "body": b""})


async def discard_body(receive: Receive) -> None:
    """Read what the client still sends, and keep nothing of it."""
    while (await receive()).get("more_body", False):
        pass
