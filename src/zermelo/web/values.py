"""Routes for game values: the regions of a position, what each is worth, thermographs; for games that have them."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response

from zermelo._core import CancelToken
from zermelo.game import Game
from zermelo.game.answers import ValuedRegion
from zermelo.web.asked import Asked, asker
from zermelo.web.http import on_worker, searching
from zermelo.web.pictures import FileKind, Save, drawing, picture
from zermelo.web.view import Told


class Components(Told):
    """The regions, largest first; a region without a move for anybody is left out."""

    components: list[ValuedRegion]
    sum: str | None
    """The value of the whole position, the first of the two players being positive."""
    sum_full: str | None


def add_routes(router: APIRouter, game: Game) -> None:
    asked_here, values = asker(game), game.values
    assert values is not None

    @searching(router, "/components", "The regions of a position and their values")
    async def get_components(request: Request, asked: Asked = Depends(asked_here)) -> Components:
        found = await on_worker(request, lambda token: values.regions(asked.position, token))
        return Components(components=list(found.regions), sum=found.sum, sum_full=found.sum_full)

    @drawing(router, "/thermograph", "The thermograph of a position as a picture")
    async def get_thermograph(
        request: Request, asked: Asked = Depends(asked_here), file: FileKind = "svg", save: Save = False
    ) -> Response:
        def work(_: CancelToken) -> Response:
            return picture(values.thermograph(asked.position), file, name="thermograph", save=save)

        return await on_worker(request, work)
