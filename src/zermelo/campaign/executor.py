"""Where tasks run: in this process, or on Dask workers of this machine or of a cluster.

An executor keeps its state in memory and may lose all of it. The store is the truth: the runner hands lost units out
again.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.campaign.worker import Task, run_task, stop_tasks
from zermelo.store import UnitResult

LOCAL_WORKERS_WITHIN = 60.0  # seconds for a killed local worker to be replaced
CONNECTED_WITHIN = 10.0  # seconds for a scheduler to answer
ASK_AFTER = 6.0  # seconds between two requests to Dask for the workers that are missing


class ExecutorLostError(OSError):
    """The scheduler is gone. Units in flight are lost, results in the store are not."""


class WorkersBannedError(ExecutorLostError):
    """All workers were banned for wrong answers."""


@dataclass(frozen=True)
class Finished:
    """A finished task: its results and the seconds it took, or an error. Units it had no time for are absent."""

    ticket: int
    results: Sequence[UnitResult] = ()
    seconds: float = 0.0
    error: str = ""


class Executor:
    """Runs tasks on threads of this process, which share one table, and reports them in the order they finish."""

    def __init__(self, workers: int = 1) -> None:
        self._workers, self._pool = workers, ThreadPoolExecutor(workers, "zermelo-worker")
        self._futures: dict[int, Any] = {}  # of the pool, or of Dask
        self._finished: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._next = 0

    def _name(self, ticket: int) -> str:
        return f"units-{os.getpid()}-{id(self)}-{ticket}"

    def slots(self) -> int:
        """Return how many tasks can run at once now."""
        return self._workers

    def _start(self, ticket: int, task: Task) -> Any:
        """Hand over a task; return its future."""
        return self._pool.submit(run_task, replace(task, memory=task.memory * self._workers))

    def submit(self, task: Task) -> int:
        """Hand over a task; return its ticket."""
        self._next += 1
        ticket = self._next
        future = self._futures[ticket] = self._start(ticket, replace(task, name=self._name(ticket)))
        future.add_done_callback(lambda _: self._finished.put(ticket))
        return ticket

    def wait(self, seconds: float) -> list[Finished]:
        """Return the finished tasks; wait at most so long for the first.

        :raises ExecutorLostError: if no task will finish any more.
        """
        tickets: list[int] = []
        with contextlib.suppress(queue.Empty):
            tickets.append(self._finished.get(timeout=seconds))
            while True:
                tickets.append(self._finished.get_nowait())
        return [self._outcome(ticket) for ticket in tickets if ticket in self._futures]

    def _outcome(self, ticket: int) -> Finished:
        return Finished(ticket, *self._futures.pop(ticket).result(timeout=10))

    def interrupt(self, tickets: Iterable[int]) -> None:
        """Ask tasks to end now; each soon reports the results it has."""
        stop_tasks([self._name(ticket) for ticket in tickets])

    def abandon(self, ticket: int) -> str:
        """Stop a task that hangs, with its worker; return the worker's name."""
        self._futures.pop(ticket, None)
        self.interrupt([ticket])
        return "this process"

    def ban(self, worker: str) -> None:
        """Never use a worker again."""
        raise WorkersBannedError("the only worker, this process, gave wrong answers")

    def close(self) -> None:
        """Give everything back."""
        self.interrupt(self._futures)
        self._pool.shutdown(cancel_futures=True)


class Tls(NamedTuple):
    """Files that secure the connections to a scheduler, under Dask's names."""

    tls_ca_file: Path
    tls_client_cert: Path
    tls_client_key: Path


