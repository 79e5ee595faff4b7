"""What all routes share: documented refusals, searching under a seat, server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel
from starlette.types import Receive, Scope, Send

from zermelo._core import CancelToken
from zermelo.web.pool import Pool, Seat
from zermelo.web.settings import Settings

T = TypeVar("T")
Handler = TypeVar("Handler", bound=Callable[..., Any])


class Refusal(BaseModel):
    """Why a request was not served, in one sentence."""

    detail: str
    longer: bool = False
    """Whether the same question with more `seconds` may be answered."""


class UnfinishedError(Exception):
    """The time was too short: whoever asks may offer to search longer."""


async def explain_unfinished(_: Request, error: Exception) -> JSONResponse:
    """Answer 422 with the sentence, and say that more time may help."""
    return JSONResponse({"detail": str(error), "longer": True}, status_code=422)


async def explain_busy(_: Request, error: Exception) -> JSONResponse:
    """Answer 503: every seat is taken, or no worker became free in time."""
    sentence = "Every worker is busy; try again in a few seconds."
    return JSONResponse({"detail": sentence}, status_code=503, headers={"Retry-After": "3"})


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
    return HTTPException(422, " ".join(str(error).split())[:1000])


def settings_of(request: Request) -> Settings:
    """Return the server's limits."""
    settings: Settings = request.app.state.settings
    return settings


def address_of(request: Request) -> str:
    """Return the address that asks; the guard has looked behind the proxies that the server trusts."""
    return request.client.host if request.client else ""


def searching(
    router: APIRouter, path: str, summary: str, *, verb: str = "GET", **more: Any
) -> Callable[[Handler], Handler]:
    """Make a function a route that searches, and may be refused because every worker is busy."""
    more = {"responses": refusals(422, 503), **more}
    return router.api_route(path, methods=[verb], summary=summary, **more)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Do some work, and drop it at once when the client leaves."""
    doing, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise HTTPException(499, "The client left.")
        return doing.result()
    finally:
        doing.cancel()
        leaving.cancel()


def seated(request: Request) -> AbstractAsyncContextManager[Seat]:
    """Hold a seat for a request; see :meth:`Pool.seat`."""
    pool: Pool = request.app.state.pool
    return pool.seat(address_of(request))


async def on_seat(request: Request, seat: Seat, work: Callable[[CancelToken], T]) -> T:
    """Do ``work`` on a worker thread; a question that turns out to be bad there is answered as any other.

    :raises HTTPException: 422 with the sentence, 503 if the server stops.
    """
    try:
        done = await unless_gone(request, seat.run(lambda token: (work(token),)))
    except (ValueError, RecursionError) as error:
        raise bad_question(error) from None
    if done is None:
        raise HTTPException(503, "The server is stopping.", headers={"Retry-After": "3"})
    return done[0]


async def on_worker(request: Request, work: Callable[[CancelToken], T]) -> T:
    """Take a seat and do ``work`` on a worker thread.

    :raises HTTPException: 422 with the sentence, 503 if the server stops.
    :raises BusyError: if every seat is taken, or no worker became free in time.
    """
    async with seated(request) as seat:
        return await on_seat(request, seat, work)


class EventStream(StreamingResponse):
    """Server-sent events under a seat, which is given back however the answer ends, even before its first byte.

    A comment goes out after every two seconds of silence, so that proxies keep the connection and a client that is
    gone is noticed.
    """

    media_type = "text/event-stream"

    def __init__(self, seat: AbstractAsyncContextManager[Seat], source: AsyncIterator[Mapping[str, Any]]) -> None:
        super().__init__(self._events(source), headers={"X-Accel-Buffering": "no"})
        self._seat = seat

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._seat.__aexit__(None, None, None)

    @staticmethod
    async def _events(source: AsyncIterator[Mapping[str, Any]]) -> AsyncIterator[str]:
        while True:
            following = asyncio.ensure_future(anext(source))
            try:
                while not (await asyncio.wait({following}, timeout=2.0))[0]:
                    yield ": searching\n\n"
                yield f"data: {json.dumps(following.result(), ensure_ascii=False)}\n\n"
            except StopAsyncIteration:
                return
            finally:
                following.cancel()


async def stream_events(
    request: Request, prepare: Callable[[CancelToken], T], source: Callable[[Seat, T], AsyncIterator[Mapping[str, Any]]]
) -> EventStream:
    """Send what ``source`` yields as events while the client listens; leaving cancels the search.

    ``prepare`` is done on a worker before the answer begins, so that a busy server can still say so.

    :raises HTTPException: as :func:`on_worker`.
    """
    entering = seated(request)
    seat = await entering.__aenter__()
    try:
        return EventStream(entering, source(seat, await on_seat(request, seat, prepare)))
    except BaseException as error:
        await entering.__aexit__(type(error), error, error.__traceback__)
        raise
