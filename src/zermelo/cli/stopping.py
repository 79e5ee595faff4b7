"""Ctrl-C, `kill` and ``--time`` as exceptions on the main thread that no library can swallow."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SOON = 0.02
"""Seconds after which a dropped exception is raised again."""
_dropped: list[BaseException] = []
RAISED: list[BaseException] = []
"""The exception that a signal raised last. A C++ library may have turned it into another error."""


def answered() -> None:
    """Stop the clock of ``--time``: the answer is known and is being printed."""
    if threading.current_thread() is threading.main_thread():
        signal.setitimer(signal.ITIMER_REAL, 0)


class TimeIsOver(BaseException):
    """The time of ``--time`` is over. It is no Exception, so that no handler of errors catches it."""


@contextmanager
def within(seconds: float | None, grace: float = 0.0) -> Iterator[None]:
    """Stop the block after so many seconds and a grace, even if the code in it never checks the time.

    Python drops an exception that is raised while it cleans up weak references; here it is raised again. Searches of
    the core run on threads of their own and are cancelled; files appear whole or not at all.

    :raises TimeIsOver: when the time is over.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: object) -> None:
        RAISED[:] = [_dropped.pop() if _dropped else TimeIsOver(f"unknown within {seconds:g} s")]
        raise RAISED[0]

    def interrupt(*_: object) -> None:
        RAISED[:] = [KeyboardInterrupt()]
        raise RAISED[0]

    def catch(dropped: sys.UnraisableHookArgs) -> None:
        if isinstance(dropped.exc_value, TimeIsOver | KeyboardInterrupt):
            _dropped[:] = [dropped.exc_value]
            signal.setitimer(signal.ITIMER_REAL, SOON)
        else:
            tell(dropped)

    before = {signal.SIGALRM: signal.signal(signal.SIGALRM, ring)}
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is signal.default_int_handler:
            before[number] = signal.signal(number, interrupt)
    tell = sys.unraisablehook
    sys.unraisablehook = catch
    if seconds is not None:
        signal.setitimer(signal.ITIMER_REAL, min(seconds + grace, 1e8))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.unraisablehook = tell
        if _dropped:  # while the block ended
            raise _dropped.pop()
