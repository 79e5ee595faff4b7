"""Marks every legal move of a position, and sends the marks as events."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from zermelo._core import CancelToken
from zermelo.game import Answer, Game, Limits
from zermelo.game.marking import Marking, MovesMark, Question
from zermelo.web.pool import BusyError, Seat
from zermelo.words import counted


def event_stream(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Describe for OpenAPI an answer of server-sent events; each has one line of data, which is JSON."""
    event = {"type": "object", "required": ["event"], "properties": properties}
    data = {"type": "string", "contentMediaType": "application/json", "contentSchema": event}
    schema = {"type": "object", "properties": {"data": data}}
    return {"description": "Events as they come", "content": {"text/event-stream": {"schema": schema}}}


EVENTS = event_stream(
    {
        "event": {"enum": ["move", "outcome", "done"]},
        "moves": {"type": "array", "items": {"type": "string"}},
        "mark": {"enum": ["win", "draw", "loss", "unknown"]},
        "nodes": {"type": "integer"},
        "words": {"type": "string", "description": "Who wins, in words"},
        "why": {"type": "string", "description": "The source of the result, in words"},
    }
)


async def find_marks(seat: Seat, marking: Marking, at_once: int) -> AsyncIterator[MovesMark]:
    """Yield marks as they are found, with several questions at a time."""
    for found in marking.known():
        yield found

    async def ask(question: Question, limits: Limits) -> Answer:
        def work(token: CancelToken) -> Answer | None:
            left = marking.clock.seconds_left
            return question.ask(limits.with_(seconds=left, cancel=token)) if left > 0 else None

        with suppress(BusyError):
            if answer := await seat.run(work):
                return answer
        return Answer(question.first, None, "limit", limit="time")  # no worker was free in time

    running: dict[asyncio.Task[Answer], Question] = {}
    try:
        while marking.waiting:
            while len(running) < at_once and not seat.token.cancelled and (task := marking.take()):
                running[asyncio.ensure_future(ask(*task))] = task[0]
            if not running:
                break
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for one in done:
                for found in marking.note(running.pop(one), one.result()):
                    yield found
    finally:
        for one in running:
            one.cancel()
    for found in marking.rest():
        yield found


def unknown_after(seconds: float, nodes: int, answer: Answer) -> str:
    """Return how long a search without a result took, with its remark."""
    return "; ".join(filter(None, (f"unknown after {seconds:.1f} s and {counted(nodes, 'node')}", answer.remark)))


async def mark_events(game: Game, seat: Seat, marking: Marking, at_once: int) -> AsyncIterator[Mapping[str, Any]]:
    """Yield moves with their marks, the outcome when it is known, and at the end how many moves have each mark."""
    counts: dict[str, int] = {"win": 0, "draw": 0, "loss": 0, "unknown": 0}
    nodes, begin = 0, time.monotonic()
    async for found in find_marks(seat, marking, at_once):
        nodes += found.answer.nodes
        if found.moves:
            counts[found.mark] += len(found.moves)
            moves = [str(move) for move in found.moves]
            yield {"event": "move", "moves": moves, "mark": found.mark, "nodes": found.answer.nodes}
        else:
            answer, words = found.answer, game.winner_words(found.answer.winner)
            if answer.winner is None:
                took = time.monotonic() - begin
                answer = replace(answer, why=unknown_after(took, nodes, answer), nodes=nodes, seconds=took)
            yield {"event": "outcome", "mark": answer.mark, "words": words, **answer.to_json()}
    yield {"event": "done", **counts, "nodes": nodes, "seconds": round(time.monotonic() - begin, 3)}
