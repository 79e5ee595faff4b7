"""Routes for Domineering: a position, its moves as they are judged, the reply, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from zermelo._core import CancelToken, Verdict, parse_spec
from zermelo.domineering import Move, Player, Position, solve
from zermelo.domineering.engine import SearchOptions
from zermelo.domineering.explain import explain
from zermelo.domineering.position import opponent
from zermelo.web.analysis import Budget, Mark
from zermelo.web.http import EVENTS, EventStream, bad_question, refusals, searching, settings_of
from zermelo.web.judging import marks_until_win, refuse_large, stream_marks
from zermelo.web.pool import Seat
from zermelo.web.searcher import who_wins
from zermelo.web.settings import Settings
from zermelo.web.view import AreaView, MoveView, Overlay, Piece, Reply, View

NAMES = {"V": "Vertical", "H": "Horizontal"}

router = APIRouter(prefix="/domineering", tags=["Domineering"])

SpecText = Annotated[
    str,
    Query(
        max_length=4000,
        description="Board and moves: 8x8, torus:4x6, ..#./...., 8x8:V1,2;H3,4",
        examples=["8x8:V1,2;H3,4"],
    ),
]
ToMove = Annotated[Literal["V", "H"], Query(description="Whose turn it is")]


def open_position(text: str, settings: Settings) -> Position:
    """Parse a spec and refuse boards larger than this server searches."""
    try:
        position = Position.from_text(text)
    except ValueError as error:
        raise bad_question(error) from None
    refuse_large(position.rows, position.cols, settings)
    return position


@dataclass(frozen=True)
class AfterMoves:
    """The position after some moves that are mirror images of each other."""

    key: str
    moves: tuple[Move, ...]
    position: Position
    to_move: Player
    memory: int

    def judge(self, budget: Budget, token: CancelToken) -> tuple[Mark, int]:
        """Search who wins when the opponent goes on from here."""
        result = who_wins(self.position.board, self.to_move, budget, token, memory=self.memory)
        marks: dict[Verdict, Mark] = {Verdict.WIN: "loss", Verdict.LOSS: "win", Verdict.UNKNOWN: "unknown"}
        return marks[result.verdict], result.nodes


def questions_of(position: Position, player: Player, memory: int) -> list[AfterMoves]:
    """Return one question for each class of moves whose results are mirror images."""
    classes: dict[str, list[Move]] = {}
    for move in position.legal_moves(player):
        after = position.after(move)
        key = min(after.mirrored(image).spec for image in range(4))
        classes.setdefault(key, []).append(move)
    other = opponent(player)
    return [
        AfterMoves(f"{key} {other}", tuple(moves), Position.from_text(key), other, memory)
        for key, moves in classes.items()
    ]


def squares_of(move: Move, position: Position) -> list[tuple[int, int]]:
    """Return the two squares of a domino, around the edge if it wraps."""
    if move.player == "V":
        return [(move.row, move.col), (move.row % position.rows + 1, move.col)]
    return [(move.row, move.col), (move.row, move.col % position.cols + 1)]


def view(position: Position, text: str, player: Player) -> View:
    """Describe a position: the dominoes placed by the spec's moves, and what is blocked besides."""
    moves = [MoveView(id=str(move), squares=squares_of(move, position)) for move in position.legal_moves(player)]
    played = [Move.from_core(move) for move in parse_spec(text).moves]
    pieces = [Piece(player=move.player, squares=squares_of(move, position), last=move is played[-1]) for move in played]
    covered = {square for piece in pieces for square in piece.squares}
    other = opponent(player)
    return View(
        spec=text,
        rows=position.rows,
        cols=position.cols,
        row_labels=[str(row + 1) for row in range(position.rows)],
        col_labels=[str(col + 1) for col in range(position.cols)],
        wraps_rows=position.topology in ("vcylinder", "torus"),
        wraps_cols=position.topology in ("hcylinder", "torus"),
        blocked=[
            (row, col)
            for row in range(1, position.rows + 1)
            for col in range(1, position.cols + 1)
            if not position.is_free(row, col) and (row, col) not in covered
        ],
        pieces=pieces,
        moves=moves,
        to_move=player,
        player_names=NAMES,
        over=not moves,
        winner=None if moves else other,
        reason="" if moves else f"{NAMES[player]} has no move left.",
    )


