"""`zermelo draw`: a picture of a position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.options import Json
from zermelo.cli.output import print_json


def draw(
    spec: Annotated[str, typer.Argument(help="A position: 8x8:V1,2;H3,4 or ..#./.... or, m,n,k, 7,7,5:d4,c3.")],
    file: Annotated[Path, typer.Argument(help="The .svg or .png file to write.")],
    as_json: Json = False,
) -> None:
    """Draw a position of Domineering or of an m,n,k game."""
    from zermelo.draw import write_picture

    if spec[:1].isdigit() and "," in spec.partition(":")[0]:
        from zermelo.positional import MnkGame

        picture = MnkGame.from_text(spec)._repr_svg_()
    else:
        from zermelo.domineering.picture import spec_svg

        picture = spec_svg(spec)
    write_picture(file, picture)
    if as_json:
        print_json({"file": str(file)})
    else:
        print(file)
