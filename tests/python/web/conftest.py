"""Servers for the tests of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from servers import running
from tiny import SAMPLES

from zermelo.web.settings import Settings


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
    with running(Settings(seconds=10.0, proofs=SAMPLES)) as address:
        yield address
