"""Routes for playing and analysing, made once for every game that is installed."""

from __future__ import annotations

import asyncio
import inspect
import re
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import ConfigDict

from zermelo._core import CancelToken
from zermelo.game import Answer, Chooser, Explanation, Game, Limits, Option, Player, Position, games
from zermelo.marking import Judged, Marking, Memory, Question, allowances, choose_move
from zermelo.web.http import SEARCHES, EventStream, bad_question, on_worker, refusals, settings_of, stream_events
from zermelo.web.pool import BusyError, Seat
from zermelo.web.settings import Settings
from zermelo.web.view import Overlay, Plain, Reply, Told, View

SERVICES = ("table", "derive", "regions", "reshaped")
"""What only some games have, and the page shows where it is."""
EXPLAIN_SECONDS = 5.0
TO_MOVE = "to-move"
"""The option of explanations that says whose turn it is; the route has a parameter for it."""
RULES_ONLY = Limits(seconds=2.0, nodes=1)
"""For boards that are too large to search here: what the rules, facts and bounds say at once."""


class Searchers:
    """One chooser for each game, made when first wanted: its tables are shared by all visitors."""

    def __init__(self, settings: Settings) -> None:
        self._memory = settings.memory_mib << 20
        self._choosers: dict[str, Chooser] = {}
        self._lock = threading.Lock()
        self.marks = Memory()

    def of(self, game: Game) -> Chooser:
        """Return the game's chooser."""
        with self._lock:
            if game.name not in self._choosers:
                self._choosers[game.name] = game.chooser(Limits(memory=self._memory))
            return self._choosers[game.name]


def searchers_of(request: Request) -> Searchers:
    searchers: Searchers = request.app.state.searchers
    return searchers


# What is asked


@dataclass(frozen=True)
class Asked:
    """The position that a request is about, and whose turn it is."""

    position: Position
    player: Player
    turn_fixed: bool
    """Whether the spec says whose turn it is."""
    told: bool = True
    """Whether the request does; else ``solve`` answers for everybody who may begin."""


def fits(game: Game, size: tuple[int, int], settings: Settings) -> bool:
    """Whether this server shows and searches a board."""
    return max(size) <= settings.side and size[0] * size[1] <= min(settings.squares, game.largest_page_board)


def open_position(
    game: Game, spec: str, moves: str, to_move: Player | None, settings: Settings, *, any_size: bool = False
) -> Asked:
    """Read a spec and the moves since, and find out whose turn it is; refuse boards larger than this server searches.

    :raises HTTPException: 422 with a sentence.
    """
    try:
        position = game.parse(spec)
        played = [move for move in moves.split(";") if move]
        rows, cols = position.size
        small = fits(game, (rows, cols), settings)
        if not small and (played or not any_size):
            raise ValueError(
                f"A board of {rows}x{cols} is too large to search here: at most {settings.squares} squares "
                f"(such as 12x12) and sides up to {settings.side}."
            )
        turn_fixed = position.to_move is not None
        player = position.to_move or (mover_after(position) if small else game.players[0])
        if to_move is not None:
            player = game.other(to_move) if len(played) % 2 else to_move
            game.starters(position, player)
        told = to_move is not None or bool(played)
        if told or not any_size:  # else either may begin, and both are answered
            position = position.turn_of(player)
        for text in played:
            if text not in map(str, position.moves(player)):
                raise ValueError(f"move {text[:40]!r} is not legal for {player} here")
            position, player = position.after(text), game.other(player)
        return Asked(position, player, turn_fixed, told)
    except ValueError as error:
        raise bad_question(error) from None


def mover_after(position: Position) -> Player:
    """Return whose turn it is after the last move on the board; before the first one it is the first player's."""
    last = next((piece.player for piece in position.view().pieces if piece.last), None)
    return position.game.players[0] if last is None else position.game.other(last)


