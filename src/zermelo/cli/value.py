"""`zermelo value`: the value of a Domineering position or of a typed game."""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo import __version__
from zermelo.cli import verbs
from zermelo.cli.options import Json, memory_option, parse_memory
from zermelo.cli.output import LIMIT, print_error, print_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo.cgt import Game, Thermograph

Svg = Annotated[Path | None, typer.Option("--svg", help="Draw the thermograph as SVG.")]
Png = Annotated[Path | None, typer.Option("--png", help="Draw the thermograph as PNG.")]
Seconds = Annotated[float | None, typer.Option("--time", min=0.001, help="Limit in seconds.")]
Memory = Annotated[str, memory_option("Limit of memory")]

LONGEST_LINE = 2000
MEANINGS = {"V": "Left (V) wins", "H": "Right (H) wins", "1": "who starts, wins", "2": "who starts, loses"}


def add_command(name: str, help_text: str, spec_help: str, compute: Callable[[str], Game]) -> None:
    """Add a command that computes a value within its limits and prints everything known about it."""

    @verbs.value.command(name, help=help_text)
    def command(
        spec: str = typer.Argument(help=spec_help),
        json: Json = False,
        svg: Svg = None,
        png: Png = None,
        seconds: Seconds = None,
        memory: Memory = "2G",
    ) -> None:
        from zermelo.cgt import LimitReached, limits
        from zermelo.cgt.game import DEFAULT_SECONDS

        begin = time.monotonic()
        try:
            with (
                limits(seconds=seconds or DEFAULT_SECONDS, memory=parse_memory(memory)),
                warnings.catch_warnings(record=True) as notes,
            ):
                value = compute(spec)
                graph = value.thermograph
                canonical = value.text()
        except LimitReached as limit:
            if json:
                print_json(
                    {"game": name, "spec": spec, "outcome": "unknown", "canonical": None, "limit": str(limit)}
                )  # fmt: skip
            else:
                print_error(f"{spec}: {limit}")
            raise typer.Exit(LIMIT) from None
        for note in notes:
            print_error(str(note.message))
        for path in (svg, png):
            if path is not None:
                from zermelo.draw import write_picture

                write_picture(path, graph._repr_svg_())
        facts = {"game": name, "spec": spec, "canonical": canonical, **about(value, graph)}
        if json:
            seconds_taken = round(time.monotonic() - begin, 6)
            print_json({**facts, "seconds": seconds_taken, "version": __version__})
        else:
            print_facts(facts)


def about(value: Game, graph: Thermograph) -> dict[str, Any]:
    """Return what is printed of a game besides its form."""
    return {
        "outcome": value.outcome,
        "left_stop": str(value.left_stop),
        "right_stop": str(value.right_stop),
        "mean": str(graph.mean),
        "temperature": str(graph.temperature),
        "thermograph": graph.to_json(),
        "birthday": value.birthday,
    }


def print_facts(facts: dict[str, Any]) -> None:
    """Print the facts in words."""
    canonical = facts["canonical"]
    if len(canonical) > LONGEST_LINE:
        canonical = f"{canonical[:200]}... ({len(canonical)} characters; --json prints them all)"
    print(f"{facts['spec']} = {canonical}")
    print(f"outcome      {facts['outcome']} ({MEANINGS[facts['outcome']]})")
    print(f"stops        {facts['left_stop']} when Left starts, {facts['right_stop']} when Right starts")
    print(f"mean         {facts['mean']}")
    print(f"temperature  {facts['temperature']}")


def of_position(spec: str) -> Game:
    from zermelo.cgt import domineering_value

    return domineering_value(spec)


def of_text(text: str) -> Game:
    from zermelo.cgt import Game

    return Game(text)


add_command(
    "domineering",
    "Value of a Domineering position; V is Left and positive.",
    "A board: 2x4, torus:3x4, ..#./.... or 4x4:V1,2",
    of_position,
)
add_command(
    "game", "Value of a game typed in CGSuite-like notation.", "A game: {2|0||-1/2|-2}, +-1, ^*, 3.(1/2 + *2)", of_text
)


@verbs.value.command("build-db")
def build_db(
    squares: Annotated[int, typer.Option(min=2, max=18, help="Largest shapes to value.")] = 12,
    file: Annotated[Path | None, typer.Option("--file", help="Default: in the cache folder.")] = None,
    json: Json = False,
    seconds: Seconds = None,
    memory: Memory = "2G",
) -> None:
    """Build the file of values of all small positions. Or extend it; `value` then uses it."""
    import sys

    from zermelo.cgt import DatabaseError, LimitReached, build_database
    from zermelo.cgt.database import default_path
    from zermelo.cgt.game import DEFAULT_SECONDS

    path = file if file is not None else default_path()
    shows = sys.stderr.isatty() and not json
    try:
        report = build_database(
            squares,
            path,
            seconds=seconds or DEFAULT_SECONDS,
            memory=parse_memory(memory),
            on_progress=(
                lambda at: print(f"\r{at.squares} squares: {at.done} of {at.shapes} shapes ", end="", file=sys.stderr)
            )
            if shows
            else None,
        )
    except LimitReached as limit:
        print_error(f"{path}: {limit}; the square counts finished so far are kept")
        raise typer.Exit(LIMIT) from None
    except DatabaseError as error:
        raise OSError(str(error)) from None
    finally:
        if shows:
            print(file=sys.stderr)
    if json:
        print_json(
            {
                "file": str(path),
                "squares": report.squares,
                "shapes": report.shapes,
                "games": report.games,
                "bytes": report.bytes,
                "resumed_from": report.resumed_from,
            }
        )
    else:
        print(
            f"{path}: {report.shapes} shapes of up to {report.squares} squares, "
            f"{report.games} values, {report.bytes} bytes"
        )
