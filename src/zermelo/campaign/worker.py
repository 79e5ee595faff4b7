"""What runs on a worker: a batch of units, one after the other, with the tables kept between batches."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

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


@dataclass(frozen=True)
class Found:
    """A worker's answer for one unit; OPEN if it reached the node limit."""

    node: int
    status: Status
    nodes: int
    seconds: float
    certificate: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Report:
    """What a worker sends back; units it had no time for are absent from ``found``."""

    worker: str
    host: str
    seconds: float
    found: Sequence[Found]


@lru_cache(maxsize=4)
def solver_of(
    game: str, spec: str, first: str, winner: str, solver: str, memory: int
) -> UnitSolver:
    """Return this process's solver for a campaign."""
    return make_solver(make_game(game, spec, first, winner), winner, name=solver, memory=memory)


def worker_name() -> str:
    """Return the worker's name: its address at the scheduler, or host and process."""
    if "distributed" in sys.modules:
        with contextlib.suppress(ValueError):  # not inside a task
            return str(sys.modules["distributed"].get_worker().address)
    return f"{socket.gethostname()}/{os.getpid()}"


def run_task(task: Task) -> Report:
    """Solve a batch of units."""
    begin = time.perf_counter()
    solver = solver_of(task.game, task.spec, task.first, task.winner, task.solver, task.memory)
    found: list[Found] = []
    for node, position in task.units:
        answer = solver.solve(position, nodes=task.nodes, certify=task.certify)
        found.append(Found(node, answer.status, answer.nodes, answer.seconds, answer.certificate))
        if time.perf_counter() - begin > task.seconds:
            break
    return Report(worker_name(), socket.gethostname(), time.perf_counter() - begin, found)
