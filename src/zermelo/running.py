"""Runs a search of the core on its own thread, so that Ctrl-C works at once and the terminal can show progress."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from zermelo._core import CancelToken

T = TypeVar("T")
STARTING = 1.0
"""Seconds in which a thread that exists has begun."""


class _Outcome(Generic[T]):
    value: T
    error: BaseException | None = None


def run_cancellable(
    work: Callable[[CancelToken], T], cancel: CancelToken | None = None, meanwhile: Callable[[], None] | None = None
) -> T:
    """Call ``work(token)`` on a worker thread and wait; on Ctrl-C set the token, wait and re-raise.

    The core releases the GIL and polls the token every few thousand nodes. ``meanwhile`` is called now and then while
    the work goes on.

    >>> run_cancellable(lambda token: token.cancelled)
    False
    """
    token = cancel if cancel is not None else CancelToken()
    outcome: _Outcome[T] = _Outcome()
    begun, done = threading.Event(), threading.Event()

    def target() -> None:
        begun.set()
        try:
            outcome.value = work(token)
        except BaseException as error:
            outcome.error = error
        finally:
            done.set()

    worker = threading.Thread(target=target, name="zermelo-search", daemon=True)
    try:
        worker.start()
        # Not join(): interrupted, it takes a running thread for a stopped one (before Python 3.13).
        while not done.wait(0.05):
            if meanwhile is not None:
                meanwhile()
    except BaseException:
        token.cancel()
        # start() may have been interrupted, before or after the thread came to be.
        if begun.wait(STARTING):
            done.wait()
        raise
    finally:
        if begun.is_set():
            worker.join()
    if outcome.error is not None:
        raise outcome.error
    return outcome.value
