"""Builds the application: routes, pages, refusals."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from starlette.middleware.gzip import GZipMiddleware

from zermelo import __version__
from zermelo.game import games as all_games
from zermelo.web import campaigns, games, pictures, proofs, review, table, values
from zermelo.web.guard import Guard
from zermelo.web.http import UnfinishedError, bad_question, explain, refusals
from zermelo.web.pages import Pages
from zermelo.web.pool import BusyError, Pool, Shares
from zermelo.web.proof_library import CACHE_MIB, UPLOADS_MIB, ProofCache, Uploads
from zermelo.web.queries import Searchers
from zermelo.web.settings import Settings
from zermelo.web.view import Model


class Health(Model):
    """The state of the server."""

    version: str
    status: Literal["well", "busy", "stuck"]
    """`busy`: requests wait for a worker; `stuck`: a worker goes on although its request has ended."""
    workers: int
    """Searches that one address may run at once; there are four times as many workers."""
    workers_busy: int
    workers_stuck: int
    waiting: int
    """Searches that wait for a worker."""
    seats_taken: int
    seats: int
    memory_mib: int
    """Memory that the server holds."""

    @classmethod
    def of(cls, pool: Pool) -> Health:
        stuck, waiting = pool.stuck(), pool.waiting
        return cls(
            version=__version__,
            status="stuck" if stuck else "busy" if waiting else "well",
            workers=pool.workers,
            workers_busy=pool.busy,
            workers_stuck=stuck,
            waiting=waiting,
            seats_taken=pool.seats.taken,
            seats=pool.seats.total,
            memory_mib=resident_mib(),
        )


PREFIX = "/api"


def resident_mib() -> int:
    """Return the memory that this process holds; 0 if the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def game_routers() -> Iterator[APIRouter]:
    """Return the routes of every game: those of all games, and those of services that only some have."""
    for add, offering in (
        (games.add_routes, all_games()),
        (review.add_routes, all_games()),
        (pictures.add_routes, all_games()),
        (values.add_routes, (game for game in all_games() if game.values)),
        (table.add_routes, (game for game in all_games() if game.tables)),
    ):
        for game in offering:
            router = APIRouter(prefix=f"/{game.name}", tags=[game.title])
            add(router, game)
            yield router


def query_names(dependant: Dependant) -> list[str]:
    """Return the query parameters of a route. The whole description would take the first visitor's first second."""
    return [
        *(field.alias for field in dependant.query_params),
        *(name for inner in dependant.dependencies for name in query_names(inner)),
    ]


async def known_parameters(request: Request) -> None:
    """Reject unknown query parameters instead of ignoring them.

    :raises HTTPException: 422 that names the known ones.
    """
    known = query_names(request.scope["route"].dependant)
    for name in request.query_params:
        if name not in known:
            raise bad_question(f"there is no parameter {name[:40]!r}: {', '.join(known) or 'none is taken here'}")
        if len(request.query_params.getlist(name)) > 1:
            raise bad_question(f"the parameter {name!r} is given more than once")


def describe(app: FastAPI, settings: Settings) -> dict[str, Any]:
    """Return the OpenAPI description, with the limits of this server."""
    if app.openapi_schema is None:
        about = FastAPI.openapi(app)
        for path in about["paths"].values():
            for parameter in (one for operation in path.values() for one in operation.get("parameters", ())):
                if parameter["name"] == "seconds":
                    parameter["schema"]["anyOf"][0]["maximum"] = max(settings.seconds, settings.longest_seconds)
    return app.openapi_schema or {}


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application with its guard, its pool and all routes."""
    limits = settings or Settings()
    pool = Pool(workers=limits.workers, seats=Shares(total=128, each=64))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await pool.close()

    app = FastAPI(
        title="Zermelo",
        version=__version__,
        summary="Who wins, with a proof.",
        description=(
            "GET, and HEAD in its place, except where POST stands; other methods are answered 405. A refusal is JSON "
            "with one sentence, and with `Retry-After` if it may change."
        ),
        lifespan=lifespan,
        docs_url=None,  # These viewers load scripts from other sites; /api.html is our own.
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.settings = limits
    app.state.pool = pool
    app.state.searchers = Searchers(limits)
    app.state.sending = Shares(total=8, each=2)
    app.state.uploads = Uploads(limits.uploads, UPLOADS_MIB << 20)
    app.state.proofs = ProofCache(CACHE_MIB << 20)
    app.openapi = partial(describe, app, limits)  # type: ignore[method-assign]
    for kind in (RequestValidationError, UnfinishedError, BusyError):
        app.add_exception_handler(kind, explain)
    for router in (games.router, *game_routers(), proofs.router, campaigns.router):
        app.include_router(router, prefix=PREFIX, dependencies=[Depends(known_parameters)])

    @app.get(
        "/api/health",
        tags=["Server"],
        summary="The state of the server",
        responses={**refusals(), 503: {"model": Health, "description": "Every worker is stuck"}},
    )
    async def health(response: Response) -> Health:
        found = Health.of(pool)
        if found.workers_stuck >= pool.lanes:
            response.status_code = 503
        return found

    # Not mounted: with a mount at /, the API would answer 404 instead of 405.
    app.router.default = Pages()
    app.add_middleware(GZipMiddleware)
    app.add_middleware(Guard, settings=limits)
    return app
