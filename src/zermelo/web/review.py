"""The review of a game: who was winning after each move, the mistakes, and an explanation of the result."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from fastapi import APIRouter, Query, Request, Response

from zermelo._core import CancelToken
from zermelo.game import DRAW, Game, Limits, Mark, Player
from zermelo.game.marking import WORTH, mark_moves
from zermelo.web.http import EventStream, bad_question, refusals, searching, settings_of, stream_events
from zermelo.web.marks import event_stream
from zermelo.web.pool import BusyError, Seat
from zermelo.web.queries import (
    PositionQuery,
    Seconds,
    explanation_for,
    explanations_of,
    open_position,
    search_limits,
    searchers_of,
)
from zermelo.web.view import Overlay, View

PLACE_SECONDS = 5.0
"""How long each position of the game is searched, if the request does not say."""
EVENTS = event_stream(
    {
        "event": {"enum": ["place", "mistake", "witness", "done"]},
        "ply": {"type": "integer", "description": "How many moves were made before"},
        "winner": {"type": ["string", "null"], "description": "Of a `place`: who wins there, or `draw`"},
        "better": {"type": "array", "items": {"type": "string"}, "description": "Moves that were better"},
        "unknown": {"type": "integer", "description": "Moves that were too hard to judge"},
    }
)


@dataclass(frozen=True)
class Judged:
    """The result of a position, and of each move there, for the player to move."""

    winner: Player | None
    marks: Mapping[str, Mark]


def places_of(game: Game, spec: str, moves: str, first: Player, request: Request) -> list[PositionQuery]:
    """Return every position of a game, from its start to its end.

    :raises HTTPException: 422 if a move is not legal.
    """
    played = [move for move in moves.split(";") if move]
    turns = [first, game.other(first)] * (len(played) // 2 + 1)
    settings = settings_of(request)
    return [open_position(game, spec, ";".join(played[:ply]), turns[ply], settings) for ply in range(len(played) + 1)]


def add_routes(router: APIRouter, game: Game) -> None:
    players: dict[str, Any] = {"enum": list(game.players)}

    @searching(
        router,
        "/review",
        "A game reviewed: who was winning, where it turned, and why",
        description=(
            "Server-sent events. A `place` says who wins after `ply` moves; a `mistake` names better moves than "
            "the one that was made; a `witness` explains the result, with a view and areas over it; `done` comes last."
        ),
        response_class=Response,
        responses={200: EVENTS, **refusals(422)},
    )
    async def get_review(
        request: Request,
        spec: str = Query(max_length=4000, description="The start of the game", examples=[game.examples[0]]),
        moves: str = Query("", max_length=4000, description="The moves of the game, with ; between"),
        first: str = Query(game.players[0], description="Who began", json_schema_extra=players),
        of: str | None = Query(None, description="Whose moves; both if left out", json_schema_extra=players),
        seconds: Seconds = None,
    ) -> EventStream:
        for name, player in (("first", first), ("of", of)):
            if player is not None and player not in game.players:
                raise bad_question(f"{name}: {player[:40]!r} is not a player: {' or '.join(game.players)}")
        settings = settings_of(request)
        limits = search_limits(settings, seconds or min(PLACE_SECONDS, settings.seconds))
        return await stream_events(
            request,
            lambda _: places_of(game, spec, moves, first, request),
            lambda seat, places: review_events(request, game, seat, places, of, limits),
        )


async def review_events(
    request: Request, game: Game, seat: Seat, places: Sequence[PositionQuery], of: Player | None, limits: Limits
) -> AsyncIterator[Mapping[str, Any]]:
    """Yield the events of the review; each position is judged within the limits."""
    searchers = searchers_of(request)
    end, last, unknown = places[-1], -1, 0
    winner = end.position.decided(end.player)
    for ply, (place, after) in enumerate(pairwise(places)):
        asked = of in (None, place.player)
        if ply and not asked:
            continue

        def judge(token: CancelToken, place: PositionQuery = place) -> Judged:
            result, marks = None, dict[str, Mark]()
            found_marks = mark_moves(
                place.position, place.player, searchers.of(game), limits.with_(cancel=token), memory=searchers.marks
            )
            for found in found_marks:
                marks.update((str(move), found.mark) for move in found.moves)
                result = found.answer.winner if not found.moves else result
            return Judged(result, marks)

        try:
            judged = await seat.run(judge)
        except BusyError:  # no worker was free in time
            unknown += asked
            continue
        if judged is None:
            return
        yield {"event": "place", "ply": ply, "winner": judged.winner}
        move = next(name for name in judged.marks if place.position.after(name) == after.position)
        played, best = judged.marks[move], max(judged.marks.values(), key=WORTH.__getitem__)
        results = {"win": place.player, "loss": game.other(place.player), "draw": DRAW, "unknown": None}
        yield {"event": "place", "ply": ply + 1, "winner": results[played]}
        if not asked:  # the start, for the course of the game
            continue
        unknown += played == "unknown"
        if played != "unknown" and WORTH[best] > WORTH[played] and best != "unknown":
            better = [name for name in map(str, place.position.moves(place.player)) if judged.marks[name] == best]
            yield {"event": "mistake", "ply": ply, "player": place.player, "better": better, "mark": best}
            last = ply if place.player != winner else last
    if winner is not None:
        yield {"event": "place", "ply": len(places) - 1, "winner": winner}
        with suppress(BusyError):
            if shown := await seat.run(lambda token: witness(request, game, places, last + 1, winner, token)):
                yield shown
    yield {"event": "done", "unknown": unknown}


def witness(
    request: Request, game: Game, places: Sequence[PositionQuery], begin: int, winner: Player, token: CancelToken
) -> Mapping[str, Any] | None:
    """Return the first explanation, from a place on, that proves the result; None if there is none."""
    for ply, place in list(enumerate(places))[begin:]:
        for label, options in explanations_of(game):
            try:
                found = explanation_for(request, game, place, options["kind"], options, token)
            except ValueError:
                continue  # there is no explanation here
            if found.winner == winner and found.areas:
                view = asdict(View.of(place.position, place.player))
                overlay = Overlay.of(found.areas, found.caption or found.lines, found.words, found.winner)
                return {"event": "witness", "ply": ply, "label": label, "view": view, "overlay": overlay.model_dump()}
    return None
