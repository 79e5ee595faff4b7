"""The bounded pool that all searches of the server run in, first come first served."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

from zermelo._core import CancelToken

T = TypeVar("T")


class BusyError(Exception):
    """Every seat is taken: the client should come back in a moment."""


class Seat:
    """One request's right to search: its searches share a token that is cancelled when the request ends."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self.token = CancelToken()

    async def run(self, work: Callable[[CancelToken], T]) -> T | None:
        """Run ``work(token)`` on a worker thread; None if the request ended before its turn came.

        The core releases the GIL while it searches. A search that outlives its request stops at the token.
        """
        token = self.token

        def unless_cancelled() -> T | None:
            return None if token.cancelled else work(token)

        return await asyncio.get_running_loop().run_in_executor(self._pool.executor, unless_cancelled)


def yield_to_the_page() -> None:
    """Let the thread that answers requests go first: on Linux each thread has its own priority."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


class Pool:
    """A few worker threads and a bounded number of seats."""

    def __init__(self, *, workers: int, seats: int) -> None:
        self.executor = ThreadPoolExecutor(workers, thread_name_prefix="zermelo-search", initializer=yield_to_the_page)
        self.workers = workers
        self.seats = seats
        self.taken = 0
        self._open: set[CancelToken] = set()

    @asynccontextmanager
    async def seat(self) -> AsyncIterator[Seat]:
        """Hold a seat; on leaving, for whatever reason, everything that runs for it is cancelled.

        :raises BusyError: if all seats are taken.
        """
        if self.taken >= self.seats:
            raise BusyError
        self.taken += 1
        seat = Seat(self)
        self._open.add(seat.token)
        try:
            yield seat
        finally:
            seat.token.cancel()
            self._open.discard(seat.token)
            self.taken -= 1

    def close(self) -> None:
        """Cancel every search and wait for the threads."""
        for token in list(self._open):
            token.cancel()
        self.executor.shutdown(wait=True, cancel_futures=True)