def asker(game: Game, *, any_size: bool = False) -> Callable[..., Awaitable[Asked]]:
    """Return the dependency that reads a request's position; each game documents its own specs."""

    async def asked(
        request: Request,
        spec: str = Query(
            max_length=4000, description=game.spec_help, examples=[game.rules_example or game.examples[0]]
        ),
        moves: str = Query(
            "", max_length=4000, description="Moves played since, both players' in turn, with ; between"
        ),
        to_move: str | None = Query(
            None,
            description="Whose turn it is now; needed where the position does not say it",
            json_schema_extra={"enum": list(game.players)},
        ),
    ) -> Asked:
        if to_move is not None and to_move not in game.players:
            names = " or ".join(f"'{player}'" for player in game.players)
            raise bad_question(f"to_move: input should be {names}")
        return open_position(game, spec, moves, to_move, settings_of(request), any_size=any_size)

    return asked


# What is answered


class OptionView(Plain):
    """Something an explanation can be told."""

    name: str
    help: str
    choices: list[str]
    default: str | None


class GameView(Told):
    """A game that is installed: its words, and what can be asked about it."""

    name: str
    title: str
    players: dict[str, str]
    """Short name and full name, the one who usually begins first."""
    rules: str
    spec_help: str
    examples: list[str]
    rules_example: str
    """A spec whose picture goes with the rules."""
    outcomes: dict[str, str]
    glossary: dict[str, str]
    """Words that the answers use."""
    shapes: dict[str, str]
    """Starts worth trying, by name."""
    theory: dict[str, str]
    """Pages of the documentation, with their titles."""
    either_begins: bool
    """Whether a start leaves open who begins."""
    draws: bool
    """Whether a game can end in a draw."""
    explanations: dict[str, str]
    explain_options: list[OptionView]
    services: list[str]
    """What only some games have: `table`, `derive`, `regions`, `reshaped`."""
    tables: dict[str, str]
    """The kinds of tables, with their titles."""
    squares: int
    """Of the largest board that is shown and searched here."""
    side: int
    """The longest side of such a board."""
    seconds: float
    """How long one request searches, unless it says so."""
    longest_seconds: float
    """How long it may ask for."""

    @classmethod
    def of(cls, game: Game, settings: Settings) -> GameView:
        """Describe a game."""
        return cls(
            **{key: getattr(game, key) for key in ("name", "title", "rules", "spec_help", "examples")},
            players={player: game.player_names[player] for player in game.players},
            outcomes=dict(game.outcomes),
            rules_example=game.rules_example or game.examples[0],
            glossary=dict(game.glossary),
            shapes=dict(game.shapes),
            theory=dict(game.theory) if settings.docs else {},
            either_begins=game.parse(game.examples[0]).to_move is None,
            draws="draw" in game.outcomes,
            explanations=dict(game.explanations),
            explain_options=[OptionView.model_validate(option) for option in choices_of(game).values()],
            tables=dict(getattr(game, "tables", {})),
            squares=min(settings.squares, game.largest_page_board),
            side=settings.side,
            seconds=settings.seconds,
            longest_seconds=max(settings.seconds, settings.longest_seconds),
            services=[service for service in SERVICES if hasattr(game, service)],
        )


class Start(Told):
    """Who wins when one player begins; games add keys of their own."""

    model_config = ConfigDict(extra="allow")

    winner: str | None
    by: str
    why: str
    nodes: int
    seconds: float


class Solved(Told):
    """Who wins, with the keys of `zermelo solve --json`; games add keys of their own."""

    model_config = ConfigDict(extra="allow")

    game: str
    spec: str
    outcome: str | None
    words: str
    """The outcome in words."""
    starts: dict[str, Start]
    nodes: int
    seconds: float
    threads: int
    version: str


# Marks as they come


