"""Every legal move of a position marked, as events that come when they are found."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from zermelo._core import CancelToken
from zermelo.game import Answer, Game, Limits
from zermelo.game.marking import Judged, Marking, Question, allowances
from zermelo.web.pool import BusyError, Seat
from zermelo.words import counted

EVENT = {
    "type": "object",
    "required": ["event"],
    "properties": {
        "event": {"enum": ["move", "outcome", "done"]},
        "moves": {"type": "array", "items": {"type": "string"}},
        "mark": {"enum": ["win", "draw", "loss", "unknown"]},
        "nodes": {"type": "integer"},
        "words": {"type": "string", "description": "Who wins, in words"},
        "why": {"type": "string", "description": "Where that is known from, in words"},
    },
}
# Each event has one line of data, which is JSON.
DATA = {"type": "string", "contentMediaType": "application/json", "contentSchema": EVENT}
EVENTS = {
    "description": "Events as they come",
    "content": {"text/event-stream": {"schema": {"type": "object", "properties": {"data": DATA}}}},
}


async def judged_moves(seat: Seat, marking: Marking, limits: Limits, at_once: int) -> AsyncIterator[Judged]:
    """Yield marks as they are found, several questions at a time, within limits.

    A question that stays open goes to the end of the line with its next allowance, so that no worker waits for another.
    """
    assert limits.seconds is not None
    end, rounds = time.monotonic() + limits.seconds, [nodes or 1 for nodes in allowances(limits.nodes)]
    for judged in marking.known():
        yield judged

    async def ask(question: Question, nodes: int) -> Answer:
        def work(token: CancelToken) -> Answer | None:
            left = end - time.monotonic()
            return question.judge(Limits(seconds=left, nodes=nodes, cancel=token)) if left > 0 else None

        with suppress(BusyError):
            if found := await seat.run(work):
                return found
        return Answer(question.first, None, "limit", limit="time")  # no worker was free in time

    line = deque((question, 0) for question in marking.waiting.values())
    running: dict[asyncio.Task[Answer], tuple[Question, int]] = {}
    try:
        while marking.waiting and (line or running):
            while line and len(running) < at_once:
                question, turn = line.popleft()
                over = time.monotonic() > end or seat.token.cancelled
                if question.key in marking.waiting and not over:
                    running[asyncio.ensure_future(ask(question, rounds[turn]))] = question, turn
            if running:
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    question, turn = running.pop(task)
                    for judged in marking.note(question, task.result()):
                        yield judged
                    if turn + 1 < len(rounds):
                        line.append((question, turn + 1))
    finally:
        for task in running:
            task.cancel()
    for judged in marking.rest():
        yield judged


def unknown_after(seconds: float, nodes: int, answer: Answer) -> str:
    """Say how long a question without an answer was searched, and what else is known of it."""
    return "; ".join(filter(None, (f"unknown after {seconds:.1f} s and {counted(nodes, 'node')}", answer.remark)))


async def mark_events(
    game: Game, seat: Seat, marking: Marking, limits: Limits, at_once: int
) -> AsyncIterator[Mapping[str, Any]]:
    """Yield each class of moves with its mark, the outcome when it is known, and how many of each at the end."""
    counts: dict[str, int] = {"win": 0, "draw": 0, "loss": 0, "unknown": 0}
    nodes, begin = 0, time.monotonic()
    async for judged in judged_moves(seat, marking, limits, at_once):
        nodes += judged.answer.nodes
        if judged.moves:
            counts[judged.mark] += len(judged.moves)
            moves = [str(move) for move in judged.moves]
            yield {"event": "move", "moves": moves, "mark": judged.mark, "nodes": judged.answer.nodes}
        else:
            answer, words = judged.answer, game.winner_words(judged.answer.winner)
            if answer.winner is None:
                took = time.monotonic() - begin
                answer = replace(answer, why=unknown_after(took, nodes, answer), nodes=nodes, seconds=took)
            yield {"event": "outcome", "mark": answer.mark, "words": words, **answer.to_json()}
    yield {"event": "done", **counts, "nodes": nodes, "seconds": round(time.monotonic() - begin, 3)}
