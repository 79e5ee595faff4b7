"""The bounded pool that all searches of the server run in: every address gets its share."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from zermelo._core import CancelToken

T = TypeVar("T")
STUCK_SECONDS = 2.0
"""A worker that goes on for so long after its request has ended is called stuck."""
CLOSING_SECONDS = 0.5
"""How long searches may take to notice that the server stops."""


class BusyError(Exception):
    """There is no place, or no worker became free in time: the client should come back in a moment."""


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
    """One request's right to search: its searches share a token that is cancelled when the request ends."""

    def __init__(self, pool: Pool, address: str) -> None:
        self._pool, self.address = pool, address
        self.token = CancelToken()

    async def run(self, work: Callable[[CancelToken], T]) -> T | None:
        """Run ``work(token)`` on a worker thread; None if the request ended before its turn came.

        The core releases the GIL while it searches. A search that outlives its request stops at the token.

        :raises BusyError: if no worker became free in time.
        """
        return await self._pool.run(self, work)


def yield_to_the_page() -> None:
    """Let the thread that answers requests go first: on Linux each thread has its own priority."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + 2)


@dataclass(eq=False)
class _Job:
    """Something that a worker does now."""

    seat: Seat
    ended: float | None = None
    """When its request ended, if it has."""


@dataclass
class _Line:
    """What one address waits for, and how many workers it has."""

    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)
    running: int = 0


class Pool:
    """Worker threads and a bounded number of seats.

    One address may use as many workers as there are cores. There are four times as many threads, so that another
    address finds a worker at once, and the system shares the cores among hard questions and easy ones. Where even those
    are taken, the next worker goes to the address that has fewest, and of those to the one served least lately.
    """

    def __init__(self, *, workers: int, seats: Shares, queue_seconds: float = 20.0) -> None:
        self.workers, self.lanes = workers, 4 * workers
        self.seats, self.queue_seconds = seats, queue_seconds
        self.executor = ThreadPoolExecutor(
            self.lanes, thread_name_prefix="zermelo-search", initializer=yield_to_the_page
        )
        self.stopping = False
        self._open: set[Seat] = set()
        self._jobs: set[_Job] = set()
        self._lines: OrderedDict[str, _Line] = OrderedDict()
        """By address, the one served least lately first."""

    @property
    def busy(self) -> int:
        """Workers that do something."""
        return len(self._jobs)

    @property
    def waiting(self) -> int:
        """Searches that wait for a worker."""
        return sum(len(line.waiting) for line in self._lines.values())

    def stuck(self) -> int:
        """Workers that have not noticed that nobody waits for them any more."""
        late = time.monotonic() - STUCK_SECONDS
        return sum(job.ended is not None and job.ended < late for job in self._jobs)

    @asynccontextmanager
    async def seat(self, address: str) -> AsyncIterator[Seat]:
        """Hold a seat; on leaving, for whatever reason, everything that runs for it is cancelled.

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
        loop, line = asyncio.get_running_loop(), self._lines.setdefault(seat.address, _Line())
        turn = loop.create_future()
        line.waiting.append(turn)
        self._hand_out()
        try:
            async with asyncio.timeout(self.queue_seconds):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():  # the worker came too late
                self._give_back(seat.address)
            else:
                with contextlib.suppress(ValueError):  # taken out already
                    line.waiting.remove(turn)
                self._forget(seat.address)
            if isinstance(error, TimeoutError):
                raise BusyError from None
            raise
        if seat.token.cancelled:
            self._give_back(seat.address)
            return None
        job = _Job(seat)
        self._jobs.add(job)
        done = self.executor.submit(work, seat.token)
        done.add_done_callback(lambda _: self._from_worker(loop, job))
        return await asyncio.wrap_future(done)

    def _from_worker(self, loop: asyncio.AbstractEventLoop, job: _Job) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended: nobody counts any more
            loop.call_soon_threadsafe(self._end, job)

    def _end(self, job: _Job) -> None:
        self._jobs.discard(job)
        self._give_back(job.seat.address)

    def _give_back(self, address: str) -> None:
        self._lines[address].running -= 1
        self._forget(address)
        self._hand_out()

    def _forget(self, address: str) -> None:
        line = self._lines.get(address)
        if line is not None and not line.running and not line.waiting:
            del self._lines[address]

    def _hand_out(self) -> None:
        """Give free workers to those who wait."""
        while sum(line.running for line in self._lines.values()) < self.lanes:
            open_lines = [name for name, line in self._lines.items() if line.waiting and line.running < self.workers]
            if not open_lines:
                return
            address = min(open_lines, key=lambda name: self._lines[name].running)
            turn = self._lines[address].waiting.popleft()
            if not turn.cancelled():  # else its request has just ended
                self._lines.move_to_end(address)
                self._lines[address].running += 1
                turn.set_result(None)

    def stop(self) -> None:
        """Take nobody in any more, and cancel every search."""
        self.stopping = True
        for seat in list(self._open):
            self._leave(seat)

    async def close(self) -> bool:
        """Cancel every search and wait for the workers a little; whether all have ended."""
        self.stop()
        self.executor.shutdown(wait=False, cancel_futures=True)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS):
                while self._jobs:
                    await asyncio.sleep(0.01)
        return not self._jobs
