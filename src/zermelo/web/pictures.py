"""Routes for pictures of positions, with an explanation over them, as SVG, PNG or TikZ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, get_args

from fastapi import APIRouter, Depends, Query, Request, Response

from zermelo._core import CancelToken
from zermelo.draw import picture_bytes, view_svg
from zermelo.game import Game, Mark, Square
from zermelo.web.http import Handler, on_worker, refusals, searching
from zermelo.web.queries import PositionQuery, explain_options, explanation_for, position_query

MEDIA = {"svg": "image/svg+xml", "png": "image/png", "tex": "text/x-tex"}
FileKind = Annotated[Literal["svg", "png", "tex"], Query(description="SVG, PNG or TikZ")]
Save = Annotated[bool, Query(description="Whether browsers save it as a file")]
PICTURE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The picture", "content": {media: {"schema": {"type": "string"}} for media in MEDIA.values()}},
    **refusals(422),
}


def picture(svg: str, kind: str, *, name: str, save: bool) -> Response:
    """Answer with a picture; with ``save``, browsers save it as a file."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'} if save else {}
    # Other sites may show our pictures.
    headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return Response(picture_bytes(svg, kind), media_type=MEDIA[kind], headers=headers)


def drawing(router: APIRouter, path: str, summary: str, also: Sequence[int] = ()) -> Callable[[Handler], Handler]:
    """Make a function a route that answers with a picture; ``also`` are more refusals."""
    return searching(router, path, summary, response_class=Response, responses={**PICTURE, **refusals(*also)})


def read_marks(query: PositionQuery, text: str) -> list[tuple[Sequence[Square], str]]:
    """Read moves and their marks.

    :raises ValueError: if a move is not legal, or a mark is not known.
    """
    legal = {str(move): move for move in query.position.moves(query.player)} if text else {}
    found: list[tuple[Sequence[Square], str]] = []
    for part in filter(None, text.split(";")):
        name, _, mark = part.rpartition("=")
        if name not in legal or mark not in get_args(Mark):
            raise ValueError(f"mark {part[:40]!r} is not understood: a legal move, =, and win, draw, loss or unknown")
        found.append((query.position.move_view(legal[name]).squares, mark))
    return found


def add_routes(router: APIRouter, game: Game) -> None:
    @drawing(router, "/picture", "A picture of a position, with an explanation over it if `kind` names one")
    async def get_picture(
        request: Request,
        query: PositionQuery = Depends(position_query(game)),
        options: dict[str, Any] = Depends(explain_options(game, needed=False)),
        marks: Annotated[
            str, Query(max_length=8000, description="Moves and their marks: `V1,1=win;V2,1=loss`", examples=[""])
        ] = "",
        file: FileKind = "svg",
        save: Save = False,
    ) -> Response:
        def work(token: CancelToken) -> Response:
            marked = read_marks(query, marks)
            position, kind = query.position, options.get("kind")
            title = f"{game.title}: {position.text}"
            if kind is None:
                svg = view_svg(position.view(), players=game.players, marks=marked, title=title)
            else:
                found = explanation_for(request, game, query, kind, options, token)
                view = found.view or position.view()
                caption = found.caption or found.lines
                players = found.players or game.players
                svg = view_svg(view, players=players, areas=found.areas, marks=marked, caption=caption, title=title)
            return picture(svg, file, name=game.name, save=save)

        return await on_worker(request, work)
