"""Parameters of requests: a position and the player on turn, limits, an explanation and its options."""

from __future__ import annotations

import inspect
import re
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import isqrt
from typing import Annotated, Any

from fastapi import Query, Request

from zermelo._core import CancelToken
from zermelo.draw import Area, svg
from zermelo.game import Chooser, Explanation, Game, Limits, Option, Player, Position
from zermelo.game.marking import Memory
from zermelo.running import Cache
from zermelo.web.http import bad_question, settings_of
from zermelo.web.settings import Settings
from zermelo.words import letters

EXPLAIN_SECONDS = 5.0
SIDE = 40
"""The longest side of a board that may be searched."""
NODES = 200_000_000
"""Positions that one search may enter in the usual time; a longer search may enter more."""
REGIONS = "components"
"""The explanation that games with values have besides their own."""
TO_MOVE = "to-move"
"""The option of explanations that names the player on turn; the route has its own parameter for it."""


CHOOSERS = 8
"""Games whose tables are kept; those of the game that was asked about longest ago go first."""


class Searchers:
    """One chooser for each game, with tables that all visitors share."""

    def __init__(self, settings: Settings) -> None:
        self._memory = settings.memory_mib << 20
        self._choosers = Cache[str, Chooser](CHOOSERS)
        self._lock = threading.Lock()
        self.marks = Memory()

    def of(self, game: Game) -> Chooser:
        with self._lock:
            chooser = self._choosers.get(game.name)
            if chooser is None:
                chooser = game.chooser(Limits(memory=self._memory))
                self._choosers.put(game.name, chooser)
            return chooser


def searchers_of(request: Request) -> Searchers:
    searchers: Searchers = request.app.state.searchers
    return searchers


@dataclass(frozen=True)
class PositionQuery:
    """The position of a request, and the player on turn."""

    position: Position
    player: Player
    turn_fixed: bool
    """Whether the spec says whose turn it is."""
    turn_given: bool = True
    """Whether the request says whose turn it is; if not, ``solve`` answers for each player who may begin."""


def fits(game: Game, size: tuple[int, int]) -> bool:
    """Whether this server shows and searches a board."""
    return max(size) <= SIDE and size[0] * size[1] <= game.largest_page_board


def open_position(
    game: Game, spec: str, moves: str, to_move: Player | None, settings: Settings, *, any_size: bool = False
) -> PositionQuery:
    """Read a spec and the moves since; refuse boards that are too large to search here.

    :raises HTTPException: 422 with a sentence.
    """
    try:
        position = game.parse(spec)
        played = [move for move in moves.split(";") if move]
        rows, cols = position.size
        small = fits(game, (rows, cols))
        if not small and (played or not any_size):
            most, side = game.largest_page_board, isqrt(game.largest_page_board)
            raise ValueError(
                f"A board of {rows}x{cols} is too large to search here: at most {most} squares "
                f"(such as {side}x{side}) and sides up to {SIDE}."
            )
        turn_fixed = position.to_move is not None
        player = position.to_move or (mover_after(position) if small else game.players[0])
        if to_move is not None:
            starter = game.other(to_move) if len(played) % 2 else to_move
            if position.to_move is None:
                player = starter
        turn_given = to_move is not None or bool(played)
        if turn_given or not any_size:  # if not, both players are answered
            position = position.turn_of(player)
        for move in played:
            text = move.removeprefix(f"{player} ")  # answers name moves so if either player may begin
            if text not in map(str, position.moves(player)):
                raise ValueError(f"move {text[:40]!r} is not legal for {player} here")
            position = position.after(text)
            player = position.player_after(player)
        if to_move not in (None, player):
            raise ValueError(f"it is the turn of {player} in {position.text[:60]}, not of {to_move}")
        return PositionQuery(position, player, turn_fixed, turn_given)
    except ValueError as error:
        raise bad_question(error) from None


def mover_after(position: Position) -> Player:
    """Return the player on turn after the last move on the board; the first player if there is none."""
    last = next((piece.player for piece in position.view().pieces if piece.last), None)
    return position.game.players[0] if last is None else position.game.other(last)


def position_query(game: Game, *, any_size: bool = False) -> Callable[..., Awaitable[PositionQuery]]:
    """Return the dependency that reads a request's position; each game documents its own specs."""

    async def read(
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
    ) -> PositionQuery:
        if to_move is not None and to_move not in game.players:
            names = " or ".join(f"'{player}'" for player in game.players)
            raise bad_question(f"to_move: input should be {names}")
        return open_position(game, spec, moves, to_move, settings_of(request), any_size=any_size)

    return read