async def judged_moves(seat: Seat, marking: Marking, limits: Limits, at_once: int) -> AsyncIterator[Judged]:
    """Yield marks as they are found, several questions at a time, within limits.

    A question that stays open goes to the end of the line with its next allowance, so that no worker waits for another.
    """
    assert limits.seconds is not None
    end, rounds = time.monotonic() + limits.seconds, [nodes or 1 for nodes in allowances(limits.nodes)]
    for judged in marking.known():
        yield judged

    async def ask(question: Question, nodes: int) -> Answer:
        def work(token: CancelToken) -> Answer | None:
            left = end - time.monotonic()
            return question.judge(Limits(seconds=left, nodes=nodes), token) if left > 0 else None

        with suppress(BusyError):
            return await seat.run(work) or nothing(question)
        return nothing(question)

    line = deque((question, 0) for question in marking.waiting.values())
    running: dict[asyncio.Task[Answer], tuple[Question, int]] = {}
    try:
        while marking.waiting and (line or running):
            while line and len(running) < at_once:
                question, turn = line.popleft()
                over = time.monotonic() > end or seat.token.cancelled
                if question.key in marking.waiting and not over:
                    running[asyncio.ensure_future(ask(question, rounds[turn]))] = question, turn
            if running:
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    question, turn = running.pop(task)
                    for judged in marking.note(question, task.result()):
                        yield judged
                    if turn + 1 < len(rounds):
                        line.append((question, turn + 1))
    finally:
        for task in running:
            task.cancel()
    for judged in marking.rest():
        yield judged


def nothing(question: Question) -> Answer:
    """Return the answer that nobody had time to find."""
    return Answer(question.first, None, "limit")


def looked(seconds: float, nodes: int) -> str:
    """Say how long a question was looked at that has no answer."""
    return f"unknown after {seconds:.1f} s and {nodes:,} nodes"


async def mark_events(
    game: Game, seat: Seat, marking: Marking, limits: Limits, at_once: int
) -> AsyncIterator[Mapping[str, Any]]:
    """Yield each class of moves with its mark, the outcome when it is known, and how many of each at the end."""
    counts: dict[str, int] = {"win": 0, "draw": 0, "loss": 0, "unknown": 0}
    nodes, begin = 0, time.monotonic()
    async for judged in judged_moves(seat, marking, limits, at_once):
        nodes += judged.answer.nodes
        if judged.moves:
            counts[judged.mark] += len(judged.moves)
            moves = [str(move) for move in judged.moves]
            yield {"event": "move", "moves": moves, "mark": judged.mark, "nodes": judged.answer.nodes}
        else:
            answer, words = judged.answer, game.winner_words(judged.answer.winner)
            if answer.winner is None:
                took = time.monotonic() - begin
                answer = replace(answer, why=looked(took, nodes), nodes=nodes, seconds=took)
            yield {"event": "outcome", "mark": answer.mark, "words": words, **answer.to_json()}
    yield {"event": "done", **counts, "nodes": nodes, "seconds": round(time.monotonic() - begin, 3)}


# Routes

EVENT = {
    "type": "object",
    "required": ["event"],
    "properties": {
        "event": {"enum": ["move", "outcome", "done"]},
        "moves": {"type": "array", "items": {"type": "string"}},
        "mark": {"enum": ["win", "draw", "loss", "unknown"]},
        "nodes": {"type": "integer"},
        "words": {"type": "string", "description": "Who wins, in words"},
        "why": {"type": "string", "description": "Where that is known from, in words"},
    },
}
# Each event has one line of data, which is JSON.
DATA = {"type": "string", "contentMediaType": "application/json", "contentSchema": EVENT}
EVENTS = {
    "description": "Events as they come",
    "content": {"text/event-stream": {"schema": {"type": "object", "properties": {"data": DATA}}}},
}


