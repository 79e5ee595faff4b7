"""Builds the application: routes, pages, refusals."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel

from zermelo import __version__
from zermelo.web import campaigns, games, pictures, proofs, table, values
from zermelo.web.guard import Buckets, Guard
from zermelo.web.http import UnfinishedError, explain_unfinished
from zermelo.web.pool import Pool
from zermelo.web.proof_library import ProofCache
from zermelo.web.settings import Settings

PAGES = Path(__file__).parent / "static"


class Health(BaseModel):
    """Is the server well, and how busy is it."""

    version: str
    workers: int
    seats_taken: int
    seats: int


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application with its guard, its pool and all routes."""
    limits = settings or Settings()
    pool = Pool(workers=limits.workers, seats=limits.seats)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        pool.close()

    app = FastAPI(
        title="Zermelo",
        version=__version__,
        summary="Who wins, with a proof.",
        lifespan=lifespan,
        docs_url=None,  # The usual viewers load scripts from elsewhere; /api.html is our own.
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.settings = limits
    app.state.pool = pool
    app.state.searchers = games.Searchers(limits)
    app.state.searches = Buckets(rate=limits.search_rate, burst=limits.search_rate * limits.burst_seconds)
    app.state.proofs = ProofCache(limits.proof_mib << 20)
    app.add_exception_handler(RequestValidationError, explain_refusal)
    app.add_exception_handler(UnfinishedError, explain_unfinished)
    routers = (*games.routers(), *pictures.routers(), *values.routers(), *table.routers())
    for router in (*routers, proofs.router, campaigns.router):
        app.include_router(router, prefix="/api")

    @app.get("/api/health", tags=["Server"], summary="Is the server well, and how busy is it")
    async def health() -> Health:
        return Health(version=__version__, workers=pool.workers, seats_taken=pool.taken, seats=pool.seats)

    # Not mounted: a mount at / would take the API's own 405 for a page that is not there.
    app.router.default = StaticFiles(directory=PAGES, html=True)
    app.add_middleware(Guard, settings=limits)
    return app


async def explain_refusal(_: Request, error: Exception) -> JSONResponse:
    """Answer bad parameters as every other bad question: 422 and one sentence."""
    assert isinstance(error, RequestValidationError)
    faults = [f"{fault['loc'][-1]}: {fault['msg'][:1].lower()}{fault['msg'][1:]}" for fault in error.errors()]
    return JSONResponse({"detail": "; ".join(faults)[:500]}, status_code=422)
