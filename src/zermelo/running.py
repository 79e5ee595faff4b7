"""Runs searches so that Ctrl-C works at once and the terminal can show progress; and deep walks on a flat stack."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar, cast

from zermelo._core import CancelToken

K = TypeVar("K")
T = TypeVar("T")
STARTING = 1.0
"""How long to wait for a started thread to run."""


Calls = Generator[Any, Any, T]
"""A function that is written as a generator: where it would call itself it yields the call, and is sent the result."""


def unwound(call: Calls[T]) -> T:
    """Run such a function: however deep it goes, the stack does not.

    >>> def depth(n: int) -> Calls[int]:
    ...     return 1 + (yield depth(n - 1)) if n else 0
    >>> unwound(depth(100_000))
    100000
    """
    stack: list[Calls[Any]] = [call]
    result: Any = None
    while stack:
        try:
            inner = stack[-1].send(result)
        except StopIteration as end:
            stack.pop()
            result = end.value
        else:
            stack.append(inner)
            result = None
    return cast(T, result)


class Cache(Generic[K, T]):
    """A bounded cache that threads share. A full one drops the entry that was read longest ago, never the latest.

    :param size: the part of the capacity that an entry takes; one by default.

    >>> cache = Cache[str, int](100, size=int)
    >>> for key in "aba":
    ...     cache.get(key) or cache.put(key, 40)
    40
    >>> cache.put("c", 40)
    >>> cache.get("b"), cache.get("a"), cache.size
    (None, 40, 80)
    """

    def __init__(self, capacity: int, size: Callable[[T], int] = lambda _: 1) -> None:
        self.capacity, self.size, self._size = capacity, 0, size
        self._known: OrderedDict[K, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> T | None:
        """Return the entry, and note that it was read."""
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
            return self._known.get(key)

    def put(self, key: K, found: T) -> None:
        """Add an entry."""
        with self._lock:
            old = self._known.pop(key, None)
            self.size += self._size(found) - (0 if old is None else self._size(old))
            self._known[key] = found
            while len(self._known) > 1 and self.size > self.capacity:
                self.size -= self._size(self._known.popitem(last=False)[1])


class _Outcome(Generic[T]):
    value: T
    error: BaseException | None = None


@contextmanager
def cancelled_after(token: CancelToken, seconds: float) -> Iterator[None]:
    """Set a token after so many seconds, for work that takes no other limit."""
    if seconds > threading.TIMEOUT_MAX:
        yield
        return
    timer = threading.Timer(seconds, token.cancel)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # else it may hold the token when the process ends


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
