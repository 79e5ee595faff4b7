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
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from zermelo._core import CancelToken
from zermelo.game import find_game
from zermelo.game.units import PlainSolver, Tree, UnitResult, UnitSolver
from zermelo.store import Campaign

DEFAULT_MEMORY = 1 << 30
"""Bytes, as in a direct search: with less some searches leave out their larger tables and need more nodes."""


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
    threads: int = 1  # how many tasks this process runs at once


def campaign_task(campaign: Campaign, units: Sequence[tuple[int, str]], **limits: Any) -> Task:
    """Return a task of a campaign's units; ``limits`` are the other fields of a task."""
    return Task(campaign.game, campaign.spec, campaign.first, campaign.winner, units=tuple(units), **limits)


def campaign_tree(campaign: Campaign | Task) -> Tree:
    """Return the claim of a campaign and the game below it."""
    return find_game(campaign.game).campaign_tree(campaign.spec, campaign.first, campaign.winner)


def make_solver(
    tree: Tree, solver: str, *, memory: int = DEFAULT_MEMORY, certify: bool = False, threads: int = 1
) -> UnitSolver:
    """Return a solver: ``auto`` is the fastest for the game, ``plain`` searches by the rules alone.

    :raises ValueError: if there is none of that name.
    """
    if solver == "auto":
        return tree.unit_solver(memory=memory, certify=certify, threads=threads)
    if solver in ("plain", "rules"):  # what older stores say
        return PlainSolver(tree)
    raise ValueError(f"there is no unit solver {solver[:40]!r}: auto or plain")


@lru_cache(maxsize=4)
def _solver(task: Task) -> UnitSolver:
    tree = campaign_tree(task)
    return make_solver(tree, task.solver, memory=task.memory, certify=task.certify, threads=task.threads)


_making = threading.Lock()


def solver_of(task: Task) -> UnitSolver:
    """Return this process's solver for a campaign, one for all its threads and batches."""
    with _making:
        return _solver(replace(task, nodes=0, seconds=0.0, units=(), name=""))


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


def run_task(task: Task) -> tuple[list[UnitResult], float]:
    """Solve a batch of units; return what was found, and the seconds it took."""
    begin = time.perf_counter()
    worker, host = worker_name(), socket.gethostname()
    token = _running[task.name] = CancelToken()
    found: list[UnitResult] = []
    try:
        solver = solver_of(task)
        for node, position in task.units:
            if token.cancelled or task.name in _stopped:
                break
            result = solver.solve(position, nodes=task.nodes, certify=task.certify, cancel=token)
            found.append(replace(result, node=node, worker=worker, host=host))
            if time.perf_counter() - begin > task.seconds:
                break
    finally:
        del _running[task.name]
        _stopped.discard(task.name)
    return found, time.perf_counter() - begin
