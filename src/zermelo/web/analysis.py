"""Marks every legal move of a position as winning or losing, the easy ones first."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from zermelo._core import CancelToken
from zermelo.web.pool import Seat

M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)

Mark = Literal["win", "draw", "loss", "unknown"]


@dataclass(frozen=True)
class Budget:
    """What one question may cost."""

    nodes: int
    seconds: float


@dataclass(frozen=True)
class Judged(Generic[M]):
    """Moves that share one answer (mirror images of each other), and what it took to find."""

    moves: tuple[M, ...]
    mark: Mark
    nodes: int


class Question(Protocol[M_co]):
    """The positions after some equivalent moves: one search answers for all of them."""

    @property
    def key(self) -> str:
        """Equal keys have equal answers."""

    @property
    def moves(self) -> tuple[M_co, ...]:
        """The moves that lead there."""

    def judge(self, budget: Budget, token: CancelToken) -> tuple[Mark, int]:
        """Search, and return the mark for the player who moved and the nodes it took."""


class Memory:
    """The most recent answers of all requests; a full memory forgets the oldest."""

    def __init__(self, capacity: int = 200_000) -> None:
        self.capacity = capacity
        self._known: OrderedDict[str, Mark] = OrderedDict()

    def get(self, key: str) -> Mark | None:
        """Return what is known, and note that it was wanted."""
        mark = self._known.get(key)
        if mark is not None:
            self._known.move_to_end(key)
        return mark

    def put(self, key: str, mark: Mark) -> None:
        """Remember a certain answer."""
        if mark == "unknown":
            return
        self._known[key] = mark
        while len(self._known) > self.capacity:
            self._known.popitem(last=False)


# Every unanswered question gets the first allowance, then what is left the next one, and so on: easy moves are
# marked at once, and a hard one delays no other. The last allowance is the request's own limit.
ALLOWANCES = (2_000, 100_000, 5_000_000)


async def judge_moves(
    questions: list[Question[M]], *, seat: Seat, budget: Budget, memory: Memory, at_once: int
) -> AsyncIterator[Judged[M]]:
    """Yield each question's answer as it is found; those that the budget cannot answer come last, as unknown."""
    begin = time.monotonic()
    waiting: list[Question[M]] = []
    for question in questions:
        known = memory.get(question.key)
        if known is None:
            waiting.append(question)
        else:
            yield Judged(question.moves, known, 0)
    for nodes in (*(n for n in ALLOWANCES if n < budget.nodes), budget.nodes):
        again: list[Question[M]] = []
        async for question, mark, used in _ask_all(waiting, nodes, begin, seat, budget, at_once):
            memory.put(question.key, mark)
            if mark == "unknown":
                again.append(question)
            else:
                yield Judged(question.moves, mark, used)
        waiting = again
    for question in waiting:
        yield Judged(question.moves, "unknown", 0)


async def _ask_all(
    questions: list[Question[M]], nodes: int, begin: float, seat: Seat, budget: Budget, at_once: int
) -> AsyncIterator[tuple[Question[M], Mark, int]]:
    """Ask all with one allowance, a few at a time."""

    async def ask(question: Question[M]) -> tuple[Question[M], Mark, int]:
        def work(token: CancelToken) -> tuple[Mark, int]:
            left = budget.seconds - (time.monotonic() - begin)
            return question.judge(Budget(nodes, left), token) if left > 0 else ("unknown", 0)

        answer = await seat.run(work)
        return (question, *answer) if answer is not None else (question, "unknown", 0)

    rest = iter(questions)
    running: set[asyncio.Task[tuple[Question[M], Mark, int]]] = set()
    try:
        while True:
            while len(running) < at_once and (question := next(rest, None)) is not None:
                running.add(asyncio.ensure_future(ask(question)))
            if not running:
                return
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
    finally:
        for task in running:
            task.cancel()
