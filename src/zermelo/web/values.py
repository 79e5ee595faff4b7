"""Routes for game values: the regions of a position, what each is worth, thermographs; for games that have them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter, Depends, Request, Response

from zermelo._core import CancelToken
from zermelo.game import games_with
from zermelo.web.asked import Asked, asker
from zermelo.web.http import SEARCHES, on_worker, refusals
from zermelo.web.pictures import PICTURE, FileKind, Save, picture
from zermelo.web.view import Plain, Square, Told


class Component(Plain):
    """A region of the board in which the game goes on by itself."""

    squares: list[Square]
    spec: str
    """The region alone, with everything else blocked."""
    value: str | None
    """Canonical form, shortened where nobody would read it; none if it is too large to work out here."""
    value_full: str | None
    """The canonical form in full, where it can be printed; other programs of the field read it."""
    mean: str | None
    temperature: str | None


class Components(Told):
    """The regions, largest first; a region without a move for anybody is left out."""

    components: list[Component]
    sum: str | None
    """The value of the whole position, the first of the two players being positive."""
    sum_full: str | None


def values_router(game: Any) -> APIRouter:
    """Return the routes of one game."""
    router = APIRouter(prefix=f"/{game.name}", tags=[game.title])
    asked_here = asker(game)

    @router.get(
        "/components",
        summary="The regions of a position and their values",
        responses=refusals(422, 503),
        dependencies=SEARCHES,
    )
    async def get_components(request: Request, asked: Asked = Depends(asked_here)) -> Components:
        found = await on_worker(request, lambda token: game.regions(asked.position, token))
        return Components(
            components=[Component.model_validate(region) for region in found.regions],
            sum=found.sum,
            sum_full=found.sum_full,
        )

    @router.get(
        "/thermograph",
        summary="The thermograph of a position as a picture",
        response_class=Response,
        responses=PICTURE,
        dependencies=SEARCHES,
    )
    async def get_thermograph(
        request: Request, asked: Asked = Depends(asked_here), file: FileKind = "svg", save: Save = False
    ) -> Response:
        def work(_: CancelToken) -> Response:
            return picture(game.thermograph(asked.position), file, name="thermograph", save=save)

        return await on_worker(request, work)

    return router


def routers() -> Iterator[APIRouter]:
    """Return the routes of all games that offer this."""
    yield from map(values_router, games_with("regions"))
