"""Programs that the tests start: the command line, free ports, and waiting for what they do."""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

ZERMELO = str(Path(sys.executable).parent / "zermelo")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(condition: Callable[[], object], seconds: float = 5.0, pause: float = 0.02) -> float:
    """Wait for a condition and return how long it took."""
    begin = time.monotonic()
    while not condition():
        assert time.monotonic() - begin < seconds, "it did not happen"
        time.sleep(pause)
    return time.monotonic() - begin
