"""What every game's routes do alike: judge all moves of a position within the server's limits, and stream the marks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, TypeVar

from fastapi import Request

from zermelo.web.analysis import Budget, Judged, Mark, Question, judge_moves
from zermelo.web.http import EventStream, bad_question, settings_of, stream_events
from zermelo.web.pool import Seat
from zermelo.web.settings import Settings

M = TypeVar("M")


def refuse_large(rows: int, cols: int, settings: Settings) -> None:
    """Refuse boards larger than this server searches.

    :raises HTTPException: 422 with the limits.
    """
    if max(rows, cols) > settings.side or rows * cols > settings.squares:
        raise bad_question(
            f"A board of {rows}x{cols} is too large to search here: at most {settings.squares} squares "
            f"(such as 12x12) and sides up to {settings.side}."
        )


Ask = Callable[[], Sequence[Question[M]]]
"""What makes the questions: called only when there is a seat, since a refused request should cost nothing."""


def judged_moves(request: Request, seat: Seat, ask: Ask[M]) -> AsyncIterator[Judged[M]]:
    """Judge moves under a seat, with the server's budget and memory."""
    settings = settings_of(request)
    return judge_moves(
        list(ask()),
        seat=seat,
        budget=Budget(settings.nodes, settings.seconds),
        memory=request.app.state.memory,
        at_once=settings.workers,
    )


async def stream_marks(request: Request, ask: Ask[M], name: Callable[[M], str]) -> EventStream:
    """Send each class of moves with its mark as it is found, and how many of each at the end."""

    async def source(seat: Seat) -> AsyncIterator[Mapping[str, Any]]:
        counts: dict[str, int] = {"win": 0, "draw": 0, "loss": 0, "unknown": 0}
        nodes = 0
        async for judged in judged_moves(request, seat, ask):
            counts[judged.mark] += len(judged.moves)
            nodes += judged.nodes
            moves = [name(move) for move in judged.moves]
            yield {"event": "move", "moves": moves, "mark": judged.mark, "nodes": judged.nodes}
        yield {"event": "done", **counts, "nodes": nodes}

    return await stream_events(request, source)


async def marks_until_win(request: Request, seat: Seat, ask: Ask[M]) -> tuple[dict[M, Mark], int]:
    """Judge moves until one wins; return the marks found so far, the winning moves last, and the nodes."""
    marks: dict[M, Mark] = {}
    nodes = 0
    async for judged in judged_moves(request, seat, ask):
        nodes += judged.nodes
        marks.update(dict.fromkeys(judged.moves, judged.mark))
        if judged.mark == "win":
            break
    return marks, nodes
