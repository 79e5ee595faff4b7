"""The command line without a process of its own, `zermelo campaign` in an empty folder; a store in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from zermelo.store import Store, open_store


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any]) -> Callable[..., Any]:
    monkeypatch.chdir(tmp_path)
    return partial(run, "campaign")


@pytest.fixture
def store() -> Iterator[Store]:
    with open_store(":memory:") as opened:
        yield opened
