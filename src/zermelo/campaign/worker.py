"""What runs on a worker: a batch of units, one after the other, with the tables kept between batches."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from zermelo._core import CancelToken
from zermelo.campaign.solvers import UnitSolver, make_game, make_solver
from zermelo.store.records import Status


@dataclass(frozen=True)
class Task:
    """A batch for one worker: units as (number, position)."""

    game: str
    spec: str
    first: str
    winner: str
    solver: str
    memory: int
    nodes: int  # limit for each unit
    seconds: float  # begin no further unit after this time
    certify: bool
    units: tuple[tuple[int, str], ...]
    name: str = ""  # for stop_tasks()


@dataclass(frozen=True)
class Found:
    """A worker's answer for one unit; OPEN if it reached the node limit or was interrupted."""

    node: int
    status: Status
    nodes: int
    seconds: float
    certificate: bytes | None = field(default=None, repr=False)
    interrupted: bool = False


@dataclass(frozen=True)
class Report:
    """What a worker sends back; units it had no time for are absent from ``found``."""

    worker: str
    host: str
    seconds: float
    found: Sequence[Found]


@lru_cache(maxsize=4)
def _solver(game: str, spec: str, first: str, winner: str, solver: str, memory: int, certify: bool) -> UnitSolver:
    rules = make_game(game, spec, first, winner)
    return make_solver(rules, winner, name=solver, memory=memory, certify=certify)


_making = threading.Lock()


def solver_of(task: Task) -> UnitSolver:
    """Return this process's solver for a campaign, one for all its threads."""
    with _making:
        return _solver(task.game, task.spec, task.first, task.winner, task.solver, task.memory, task.certify)


_running: dict[str, CancelToken] = {}
_stopped: set[str] = set()


def stop_tasks(names: Sequence[str]) -> None:
    """Interrupt tasks of this process, from another thread; those that begin later end at once."""
    _stopped.update(names)
    for name in names:
        token = _running.get(name)
        if token is not None:
            token.cancel()


def worker_name() -> str:
    """Return the worker's name: its address at the scheduler, or host and process."""
    if "distributed" in sys.modules:
        with contextlib.suppress(ValueError):  # not inside a task
            return str(sys.modules["distributed"].get_worker().address)
    return f"{socket.gethostname()}/{os.getpid()}"


def dask_setup(worker: object) -> None:
    """Leave Ctrl-C to the runner; Dask calls this when a local worker starts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run_task(task: Task) -> Report:
    """Solve a batch of units."""
    begin = time.perf_counter()
    token = _running[task.name] = CancelToken()
    found: list[Found] = []
    try:
        solver = solver_of(task)
        for node, position in task.units:
            if token.cancelled or task.name in _stopped:
                break
            answer = solver.solve(position, nodes=task.nodes, certify=task.certify, cancel=token)
            found.append(
                Found(node, answer.status, answer.nodes, answer.seconds, answer.certificate, answer.interrupted)
            )
            if time.perf_counter() - begin > task.seconds:
                break
    finally:
        del _running[task.name]
        _stopped.discard(task.name)
    return Report(worker_name(), socket.gethostname(), time.perf_counter() - begin, found)
