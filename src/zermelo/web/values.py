"""Routes for games with values: the values of the regions of a position, and thermographs."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response

from zermelo._core import CancelToken
from zermelo.game import Game
from zermelo.game.answers import ValuedRegion
from zermelo.web.http import on_worker, searching
from zermelo.web.pictures import FileKind, Save, drawing, picture
from zermelo.web.queries import PositionQuery, position_query
from zermelo.web.view import Model


class Components(Model):
    """The regions in which somebody can move, largest first."""

    components: list[ValuedRegion]
    sum: str | None
    """The value of the whole position; the first player counts as positive."""
    sum_full: str | None


def add_routes(router: APIRouter, game: Game) -> None:
    query_here, values = position_query(game), game.values
    assert values is not None

    @searching(router, "/components", "The regions of a position and their values")
    async def get_components(request: Request, query: PositionQuery = Depends(query_here)) -> Components:
        found = await on_worker(request, lambda token: values.regions(query.position, token))
        return Components(components=list(found.regions), sum=found.sum, sum_full=found.sum_full)

    @drawing(router, "/thermograph", "The thermograph of a position as a picture")
    async def get_thermograph(
        request: Request, query: PositionQuery = Depends(query_here), file: FileKind = "svg", save: Save = False
    ) -> Response:
        def work(_: CancelToken) -> Response:
            return picture(values.thermograph(query.position), file, name="thermograph", save=save)

        return await on_worker(request, work)
