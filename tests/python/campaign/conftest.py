"""The command line without a process of its own: `zermelo campaign` in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from zermelo.cli.app import run


class Said(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


@pytest.fixture
def campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Said]:
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> Said:
        capsys.readouterr()
        code = run(["campaign", *words])
        return Said(code, *capsys.readouterr())

    return call
