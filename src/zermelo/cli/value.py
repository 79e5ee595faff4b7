"""`zermelo value`: the value of a position of a game that has them, or of a game that is typed."""

from __future__ import annotations

import time as clock
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo import __version__
from zermelo.cgt import DatabaseError, LimitReached, Value, limits
from zermelo.cgt.value import DEFAULT_SECONDS
from zermelo.cli.options import Json, Png, Svg, TimeLimit, game_with, memory_option, parse_memory
from zermelo.cli.output import LIMIT, counted, print_error, print_json, table_lines, tell, terminal_line
from zermelo.cli.solve import examples
from zermelo.draw import write_picture
from zermelo.files import NO_CACHE
from zermelo.game import Game
from zermelo.words import capital

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

GameMemory = Annotated[str, memory_option("Give up beyond this much memory")]

LONGEST_LINE = 2000


def add_value(group: typer.Typer, game: Game) -> None:
    """Add the game's `value`, where it has one."""
    values = game.values
    if values is not None:
        about = f"{capital(game.title)}: the value of a position. {values.help}"
        shown = examples("value", game, values.examples)
        add_command(
            group, game.name, about, game.spec_help, lambda spec: values.value(game.parse(spec)), shown, game.players
        )


def add_typed(group: typer.Typer) -> None:
    """Add the value of a game that is typed."""
    about = "Value of a game typed in CGSuite-like notation. 1 + -1 is 0, 1 + +-1 is {2|0}; 1+-1 is refused."
    add_command(group, "game", about, "a game: {2|0||-1/2|-2}, +-(1,^), ^[2]*, 3.(1/2 + tiny(2))", Value)


def add_command(
    group: typer.Typer,
    name: str,
    help_text: str,
    spec_help: str,
    compute: Callable[[str], Value],
    epilog: str = "",
    players: Sequence[str] = (),
) -> None:
    """Add a command that computes a value within its limits and prints everything known about it.

    ``players`` are the game's Left and Right, by whom it names outcomes; a game that is typed has only those words.
    """

    @group.command(name, help=help_text, epilog=epilog)
    def command(
        spec: str = typer.Argument(help=capital(spec_help), metavar="SPEC"),
        svg: Svg = None,
        png: Png = None,
        time: TimeLimit = None,
        memory: GameMemory = "2G",
        as_json: Json = False,
    ) -> None:
        begin = clock.monotonic()
        try:
            with (
                limits(seconds=time or DEFAULT_SECONDS, memory=parse_memory(memory)),
                warnings.catch_warnings(record=True) as notes,
            ):
                value = compute(spec)
                graph = value.thermograph
                canonical = value.text()
        except LimitReached as limit:
            raise unknown(as_json, spec, str(limit), game=name, spec=spec, canonical=None) from None
        for note in notes:
            print_error(str(note.message))
        for path in filter(None, (svg, png)):
            write_picture(path, graph._repr_svg_())
        names = dict(zip(("Left", "Right"), players, strict=False))
        winner = f"{value.outcome} ({names[value.outcome]})" if value.outcome in names else value.outcome
        means = f"{winner} wins, whoever starts" if value.outcome in ("Left", "Right") else f"the {winner} player wins"
        short = canonical
        if len(canonical) > LONGEST_LINE:
            short = f"{canonical[:200]}... ({len(canonical):,} characters; --json prints them all)"
        data = {
            "game": name,
            "spec": spec,
            "canonical": canonical,
            "outcome": names.get(value.outcome, value.outcome),
            "left_stop": str(value.left_stop),
            "right_stop": str(value.right_stop),
            "mean": str(graph.mean),
            "temperature": str(graph.temperature),
            "thermograph": graph.to_json(),
            "birthday": value.birthday,
            "seconds": round(clock.monotonic() - begin, 6),
            "version": __version__,
        }
        tell(
            as_json,
            data,
            f"{spec} = {short}",
            f"outcome      {means}",
            f"stops        {value.left_stop} when Left starts, {value.right_stop} when Right starts",
            f"mean         {graph.mean}",
            f"temperature  {graph.temperature}",
        )


def unknown(as_json: bool, what: str, limit: str, **data: Any) -> typer.Exit:
    """Say which limit was reached, and return how the command ends."""
    if as_json:
        print_json({**data, "outcome": "unknown", "limit": limit})
    else:
        print_error(f"{what}: {limit}")
    return typer.Exit(LIMIT)


