"""`zermelo value`: the value of a position of a game that has them, or of a game that is typed."""

from __future__ import annotations

import time as clock
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo import __version__
from zermelo.cgt import DatabaseError, LimitReached, Value, limits
from zermelo.cgt.value import DEFAULT_SECONDS
from zermelo.cli.options import Json, Png, Svg, TimeLimit, game_with, memory_option, parse_memory
from zermelo.cli.output import counted, print_error, table_lines, tell, terminal_line
from zermelo.cli.solve import examples
from zermelo.draw import write_picture
from zermelo.files import NO_CACHE
from zermelo.game import Game, OnProgress
from zermelo.game.services import Database
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

        def compute(spec: str, on_progress: OnProgress | None) -> Value:
            return values.value(game.parse(spec), on_progress=on_progress)

        add_command(group, game.name, about, game.spec_help, compute, shown, game.players)


def add_typed(group: typer.Typer) -> None:
    """Add the value of a game that is typed."""
    about = "Value of a game typed in CGSuite-like notation. 1 + -1 is 0, 1 + +-1 is {2|0}; 1+-1 is refused."
    spec_help = "a game: {2|0||-1/2|-2}, +-(1,^), ^[2]*, 3.(1/2 + tiny(2))"
    add_command(group, "game", about, spec_help, lambda spec, _: Value(spec))


def add_command(
    group: typer.Typer,
    name: str,
    help_text: str,
    spec_help: str,
    compute: Callable[[str, OnProgress | None], Value],
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
        with (
            limited(spec, time, memory),
            warnings.catch_warnings(record=True) as notes,
            terminal_line(quiet=as_json) as show,
        ):
            value = compute(spec, show and (lambda at: show(f"{at.nodes:,} steps, {at.seconds:.0f} s")))
            graph = value.thermograph
            canonical = value.text()
        for note in notes:
            print_error(str(note.message))
        for path in filter(None, (svg, png)):
            write_picture(path, graph._repr_svg_())
        names = dict(zip(("Left", "Right"), players, strict=False))
        own = names.get(value.outcome, value.outcome)
        winner = value.outcome if own == value.outcome else f"{value.outcome} ({own})"
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


@contextmanager
def limited(name: str, time: float | None, memory: str) -> Iterator[None]:
    """Work with values within limits; a limit that is reached is told with the name of the work."""
    try:
        with limits(seconds=time or DEFAULT_SECONDS, memory=parse_memory(memory)):
            yield
    except LimitReached as limit:
        raise LimitReached(f"{name}: {limit}") from None


def build_db(
    squares: Annotated[int, typer.Option(min=2, max=18, help="Largest shapes to value.")] = 12,
    file: Annotated[Path | None, typer.Option("--file", help="In the cache folder if not given.")] = None,
    time: TimeLimit = None,
    memory: GameMemory = "2G",
    as_json: Json = False,
) -> None:
    """Build the file of values of all small positions. Or extend it; `value` then uses it."""
    _, database = game_with(database_of)
    path = file or database.database_path()
    if path is None:
        raise ValueError(NO_CACHE)
    try:
        with terminal_line(quiet=as_json) as show:
            report = database.build_database(
                squares,
                path,
                seconds=time or DEFAULT_SECONDS,
                memory=parse_memory(memory),
                on_progress=show and (lambda at: show(f"{at.squares} squares: {at.done:,} of {at.shapes:,} shapes")),
            )
    except LimitReached as limit:
        raise LimitReached(f"{path}: {limit}; the file keeps the square counts that are finished") from None
    except DatabaseError as error:
        raise OSError(str(error)) from None
    shapes, count = counted(report.shapes, "shape"), counted(report.games, "value")
    line = f"{path}: {shapes} of up to {report.squares} squares, {count}, {counted(report.bytes, 'byte')}"
    tell(as_json, {"file": str(path), **{key: getattr(report, key) for key in REPORTED}}, line)


def database_of(game: Game) -> Database | None:
    """Return the game's file of values, if it has one."""
    return game.values.database if game.values is not None else None


def list_values(
    name: Annotated[
        str | None, typer.Option("--game", help="Which game. The one with a file of values if not given.")
    ] = None,
    squares: Annotated[
        int | None, typer.Option(min=1, help="Connected positions of this many squares, at most 15. 6 if not given.")
    ] = None,
    at_most: Annotated[bool, typer.Option("--at-most", help="Also those of fewer squares.")] = False,
    within: Annotated[str | None, typer.Option(help="All parts of this position instead.", metavar="SPEC")] = None,
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
    game, values = game_with(lambda game: game.values if name or database_of(game) else None, name)
    rows = rows or 20
    with limited(within or "value list", time, memory):
        found = values.catalogue(squares or 6, at_most=at_most, within=within, file=file, worth=worth)
        found = found.hottest(len(found)) if hottest else found
        lines = found.summary() if count else found.rows()[:rows]
        if output is not None:
            found.write(output)
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
