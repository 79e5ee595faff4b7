"""The bounded pool of worker threads for all searches: every address gets its share."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TypeVar
from weakref import WeakValueDictionary

from zermelo._core import CancelToken

T = TypeVar("T")
STUCK_SECONDS = 2.0
"""How long a worker may go on after its request has ended before it counts as stuck."""
QUEUE_SECONDS = 20.0
"""How long a request may wait for a worker before the answer is 503."""
CLOSING_SECONDS = 0.5
"""How long searches may take to notice that the server stops."""


class BusyError(Exception):
    """There is no place, or no worker became free in time; the client should try again soon."""


class Shares:
    """Places of some kind, counted for each address and for all together.

    >>> places = Shares(total=3, each=2)
    >>> [places.take("a"), places.take("a"), places.take("a"), places.take("b"), places.take("c")]
    [True, True, False, True, False]
    """

    def __init__(self, *, total: int, each: int) -> None:
        self.total, self.each = total, each
        self.taken = 0
        self._of: Counter[str] = Counter()

    def take(self, address: str) -> bool:
        """Take a place, if there is one for this address."""
        if self.taken >= self.total or self._of[address] >= self.each:
            return False
        self._of[address] += 1
        self.taken += 1
        return True

    def give_back(self, address: str) -> None:
        self.taken -= 1
        self._of[address] -= 1
        if not self._of[address]:
            del self._of[address]

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        """Hold a place.

        :raises BusyError: if there is none.
        """
        if not self.take(address):
            raise BusyError
        try:
            yield
        finally:
            self.give_back(address)


class Seat:
    """The right of a request to search; its token is cancelled when the request ends."""

    def __init__(self, pool: Pool, address: str) -> None:
        self._pool, self.address = pool, address
        self.token = CancelToken()

    async def run(self, work: Callable[[CancelToken], T]) -> T | None:
        """Run ``work(token)`` on a worker thread; None if the request ended before its turn came.

        The core releases the GIL while it searches. A search that outlives its request stops at the token.

        :raises BusyError: if no worker became free in time.
        """
        return await self._pool.run(self, work)


def lower_priority() -> None:
    """Give this worker a lower priority than the thread that answers; on Linux each thread has its own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + 2)


@dataclass(eq=False)
class _Job:
    """Work on a worker thread."""

    seat: Seat
    line: asyncio.Semaphore
    ended: float | None = None
    """When its request ended."""


class Pool:
    """Worker threads and a bounded number of seats.

    One address may use as many workers as there are cores. There are four times as many threads, so that another
    address finds a worker at once, and the system shares the cores between hard and easy questions. A search waits
    first for a worker of its address, then for a thread.
    """

    def __init__(self, *, workers: int, seats: Shares, queue_seconds: float = QUEUE_SECONDS) -> None:
        self.workers, self.lanes = workers, 4 * workers
        self.seats, self.queue_seconds = seats, queue_seconds
        self.executor = ThreadPoolExecutor(self.lanes, thread_name_prefix="zermelo-search", initializer=lower_priority)
        self.stopping = False
        self.waiting = 0
        """Searches that wait for a worker."""
        self._open: set[Seat] = set()
        self._jobs: set[_Job] = set()
        self._threads = asyncio.Semaphore(self.lanes)
        self._lines: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        """One for each address with searches that wait or run."""

    @property
    def busy(self) -> int:
        """Workers that do something."""
        return len(self._jobs)

    def stuck(self) -> int:
        """Workers that still work on a request that ended two seconds ago or more."""
        late = time.monotonic() - STUCK_SECONDS
        return sum(job.ended is not None and job.ended < late for job in self._jobs)

    @asynccontextmanager
    async def seat(self, address: str) -> AsyncIterator[Seat]:
        """Hold a seat; when the context ends, everything that runs for it is cancelled.

        :raises BusyError: if all seats are taken, or all of this address.
        """
        if self.stopping:
            raise BusyError
        with self.seats.place(address):
            seat = Seat(self, address)
            self._open.add(seat)
            try:
                yield seat
            finally:
                self._leave(seat)

    def _leave(self, seat: Seat) -> None:
        seat.token.cancel()
        self._open.discard(seat)
        for job in self._jobs:
            if job.seat is seat:
                job.ended = time.monotonic()

    async def run(self, seat: Seat, work: Callable[[CancelToken], T]) -> T | None:
        """Wait for a worker and do some work; see :meth:`Seat.run`."""
        line = self._lines.setdefault(seat.address, asyncio.Semaphore(self.workers))
        self.waiting += 1
        try:
            async with asyncio.timeout(self.queue_seconds):
                await self._take(line)
        except TimeoutError:
            raise BusyError from None
        finally:
            self.waiting -= 1
        job = _Job(seat, line)
        if seat.token.cancelled:
            self._end(job)
            return None
        self._jobs.add(job)
        loop, done = asyncio.get_running_loop(), self.executor.submit(work, seat.token)
        done.add_done_callback(lambda _: self._from_worker(loop, job))
        return await asyncio.wrap_future(done)

    async def _take(self, line: asyncio.Semaphore) -> None:
        await line.acquire()
        try:
            await self._threads.acquire()
        except BaseException:
            line.release()
            raise

    def _from_worker(self, loop: asyncio.AbstractEventLoop, job: _Job) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(self._end, job)

    def _end(self, job: _Job) -> None:
        self._jobs.discard(job)
        job.line.release()
        self._threads.release()

    def stop(self) -> None:
        """Refuse new seats, and cancel every search."""
        self.stopping = True
        for seat in list(self._open):
            self._leave(seat)

    async def close(self) -> bool:
        """Cancel every search, wait a little, and return whether all have ended."""
        self.stop()
        self.executor.shutdown(wait=False, cancel_futures=True)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS):
                while self._jobs:
                    await asyncio.sleep(0.01)
        return not self._jobs
