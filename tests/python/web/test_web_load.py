"""Fifty visitors use the page without an error, in bounded memory; for a minute with ZERMELO_EXHAUSTIVE=1."""

from __future__ import annotations

import os

import pytest
from random_use import use

CLIENTS = 50
SECONDS = 60 if os.environ.get("ZERMELO_EXHAUSTIVE") else 6


@pytest.mark.slow
def test_fifty_clients_use_the_page_without_errors_in_bounded_memory() -> None:
    seen = use(CLIENTS, SECONDS, think=0.5)
    assert not seen.faults
    assert set(seen.statuses) <= {"left", "200"}
    assert seen.statuses["200"] > 2 * CLIENTS
    assert max(seen.sizes) < 1500
