"""Options that several commands share, commands that are made for a game, and the parsing of both."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
import typer.core

from zermelo.game import Game, Option, Player, Position, find_game, game_names, games
from zermelo.words import capital

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Threads = Annotated[int, typer.Option(help="Number of threads. They share one table.", min=1, max=256)]
Svg = Annotated[Path | None, typer.Option("--svg", help="Write the picture to this .svg file.", metavar="FILE")]
Png = Annotated[Path | None, typer.Option("--png", help="Write the picture to this .png file.", metavar="FILE")]
SpecWords = Annotated[list[str], typer.Argument(metavar="[GAME] SPEC", help="A position. The game may be left out.")]


def refuse_nan(value: float | None) -> float | None:
    """Refuse nan, which passes every test of a range."""
    if value is not None and math.isnan(value):
        raise typer.BadParameter("nan is not a number of seconds.")
    return value


def time_option(help_text: str, *names: str) -> Any:
    """Return the option of a command that takes seconds."""
    return typer.Option("--time", *names, min=0.001, callback=refuse_nan, help=help_text, metavar="SECONDS")


MOST_NODES = 10**18
TimeLimit = Annotated[float | None, time_option("Give up after this many seconds and answer 'unknown'.")]
NodeLimit = Annotated[
    int | None,
    typer.Option("--nodes", min=1, max=MOST_NODES, help="Give up after this many nodes and answer 'unknown'."),
]


def memory_option(use: str) -> Any:
    """Return the option of a command that uses memory for this; its text goes through :func:`parse_memory`."""
    return typer.Option("--memory", metavar="SIZE", help=f"{use}, such as 512M or 2G. A plain number is MiB.")


Memory = Annotated[str, memory_option("Memory for tables")]

UNITS = {"": 2**20, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
LEAST_MEMORY, MOST_MEMORY = 2**20, 2**40


def parse_memory(text: str) -> int:
    """Return a number of bytes.

    >>> parse_memory("2G") == parse_memory("2048") == 2**31
    True

    :raises ValueError: unless the text is a size from 1M to 1T.
    """
    match = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]{1,6})?)([KMGT]?)(I?B)?", text.strip().upper())
    if match is None:
        raise ValueError(f"memory {text[:20]!r} is not understood: write a size such as 512M or 2G, or a number of MiB")
    size = int(float(match[1]) * UNITS[match[2]])
    if not LEAST_MEMORY <= size <= MOST_MEMORY:
        raise ValueError(f"memory {text[:20]!r} is out of range: from 1M to 1T (a plain number is MiB)")
    return size


def one_of(what: str, text: str, choices: Sequence[str]) -> str:
    """Return the choice that a text names, in upper or lower case.

    >>> one_of("--first", "v", ("V", "H"))
    'V'

    :raises ValueError: if there is no such choice.
    """
    for choice in choices:
        if text.lower() == choice.lower():
            return choice
    raise ValueError(f"{what} {text[:40]!r} is not known: {', '.join(choices)}")


def player_of(game: Game, what: str, text: str | None) -> Player | None:
    """Return the player of a short or long name; None for None.

    :raises ValueError: if there is no such player.
    """
    if text is None:
        return None
    names = {name.lower(): player for player, name in game.player_names.items()}
    return names.get(text.lower()) or one_of(what, text, game.players)


S = TypeVar("S")


def game_with(service: Callable[[Game], S | None], name: str | None = None) -> tuple[Game, S]:
    """Return the game of this name, or the first, that has a service which only some games have; and the service.

    :raises ValueError: if there is none.
    """
    for game in games() if name is None else [find_game(name)]:
        if (found := service(game)) is not None:
            return game, found
    names = ", ".join(game.name for game in games() if service(game) is not None)
    raise ValueError(f"{name or 'no game'} does not offer this; games that do: {names or 'none'}")


def game_and_spec(words: Sequence[str], service: Callable[[Game], S | None]) -> tuple[Game, S, str]:
    """Return the game that ``[GAME] SPEC`` means, its service, and the spec.

    :raises ValueError: if there is none.
    """
    if len(words) not in (1, 2) or (len(words) == 1 and words[0] in game_names()):
        raise ValueError("write SPEC, or GAME SPEC")
    return *game_with(service, words[0] if len(words) == 2 else None), words[-1]


def game_of(spec: str, candidates: Iterable[Game]) -> Game:
    """Return the only game that reads a spec. Games of other packages count only where none of ours reads it.

    :raises ValueError: if no game does, or several do.
    """
    candidates, found, errors = [game for game in candidates if not game.needs_name], list[Game](), list[str]()
    for game in candidates:
        # A game whose positions are words would read any single word.
        if " " in game.examples[0] and " " not in spec and spec not in game.aliases and not Path(spec).is_file():
            continue
        try:
            game.read(spec)
        except ValueError as error:
            errors.append(str(error))
        else:
            found.append(game)
    found = [game for game in found if type(game).__module__.startswith("zermelo.")] or found
    if len(found) > 1:
        names = " and ".join(game.name for game in found)
        raise ValueError(f"{spec[:40]!r} is a position of {names}: write the game first")
    if not found and spec in game_names():
        raise ValueError(f"{spec!r} is a game: write a position after it")
    if not found:
        reads = ", ".join(f"{game.name} reads {game.examples[0]!r}" for game in candidates)
        raise ValueError(errors[0] if len(candidates) == 1 else f"{spec[:40]!r} is no game and no position: {reads}")
    return found[0]


def find_position(words: Sequence[str]) -> Position:
    """Return the position that ``[GAME] SPEC`` means.

    :raises ValueError: if the game cannot read the spec, or not exactly one game can.
    """
    if len(words) == 1:
        return game_of(words[0], games(shelf=False)).read(words[0])
    return find_game(words[0]).read(" ".join(words[1:]))


class GameCommands(typer.core.TyperGroup):
    """One command for each game; a spec without a game means the game that reads it."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        words = list(takewhile(lambda word: not word.startswith("-"), args))
        candidates = [find_game(name) for name in game_names() if name in self.commands]
        if words and words[0] not in (*self.commands, *game_names()):
            named = next((game.name for game in candidates if words[0] in game.aliases), None)
            if named is None:
                args = [game_of(words[0], candidates).name, *args]
            else:  # harary tippy 5x5
                args = [named, " ".join(words), *args[len(words) :]]
        for game in candidates:
            if (
                words == [game.name] and game.name in game.aliases and not {"-h", "--help"} & {*args}
            ):  # its name is that of a start, too
                args = [game.name, *args]
            elif words[:1] == [game.name] and words[1:2] and words[1] in game.aliases:  # the game, then such a name
                args = [game.name, " ".join(words[1:]), *args[len(words) :]]
        return super().resolve_command(ctx, args)


