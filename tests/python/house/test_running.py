"""Searches on their own thread: whenever an interrupt comes, nothing runs on behind it."""

from __future__ import annotations

import threading
import time

import pytest

from zermelo import running
from zermelo._core import CancelToken


def searching(token: CancelToken, ended: list[bool]) -> None:
    while not token.cancelled:
        time.sleep(0.01)
    time.sleep(0.1)
    ended.append(True)


@pytest.mark.parametrize("exists", [True, False])
def test_an_interrupt_of_the_start_leaves_no_search_behind(exists: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    start = threading.Thread.start

    def interrupted(thread: threading.Thread) -> None:
        if exists:
            start(thread)
        raise KeyboardInterrupt

    ended: list[bool] = []
    monkeypatch.setattr(running, "STARTING", 0.2)
    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        running.run_cancellable(lambda token: searching(token, ended))
    assert ended == [True] * exists
    assert "zermelo-search" not in [thread.name for thread in threading.enumerate()]
