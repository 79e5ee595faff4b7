"""`zermelo table`, `why` and `facts`: who wins on boards of any size by rules, why, and on which facts that rests."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.options import Json, SpecWords, game_and_spec, game_with
from zermelo.cli.output import LIMIT, print_json, tell
from zermelo.draw import write_picture

GameName = Annotated[str | None, typer.Option("--game", help="The game. The first that has facts if not given.")]
Facts = Annotated[
    Path | None, typer.Argument(help="File of facts. The shipped ones if not given.", exists=True, dir_okay=False)
]
Words = Annotated[list[str] | None, typer.Argument(metavar="[GAME] [SPEC]", help="Largest board. If not given, 33x33.")]


def table(
    words: Words = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print one line a board.")] = False,
    picture: Annotated[Path | None, typer.Option(help="Write an .svg or .png file.", metavar="FILE")] = None,
    facts: Annotated[Path | None, typer.Option(help="Take the facts from this file.", metavar="FILE")] = None,
    as_json: Json = False,
) -> None:
    if csv and as_json:
        raise ValueError("--csv and --json exclude each other")
    game, tables, spec = game_and_spec(words or ["33x33"], lambda game: game.tables)
    report = tables.report(spec, facts)
    if picture is not None and report.picture is not None:
        write_picture(picture, report.picture())
    if as_json:
        print_json({"game": game.name, **report.data})
    elif csv and report.csv is not None:
        print(report.csv(), end="")
    elif picture is None:
        print("\n".join(report.lines))


def why(words: SpecWords, as_json: Json = False) -> None:
    game, tables, spec = game_and_spec(words, lambda game: game.tables)
    found = tables.derive(spec)
    tell(as_json, {"game": game.name, **found.data}, *found.text)
    if found.data["outcome"] == "unknown":
        raise typer.Exit(LIMIT)


def facts(path: Facts = None, game: GameName = None, as_json: Json = False) -> None:
    report = game_with(lambda game: game.tables, game)[1].facts(path)
    tell(as_json, report.data, *report.lines)