# Commands of a game


def game_command(
    game: Game, body: Callable[..., None], options: Sequence[Option], help_text: str, without: Sequence[str] = ()
) -> Any:
    """Return a command for Typer: ``body(game, spec, ..., options)`` with one parameter for each option of the game.

    :param without: parameters of ``body`` that the command does not take: those with nothing behind them in this game.
    """
    _, spec, *fixed, _ = inspect.signature(body, eval_str=True).parameters.values()
    fixed = [one for one in fixed if one.name not in without]
    about = typer.Argument(help=capital(game.spec_help), metavar="SPEC")
    parameters = [spec.replace(annotation=Annotated[str, about]), *fixed, *map(parameter, options)]
    names = {parameter(option).name: option for option in options}

    def command(**given: Any) -> None:
        chosen = {option.name: typed(option, given.pop(name)) for name, option in names.items()}
        body(game, **given, options={name: value for name, value in chosen.items() if value is not None})

    command.__signature__ = inspect.Signature([p.replace(kind=p.KEYWORD_ONLY) for p in parameters])  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    command.__doc__ = help_text
    return command


def parameter(option: Option) -> inspect.Parameter:
    """Return the parameter of a command that takes a game's option; its default is None."""
    kinds: Mapping[str, Any] = {"text": str | None, "texts": list[str] | None, "number": float | None, "flag": bool}
    choices = f" One of: {', '.join(option.choices)}." if option.choices else ""
    default = "" if option.default in (None, False, ()) else f" If not given: {option.default}."
    info = typer.Option(f"--{option.name}", help=option.help + choices + default)
    name = "option_" + option.name.replace("-", "_")
    value = False if option.kind == "flag" else None
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=value, annotation=Annotated[kinds[option.kind], info]
    )


def typed(option: Option, value: Any) -> Any:
    """Return the value of an option in the form that the game expects; None if the option is not given.

    :raises ValueError: if it is none of the choices.
    """
    if value in (None, [], False):
        return None
    words = [word.strip() for text in value for word in text.split(",")] if option.kind == "texts" else [value]
    if option.choices:
        words = [one_of(f"--{option.name}", word, option.choices) for word in words]
    return tuple(words) if option.kind == "texts" else words[0]
