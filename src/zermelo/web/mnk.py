"""Routes for m,n,k games: a position, its moves as they are judged, the reply, pairings and zones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from zermelo._core import CancelToken
from zermelo.draw import Area, svg
from zermelo.positional import MnkGame, MnkResult, solve_mnk
from zermelo.positional.mnk import column_name, pair_labels
from zermelo.web.analysis import Budget, Mark
from zermelo.web.http import EVENTS, EventStream, bad_question, refusals, searching, settings_of
from zermelo.web.judging import marks_until_win, refuse_large, stream_marks
from zermelo.web.pool import Seat
from zermelo.web.settings import Settings
from zermelo.web.view import AreaView, MoveView, Overlay, Piece, Reply, View

NAMES = {"X": "X", "O": "O"}

router = APIRouter(prefix="/mnk", tags=["m,n,k games"])

SpecText = Annotated[
    str,
    Query(
        max_length=2000, description="Columns, rows, k, and moves in turn: 7,7,5 or 7,7,5:d4,c3", examples=["4,4,4:b2"]
    ),
]


def open_game(text: str, settings: Settings) -> MnkGame:
    """Parse a spec and refuse boards larger than this server searches."""
    try:
        game = MnkGame.from_text(text)
    except ValueError as error:
        raise bad_question(error) from None
    refuse_large(game.columns, game.rows, settings)
    return game


def square_of(game: MnkGame, square: int) -> tuple[int, int]:
    """Return row (from the top) and column of a square, from 1."""
    return game.rows - square // game.columns, square % game.columns + 1


def images(game: MnkGame) -> Iterator[Callable[[int], int]]:
    """Yield the board's symmetries: four for a rectangle, eight for a square."""
    m, n = game.columns, game.rows

    def image(turn_cols: bool, turn_rows: bool, swap: bool) -> Callable[[int], int]:
        def move(square: int) -> int:
            row, col = divmod(square, m)
            row, col = (n - 1 - row if turn_rows else row), (m - 1 - col if turn_cols else col)
            return col * m + row if swap else row * m + col

        return move

    for swap in (False, True) if m == n else (False,):
        for turn_cols in (False, True):
            for turn_rows in (False, True):
                yield image(turn_cols, turn_rows, swap)


def key_of(game: MnkGame) -> str:
    """Return a text that is equal for positions that are images of each other."""
    marks = min((sorted(map(image, game.first)), sorted(map(image, game.second))) for image in images(game))
    return f"mnk {game.columns},{game.rows},{game.k} {marks}"


@dataclass(frozen=True)
class AfterMoves:
    """The game after some moves that are images of each other."""

    key: str
    moves: tuple[int, ...]
    game: MnkGame
    memory: int

    def judge(self, budget: Budget, token: CancelToken) -> tuple[Mark, int]:
        """Search the outcome, and see it as the player does who moved last."""
        # A small allowance needs a small table: clearing a large one would take longer than the search.
        memory = min(self.memory, max(1 << 20, budget.nodes * 64))
        if not self.game.free and self.game.winner() is None:
            return "draw", 0
        result = solve_mnk(self.game, nodes=budget.nodes, seconds=budget.seconds, memory=memory, cancel=token)
        mover = "second" if self.game.first_to_move else "first"
        if result.outcome == "unknown":
            return "unknown", result.nodes
        if result.outcome == "draw":
            return "draw", result.nodes
        return ("win" if result.outcome == mover else "loss"), result.nodes


def questions_of(game: MnkGame, memory: int) -> list[AfterMoves]:
    """Return one question for each class of equivalent moves."""
    if game.winner() is not None:
        return []
    classes: dict[str, list[int]] = {}
    for square in game.free:
        classes.setdefault(key_of(game.play(square)), []).append(square)
    return [AfterMoves(key, tuple(moves), game.play(moves[0]), memory) for key, moves in classes.items()]


def view(game: MnkGame) -> View:
    """Describe a position."""
    winner = game.winner()
    over = winner is not None or not game.free
    return View(
        spec=game.text,
        rows=game.rows,
        cols=game.columns,
        row_labels=[str(game.rows - row) for row in range(game.rows)],
        col_labels=[column_name(col) for col in range(game.columns)],
        wraps_rows=False,
        wraps_cols=False,
        blocked=[],
        pieces=[
            Piece(player="O" if ply % 2 else "X", squares=[square_of(game, square)], last=ply == len(game.moves) - 1)
            for ply, square in enumerate(game.moves)
        ],
        moves=[] if over else [MoveView(id=game.name(s), squares=[square_of(game, s)]) for s in game.free],
        to_move="X" if game.first_to_move else "O",
        player_names=NAMES,
        over=over,
        winner=None if winner is None else "X" if winner == "first" else "O",
        reason="" if not over else f"{game.k} in a row." if winner else "The board is full.",
    )


