"""`zermelo draw SPEC FILE`: a picture of a position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.options import Json, find_position
from zermelo.cli.output import tell
from zermelo.draw import write_picture


def draw(
    words: Annotated[list[str], typer.Argument(metavar="[GAME] SPEC FILE", help="A position, and the file to write.")],
    as_json: Json = False,
) -> None:
    if len(words) < 2:
        raise ValueError("write SPEC FILE, or GAME SPEC FILE")
    *spec, file = words
    position = find_position(spec)
    write_picture(Path(file), position.svg())
    tell(as_json, {"file": file, "game": position.game.name, "spec": position.text}, file)
