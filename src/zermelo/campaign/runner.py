"""Runs a campaign: hands out units, accepts results, repairs the plan, until the claim is proved or refuted.

Killed at any moment, it continues with the next `campaign run`, because its state is in the store. Several
runners may work on one campaign at once, each on its own cluster: leases keep their units apart.
"""

from __future__ import annotations

import contextlib
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any

from zermelo.campaign.executor import Executor, ExecutorLostError, Finished, WorkersBannedError
from zermelo.campaign.planner import Planner
from zermelo.campaign.worker import DEFAULT_MEMORY, Task, worker_name
from zermelo.store import Campaign, Kind, PlanNode, Status, Store, UnitResult

LEASE_SECONDS = 60.0
ATTEMPTS = 3  # of a unit by itself
NEVER = 1 << 30  # attempts: more than any unit gets, because the failure is not its fault
FIRST_CHECK = 50_000  # nodes: a fraction of a second for the chance that the claim is plainly wrong
WIND_UP = 5.0  # seconds for interrupted tasks to report their results
LAST_CALL = 30.0  # seconds for a task to answer an interruption before its worker is taken for hung


@dataclass(frozen=True)
class RunOptions:
    """Options of a run; none of them changes the claim."""

    unit_nodes: int = 50_000_000  # a unit beyond this is split
    batch_seconds: float = 2.0  # a task's aim: long against the cost of handing it out
    # A task without an answer for so long is interrupted; a worker that is silent even then is restarted.
    hang_seconds: float = 600.0
    split_seconds: float = 20.0  # a unit this long at work is split while others are idle
    memory: int = DEFAULT_MEMORY
    trust: bool = False  # count answers without certificates
    stop_seconds: float = float("inf")

    def task(self, campaign: Campaign, units: Iterable[tuple[int, str]], seconds: float = float("inf")) -> Task:
        """Return a task of these units."""
        return Task(campaign, tuple(units), self.memory, self.unit_nodes, seconds, certify=not self.trust)


def is_gone(owner: str) -> bool:
    """Whether a lease's owner ran on this machine and does not any more. If unsure, the lease ends after a minute."""
    host, _, process = owner.partition("/")
    return host == socket.gethostname() and process.isdigit() and not Path("/proc", process).exists()


@dataclass
class _Flight:
    """A task under way."""

    units: dict[int, PlanNode]
    deadline: float
    began: float = field(default_factory=time.monotonic)
    to_split: bool = False  # interrupted: others have nothing to do, or it takes too long
    last_call: bool = False  # interrupted because it takes too long
    superfluous: bool = False  # interrupted because a repair made its units superfluous


