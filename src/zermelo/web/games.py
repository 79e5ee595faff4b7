"""Routes for playing and analysing, for every installed game."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import ConfigDict

from zermelo._core import CancelToken
from zermelo.game import Answer, Game, Limit, Limits, Player, games
from zermelo.game.distance import Distance
from zermelo.game.marking import Marking, choose_move
from zermelo.web.http import EventStream, bad_question, on_worker, refusals, searching, settings_of, stream_events
from zermelo.web.manual import documentation
from zermelo.web.marks import EVENTS, mark_events, unknown_after
from zermelo.web.queries import (
    REGIONS,
    SIDE,
    PositionQuery,
    explain_options,
    explanation_for,
    explanations_of,
    fits,
    limits_query,
    position_query,
    read_square,
    search_limits,
    searchers_of,
)
from zermelo.web.settings import Settings
from zermelo.web.view import Model, Overlay, Reply, View

router = APIRouter(tags=["Games"])

RULES_ONLY = Limits(seconds=2.0, nodes=1)
"""Limits for boards that are too large to search here: rules, facts and bounds still answer."""


class OverlayView(Model):
    """An explanation over the board."""

    name: str
    label: str
    query: dict[str, str]
    """The parameters of `explain` and `picture` that ask for it."""


COMMON = {
    "winning, losing": "A winning move lets you force a win, whatever the other side does. A losing move lets the "
    "other side force a win.",
    "proved by search": "A program has searched all continuations of the game, or enough of them to be certain.",
    "shipped fact": "A result that was proved before and comes with the program. Its certificate, if there is one, was "
    "verified.",
    "certificate": "A file with an answer to every move of the loser. A second, independent program checks it.",
    "guess": "A move that looks good, without a proof.",
    "last, lasts longest": "The number beside a mark: after so many moves of both sides the game is over, if the "
    "winner hurries and the loser holds out.",
}
"""Words of the page, for every game."""


class GameView(Model):
    """An installed game: its texts, and the questions that it answers."""

    name: str
    title: str
    players: dict[str, str]
    """Short and full names; the player who usually begins comes first."""
    rules: str
    spec_help: str
    examples: list[str]
    famous: dict[str, str]
    """Specs of starts that people know as games of their own, by name."""
    rules_example: str
    """The spec of the picture beside the rules."""
    outcomes: dict[str, str]
    outcome_labels: dict[str, str]
    """The character of each outcome in a table."""
    glossary: dict[str, str]
    """Explanations of words in the answers."""
    shapes: dict[str, str]
    """Specs of interesting starts, by name."""
    theory: dict[str, str]
    """Pages of the documentation, with their titles."""
    either_begins: bool
    """Whether a start leaves open who begins."""
    draws: bool
    """Whether a game can end in a draw."""
    overlays: list[OverlayView]
    """The explanations that can be shown over the board."""
    services: list[str]
    """Services that only some games have: `table`, `derive`, `regions`, `reshaped`, `prove`."""
    tables: dict[str, str]
    """The kinds of tables, with their titles."""
    squares: int
    """Squares of the largest board that is shown and searched here."""
    side: int
    """The longest side of such a board."""
    seconds: float
    """How long a request searches if it does not say so."""
    longest_seconds: float
    """The longest search that a request may ask for."""

    @classmethod
    def of(cls, game: Game, settings: Settings) -> GameView:
        words = ("name", "title", "rules", "spec_help", "examples", "famous", "outcomes", "outcome_labels", "shapes")
        offered = {"table": game.tables, "derive": game.tables, "regions": game.values, "reshaped": game.reshapes}
        offered["prove"] = game.has_certificates
        return cls(
            **{key: getattr(game, key) for key in words},
            glossary={**game.glossary, **COMMON},
            players={player: game.player_names[player] for player in game.players},
            rules_example=game.rules_example or game.examples[0],
            theory=dict(game.theory) if documentation() else {},
            either_begins=game.parse(game.examples[0]).to_move is None,
            draws="draw" in game.outcomes,
            overlays=[
                OverlayView(name="-".join(query.values()), label=label, query=query)
                for label, query in (
                    *explanations_of(game),
                    *([("Components and their values", {"kind": REGIONS})] if game.values else []),
                )
            ],
            tables=dict(game.tables.kinds) if game.tables else {},
            squares=game.largest_page_board,
            side=SIDE,
            seconds=settings.seconds,
            longest_seconds=max(settings.seconds, settings.longest_seconds),
            services=[name for name, found in offered.items() if found],
        )


class Distances(Model):
    """How good moves are: in how many moves the game is over if both players play well from there."""

    moves: dict[str, Distance]


class Start(Model):
    """Who wins when one player begins; games add keys of their own."""

    model_config = ConfigDict(extra="allow")

    winner: str | None
    by: str
    limit: Limit | None
    """The limit that ended the search, if the winner is not known."""
    why: str
    nodes: int
    seconds: float


class Solved(Model):
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


@router.get("/games", summary="The installed games, with their rules and words", responses=refusals())
async def get_games(request: Request) -> list[GameView]:
    return [GameView.of(game, settings_of(request)) for game in games()]


def add_routes(router: APIRouter, game: Game) -> None:
    query_here, query_anywhere = position_query(game), position_query(game, any_size=True)
    options_query = explain_options(game)

    @router.get("/position", summary="A position and its legal moves", responses=refusals(422))
    async def get_position(query: PositionQuery = Depends(query_here)) -> View:
        return View.of(query.position, query.player, turn_fixed=query.turn_fixed)

    @searching(
        router,
        "/moves",
        "Every legal move, marked as winning, drawing or losing as it is found",
        description=(
            "Server-sent events. Each `move` event holds moves and their mark (`win`, `draw`, `loss`, or `unknown` "
            "if a limit was reached); `outcome` holds the result of the position and its source; `done` comes last and "
            "counts the marks."
        ),
        response_class=Response,
        responses={200: EVENTS, **refusals(422)},
    )
    async def get_moves(
        request: Request, query: PositionQuery = Depends(query_here), limits: Limits = Depends(limits_query)
    ) -> EventStream:
        chooser, at_once = searchers_of(request).of(game), settings_of(request).workers
        return await stream_events(
            request,
            lambda _: Marking(query.position, query.player, chooser, limits, searchers_of(request).marks),
            lambda seat, marking: mark_events(game, seat, marking, at_once),
        )

    @searching(router, "/reply", "A move for the player whose turn it is, the best that can be proved")
    async def get_reply(
        request: Request, query: PositionQuery = Depends(query_here), limits: Limits = Depends(limits_query)
    ) -> Reply:
        searchers = searchers_of(request)

        def work(token: CancelToken) -> Reply:
            chooser, position, begin = searchers.of(game), query.position, time.monotonic()
            choice = choose_move(position, query.player, chooser, limits.with_(cancel=token), memory=searchers.marks)
            move, answer = choice.move, choice.answer
            took = time.monotonic() - begin
            return Reply(
                move=None if move is None else str(move),
                squares=[] if move is None else list(position.move_view(move).squares),
                mark=choice.mark,
                words=game.winner_words(answer.winner),
                by=answer.by,
                why=answer.why if answer.winner is not None else unknown_after(took, choice.nodes, answer),
                certificate=answer.certificate,
                nodes=choice.nodes,
                seconds=round(took, 3),
            )

        return await on_worker(request, work)

    @searching(router, "/distances", "In how many moves the game is over, for each move whose result was found before")
    async def get_distances(request: Request, query: PositionQuery = Depends(query_here)) -> Distances:
        searchers, limits = searchers_of(request), search_limits(settings_of(request))

        def work(token: CancelToken) -> Distances:
            within = limits.with_(nodes=None, cancel=token)
            known = Marking(query.position, query.player, searchers.of(game), within, searchers.marks).known()
            winners = {
                move: query.player if found.mark == "win" else game.other(query.player)
                for found in known
                for move in found.moves
                if found.mark in ("win", "loss")
            }
            found = game.distances(query.position, query.player, winners, within)
            return Distances(moves={str(move): distance for move, distance in found.items()})

        return await on_worker(request, work)

    @searching(
        router,
        "/solve",
        "Who wins, for each player who may begin, with the keys of `zermelo solve --json`",
        description="Of boards that are too large to search here, the answer comes from the rules.",
    )
    async def get_solve(
        request: Request, query: PositionQuery = Depends(query_anywhere), limits: Limits = Depends(limits_query)
    ) -> Solved:
        searchers = searchers_of(request)
        searched = fits(game, query.position.size)

        def work(token: CancelToken) -> Solved:
            first, within = query.player if query.turn_given else None, limits if searched else RULES_ONLY
            result = game.solve(
                query.position, first=first, limits=within.with_(cancel=token), chooser=searchers.of(game)
            )
            if not searched:
                result = replace(result, starts={player: not_searched(one) for player, one in result.starts.items()})
            return Solved(**game.to_json(result), words=outcome_words(game, result.outcome, result.starts))

        return await on_worker(request, work)

    if game.explanations:

        @searching(router, "/explain", "Why: areas over the board, and the reasons in words")
        async def get_explain(
            request: Request,
            query: PositionQuery = Depends(query_here),
            options: dict[str, Any] = Depends(options_query),
        ) -> Overlay:
            def work(token: CancelToken) -> Overlay:
                found = explanation_for(request, game, query, options["kind"], options, token)
                return Overlay.of(found.areas, found.caption or found.lines, found.words, found.winner)

            return await on_worker(request, work)

    if game.reshapes:

        @router.get("/reshape", summary="The board with squares taken away or given back", responses=refusals(422))
        async def get_reshape(
            squares: str = Query(max_length=4000, description="Squares as row,column with ; between", examples=["1,1"]),
            query: PositionQuery = Depends(query_here),
        ) -> View:
            try:
                position = query.position
                for square in filter(None, squares.split(";")):
                    row, col = read_square(square)
                    position = game.reshaped(position, (row, col))
                return View.of(position, query.player, turn_fixed=query.turn_fixed)
            except ValueError as error:
                raise bad_question(error) from None


def not_searched(answer: Answer) -> Answer:
    """Explain an unknown result of a board that is too large to search here, with the remark of the rules."""
    if answer.limit in (None, "size"):
        return answer
    why = "; ".join(filter(None, ("unknown: the board is too large to search here", answer.remark)))
    return replace(answer, why=why, limit="size")


def outcome_words(game: Game, outcome: str | None, starts: Mapping[Player, Answer]) -> str:
    """Return an outcome in words, or the winner for each starter that was searched."""
    if outcome is not None:
        return game.outcomes.get(outcome, outcome)
    return "; ".join(
        f"{game.winner_words(answer.winner)} when {game.player_names[first]} begins" for first, answer in starts.items()
    )
