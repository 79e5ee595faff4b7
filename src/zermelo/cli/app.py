"""The command line: `zermelo VERB GAME SPEC`."""

from __future__ import annotations

import os
import sys

import typer
from typer.exceptions import TyperException

from zermelo import __version__
from zermelo.cli import (
    bench,
    domineering,
    facts,
    mnk,
    play_domineering,
    table,
    value,
    verbs,
    why,
)
from zermelo.cli.campaign import campaign
from zermelo.cli.check import check
from zermelo.cli.doctor import doctor
from zermelo.cli.output import BAD_INPUT, INTERRUPTED, print_error
from zermelo.cli.proof import proof
from zermelo.cli.serve import serve

# Importing these registers their commands.
GAMES_AND_SUITES = (bench, domineering, mnk, play_domineering, value)

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, add_completion=False)
for name in ("solve", "explain", "value", "play", "bench"):
    app.add_typer(getattr(verbs, name), name=name)
app.command("check")(check)
app.add_typer(proof, name="proof")
app.add_typer(campaign, name="campaign")
app.command("table")(table.table)
app.command("why")(why.why)
app.add_typer(facts.facts, name="facts")
app.command("serve")(serve)
app.command("doctor")(doctor)


def show_version(wanted: bool) -> None:
    if wanted:
        print(f"zermelo {__version__}")
        raise typer.Exit


@app.callback()
def callback(
    version: bool = typer.Option(
        False, "--version", callback=show_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Who wins? Zermelo answers, with a proof."""


def main() -> None:
    """Run the command line; every error a user can cause is one line and exit code 2."""
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except TyperException as error:
        message = getattr(error, "format_message", error.__str__)()
        # A bare `zermelo solve`: the help is the answer.
        if type(error).__name__ == "NoArgsIsHelpError":
            print(message)
        else:
            print_error(message)
        code = getattr(error, "exit_code", BAD_INPUT)
    except BrokenPipeError:  # `zermelo table | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except (ValueError, OSError) as error:
        print_error(str(error))
        code = BAD_INPUT
    except KeyboardInterrupt:
        print_error("interrupted")
        code = INTERRUPTED
    sys.exit(code if isinstance(code, int) else 0)
