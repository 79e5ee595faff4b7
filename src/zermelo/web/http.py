"""Helpers of all routes: documented refusals, searches on worker threads, server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, TypeVar

from fastapi import APIRouter, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel
from starlette.types import Receive, Scope, Send

from zermelo._core import CancelToken
from zermelo.web.pool import BusyError, Pool, Seat
from zermelo.web.settings import Settings

T = TypeVar("T")
Handler = TypeVar("Handler", bound=Callable[..., Any])


class Refusal(BaseModel):
    """Why a request was not served, in one sentence."""

    detail: str
    longer: bool = False
    """Whether the same question with more `seconds` may be answered."""


class UnfinishedError(Exception):
    """The time was too short; a longer search may answer."""


async def explain(_: Request, error: Exception) -> JSONResponse:
    """Answer an error of a route with one sentence."""
    if isinstance(error, BusyError):
        sentence = "Every worker is busy; try again in a few seconds."
        return JSONResponse({"detail": sentence}, status_code=503, headers={"Retry-After": "3"})
    if isinstance(error, UnfinishedError):
        return JSONResponse({"detail": str(error), "longer": True}, status_code=422)
    assert isinstance(error, RequestValidationError)
    faults = [f"{fault['loc'][-1]}: {fault['msg'][:1].lower()}{fault['msg'][1:]}" for fault in error.errors()]
    return JSONResponse({"detail": "; ".join(faults)[:500]}, status_code=422)


ANYWHERE = (403, 408, 413, 421, 429, 503)
"""The refusals of the guard, which every route may answer."""


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe for OpenAPI the refusals that a route may answer, besides those that every route may."""
    meaning = {
        403: "A page of another site asked",
        404: "There is no such thing here",
        408: "The request did not arrive in time",
        413: "The request body is too large",
        421: "The server does not answer to the name in `Host`",
        422: "The question is not understood; the sentence says what would be",
        429: "Too many requests from this address",
        503: "The server is busy; try again in a moment",
    }
    return {status: {"model": Refusal, "description": meaning[status]} for status in sorted({*statuses, *ANYWHERE})}


def bad_question(error: Exception | str) -> HTTPException:
    """Return a 422 with the sentence of a ValueError."""
    return HTTPException(422, " ".join(str(error).split())[:1000])


def settings_of(request: Request) -> Settings:
    """Return the server's limits."""
    settings: Settings = request.app.state.settings
    return settings


def address_of(request: Request) -> str:
    """Return the client's address; uvicorn and the guard have replaced that of a trusted proxy."""
    return request.client.host if request.client else ""


def searching(
    router: APIRouter, path: str, summary: str, *, verb: str = "GET", **more: Any
) -> Callable[[Handler], Handler]:
    """Make a function a route that searches, so that it may answer that every worker is busy."""
    more = {"responses": refusals(422), **more}
    return router.api_route(path, methods=[verb], summary=summary, **more)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Do some work; cancel it when the client leaves."""
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
    """Do ``work`` on a worker thread; its ValueErrors are bad questions.

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
    """Server-sent events of a search; ``held`` is closed when the answer ends, even before its first byte.

    A comment is sent after every two seconds of silence, so that proxies keep the connection and the server notices
    when the client has left.
    """

    media_type = "text/event-stream"

    def __init__(self, held: AsyncExitStack, source: AsyncIterator[Mapping[str, Any]]) -> None:
        super().__init__(self._events(source), headers={"X-Accel-Buffering": "no"})
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._held:
            await super().__call__(scope, receive, send)

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
    """Send the items of ``source`` as events while the client listens; the search is cancelled when it leaves.

    ``prepare`` runs on a worker before the answer begins, so that a busy server can still answer 503.

    :raises HTTPException: as :func:`on_worker`.
    """
    async with AsyncExitStack() as held:
        seat = await held.enter_async_context(seated(request))
        events = source(seat, await on_seat(request, seat, prepare))
        return EventStream(held.pop_all(), events)
