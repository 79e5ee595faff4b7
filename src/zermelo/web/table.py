"""Routes for "Who wins?": the chart of outcomes and the derivation of each."""

from __future__ import annotations

import asyncio
import threading
from functools import lru_cache
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel

from zermelo.domineering.rules.derive import Step
from zermelo.domineering.rules.knowledge import Answer, shipped
from zermelo.domineering.rules.outcomes import ANYTHING, NAMES, WORDS
from zermelo.domineering.rules.sizes import Size, Topology
from zermelo.domineering.rules.table import Status, Table, build
from zermelo.domineering.rules.why import claim, legend, reason
from zermelo.web.http import bad_question, refusals, settings_of
from zermelo.web.settings import Settings

router = APIRouter(prefix="/domineering", tags=["Who wins?"])

# The closures are built once and kept; one thread at a time builds.
_building = threading.Lock()
LARGEST_WRAPPED = 16
LARGEST_WIDTH = 1000


class CellView(BaseModel):
    """One board of the chart."""

    name: str
    """`1`, `2`, `V`, `H`, a half-known set such as `1h`, or `.` when nothing is known."""
    status: Status
    source: Literal["searched", "evaluated", "derived", "open"]


class Chart(BaseModel):
    """Who wins on all boards up to a size; `cells[0][0]` is 1x1."""

    rows: int
    cols: int
    topology: str
    cells: list[list[CellView]]
    counts: dict[str, int]
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


@lru_cache(maxsize=16)
def chart(rows: int, cols: int, topology: Topology) -> Chart:
    """Build a chart, or take it from the few built before."""
    with _building:
        table: Table = build(shipped(), rows, cols, topology)
    return Chart(
        rows=rows,
        cols=cols,
        topology=topology,
        cells=[
            [CellView(name=cell.name, status=cell.status, source=cell.source) for cell in row] for row in table.cells
        ],
        counts={str(status): count for status, count in table.counts.items()},
        eventual=[str(statement) for statement in table.eventual],
    )


def decide(size: Size) -> Answer:
    """Ask the rules, one at a time."""
    with _building:
        return shipped().decide(size)


def derivation(answer: Answer, settings: Settings) -> Derivation:
    """Write an answer as a tree of lines, each statement unfolded once."""
    seen: set[tuple[Size, int]] = set()

    def playable(size: Size) -> bool:
        return size.area <= settings.squares and max(size.rows, size.cols) <= settings.side

    def line(step: Step) -> Line:
        key = (step.size, step.outcomes)
        again = key in seen and bool(step.premises)
        seen.add(key)
        premises = [] if again else list(dict.fromkeys(step.premises))
        return Line(
            board=step.size.spec,
            claim=claim(step),
            reason=reason(step),
            playable=playable(step.size) and step.size.area > 0,
            again=again,
            premises=[line(premise) for premise in premises],
        )

    size, remarks = answer.size, []
    if answer.mirrored:
        size = size.transposed
        remarks.append(f"{answer.size} = -{size}: turning the board exchanges the players.")
    steps = [answer.step] if answer.step else []
    if answer.eventual is not None:
        ground, period = answer.eventual.ground(size.cols), answer.eventual.period
        times = (size.cols - ground.size.cols) // period.size.cols
        remarks.append(f"{answer.eventual}: {answer.eventual.proof()}.")
        remarks.append(f"{size.cols} = {ground.size.cols} + {times} * {period.size.cols}")
        steps = [ground, period]
    known = answer.outcomes != ANYTHING
    return Derivation(
        board=answer.size.spec,
        name=NAMES[answer.outcomes] if known else ".",
        means=WORDS.get(answer.outcomes, "") if known else "the rules say nothing about it yet",
        playable=playable(answer.size),
        remarks=remarks,
        lines=[line(step) for step in steps],
        rules=legend(steps),
    )


Side = Annotated[int, Query(ge=1, le=1000)]
TopologyName = Annotated[
    Literal["rectangle", "hcylinder", "vcylinder", "torus"], Query(description="How the board closes")
]


@router.get("/table", summary="Who wins on all boards up to a size", responses=refusals(422))
async def get_table(request: Request, rows: Side = 33, cols: Side = 33, topology: TopologyName = "rectangle") -> Chart:
    largest = settings_of(request).table_side if topology == "rectangle" else LARGEST_WRAPPED
    if max(rows, cols) > largest:
        raise bad_question(f"A table of {rows}x{cols} is too large: {largest}x{largest} at most.")
    return await asyncio.to_thread(chart, rows, cols, topology)


@router.get("/why", summary="The derivation of a board's outcome", responses=refusals(422))
async def get_why(
    request: Request,
    board: Annotated[str, Query(max_length=40, description="An empty board of any size", examples=["6x20"])],
) -> Derivation:
    try:
        size = Size.parse(board)
    except ValueError as error:
        raise bad_question(error) from None
    if size.topology != "rectangle" and max(size.rows, size.cols) > LARGEST_WRAPPED:
        raise bad_question(f"Cylinders and tori are known up to {LARGEST_WRAPPED}x{LARGEST_WRAPPED}.")
    if min(size.rows, size.cols) > LARGEST_WIDTH:
        raise bad_question(f"The rules are asked here up to a width of {LARGEST_WIDTH}, any length.")
    settings = settings_of(request)
    return await asyncio.to_thread(lambda: derivation(decide(size), settings))