@router.get("/position", summary="A position and its legal moves", responses=refusals(422))
async def get_position(request: Request, spec: SpecText) -> View:
    return view(open_game(spec, settings_of(request)))


@router.get(
    "/moves",
    summary="Every legal move, marked as winning, drawing or losing as the search finds it",
    description=(
        "Server-sent events. Each `move` event holds moves and their mark (`win`, `draw`, `loss`, "
        "or `unknown` when a limit was reached); `done` comes last and counts them."
    ),
    response_class=Response,
    responses={200: EVENTS, **refusals(422, 503)},
)
async def get_moves(request: Request, spec: SpecText) -> EventStream:
    settings = settings_of(request)
    game = open_game(spec, settings)
    memory = settings.memory_mib << 20
    return await stream_marks(request, lambda: questions_of(game, memory), game.name)


@router.get(
    "/reply",
    summary="A move for the player whose turn it is, the best that can be proved",
    responses=refusals(422, 503),
)
async def get_reply(request: Request, spec: SpecText) -> Reply:
    settings = settings_of(request)
    game = open_game(spec, settings)
    memory = settings.memory_mib << 20
    worth = {"win": 3, "draw": 2, "unknown": 1, "loss": 0}

    async def work(seat: Seat) -> Reply:
        marks, nodes = await marks_until_win(request, seat, lambda: questions_of(game, memory))
        if not marks:
            return Reply(move=None, squares=[], mark="loss", nodes=nodes)
        best = max(marks.values(), key=worth.__getitem__)
        square = most_central(game, [move for move, mark in marks.items() if mark == best])
        squares = [square_of(game, square)]
        return Reply(move=game.name(square), squares=squares, mark=best, nodes=nodes)

    return await searching(request, work)


def most_central(game: MnkGame, squares: Sequence[int]) -> int:
    """Return the square nearest to the middle: of equally good moves it sets the most traps."""
    middle_row, middle_col = (game.rows - 1) / 2, (game.columns - 1) / 2
    return min(squares, key=lambda s: abs(s // game.columns - middle_row) + abs(s % game.columns - middle_col))


@router.get(
    "/explain",
    summary="The pairing that draws, or the zone that matters, drawn over the board",
    responses=refusals(422, 503),
)
async def get_explain(
    request: Request, spec: SpecText, kind: Annotated[Literal["pairing", "zone"], Query(description="What to show")]
) -> Overlay:
    settings = settings_of(request)
    game = open_game(spec, settings)

    def work(token: CancelToken) -> Overlay:
        result = solve_mnk(
            game,
            nodes=settings.nodes,
            seconds=min(settings.seconds, 5.0),
            memory=settings.memory_mib << 20,
            cancel=token,
        )
        return pairing(result) if kind == "pairing" else zone(result)

    return await searching(request, lambda seat: seat.run(work)) or Overlay(areas=[], caption=[])


def at(game: MnkGame, square: int) -> tuple[int, int]:
    """Return a square as pictures count: row from the top and column, from 0."""
    row, col = square_of(game, square)
    return row - 1, col - 1


def pair_areas(game: MnkGame, pairs: Sequence[tuple[int, int]]) -> list[Area]:
    """Show pairs as letters: equal letters belong together."""
    letters = pair_labels(pairs)
    return [
        Area([at(game, square)], letters[square], svg.CYCLE[index % len(svg.CYCLE)])
        for index, pair in enumerate(pairs)
        for square in pair
    ]


def pairing(result: MnkResult) -> Overlay:
    """Show the pairs: whoever takes one square of a pair is answered on the other."""
    if not result.pairs:
        return Overlay(areas=[], caption=["No single pairing draws from here."])
    game = result.game
    caption = [
        f"The second player draws with {len(result.pairs)} pairs: whenever X takes a square of a "
        "pair, O takes the square with the same letter."
    ]
    if result.move is not None:
        caption.insert(0, f"O first plays {game.name(result.move)}.")
    areas = pair_areas(game, result.pairs)
    return Overlay(areas=[AreaView.of(area) for area in areas], caption=caption)


def zone(result: MnkResult) -> Overlay:
    """Show the squares the proof depends on; what happens elsewhere does not matter."""
    if not result.zone:
        return Overlay(areas=[], caption=["No zone is known here: the whole board may matter."])
    area = Area([at(result.game, square) for square in result.zone], "", svg.GREEN)
    sentence = "The proof uses only the shaded squares; moves elsewhere do not change who wins."
    return Overlay(areas=[AreaView.of(area)], caption=[sentence])
