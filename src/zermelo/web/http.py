"""What all routes share: documented refusals, searching under a seat, server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from typing import Any, TypeVar

from fastapi import HTTPException, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from zermelo.web.pool import BusyError, Pool, Seat
from zermelo.web.settings import Settings

T = TypeVar("T")


class Refusal(BaseModel):
    """Why a request was not served, in one sentence."""

    detail: str


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe for OpenAPI the refusals that a route may answer."""
    meaning = {
        404: "There is no such thing here",
        413: "The request body is too large",
        422: "The question is not understood; the sentence says what would be",
        429: "Too many requests from this address",
        503: "Every worker is busy; try again in a moment",
    }
    return {status: {"model": Refusal, "description": meaning[status]} for status in (*statuses, 429)}


def bad_question(error: Exception | str) -> HTTPException:
    """Turn a ValueError of a validating door into a 422 with its sentence."""
    return HTTPException(422, " ".join(str(error).split()))


def settings_of(request: Request) -> Settings:
    """Return the server's limits."""
    settings: Settings = request.app.state.settings
    return settings


def pool_of(request: Request) -> Pool:
    """Return the server's search pool."""
    pool: Pool = request.app.state.pool
    return pool


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def searching(request: Request, work: Callable[[Seat], Coroutine[Any, Any, T]]) -> T:
    """Do ``work`` under a seat, and drop it at once when the client leaves.

    :raises HTTPException: 503 if every seat is taken.
    """
    try:
        async with pool_of(request).seat() as seat:
            doing = asyncio.ensure_future(work(seat))
            leaving = asyncio.ensure_future(_gone(request))
            try:
                await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
                if not doing.done():
                    raise HTTPException(499, "The client left.")
                return doing.result()
            finally:
                doing.cancel()
                leaving.cancel()
    except BusyError:
        raise busy() from None


def busy() -> HTTPException:
    return HTTPException(503, "Every worker is busy; try again in a few seconds.", headers={"Retry-After": "3"})


def event(value: Mapping[str, Any]) -> str:
    """Format one server-sent event."""
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n"


EVENTS = {"description": "Events as they come", "content": {"text/event-stream": {}}}


class EventStream(StreamingResponse):
    """Server-sent events: a seat is taken before the first byte, so that a refusal is a plain 503."""

    media_type = "text/event-stream"


async def stream_events(request: Request, source: Callable[[Seat], AsyncIterator[Mapping[str, Any]]]) -> EventStream:
    """Send what ``source`` yields as events while the client listens; leaving cancels the search.

    A comment goes out every few seconds of silence, so that proxies keep the connection and a
    client that is gone is noticed.

    :raises HTTPException: 503 if every seat is taken.
    """
    entering = pool_of(request).seat()
    try:
        seat = await entering.__aenter__()
    except BusyError:
        raise busy() from None

    async def body() -> AsyncIterator[str]:
        try:
            iterator = source(seat).__aiter__()
            while True:
                following = asyncio.ensure_future(anext(iterator))
                try:
                    while not (await asyncio.wait({following}, timeout=2.0))[0]:
                        yield ": searching\n\n"
                    yield event(following.result())
                except StopAsyncIteration:
                    return
                finally:
                    following.cancel()
        finally:
            await entering.__aexit__(None, None, None)

    return EventStream(body(), headers={"X-Accel-Buffering": "no"})