def read_square(text: str) -> tuple[int, int]:
    """Read a square.

    :raises ValueError: if it is none.
    """
    match = re.fullmatch(r"(\d{1,4}),(\d{1,4})", text)
    if match is None:
        raise ValueError(f"square {text[:20]!r} is not understood: write row,column as 1,2")
    return int(match[1]), int(match[2])


def explanation_for(
    request: Request, game: Game, query: PositionQuery, kind: str, options: Mapping[str, Any], token: CancelToken
) -> Explanation:
    """Explain a position within limits."""
    limits = search_limits(settings_of(request))
    limits = limits.with_(seconds=min(limits.seconds or EXPLAIN_SECONDS, EXPLAIN_SECONDS))
    if kind == REGIONS:
        return explain_regions(game, query, token)
    given = {name: value for name, value in options.items() if name != "kind"}
    if any(option.name == TO_MOVE for option in game.explain_options):
        given[TO_MOVE] = query.player
    return game.explain(query.position, kind, limits=limits.with_(cancel=token), options=given)


def explain_regions(game: Game, query: PositionQuery, token: CancelToken) -> Explanation:
    """Show the regions in which the game goes on by itself, with their values."""
    assert game.values is not None
    found, areas, lines = game.values.regions(query.position, token), list[Area](), list[str]()
    for number, one in enumerate(found.regions):
        name = letters(number)
        areas.append(Area(one.squares, name, svg.CYCLE[number % len(svg.CYCLE)]))
        value = f"{one.value}; mean {one.mean}, temperature {one.temperature}"
        lines.append(f"{name} = {'too large to work out here' if one.value is None else value}")
    if found.sum is not None:
        lines.append(f"Sum: {found.sum} ({game.player_names[game.players[0]]} counts as positive).")
    return Explanation(tuple(lines), tuple(lines), tuple(areas), query.position.view(), players=game.players)


def search_limits(settings: Settings, seconds: float | None = None, nodes: int | None = None) -> Limits:
    """Return the limits of a search; a request may ask for more seconds than usual, up to a limit.

    :raises HTTPException: 422 if it is more than this server allows.
    """
    seconds = settings.seconds if seconds is None else seconds
    longest = max(settings.seconds, settings.longest_seconds)
    if seconds > longest:
        raise bad_question(f"seconds: this server searches for at most {longest:g} s")
    most = int(NODES * max(1.0, seconds / settings.seconds))
    return Limits(seconds=seconds, nodes=min(nodes or most, most), memory=settings.memory_mib << 20)


Seconds = Annotated[float | None, Query(gt=0, le=3600, description="How long to search, if not the usual time")]


async def limits_query(
    request: Request,
    seconds: Seconds = None,
    nodes: Annotated[int | None, Query(ge=1, le=10**12, description="How many positions a search may enter")] = None,
) -> Limits:
    """Read the limits of a request."""
    return search_limits(settings_of(request), seconds, nodes)


def choices_of(game: Game) -> dict[str, Option]:
    """Return the options of explanations that the page offers: those with a few choices, but not the player on turn."""
    found = {option.name: option for option in game.explain_options if option.choices and option.kind == "text"}
    return {name: option for name, option in found.items() if name != TO_MOVE}


def explanations_of(game: Game) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the explanations of a game with every choice of their options: a label and the query."""
    options = [(name, option.choices) for name, option in choices_of(game).items() if option.default is not None]
    for kind, label in game.explanations.items():
        for chosen in product(*(choices for _, choices in options)):
            given = dict(zip((name for name, _ in options), chosen, strict=True))
            names = [game.player_names.get(choice, choice) for choice in chosen]
            yield ": ".join([label, *names]), {"kind": kind, **given}


def explain_options(game: Game, *, needed: bool = True) -> Callable[..., Awaitable[dict[str, Any]]]:
    """Return the dependency that reads the kind of an explanation (it may be missing unless ``needed``) and options."""
    kinds = (*game.explanations, *([REGIONS] if game.values else []))
    choices = {"kind": kinds} | {name: one.choices for name, one in choices_of(game).items()}

    async def read(**given: str | None) -> dict[str, Any]:
        for name, value in given.items():
            if value is not None and value not in choices[name]:
                raise bad_question(f"{name}: {value[:40]!r} is not known: {', '.join(choices[name])}")
        return given

    def parameter(name: str, annotation: Any, query: Any) -> inspect.Parameter:
        return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=query)

    about = Query(*([] if needed else [None]), description="What to show", json_schema_extra={"enum": list(kinds)})
    parameters = [parameter("kind", str if needed else str | None, about)]
    for name, option in choices_of(game).items():
        enum = {"enum": list(option.choices)}
        query = Query(option.default, description=option.help, json_schema_extra=enum)
        parameters.append(parameter(name, str | None, query))
    read.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return read
