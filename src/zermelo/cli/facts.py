"""`zermelo facts`: what this software proved itself about boards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.options import Json, game_with
from zermelo.cli.output import tell

GameName = Annotated[str | None, typer.Option("--game", help="The game. The first that has facts if not given.")]
Facts = Annotated[
    Path | None, typer.Argument(help="File of facts. The shipped ones if not given.", exists=True, dir_okay=False)
]


def facts(path: Facts = None, game: GameName = None, as_json: Json = False) -> None:
    report = game_with(lambda game: game.tables, game)[1].facts(path)
    tell(as_json, report.data, *report.lines)
