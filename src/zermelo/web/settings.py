"""The limits of one server. Limits that suit every machine are constants beside their use."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """The defaults suit a laptop and a small public machine alike."""

    workers: int = field(default_factory=lambda: max(1, os.cpu_count() or 1))
    """Searches that one address may run at once; there are four times as many workers."""
    seconds: float = 20.0
    """Time one request may search."""
    longest_seconds: float = 120.0
    """Time one request may search if it asks for more."""
    memory_mib: int = 256
    """Tables of one search."""
    rate: float = 400.0
    """API requests a second that one address may make, on average."""
    head_seconds: float = 10.0
    """Time a client may take to send a request."""
    names: tuple[str, ...] = ()
    """Names of this server, besides its addresses and localhost."""
    proxies: tuple[str, ...] = ()
    """Addresses or networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed."""
    proofs: Path | None = None
    """Folder of certificates that the Proof page offers."""
    uploads: Path | None = None
    """Folder that keeps the certificates that visitors send, so that their addresses outlive the server."""
    store: str | None = None
    """Campaign store (file or PostgreSQL URL) that the Campaign page shows."""
