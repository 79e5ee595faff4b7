"""Runs the independent checkers, which are programs of their own: nothing of theirs is imported."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo import _core

VERIFIED, REJECTED, MALFORMED, UNFINISHED = 0, 1, 2, 3


@dataclass(frozen=True)
class CheckReport:
    """What a checker said about one file; `exit_code` is the checker's own."""

    exit_code: int
    checker: str
    said: dict[str, Any]

    @property
    def verified(self) -> bool:
        return self.exit_code == VERIFIED


def checker_folder() -> Path:
    """Where the package keeps the checkers."""
    return Path(_core.__file__).parent / "checker"


def check_file(
    path: str | Path,
    *,
    slow: bool = False,
    seconds: float | None = None,
    mebibytes: float | None = None,
) -> CheckReport:
    """Verify a certificate with the fast checker, or with zcheck.py when `slow` or where there is no fast one.

    :raises ValueError: if no checker can be run.
    """
    folder = checker_folder()
    fast, python = folder / "zcheck", folder / "zcheck.py"
    use_fast = fast.exists() and not slow
    command = [str(fast)] if use_fast else [sys.executable, str(python)]
    if not use_fast and not python.exists():
        raise ValueError("this installation has no checker; run checker/zcheck.py by hand")
    if seconds is not None:
        command += ["--time", str(seconds)]
    if mebibytes is not None:
        command += ["--memory", str(mebibytes)]
    result = subprocess.run(
        [*command, "--json", str(Path(path).absolute())],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        said = json.loads(result.stdout)
    except json.JSONDecodeError:
        detail = (result.stderr.strip().splitlines() or ["no answer"])[-1]
        raise ValueError(f"the checker could not be run: {detail}") from None
    return CheckReport(result.returncode, "zcheck" if use_fast else "zcheck.py", said)
