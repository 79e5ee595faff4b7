"""One process that forks, for all tests of faults: it loads everything, which takes seconds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from forker import Forker


@pytest.fixture(scope="session")
def forker() -> Iterator[Forker]:
    made = Forker()
    yield made
    made.close()
