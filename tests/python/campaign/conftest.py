"""The command line without a process of its own: `zermelo campaign` in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any]) -> Callable[..., Any]:
    monkeypatch.chdir(tmp_path)
    return partial(run, "campaign")