def game_router(game: Game) -> APIRouter:
    """Return the routes of one game."""
    router = APIRouter(prefix=f"/{game.name}", tags=[game.title])
    asked_here, asked_anywhere, told = asker(game), asker(game, any_size=True), explain_options(game)

    @router.get("/position", summary="A position and its legal moves", responses=refusals(422))
    async def get_position(asked: Asked = Depends(asked_here)) -> View:
        return View.of(asked.position, asked.player, turn_fixed=asked.turn_fixed)

    @router.get(
        "/moves",
        summary="Every legal move, marked as winning, drawing or losing as it is found",
        description=(
            "Server-sent events. Each `move` event holds moves and their mark (`win`, `draw`, `loss`, or `unknown` "
            "when a limit was reached); `outcome` says what is known of the position itself, and from where; `done` "
            "comes last and counts the marks."
        ),
        response_class=Response,
        responses={200: EVENTS, **refusals(422, 503)},
        dependencies=SEARCHES,
    )
    async def get_moves(
        request: Request, asked: Asked = Depends(asked_here), limits: Limits = Depends(limits_asked)
    ) -> EventStream:
        chooser, at_once = searchers_of(request).of(game), settings_of(request).workers
        return await stream_events(
            request,
            lambda _: Marking(asked.position, asked.player, chooser, searchers_of(request).marks),
            lambda seat, marking: mark_events(game, seat, marking, limits, at_once),
        )

    @router.get(
        "/reply",
        summary="A move for the player whose turn it is, the best that can be proved",
        responses=refusals(422, 503),
        dependencies=SEARCHES,
    )
    async def get_reply(
        request: Request, asked: Asked = Depends(asked_here), limits: Limits = Depends(limits_asked)
    ) -> Reply:
        searchers = searchers_of(request)

        def work(token: CancelToken) -> Reply:
            chooser, position, begin = searchers.of(game), asked.position, time.monotonic()
            choice = choose_move(position, asked.player, chooser, limits, cancel=token, memory=searchers.marks)
            move, answer = choice.move, choice.answer
            took = time.monotonic() - begin
            return Reply(
                move=None if move is None else str(move),
                squares=[] if move is None else list(position.move_view(move).squares),
                mark=choice.mark,
                words=game.winner_words(answer.winner),
                by=answer.by,
                why=answer.why if answer.winner is not None else looked(took, choice.nodes),
                certificate=answer.certificate,
                nodes=choice.nodes,
                seconds=round(took, 3),
            )

        return await on_worker(request, work)

    @router.get(
        "/solve",
        summary="Who wins, for each player who may begin, with the keys of `zermelo solve --json`",
        description="Boards too large to search here are answered where the rules know them.",
        responses=refusals(422, 503),
        dependencies=SEARCHES,
    )
    async def get_solve(
        request: Request, asked: Asked = Depends(asked_anywhere), limits: Limits = Depends(limits_asked)
    ) -> Solved:
        searchers = searchers_of(request)
        if not fits(game, asked.position.size, settings_of(request)):
            limits = RULES_ONLY

        def work(token: CancelToken) -> Solved:
            first = asked.player if asked.told else None
            result = game.solve(asked.position, first=first, limits=limits, chooser=searchers.of(game), cancel=token)
            return Solved(**game.to_json(result), words=outcome_words(game, result.outcome, result.starts))

        return await on_worker(request, work)

    if game.explanations:

        @router.get(
            "/explain",
            summary="Why: areas over the board, and the reasons in words",
            responses=refusals(422, 503),
            dependencies=SEARCHES,
        )
        async def get_explain(
            request: Request, asked: Asked = Depends(asked_here), options: dict[str, Any] = Depends(told)
        ) -> Overlay:
            def work(token: CancelToken) -> Overlay:
                found = explained(request, game, asked, options["kind"], options, token)
                return Overlay.of(found.areas, found.caption or found.lines, found.words, found.winner)

            return await on_worker(request, work)

    reshaped = getattr(game, "reshaped", None)
    if reshaped is not None:

        @router.get("/reshape", summary="The board with squares taken away or given back", responses=refusals(422))
        async def get_reshape(
            squares: str = Query(max_length=4000, description="Squares as row,column with ; between", examples=["1,1"]),
            asked: Asked = Depends(asked_here),
        ) -> View:
            try:
                position = asked.position
                for square in filter(None, squares.split(";")):
                    row, col = read_square(square)
                    position = reshaped(position, (row, col))
                return View.of(position, asked.player, turn_fixed=asked.turn_fixed)
            except ValueError as error:
                raise bad_question(error) from None

    return router


