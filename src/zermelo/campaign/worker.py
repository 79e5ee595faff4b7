"""The work on a worker: a batch of units, one after the other, with the tables kept between batches."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from zermelo._core import CancelToken
from zermelo.campaign.turn import Turn
from zermelo.game import Answer, Limits, find_game
from zermelo.store import Campaign, UnitResult

DEFAULT_MEMORY = 1 << 30
"""Bytes, as in a direct search: with less some searches leave out their larger tables and need more nodes."""


@dataclass(frozen=True)
class Task:
    """A batch for one worker: units as (number, position)."""

    campaign: Campaign
    units: tuple[tuple[int, str], ...]
    memory: int = DEFAULT_MEMORY
    nodes: int | None = None
    """Limit for each unit."""
    seconds: float = float("inf")
    """Begin no further unit after this time."""
    certify: bool = True
    name: str = ""
    """The name for :func:`stop_tasks`."""


class UnitSolver:
    """Answers units by the game's own search, and proves the answers. Its tables serve all units of a campaign."""

    def __init__(self, game: str, memory: int) -> None:
        self._game, self._limits = find_game(game), Limits(memory=memory)
        self._chooser = self._game.proof_chooser(self._limits)

    def answer(self, turn: Turn, *, nodes: int | None = None, cancel: CancelToken | None = None) -> Answer:
        """Search at most about so many positions."""
        limits = Limits(nodes=nodes, cancel=cancel)
        return self._chooser.answer(turn.position, turn.player, limits, want_move=False)

    def prove(
        self, turn: Turn, *, nodes: int | None = None, cancel: CancelToken | None = None
    ) -> tuple[Answer, bytes | None]:
        """Search likewise; return the answer with a certificate, unless a limit was reached."""
        answer = self.answer(turn, nodes=nodes, cancel=cancel)
        if answer.winner is None:
            return answer, None
        with tempfile.TemporaryDirectory() as folder:
            path, within = Path(folder, "unit.zcert"), self._limits.with_(cancel=cancel)
            written = self._game.prove(turn.position, turn.player, path, within, self._chooser, answer)
            if written.winner is None:
                return replace(answer, winner=None, by="limit"), None
            return answer, path.read_bytes()


_making = threading.Lock()
_solver = lru_cache(maxsize=4)(UnitSolver)
_tokens: dict[str, CancelToken] = {}


def stop_tasks(names: Sequence[str]) -> None:
    """Interrupt tasks of this process, from another thread; those that begin later end at once."""
    for name in names:
        _tokens.setdefault(name, CancelToken()).cancel()


def worker_name() -> str:
    """Return the name of a worker or of the owner of a lease: the address at the scheduler, or host and process."""
    if "distributed" in sys.modules:
        with contextlib.suppress(ValueError):  # not inside a task
            return str(sys.modules["distributed"].get_worker().address)
    return f"{socket.gethostname()}/{os.getpid()}"


def dask_setup(worker: object) -> None:
    """Leave Ctrl-C and SIGTERM, when sent to the whole group, to the runner; Dask calls this in a local worker.

    A worker that ends at once is replaced by a new process, while the runner waits for its results.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: signal.alarm(15))  # which ends it, if the runner does not


def run_task(task: Task) -> tuple[list[UnitResult], float]:
    """Solve a batch of units; return the results, and the seconds it took."""
    begin, worker, game = time.perf_counter(), worker_name(), find_game(task.campaign.game)
    token = _tokens.setdefault(task.name, CancelToken())
    results: list[UnitResult] = []
    try:
        with _making:  # one solver for all threads and tasks of this process
            solver = _solver(task.campaign.game, task.memory)
        for node, position in task.units:
            if token.cancelled:
                break
            started = time.perf_counter()
            turn, certificate = Turn.read(game, position), None
            if task.certify:
                answer, certificate = solver.prove(turn, nodes=task.nodes, cancel=token)
            else:
                answer = solver.answer(turn, nodes=task.nodes, cancel=token)
            status, took = task.campaign.status_of(answer.winner), time.perf_counter() - started
            interrupted = answer.winner is None and bool(token.cancelled)
            results.append(UnitResult(node, status, answer.nodes, took, certificate, worker, interrupted))
            if time.perf_counter() - begin > task.seconds:
                break
    finally:
        del _tokens[task.name]
    return results, time.perf_counter() - begin
