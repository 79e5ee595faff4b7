"""Routes for "Who wins?": the chart of outcomes and their derivations, for games whose rules know many boards."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Depends, Query, Request, Response

from zermelo._core import CancelToken
from zermelo.game import Game
from zermelo.web.http import bad_question, on_worker, searching
from zermelo.web.pictures import FileKind, Save, drawing, picture
from zermelo.web.view import FromAttributes

LARGEST = 60
LARGEST_WRAPPED = 16
LARGEST_WIDTH = 1000


class CellView(FromAttributes):
    """One board of the chart."""

    board: str
    name: str
    """The code of its outcome or of half an outcome; `.` if nothing is known."""
    status: str
    """`decided`, `half-known` or `open`."""
    source: str
    """`searched`, `evaluated`, `derived` or `open`."""


class Chart(FromAttributes):
    """Who wins on all boards up to a size; `cells[0][0]` is 1x1."""

    rows: int
    cols: int
    topology: str
    cells: list[list[CellView]]
    counts: dict[str, int]
    legend: dict[str, str]
    """Every code of the chart in words."""
    statements: list[str]
    """Theorems about all longer boards."""


class Line(FromAttributes):
    """One line of a derivation, and the lines it rests on."""

    board: str
    rows: int
    cols: int
    claim: str
    reason: str
    again: bool
    """Whether the premises were listed before."""
    premises: list[Line]


class Derivation(FromAttributes):
    """The derivation of a board's outcome."""

    board: str
    rows: int
    cols: int
    name: str
    means: str
    remarks: list[str]
    lines: list[Line]
    rules: list[str]
    """Each rule used, with the sentence that proves it."""


def add_routes(router: APIRouter, game: Game) -> None:
    tables = game.tables
    assert tables is not None
    kinds = list(tables.kinds)

    @lru_cache(maxsize=16)
    def table(rows: int, cols: int, topology: str) -> Any:
        return tables.chart(rows, cols, topology)

    async def table_query(
        request: Request,
        rows: int = Query(33, ge=1, le=LARGEST),
        cols: int = Query(33, ge=1, le=LARGEST),
        topology: str = Query(kinds[0], description="The kind of boards", json_schema_extra={"enum": kinds}),
    ) -> Any:
        if topology not in kinds:
            raise bad_question(f"topology: {topology[:40]!r} is not known: {', '.join(kinds)}")
        largest = LARGEST if topology == kinds[0] else LARGEST_WRAPPED
        if max(rows, cols) > largest:
            raise bad_question(f"A table of {rows}x{cols} is too large: {largest}x{largest} at most.")
        return lambda: table(rows, cols, topology)

    @searching(router, "/table", "Who wins on all boards up to a size")
    async def get_table(request: Request, query: Any = Depends(table_query)) -> Chart:
        return await on_worker(request, lambda _: Chart.model_validate(query()))

    @drawing(router, "/table/picture", "Who wins on all boards up to a size, as a picture")
    async def get_picture(
        request: Request, query: Any = Depends(table_query), file: FileKind = "svg", save: Save = False
    ) -> Response:
        return await on_worker(request, lambda _: picture(query()._repr_svg_(), file, name="table", save=save))

    @searching(router, "/why", "The derivation of a board's outcome")
    async def get_why(
        request: Request,
        board: str = Query(max_length=40, description="An empty board of any size", examples=[game.examples[0]]),
    ) -> Derivation:
        def work(_: CancelToken) -> Derivation:
            rows, cols = game.parse(board).size
            if min(rows, cols) > LARGEST_WIDTH:
                raise ValueError(f"the rules answer here up to a width of {LARGEST_WIDTH}, any length")
            return Derivation.model_validate(tables.derive(board))

        return await on_worker(request, work)