@dataclass(eq=False)
class Runner:
    """One run of one campaign."""

    store: Store
    campaign: Campaign
    planner: Planner
    _: KW_ONLY
    executor: Callable[[], Executor]
    """Makes an executor; called again when one is lost."""
    accept: Callable[[str, UnitResult], bool] | None
    """Checks the certificate of a result; None: results need none."""
    options: RunOptions
    on_step: Callable[[Runner], None] | None = None
    executors_lost = 0
    task_seconds = 0.0
    interrupted_nodes = 0  # of units that were split or no longer needed: no result has them
    _executor: Executor | None = field(default=None, init=False)
    _slots = 0
    _mean = 0.0
    _spent = 0  # nodes, by everybody

    def __post_init__(self) -> None:
        self.owner = worker_name()
        self.began = self._renewed = time.monotonic()
        self._waiting: deque[PlanNode] = deque()
        self._flights: dict[int, _Flight] = {}
        self._rejected: Counter[str] = Counter()

    def run(self) -> Status:
        """Work until the claim is proved or refuted; OPEN if stopped by time or by units given up."""
        for owner in self.store.lease_owners(self.campaign):
            if is_gone(owner):
                self.store.release(self.campaign, owner)
        self.planner.grow()
        self.planner.repair()
        self._spent = max(self.store.counts(self.campaign).nodes, FIRST_CHECK)
        self.planner.recheck_root(self._spent)
        try:
            status = self.planner.verdict()  # of a finished campaign: no worker is needed
            if status is Status.OPEN:
                status = self._loop()
            self._wind_up()
        except KeyboardInterrupt:
            self._wind_up()
            raise
        finally:
            self._drop_executor()
        self.store.finish(self.campaign, status)
        return status

    def _wind_up(self) -> None:
        """Interrupt the tasks under way, and record the results they have."""
        if self._executor is None or not self._flights:
            return
        self._executor.interrupt(self._flights)
        end = time.monotonic() + WIND_UP
        with contextlib.suppress(ExecutorLostError):
            while self._flights and time.monotonic() < end:
                self._take_in(self._executor, 0.1)

    def workers(self) -> int:
        """Return how many workers there are now."""
        return self._slots if self._executor else 0

    def _loop(self) -> Status:
        pause = 0.5
        while True:
            if time.monotonic() - self.began > self.options.stop_seconds:
                return Status.OPEN
            try:
                if self._executor is None:
                    self._executor = self.executor()
                    pause = 0.5
                if not self._step(self._executor):
                    # Units that are leased but not worked on would wait for ever, because leases are renewed.
                    self.store.release(self.campaign, self.owner)
                    status = self.planner.verdict()
                    others_work = self.store.counts(self.campaign).open > 0
                    if status is not Status.OPEN or not others_work:
                        return status
                    time.sleep(0.2)
            except ExecutorLostError as error:
                # Everything in flight is handed out again; finished units are in the store.
                self.executors_lost += 1
                self._drop_executor()
                if self.executors_lost > (2 if isinstance(error, WorkersBannedError) else 100):
                    raise
                time.sleep(pause)
                pause = min(pause * 2, 30)
            if self.on_step:
                self.on_step(self)

    def _step(self, executor: Executor) -> bool:
        """Hand out, wait a moment, take in; return whether anything is under way."""
        now = time.monotonic()
        if now - self._renewed > LEASE_SECONDS / 3:
            self.store.renew(self.campaign, self.owner, seconds=LEASE_SECONDS)
            self._renewed = now
        self._fill(executor)
        if not self._flights:
            return False
        results, heavy = self._take_in(
            executor, min(0.25, max(0.0, self.began + self.options.stop_seconds - time.monotonic()))
        )
        for node in heavy:
            self._split(node)
        self._spent += sum(result.nodes for result in results)
        wrong = bool(results) and self.planner.recheck_root(self._spent)
        refuted = any(result.status is Status.REFUTED for result in results)
        if wrong or (refuted and self.planner.repair()):
            self._drop_superfluous(executor)
        self._end_hanging(executor)
        self._share_with_idle(executor)
        return True

    # Handing out

    def _fill(self, executor: Executor) -> None:
        """Keep every worker busy and one task waiting for each, not more: that is the back-pressure."""
        self._slots = executor.slots()
        room = 2 * self._slots - len(self._flights)
        mean, wanted = self._mean, self.options.batch_seconds  # a task of the wanted length
        batch = max(1, min(1000, int(wanted / mean))) if mean > 0 else 1
        if room > 0 and len(self._waiting) < room * batch:
            wanted = min(room * batch - len(self._waiting), 20_000)
            self._waiting += self.store.lease(self.campaign, self.owner, limit=wanted, seconds=LEASE_SECONDS)
        while room > 0 and self._waiting:
            # Near the end share the rest evenly.
            share = max(1, min(batch, -(-len(self._waiting) // room)))
            self._submit(executor, share)
            room -= 1

    def _submit(self, executor: Executor, share: int) -> None:
        """Make a task of waiting units; one that failed before goes alone: its neighbours are not blamed for it."""
        units = [self._waiting.popleft()]
        while self._waiting and len(units) < share and not units[0].attempts and not self._waiting[0].attempts:
            units.append(self._waiting.popleft())
        options = self.options
        task = options.task(self.campaign, ((unit.id, unit.position) for unit in units), 3 * options.batch_seconds)
        deadline = time.monotonic() + options.hang_seconds
        self._flights[executor.submit(task)] = _Flight({unit.id: unit for unit in units}, deadline)

    def _share_with_idle(self, executor: Executor) -> None:
        """While workers have nothing to do, split the units that others have worked on for longest."""
        idle = 0 if self._waiting else executor.slots() - len(self._flights)
        now = time.monotonic()
        long = [
            (flight.began, ticket)
            for ticket, flight in self._flights.items()
            if len(flight.units) == 1 and not flight.to_split and now - flight.began > self.options.split_seconds
        ]
        self._interrupt(executor, [ticket for _, ticket in sorted(long)[: max(idle, 0)]], to_split=True)

    def _interrupt(self, executor: Executor, tickets: list[int], **why: Any) -> None:
        """Interrupt tasks, and note why."""
        for ticket in tickets:
            vars(self._flights[ticket]).update(why)
        if tickets:
            executor.interrupt(tickets)

    # Taking in

    def _take_in(self, executor: Executor, seconds: float) -> tuple[list[UnitResult], list[int]]:
        """Wait a moment and record the results; return them, and the units that are too heavy."""
        results: list[UnitResult] = []
        heavy: list[int] = []
        try:
            for outcome in executor.wait(seconds):
                self._take(executor, outcome, results, heavy)
        finally:  # also when one of them made the executor unusable
            if results:
                self.store.record(self.campaign, results)
        return results, heavy

    def _take(self, executor: Executor, outcome: Finished, results: list[UnitResult], heavy: list[int]) -> None:
        flight = self._flights.pop(outcome.ticket, None)
        if flight is None:
            return
        self.task_seconds += outcome.seconds
        if outcome.error:
            self._failed(flight, worker="?", reason=outcome.error)
            return
        answered = set()
        for found in outcome.results:
            self.interrupted_nodes += found.nodes if found.status is Status.OPEN else 0
            unit = flight.units.get(found.node)
            if unit is None or (found.interrupted and not flight.to_split):
                continue
            answered.add(found.node)
            if found.status is Status.OPEN:
                heavy.append(found.node)
            elif self.accept is None or self.accept(unit.position, found):
                results.append(found)
            else:
                self._reject(executor, found)
        if outcome.results:
            mean = outcome.seconds / len(outcome.results)
            self._mean = mean if self._mean <= 0 else 0.8 * self._mean + 0.2 * mean
        rest = [unit for number, unit in flight.units.items() if number not in answered]
        if flight.superfluous:
            self.store.release(self.campaign, self.owner, [unit.id for unit in rest])
        else:
            self._waiting.extendleft(reversed(rest))

    def _failed(self, flight: _Flight, *, worker: str, reason: str) -> None:
        """Note a failed attempt for each unit of a task; only one that failed alone can be given up, and is split."""
        alone = len(flight.units) == 1
        attempts = ATTEMPTS if alone else NEVER
        for number in flight.units:
            status = self.store.fail(self.campaign, number, worker=worker, reason=reason, attempts=attempts)
            if status is Status.GIVEN_UP:
                # Perhaps too big for its worker's memory: smaller pieces may do.
                self._split(number)

    def _reject(self, executor: Executor, found: UnitResult) -> None:
        worker = found.worker
        self.store.fail(self.campaign, found.node, worker=worker, reason="certificate rejected", attempts=NEVER)
        self._rejected[worker] += 1
        if self._rejected[worker] >= 3:
            executor.ban(worker)

    def _split(self, node: int) -> None:
        self.store.release(self.campaign, self.owner, [node])
        found = self.planner.plan.node(node)
        if found.kind is Kind.UNIT and found.status in (Status.OPEN, Status.GIVEN_UP):
            self.planner.split(found)

    def _drop_superfluous(self, executor: Executor) -> None:
        """After a repair choose waiting units again, and end the tasks of whose units none is needed any more."""
        self.store.release(self.campaign, self.owner, [unit.id for unit in self._waiting])
        self._waiting.clear()
        live = self.planner.plan.live_among([unit for flight in self._flights.values() for unit in flight.units])
        over = [ticket for ticket, flight in self._flights.items() if not live & flight.units.keys()]
        self._interrupt(executor, over, superfluous=True)

    def _end_hanging(self, executor: Executor) -> None:
        """Interrupt tasks that take too long: a busy worker answers and its unit is split, a silent worker is ended."""
        now = time.monotonic()
        late = [ticket for ticket, flight in self._flights.items() if flight.deadline < now]
        called = [ticket for ticket in late if not self._flights[ticket].last_call]
        deadline = now + min(LAST_CALL, self.options.hang_seconds)
        self._interrupt(executor, called, to_split=True, last_call=True, deadline=deadline)
        for ticket in set(late) - set(called):
            flight = self._flights.pop(ticket)
            self._failed(flight, worker=executor.abandon(ticket), reason="no answer in time")

    def _drop_executor(self) -> None:
        executor, self._executor = self._executor, None
        try:
            # It may be lost already, or its workers killed.
            with contextlib.suppress(OSError, TimeoutError, RuntimeError):
                if executor is not None:
                    executor.close()
        finally:  # a second signal while the workers end must not keep the leases
            self._flights.clear()
            self._waiting.clear()
            self.store.release(self.campaign, self.owner)
