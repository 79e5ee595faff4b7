"""Makes processes misbehave: Python imports this at start-up where this folder is on PYTHONPATH.

ZERMELO_TEST_HANG or ZERMELO_TEST_LIE say after how many units of its own a worker's process is tempted; the first one
takes the file named by ZERMELO_TEST_FAULT, so that only one misbehaves, and never the runner.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from typing import Any


def first_to_ask() -> bool:
    """Whether this process is the first worker that wants to misbehave."""
    if "--multiprocessing-fork" not in sys.orig_argv:
        return False
    try:
        os.close(os.open(os.environ["ZERMELO_TEST_FAULT"], os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        return False
    return True


def spoil() -> None:
    """Change this process's unit solver as the environment says."""
    from zermelo.campaign.worker import UnitSolver

    slow, hang, lie = (float(os.environ.get(f"ZERMELO_TEST_{name}", "-1")) for name in ("SLOW", "HANG", "LIE"))
    honest, good, solved, bad = UnitSolver.prove, max(hang, lie), 0, False

    def prove(self: Any, turn: Any, **limits: Any) -> Any:
        nonlocal solved, bad
        time.sleep(max(slow, 0))
        solved += 1
        bad = bad or (0 <= good < solved and first_to_ask())
        if bad and hang >= 0:
            time.sleep(3600)
        answer, certificate = honest(self, turn, **limits)
        if bad and answer.winner is not None:
            return replace(answer, winner=turn.position.game.other(answer.winner)), certificate
        return answer, certificate

    UnitSolver.prove = prove  # type: ignore[method-assign]


if "ZERMELO_TEST_FAULT" in os.environ and "pytest" not in sys.modules:
    spoil()
