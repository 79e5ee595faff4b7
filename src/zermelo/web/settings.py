"""Every limit of the server in one place, so that no request can ask for more than is there."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve()


def documentation() -> Path | None:
    """Return the folder of the documentation: the one that was installed, or that of a checkout."""
    places = HERE.parents[1] / "docs", HERE.parents[3] / "docs"
    return next((folder for folder in places if (folder / "index.md").is_file()), None)


@dataclass(frozen=True)
class Settings:
    """What one server allows; the defaults suit a laptop and a small public machine alike."""

    workers: int = field(default_factory=lambda: max(1, os.cpu_count() or 1))
    """Searches that run at once."""
    seats: int = 128
    """Requests that may hold or wait for a worker at once; one more is answered 503."""
    seats_each: int = 64
    """Of these, how many one address may take."""
    queue_seconds: float = 20.0
    """Time a request may wait for a worker, then it is answered 503."""
    uploads: int = 8
    """Certificates that may be on their way at once."""
    uploads_each: int = 2
    """Of these, how many from one address."""
    seconds: float = 20.0
    """Time one request may search."""
    longest_seconds: float = 120.0
    """Time that a visitor may ask for who wants to search longer."""
    nodes: int = 200_000_000
    """Positions one search may enter in the usual time; in a longer one so many times more."""
    memory_mib: int = 256
    """Tables of one search."""
    squares: int = 144
    """Largest board that may be searched (12x12)."""
    side: int = 40
    """Longest side of such a board."""
    table_side: int = 60
    """Largest table of outcomes."""
    body_bytes: int = 8 * 1024 * 1024
    """Largest request body (a certificate)."""
    head_seconds: float = 10.0
    """Time a client may take to send a request."""
    send_seconds: float = 20.0
    """Time a client may take to accept one piece of an answer."""
    connections: int = 4000
    """Connections at once; one more is answered 503."""
    connections_each: int = 400
    """Of these, how many from one address."""
    requests: int = 1000
    """Requests that are answered at once; one more is answered 503."""
    requests_each: int = 100
    """Of these, how many from one address."""
    search_rate: float = 120.0
    """Searching requests a second that one address may make, on average."""
    read_rate: float = 400.0
    """Other API requests a second that one address may make, on average."""
    burst_seconds: float = 3.0
    """How many seconds' worth of requests may come at once."""
    proof_mib: int = 256
    """Largest certificate of the folder to walk through, unpacked."""
    sent_mib: int = 32
    """Largest certificate that somebody sent or had made, unpacked."""
    kept_mib: int = 96
    """Certificates kept open for the next steps of a walk."""
    names: tuple[str, ...] = ()
    """Names by which the server may be called, besides its addresses and localhost."""
    proxies: tuple[str, ...] = ()
    """Addresses or networks of proxies, which say for whom they ask (`X-Forwarded-For`)."""
    docs: Path | None = field(default_factory=documentation)
    """Folder of the documentation, for links to the theory."""
    proofs: Path | None = None
    """Folder of certificates that the Proof page offers."""
    store: str | None = None
    """Campaign store (file or PostgreSQL URL) that the Campaign page shows."""
