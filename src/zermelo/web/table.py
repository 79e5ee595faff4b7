"""Routes for "Who wins?": the chart of outcomes and the derivation of each, for games whose rules know many boards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel

from zermelo.game import Game, games_with
from zermelo.web.games import fits
from zermelo.web.http import bad_question, refusals, settings_of

LARGEST_WRAPPED = 16
LARGEST_WIDTH = 1000


class CellView(BaseModel):
    """One board of the chart."""

    board: str
    name: str
    """The code of its outcome, or of what is half known; `.` when nothing is."""
    status: str
    """`decided`, `half-known` or `open`."""
    source: str
    """`searched`, `evaluated`, `derived` or `open`."""


class Chart(BaseModel):
    """Who wins on all boards up to a size; `cells[0][0]` is 1x1."""

    rows: int
    cols: int
    topology: str
    cells: list[list[CellView]]
    counts: dict[str, int]
    legend: dict[str, str]
    """Every code of the chart in words."""
    eventual: list[str]
    """What is proved about all longer boards."""


class Line(BaseModel):
    """One line of a derivation, and the lines it rests on."""

    board: str
    claim: str
    reason: str
    playable: bool
    """Whether this server can search the board."""
    again: bool
    """Whether the line was unfolded before."""
    premises: list[Line]


class Derivation(BaseModel):
    """Why a board's outcome is what it is."""

    board: str
    name: str
    means: str
    playable: bool
    remarks: list[str]
    lines: list[Line]
    rules: list[str]
    """Each rule used, with the sentence that proves it."""


def chart_of(game: Any, rows: int, cols: int, topology: str) -> Chart:
    """Ask a game for its chart."""
    table = game.table(rows, cols, topology)
    return Chart(
        rows=rows,
        cols=cols,
        topology=topology,
        cells=[
            [CellView(board=cell.size.spec, name=cell.name, status=cell.status, source=cell.source) for cell in row]
            for row in table.cells
        ],
        counts=dict(table.counts),
        legend=table.legend,
        eventual=[str(statement) for statement in table.eventual],
    )


def derivation_of(story: Any, playable: Callable[[tuple[int, int]], bool]) -> Derivation:
    """Convert a game's derivation."""

    def line(one: Any) -> Line:
        return Line(
            board=one.board,
            claim=one.claim,
            reason=one.reason,
            playable=one.rows * one.cols > 0 and playable((one.rows, one.cols)),
            again=one.again,
            premises=[line(premise) for premise in one.premises],
        )

    return Derivation(
        board=story.board,
        name=story.name,
        means=story.means,
        playable=playable((story.rows, story.cols)),
        remarks=list(story.remarks),
        lines=[line(one) for one in story.lines],
        rules=list(story.rules),
    )


def table_router(game: Any) -> APIRouter:
    """Return the routes of one game."""
    router = APIRouter(prefix=f"/{game.name}", tags=[game.title])
    chart = lru_cache(maxsize=16)(lambda rows, cols, topology: chart_of(game, rows, cols, topology))
    kinds = list(game.tables)

    @router.get("/table", summary="Who wins on all boards up to a size", responses=refusals(422))
    async def get_table(
        request: Request,
        rows: int = Query(33, ge=1, le=1000),
        cols: int = Query(33, ge=1, le=1000),
        topology: str = Query(kinds[0], description="Which boards", json_schema_extra={"enum": kinds}),
    ) -> Chart:
        if topology not in kinds:
            raise bad_question(f"topology: {topology[:40]!r} is not known: {', '.join(kinds)}")
        largest = settings_of(request).table_side if topology == kinds[0] else LARGEST_WRAPPED
        if max(rows, cols) > largest:
            raise bad_question(f"A table of {rows}x{cols} is too large: {largest}x{largest} at most.")
        return await asyncio.to_thread(chart, rows, cols, topology)

    @router.get("/why", summary="The derivation of a board's outcome", responses=refusals(422))
    async def get_why(
        request: Request,
        board: str = Query(max_length=40, description="An empty board of any size", examples=[game.examples[0]]),
    ) -> Derivation:
        settings = settings_of(request)

        def work() -> Derivation:
            return derivation_of(game.derive(board).story(), lambda size: fits(game, size, settings))

        try:
            rows, cols = game.parse(board).size
            if min(rows, cols) > LARGEST_WIDTH:
                raise ValueError(f"the rules are asked here up to a width of {LARGEST_WIDTH}, any length")
            return await asyncio.to_thread(work)
        except ValueError as error:
            raise bad_question(error) from None

    return router


def routers() -> Iterator[APIRouter]:
    """Return the routes of all games that offer this."""
    game: Game
    for game in games_with("table"):
        yield table_router(game)
