"""Servers for the tests: the real one, on a free port, in a thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from zermelo.web.server import bind, make_server
from zermelo.web.settings import Settings


@contextmanager
def running(settings: Settings) -> Iterator[str]:
    """Run a server and yield its address; it must stop within seconds, whatever it was doing."""
    listening = bind("127.0.0.1", 0)
    server = make_server(settings, host="127.0.0.1", port=0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        listening.close()
        assert not thread.is_alive(), "the server did not stop"


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """Start servers with given limits; they end with the test."""
    with ExitStack() as stack:
        yield lambda **limits: stack.enter_context(running(Settings(**limits)))


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """One server with short searches for the tests that only ask."""
    with running(Settings(seconds=5.0)) as address:
        yield address


@pytest.fixture(scope="module")
def proof_site() -> Iterator[str]:
    """A server with a folder of certificates."""
    folder = Path(__file__).resolve().parents[2] / "data" / "certificates"
    with running(Settings(seconds=10.0, proof_mib=16, proofs=folder)) as address:
        yield address