@contextlib.contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Let processes that start now ignore Ctrl-C, which a terminal sends to all of them: the runner ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def in_time(seconds: float, call: Callable[[], Any]) -> Any:
    """Call on another thread and wait so long, because a worker killed while it starts or ends may block Dask for ever.

    :raises TimeoutError: if it takes longer; the thread is left behind.
    """
    future = Future[Any]()

    def work() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    # Not a pool: Python waits for the threads of pools when it ends.
    threading.Thread(target=work, name="zermelo-cluster", daemon=True).start()
    try:
        return future.result(seconds)
    except TimeoutError:
        raise TimeoutError(f"no answer in {seconds:.0f} s") from None


class DaskExecutor(Executor):
    """Dask distributed: a local cluster of processes, or a scheduler by its address."""

    def __init__(self, *, workers: int = 0, scheduler: str | None = None, tls: Tls | None = None) -> None:
        super().__init__()
        try:
            dask: Any = import_module("dask")
            distributed: Any = import_module("distributed")  # Any: it is only partly typed
        except ImportError:
            raise ValueError(
                "workers need the cluster extra: pip install 'zermelo[cluster]'; "
                "or use --workers 0 to work in this process"
            ) from None
        # A task that lost its worker is handed out by us again, with a count; one retry of Dask's own covers a
        # worker that leaves in an orderly way.
        dask.config.set(
            {
                "distributed.scheduler.allowed-failures": 1,
                "distributed.comm.timeouts.connect": "10s",
                "distributed.comm.retry.count": 2,
                "distributed.admin.tick.limit": "60s",
                "distributed.deploy.lost-worker-timeout": "5s",
                "distributed.worker.memory.pause": False,
                "distributed.worker.memory.spill": False,
                "distributed.worker.memory.target": False,
            }
        )
        security = None
        if tls is not None:
            files = {name: str(file) for name, file in tls._asdict().items()}
            security = distributed.Security(**files, require_encryption=True)
        # The runner reports a lost scheduler in one line; Dask would print pages.
        for name in ("distributed", "distributed.client", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._cluster: Any = None
        self._wanted = workers
        try:
            if scheduler is None:
                with interrupts_ignored():
                    self._cluster = in_time(
                        LOCAL_WORKERS_WITHIN,
                        lambda: distributed.LocalCluster(
                            n_workers=self._wanted,
                            threads_per_worker=1,
                            processes=True,
                            dashboard_address="127.0.0.1:0",  # any port: 8787 may be taken
                            memory_limit=0,
                            silence_logs=50,
                            preload=["zermelo.campaign.worker"],
                        ),
                    )
                self._client: Any = distributed.Client(self._cluster, set_as_default=False)
            else:
                self._client = distributed.Client(
                    scheduler, security=security, timeout=CONNECTED_WITHIN, set_as_default=False
                )
        except (OSError, TimeoutError, RuntimeError) as error:
            if self._cluster is not None:
                with contextlib.suppress(OSError, RuntimeError):
                    in_time(20, lambda: self._cluster.close(timeout=10))
            raise ExecutorLostError(f"scheduler {scheduler or 'on this machine'}: {error}") from error
        self._banned: set[str] = set()
        # The workers that may do a task, of tasks handed out since one was banned.
        self._allowed: dict[int, set[str]] = {}
        self._complete = self._requested = time.monotonic()

    def _known(self) -> dict[str, Any]:
        # Just after a scheduler was lost or connected to, this may still be empty.
        known: dict[str, Any] = self._client.scheduler_info(n_workers=-1).get("workers", {})
        return {name: about for name, about in known.items() if name not in self._banned}

    def _check_alive(self) -> None:
        # Dask connects again by itself, but has cancelled everything then.
        if self._client.status != "running" or any(future.status == "cancelled" for future in self._futures.values()):
            raise ExecutorLostError("the scheduler is gone")

    def slots(self) -> int:
        self._check_alive()
        known = self._known()
        if self._cluster is not None and len(known) < self._wanted - len(self._banned):
            self._replace_lost()
        else:
            self._complete = self._requested = time.monotonic()
        return sum(int(about["nthreads"]) for about in known.values())

    def _replace_lost(self) -> None:
        """Bring lost local workers back.

        Dask replaces a killed worker by itself, but a worker that is killed while it starts only on request. If the
        request does not help either, the runner starts a new cluster.
        """
        now = time.monotonic()
        if now - self._complete > LOCAL_WORKERS_WITHIN:
            raise ExecutorLostError("workers of this machine were lost")
        if now - self._requested > ASK_AFTER:
            self._cluster.scale(self._wanted)
            self._requested = now

    def _start(self, ticket: int, task: Task) -> Any:
        allowed = list(self._known()) if self._banned else None
        if allowed:
            self._allowed[ticket] = set(allowed)
        try:
            return self._client.submit(run_task, task, key=task.name, pure=False, workers=allowed)
        except Exception as error:  # a client that closed itself has an error of no particular kind
            raise ExecutorLostError(f"the scheduler is gone: {error}") from error

    def interrupt(self, tickets: Iterable[int]) -> None:
        names = [self._name(ticket) for ticket in tickets]

        def send() -> None:
            # A worker that does not listen is ended later: with the others, or because it hangs.
            with contextlib.suppress(Exception):
                self._client.run(stop_tasks, names, on_error="ignore")

        # On its own thread: one worker that does not answer must not stop the runner.
        threading.Thread(target=send, name="zermelo-interrupt", daemon=True).start()

    def wait(self, seconds: float) -> list[Finished]:
        finished = super().wait(seconds)
        self._check_alive()
        return finished + self._stranded()

    def _stranded(self) -> list[Finished]:
        """End tasks whose every allowed worker is gone: Dask lets them wait for ever, though others would be free."""
        known = self._known().keys() if self._allowed else set()
        gone = [ticket for ticket, names in self._allowed.items() if not names & known]
        for ticket in gone:
            del self._allowed[ticket]
            # A scheduler that is lost now is noticed at the next look.
            with contextlib.suppress(Exception):
                self._futures.pop(ticket).cancel(force=True)
        return [Finished(ticket, error="every worker that may do it is gone") for ticket in gone]

    def _outcome(self, ticket: int) -> Finished:
        self._check_alive()
        self._allowed.pop(ticket, None)
        try:
            return super()._outcome(ticket)
        except Exception as error:
            # Any error of a worker or the network: the runner counts a failed attempt.
            return Finished(ticket, error=f"{type(error).__name__}: {error}"[:300])

    def abandon(self, ticket: int) -> str:
        future = self._futures.pop(ticket, None)
        self._allowed.pop(ticket, None)
        if future is None:
            return "?"
        try:
            holders = in_time(20, self._client.processing)
            in_time(20, lambda: future.cancel(force=True))
        except (OSError, RuntimeError) as error:
            raise ExecutorLostError(f"the scheduler does not answer: {error}") from error
        holder = next((worker for worker, keys in holders.items() if future.key in keys), "?")
        if holder != "?" and not self._kill_local(holder):
            try:
                in_time(40, lambda: self._client.restart_workers([holder], timeout=20))
            except Exception:
                # It has no nanny, or cannot be restarted: the others go on without it.
                self.ban(holder)
        return holder

    def _kill_local(self, worker: str) -> bool:
        """Kill a worker's process on this machine: its nanny starts another, sooner than Dask's own restart does."""
        nannies = self._cluster.workers.values() if self._cluster is not None else ()
        for nanny in nannies:
            if nanny.worker_address == worker and nanny.pid:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(nanny.pid, signal.SIGKILL)
                return True
        return False

    def ban(self, worker: str) -> None:
        self._banned.add(worker)
        if not self._known():
            raise WorkersBannedError("every worker gave wrong answers")

    def close(self) -> None:
        self._futures.clear()
        try:
            in_time(10, lambda: self._client.close(timeout=5))
        finally:
            if self._cluster is not None:
                in_time(20, lambda: self._cluster.close(timeout=10))