def build_db(
    squares: Annotated[int, typer.Option(min=2, max=18, help="Largest shapes to value.")] = 12,
    file: Annotated[Path | None, typer.Option("--file", help="In the cache folder if not given.")] = None,
    time: TimeLimit = None,
    memory: GameMemory = "2G",
    as_json: Json = False,
) -> None:
    """Build the file of values of all small positions. Or extend it; `value` then uses it."""
    _, values = game_with(lambda game: game.values)
    path = file or values.database_path()
    if path is None:
        raise ValueError(NO_CACHE)
    try:
        with terminal_line(quiet=as_json) as show:
            report = values.build_database(
                squares,
                path,
                seconds=time or DEFAULT_SECONDS,
                memory=parse_memory(memory),
                on_progress=show and (lambda at: show(f"{at.squares} squares: {at.done:,} of {at.shapes:,} shapes")),
            )
    except LimitReached as limit:
        message = f"{limit}; the file keeps the square counts that are finished"
        raise unknown(as_json, str(path), message, file=str(path)) from None
    except DatabaseError as error:
        raise OSError(str(error)) from None
    shapes, count = counted(report.shapes, "shape"), counted(report.games, "value")
    line = f"{path}: {shapes} of up to {report.squares} squares, {count}, {counted(report.bytes, 'byte')}"
    tell(as_json, {"file": str(path), **{key: getattr(report, key) for key in REPORTED}}, line)


def list_values(
    squares: Annotated[
        int | None, typer.Option(min=1, help="Connected positions of this many squares, at most 12. 6 if not given.")
    ] = None,
    at_most: Annotated[bool, typer.Option("--at-most", help="Also those of fewer squares.")] = False,
    within: Annotated[str | None, typer.Option(help="All parts of this shape instead.", metavar="SPEC")] = None,
    worth: Annotated[str | None, typer.Option(help="Only positions of this value.", metavar="GAME")] = None,
    hottest: Annotated[bool, typer.Option("--hottest", help="The highest temperatures first.")] = False,
    count: Annotated[bool, typer.Option("--count", help="Only count values and temperatures.")] = False,
    rows: Annotated[int | None, typer.Option(min=1, help="Print at most this many positions. 20 if not given.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write all to a .csv or .parquet file.", metavar="FILE")
    ] = None,
    file: Annotated[Path | None, typer.Option("--file", help="The file of values. In the cache if not given.")] = None,
    time: TimeLimit = None,
    memory: GameMemory = "2G",
    as_json: Json = False,
) -> None:
    """All small positions with their values. Search, count or export them."""
    for option, others in (
        ("--within", {"--squares": squares, "--at-most": at_most, "--file": file} if within else {}),
        ("--count", {"--rows": rows, "--hottest": hottest} if count else {}),
    ):
        if idle := [name for name, given in others.items() if given]:
            raise ValueError(f"{idle[0]} has no effect with {option}")
    game, values = game_with(lambda game: game.values)
    rows = rows or 20
    try:
        with limits(seconds=time or DEFAULT_SECONDS, memory=parse_memory(memory)):
            found = values.catalogue(squares or 6, at_most=at_most, within=within, file=file)
            found = found if worth is None else found.worth(worth)
            found = found.hottest(len(found)) if hottest else found
            lines = found.summary() if count else found.rows()[:rows]
            if output is not None:
                found.write(output)
    except LimitReached as limit:
        raise unknown(as_json, within or "value list", str(limit)) from None
    table: list[str] = []
    if lines:
        titles = tuple(lines[0]) if count else ("position", "value", "outcome", "mean", "temperature")
        shown = [
            [f"{line[title]:,}" if isinstance(line[title], int) else str(line[title]) for title in titles]
            for line in lines
        ]
        table = table_lines(titles, shown)
    more = "" if count or len(found) <= rows else f", {rows:,} of them shown"
    last = counted(len(found), "position") + more + (f"; all in {output}" if output else "")
    data = {"game": game.name, "positions": len(found), "rows": lines, "version": __version__}
    tell(as_json, data, *table, last)


REPORTED = ("squares", "shapes", "games", "bytes", "resumed_from")
MORE = (add_typed, lambda group: group.command("build-db")(build_db), lambda group: group.command("list")(list_values))
