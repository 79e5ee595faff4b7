"""`zermelo facts`: what this software proved itself about boards; fill it, list it, prove it again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.options import Json, Threads, game_with, time_option
from zermelo.cli.output import ANSWERED, REJECTED, print_error, tell
from zermelo.game import Report
from zermelo.proof import check_file

facts = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

GameName = Annotated[str | None, typer.Option("--game", help="The game. The first that has facts if not given.")]
Facts = Annotated[
    Path | None, typer.Argument(help="File of facts. The shipped ones if not given.", exists=True, dir_okay=False)
]
Output = Annotated[Path, typer.Argument(help="File of facts. It is made if it is missing, and continued if it is not.")]


def show(report: Report, as_json: bool) -> None:
    """Print a report; exit code 1 if something was not confirmed."""
    tell(as_json, report.data, *report.lines)
    raise typer.Exit(ANSWERED if report.sound else REJECTED)


@facts.command("search")
def search(
    output: Output,
    time: Annotated[
        float, time_option("Stop after this many seconds. What was found is in the file.", "--seconds")
    ] = 600.0,
    area: Annotated[
        int | None, typer.Option(help="Largest number of squares. 110 if not given.", min=4, max=256)
    ] = None,
    longest: Annotated[int | None, typer.Option(help="Largest side. 36 if not given.", min=2, max=60)] = None,
    boards: Annotated[
        list[str] | None, typer.Option("--board", help="Search only this board. Repeatable.", metavar="SPEC")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Search what the file has again, and add nothing.")] = False,
    proofs: Annotated[
        Path | None,
        typer.Option(help="Folder for a certificate of each claim. It is checked.", exists=True, file_okay=False),
    ] = None,
    threads: Threads = 1,
    game: GameName = None,
    as_json: Json = False,
) -> None:
    """Search every board that fits the budget. Cheapest first; may be stopped and continued."""
    if not output.parent.is_dir():
        raise ValueError(f"folder {str(output.parent)!r} does not exist")
    if (boards or again) and (area or longest):
        raise ValueError(
            f"--area and --longest belong to a search of all boards, not to --{'board' if boards else 'again'}"
        )
    if boards and again:
        raise ValueError("--board and --again exclude each other")
    wanted = {
        "seconds": time,
        "area": area or 110,
        "longest": longest or 36,
        "boards": boards or [],
        "again": again,
        "threads": threads,
        "proofs": proofs,
    }
    say = (lambda line: None) if as_json else print
    show(game_with("list_facts", game).search_facts(output, tell=say, **wanted), as_json)


@facts.command("list")
def list_facts(path: Facts = None, game: GameName = None, as_json: Json = False) -> None:
    """List the facts with their evidence."""
    show(game_with("list_facts", game).list_facts(path), as_json)


@facts.command("check")
def check(
    path: Facts = None,
    time: Annotated[float, time_option("Stop after this many seconds.", "--seconds")] = 60.0,
    game: GameName = None,
    as_json: Json = False,
) -> None:
    """Prove facts again, cheapest first. Exit code 1 if one is not confirmed."""
    show(game_with("list_facts", game).check_facts(path, time), as_json)


@facts.command("add-certificate")
def add_certificate(
    certificate: Annotated[Path, typer.Argument(help="A certificate of an empty board.", exists=True, dir_okay=False)],
    output: Output,
    slow: Annotated[bool, typer.Option("--slow", help="Check with zcheck.py.")] = False,
    game: GameName = None,
    as_json: Json = False,
) -> None:
    """Enter the claim of a certificate. Checked by the independent checker, with its SHA-256."""
    report = check_file(certificate, slow=slow)
    if not report.verified:
        print_error(f"{certificate.name}: {report.said['verdict']}: {report.said.get('reason', '')}")
        raise typer.Exit(report.exit_code)
    show(game_with("list_facts", game).certify_fact(certificate, report.said, report.checker, output), as_json)