@router.get("/position", summary="A position and its legal moves", responses=refusals(422))
async def get_position(request: Request, spec: SpecText, to_move: ToMove) -> View:
    return view(open_position(spec, settings_of(request)), spec, to_move)


@router.get(
    "/moves",
    summary="Every legal move, marked as winning or losing as the search finds it",
    description=(
        "Server-sent events. Each `move` event holds moves and their mark (`win`, `loss`, or "
        "`unknown` when a limit was reached); `done` comes last and counts them."
    ),
    response_class=Response,
    responses={200: EVENTS, **refusals(422, 503)},
)
async def get_moves(request: Request, spec: SpecText, to_move: ToMove) -> EventStream:
    settings = settings_of(request)
    position = open_position(spec, settings)
    memory = settings.memory_mib << 20
    return await stream_marks(request, lambda: questions_of(position, to_move, memory), str)


@router.get(
    "/reply",
    summary="A move for the player whose turn it is, a winning one if there is one",
    responses=refusals(422, 503),
)
async def get_reply(request: Request, spec: SpecText, to_move: ToMove) -> Reply:
    settings = settings_of(request)
    position = open_position(spec, settings)
    memory = settings.memory_mib << 20

    async def work(seat: Seat) -> Reply:
        marks, nodes = await marks_until_win(request, seat, lambda: questions_of(position, to_move, memory))
        wins = [move for move, mark in marks.items() if mark == "win"]
        move = wins[0] if wins else stubborn(position, to_move, marks)
        if move is None:
            return Reply(move=None, squares=[], mark="loss", nodes=nodes)
        squares = squares_of(move, position)
        return Reply(move=str(move), squares=squares, mark=marks[move], nodes=nodes)

    return await searching(request, work)


def stubborn(position: Position, player: Player, marks: Mapping[Move, Mark]) -> Move | None:
    """Choose a move when none is known to win: an unknown one if there is one, else the one that keeps most moves."""
    best: tuple[tuple[bool, int], Move] | None = None
    for move, mark in marks.items():
        after = position.after(move)
        ahead = len(after.legal_moves(player)) - len(after.legal_moves(opponent(player)))
        rank = (mark == "unknown", ahead)
        if best is None or rank > best[0]:
            best = (rank, move)
    return best[1] if best else None


@router.get(
    "/solve",
    summary="Who wins, for both starters, as `zermelo solve domineering SPEC --json` prints it",
    responses=refusals(422, 503),
)
async def get_solve(request: Request, spec: SpecText) -> dict[str, Any]:
    settings = settings_of(request)
    position = open_position(spec, settings)

    def work(token: CancelToken) -> dict[str, Any]:
        options = SearchOptions(memory=settings.memory_mib << 20)
        result = solve(position, options=options, seconds=settings.seconds, nodes=settings.nodes, cancel=token)
        return result.to_json() | {"spec": spec}

    return await searching(request, lambda seat: seat.run(work)) or {}


@router.get(
    "/explain",
    summary="Why a bound says what it says: areas over the board, and the reasons in words",
    responses=refusals(422, 503),
)
async def get_explain(
    request: Request,
    spec: SpecText,
    to_move: ToMove,
    player: Annotated[Literal["V", "H"], Query(description="Whose bound")],
    bound: Annotated[Literal["cover", "strip"], Query(description="Which bound")],
) -> Overlay:
    position = open_position(spec, settings_of(request))

    def work(_: CancelToken) -> Overlay:
        explanation = explain(position, player=player, to_move=to_move, bound=bound)
        return Overlay(areas=[AreaView.of(area) for area in explanation.areas()], caption=explanation.caption())

    return await searching(request, lambda seat: seat.run(work)) or Overlay(areas=[], caption=[])
