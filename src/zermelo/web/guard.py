"""Protects the application from the network: rates, body size, slow clients, other sites, security headers."""

from __future__ import annotations

import asyncio
import contextlib
import math
import socket
import sys
import time
from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping
from contextvars import ContextVar
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.web.settings import Settings

FRAMES = "frame-ancestors 'none'"
EMBEDDED = b"embed=1"
"""The query of a page that other sites may show in a frame."""
HEADERS = {
    # Everything comes from this server; the page also makes pictures with data: addresses.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; {FRAMES}"
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


BODY_BYTES = 8 << 20
"""Largest request body (a certificate)."""
SEND_SECONDS = 20.0
"""How long a client may take to accept one piece of an answer."""
LINGER_SECONDS = 1.0
"""How long a refused client may go on sending."""
BURST_SECONDS = 3.0
"""The requests of so many seconds may come at once."""


class SlowClientError(Exception):
    """The client took too long to send its request or to take the answer."""


class TooLargeError(Exception):
    """The request body is larger than the server takes."""


TOO_LARGE = "The request body is larger than this server takes."
FAULTS: dict[type[Exception], tuple[int, str]] = {
    TooLargeError: (413, TOO_LARGE),
    SlowClientError: (408, "The request took too long to arrive."),
    ClientDisconnect: (408, "The request did not arrive."),
}


def network_of(address: str) -> str:
    """Return the network whose requests are counted together: an IPv4 address, or the /64 network of IPv6.

    >>> [network_of(address) for address in ("1.2.3.4", "2001:db8::1:2", "nonsense")]
    ['1.2.3.4', '2001:db8::/64', 'nonsense']
    """
    try:
        known = ip_address(address)
    except ValueError:
        return address
    return str(known) if known.version == 4 else str(ip_network((known, 64), strict=False))


def is_ours(name: str, names: Collection[str]) -> bool:
    """Whether a Host may be this server: one of its names, a subdomain of localhost, or any IP address."""
    try:
        return name in names or name.endswith(".localhost") or bool(ip_address(name.strip("[]")))
    except ValueError:
        return False


def foreign(path: str, headers: Mapping[bytes, bytes], names: Collection[str]) -> tuple[int, str] | None:
    """Return the refusal of a request that another site made a browser send; None for other requests.

    Another site could use a visitor's browser to reach a server that only the visitor can reach: by a cross-site
    request, which browsers mark, or by a name of its own that it points to 127.0.0.1, which then stands in `Host`.
    """
    host = headers.get(b"host", b"").decode("latin-1").lower()
    name = host_name(host)
    if not is_ours(name, names):
        return 421, f"This server does not answer to the name {name[:100]!r}; --name makes it do so."
    origin = headers.get(b"origin")
    if origin is not None and urlsplit(origin.decode("latin-1").lower()).netloc != host:
        return 403, "Pages of other sites may not ask this server."
    site, mode = headers.get(b"sec-fetch-site"), headers.get(b"sec-fetch-mode")
    if site == b"cross-site" and mode != b"navigate" and path.startswith("/api/") and not path.endswith("/picture"):
        return 403, "Pages of other sites may not ask this server."
    return None


def host_name(host: str) -> str:
    """Return a host without its port.

    >>> [host_name(text) for text in ("localhost:8000", "[::1]:80", "a.example")]
    ['localhost', '[::1]', 'a.example']
    """
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() and (host.startswith("[") or ":" not in name) else host


class HeadClock:
    """Drops a connection whose next request does not arrive completely in time.

    A request may arrive while the answer before it still ends, so the clock counts the answers.
    """

    def __init__(self, transport: asyncio.BaseTransport, seconds: float) -> None:
        self._transport, self._seconds = transport, seconds
        self.answering = 0
        self._timer = self._started()

    def _started(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(self._seconds, self._transport.close)

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop while a request is answered."""
        self.answering += 1
        self._timer.cancel()
        try:
            yield
        finally:
            self.answering -= 1
            if not self.answering:
                self._timer = self._started()

    def end(self) -> None:
        """Stop for good: the connection is gone."""
        self.answering += 1
        self._timer.cancel()


head_clock: ContextVar[HeadClock | None] = ContextVar("head_clock", default=None)
"""The clock of a request's connection; the server sets it before it reads."""


class Guard:
    """ASGI middleware that refuses bad requests before any work is done."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.requests = Buckets(rate=settings.rate, burst=settings.rate * BURST_SECONDS)
        own = socket.gethostname().lower()
        self.names = {"localhost", own, f"{own}.local", *(name.lower() for name in settings.names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        clock = head_clock.get()
        with clock.stopped() if clock else contextlib.nullcontext():
            await self.serve(scope, receive, send)

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        started = False

        async def guarded_send(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                add_headers(message, scope)
            try:
                await asyncio.wait_for(send(message), SEND_SECONDS)
            except TimeoutError:
                raise SlowClientError from None

        host, port = scope["client"] or ("", 0)
        scope["client"] = (network_of(host)[:60], port)
        if scope["method"] == "HEAD" and scope["path"].startswith("/api/"):
            scope = {**scope, "method": "GET"}  # uvicorn leaves the body out
        try:
            refusal = self.refusal(scope)
            if refusal is None:
                await self.app(scope, self.guarded_receive(receive), guarded_send)
            else:
                await refuse(guarded_send, receive, *refusal)
        except Exception as error:
            # If the answer has begun, it is too late for another: uvicorn closes the connection.
            known = FAULTS.get(type(error))
            if known is None:
                print(f"zermelo: {scope['method']} {scope['path'][:200]!r}: {error!r}"[:1000], file=sys.stderr)
            if not started:
                await refuse(guarded_send, receive, *(known or (500, "Something went wrong here; it was noted.")))

    def refusal(self, scope: Scope) -> tuple[int, str] | tuple[int, str, float] | None:
        """Return the status, sentence and seconds to wait if this request is refused."""
        headers = dict(scope["headers"])
        length = headers.get(b"content-length", b"0")
        if b"content-length" in headers and b"transfer-encoding" in headers:
            return 400, "A request has a length or comes in pieces, not both."
        if refused := foreign(scope["path"], headers, self.names):
            return refused
        if not length.isdigit() or int(length) > BODY_BYTES:
            return 413, TOO_LARGE
        if scope["path"].startswith("/api/") and (wait := self.requests.wait(scope["client"][0], now=time.monotonic())):
            return 429, "Too many requests from your address; try again in a moment.", wait
        return None

    def guarded_receive(self, receive: Receive) -> Receive:
        """Bound the body in size and in time; afterwards the application may wait for the client to leave."""
        size, complete = 0, False
        deadline = math.inf

        async def guarded() -> Message:
            nonlocal size, complete, deadline
            if complete:
                return await receive()
            # From the first question on: a client is not slow while the application does something else.
            deadline = min(deadline, time.monotonic() + self.settings.head_seconds)
            try:
                message = await asyncio.wait_for(receive(), max(0.0, deadline - time.monotonic()))
            except TimeoutError:
                raise SlowClientError from None
            if message["type"] == "http.request":
                size += len(message.get("body", b""))
                if size > BODY_BYTES:
                    raise TooLargeError
                complete = not message.get("more_body", False)
            return message

        return guarded


def add_headers(message: Message, scope: Scope) -> None:
    """Put the security headers on an answer; the API's answers are not stored by browsers."""
    headers = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)  # a route may allow more
    if EMBEDDED in scope["query_string"].split(b"&"):
        # Another site may show this board in a frame: a click on it can do no harm.
        headers["Content-Security-Policy"] = HEADERS["Content-Security-Policy"].replace(FRAMES, "frame-ancestors *")
        del headers["X-Frame-Options"]
    headers.setdefault("Cache-Control", "no-store" if scope["path"].startswith("/api/") else "no-cache")


async def refuse(send: Send, receive: Receive, status: int, sentence: str, wait: float = 0) -> None:
    """Send one sentence as JSON and close the connection."""
    headers = {"connection": "close", **({"retry-after": str(int(wait) + 1)} if wait else {})}
    answer = JSONResponse({"detail": sentence}, status, headers)
    await send({"type": "http.response.start", "status": status, "headers": answer.raw_headers})
    await send({"type": "http.response.body", "body": answer.body, "more_body": True})
    # The client would not see the answer if the connection were closed while it still sends.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while (await receive()).get("more_body", False):
                pass
    await send({"type": "http.response.body", "body": b""})
