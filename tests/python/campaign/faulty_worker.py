"""Makes processes misbehave: imported at start-up (see sitecustomize.py); the environment says how.

A fault that happens once in all processes takes the file named by ZERMELO_TEST_FAULT first. ZERMELO_TEST_HANG and
ZERMELO_TEST_LIE say after how many units of its own a worker's process is tempted; the runner's never is.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

FAULT_FILE = "ZERMELO_TEST_FAULT"


def first_to_ask() -> bool:
    """Whether this process is the first worker that wants to misbehave."""
    if "--multiprocessing-fork" not in sys.orig_argv:
        return False
    try:
        os.close(os.open(Path(os.environ[FAULT_FILE]), os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        return False
    return True


def spoil() -> None:
    """Change this process's unit solver as the environment says."""
    from zermelo.campaign.worker import UnitSolver

    honest = UnitSolver.prove
    slow = float(os.environ.get("ZERMELO_TEST_SLOW", "0"))
    hang = int(os.environ.get("ZERMELO_TEST_HANG", "-1"))
    lie = int(os.environ.get("ZERMELO_TEST_LIE", "-1"))
    liar: list[bool] = []
    solved = 0

    def prove(self: Any, turn: Any, **limits: Any) -> Any:
        nonlocal solved
        time.sleep(slow)
        solved += 1
        if 0 <= hang < solved and first_to_ask():
            time.sleep(3600)
        answer, certificate = honest(self, turn, **limits)
        if 0 <= lie < solved:
            if not liar:
                liar.append(first_to_ask())
            if liar[0] and answer.winner is not None:
                return replace(answer, winner=turn.position.game.other(answer.winner)), certificate
        return answer, certificate

    UnitSolver.prove = prove  # type: ignore[method-assign]


if FAULT_FILE in os.environ and "pytest" not in sys.modules:
    spoil()
