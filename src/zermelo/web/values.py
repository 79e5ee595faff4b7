"""Routes for game values: the components of a Domineering position, what each is worth, thermographs."""

from __future__ import annotations

import threading
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from zermelo._core import CancelToken, LimitReached
from zermelo.cgt import Game, domineering_value, limits
from zermelo.domineering import Position
from zermelo.web.domineering import SpecText, open_position
from zermelo.web.http import bad_question, refusals, searching, settings_of
from zermelo.web.view import Square

router = APIRouter(prefix="/domineering", tags=["Game values"])

# All values of a process live in one arena with one set of limits: one request at a time.
_arena = threading.Lock()
SECONDS = 2.0
MEMORY = 256 << 20
LONGEST_TEXT = 120


class Component(BaseModel):
    """A region of the board in which the game goes on by itself."""

    squares: list[Square]
    spec: str
    """The region alone, with everything else blocked."""
    value: str | None
    """Canonical form; none if it is too large to work out here."""
    mean: str | None
    temperature: str | None


class Components(BaseModel):
    """The regions, largest first; a region without a move for anybody is left out."""

    components: list[Component]
    sum: str | None
    """The value of the whole position, V being positive."""


def alone(position: Position, squares: list[tuple[int, int]]) -> str:
    """Return the spec of one region, cropped to its rows and columns unless the board wraps."""
    kept = set(squares)
    rows = range(1, position.rows + 1)
    cols = range(1, position.cols + 1)
    prefix = ""
    if position.topology == "rectangle":
        rows = range(min(row for row, _ in kept), max(row for row, _ in kept) + 1)
        cols = range(min(col for _, col in kept), max(col for _, col in kept) + 1)
    else:
        prefix = f"{position.topology}:"
    lines = ["".join("." if (row, col) in kept else "#" for col in cols) for row in rows]
    return prefix + "/".join(lines)


def value_of(spec: str) -> Game | None:
    """Return a position's value, or None if the limits do not allow it."""
    with _arena, limits(seconds=SECONDS, memory=MEMORY):
        try:
            return domineering_value(spec)
        except LimitReached:
            return None


def shown(game: Game | None) -> str | None:
    """Return a value as text, shortened where nobody would read it."""
    if game is None:
        return None
    try:
        text = game.text(max_length=10_000)
    except LimitReached:
        return "too long to print"
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 2] + " …"


def values_of(position: Position) -> Components:
    """Work out each region's value and their sum."""
    found = []
    total: Game | None = Game(0)
    for squares in sorted(position.components(), key=len, reverse=True):
        if len(squares) < 2:
            continue
        spec = alone(position, squares)
        game = value_of(spec)
        if game is None or total is None:
            total = None
        else:
            with _arena, limits(seconds=SECONDS, memory=MEMORY):
                try:
                    total = total + game
                except LimitReached:
                    total = None
        found.append(
            Component(
                squares=squares,
                spec=spec,
                value=shown(game),
                mean=None if game is None else str(game.mean),
                temperature=None if game is None else str(game.temperature),
            )
        )
    return Components(components=found, sum=shown(total))


@router.get("/components", summary="The regions of a position and their values", responses=refusals(422, 503))
async def get_components(request: Request, spec: SpecText) -> Components:
    position = open_position(spec, settings_of(request))

    def work(_: CancelToken) -> Components:
        return values_of(position)

    return await searching(request, lambda seat: seat.run(work)) or Components(components=[], sum=None)


@router.get(
    "/thermograph",
    summary="The thermograph of a position as an SVG picture",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}}, **refusals(422, 503)},
)
async def get_thermograph(
    request: Request, spec: Annotated[str, Query(max_length=4000, description="A position", examples=["2x3"])]
) -> Response:
    open_position(spec, settings_of(request))

    def work(_: CancelToken) -> str | None:
        game = value_of(spec)
        return None if game is None else game.thermograph._repr_svg_()

    picture = await searching(request, lambda seat: seat.run(work))
    if picture is None:
        raise bad_question("This position is too large for its value to be worked out here.")
    return Response(picture, media_type="image/svg+xml")