def read_square(text: str) -> tuple[int, int]:
    """Read a square.

    :raises ValueError: if it is none.
    """
    match = re.fullmatch(r"(\d{1,4}),(\d{1,4})", text)
    if match is None:
        raise ValueError(f"square {text[:20]!r} is not understood: write row,column as 1,2")
    return int(match[1]), int(match[2])


def explained(
    request: Request, game: Game, asked: Asked, kind: str, options: Mapping[str, Any], token: CancelToken
) -> Explanation:
    """Ask for an explanation, within limits."""
    limits = search_limits(settings_of(request))
    limits = limits.with_(seconds=min(limits.seconds or EXPLAIN_SECONDS, EXPLAIN_SECONDS))
    told = {name: value for name, value in options.items() if name != "kind"}
    if any(option.name == TO_MOVE for option in game.explain_options):
        told[TO_MOVE] = asked.player
    return game.explain(asked.position, kind, limits=limits, options=told, cancel=token)


def search_limits(settings: Settings, seconds: float | None = None, nodes: int | None = None) -> Limits:
    """Return what one request may search; who wants to search longer may say so, up to a limit.

    :raises HTTPException: 422 if it is more than this server allows.
    """
    seconds = settings.seconds if seconds is None else seconds
    if seconds > max(settings.seconds, settings.longest_seconds):
        raise bad_question(f"seconds: this server searches for at most {settings.longest_seconds:g} s")
    most = int(settings.nodes * max(1.0, seconds / settings.seconds))
    return Limits(seconds=seconds, nodes=min(nodes or most, most), memory=settings.memory_mib << 20)


Seconds = Annotated[
    float | None, Query(gt=0, le=3600, description="How long to search, where that is not the usual time")
]


async def limits_asked(
    request: Request,
    seconds: Seconds = None,
    nodes: Annotated[int | None, Query(ge=1, le=10**12, description="How many positions a search may enter")] = None,
) -> Limits:
    """Read how long a request wants to search."""
    return search_limits(settings_of(request), seconds, nodes)


def outcome_words(game: Game, outcome: str | None, starts: Mapping[Player, Answer]) -> str:
    """Say an outcome in words; of one starter where the other was not asked."""
    if outcome is not None:
        return game.outcomes.get(outcome, outcome)
    return "; ".join(
        f"{game.winner_words(answer.winner)} when {game.player_names[first]} begins" for first, answer in starts.items()
    )


def choices_of(game: Game) -> dict[str, Option]:
    """Return the options of explanations that the page offers: those with a few choices. Whose turn it is, is asked."""
    found = {option.name: option for option in game.explain_options if option.choices and option.kind == "text"}
    return {name: option for name, option in found.items() if name != TO_MOVE}


def explain_options(game: Game, *, needed: bool = True) -> Callable[..., Awaitable[dict[str, Any]]]:
    """Return the dependency that reads which explanation is wanted, if it must be, and its options."""
    choices = {"kind": tuple(game.explanations)} | {name: one.choices for name, one in choices_of(game).items()}

    async def told(**given: str | None) -> dict[str, Any]:
        for name, value in given.items():
            if value is not None and value not in choices[name]:
                raise bad_question(f"{name}: {value[:40]!r} is not known: {', '.join(choices[name])}")
        return given

    def parameter(name: str, annotation: Any, query: Any) -> inspect.Parameter:
        return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=query)

    enum = {"enum": list(game.explanations)}
    kinds = Query(*([] if needed else [None]), description="What to show", json_schema_extra=enum)
    parameters = [parameter("kind", str if needed else str | None, kinds)]
    for name, option in choices_of(game).items():
        enum = {"enum": list(option.choices)}
        query = Query(option.default, description=option.help, json_schema_extra=enum)
        parameters.append(parameter(name, str | None, query))
    told.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return told


def routers() -> Iterator[APIRouter]:
    """Return the list of games and the routes of each."""
    listing = APIRouter(tags=["Games"])

    @listing.get("/games", summary="The games that are installed, with their rules and words", responses=refusals())
    async def get_games(request: Request) -> list[GameView]:
        return [GameView.of(game, settings_of(request)) for game in games()]

    yield listing
    yield from map(game_router, games())
