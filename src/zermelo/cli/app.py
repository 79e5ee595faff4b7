"""The command line: `zermelo VERB GAME SPEC`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import TextIO

import typer
from typer.exceptions import TyperException

from zermelo import __version__
from zermelo.cli import verbs
from zermelo.cli.output import ANSWERED, BAD_INPUT, CLOSED_PIPE, INTERRUPTED, print_error

# The files that hold the commands of each verb. A call loads only those of its own verb, so that it starts soon.
FILES = {
    "solve": ("domineering", "mnk"),
    "explain": ("domineering", "mnk"),
    "value": ("value",),
    "play": ("play_domineering", "play_mnk"),
    "bench": ("bench", "mnk"),
    "check": ("check",),
    "proof": ("proof",),
    "campaign": ("campaign",),
    "table": ("table",),
    "why": ("why",),
    "facts": ("facts",),
    "draw": ("draw",),
    "serve": ("serve",),
    "doctor": ("doctor",),
}


def build_app(names: Iterable[str] = FILES) -> typer.Typer:
    """Return the command line with these verbs."""
    app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, add_completion=False)
    app.callback()(callback)
    for name in names:
        modules = [import_module(f"zermelo.cli.{file}") for file in FILES[name]]
        # A verb that games share is a group they add to; any other is what its file calls by its name.
        command = getattr(verbs, name, None) or getattr(modules[0], name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def verbs_in(words: list[str]) -> Iterable[str]:
    """Return the verb that these words call, or all verbs where help or an error has to name them."""
    verb = next((word for word in words if not word.startswith("-")), "")
    return (verb,) if verb in FILES else FILES


def show_version(wanted: bool) -> None:
    if wanted:
        print(f"zermelo {__version__}")
        raise typer.Exit


def callback(
    version: bool = typer.Option(
        False, "--version", callback=show_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Who wins? Zermelo answers, with a proof."""


def run(words: list[str]) -> int:
    """Run a command line and return its exit code; every error a user can cause is one line and exit code 2."""
    try:
        command = typer.main.get_command(build_app(verbs_in(words)))
        # Not command(words), which would keep Ctrl-C and closed pipes from us.
        with command.make_context("zermelo", words) as context:
            command.invoke(context)
        return ANSWERED
    except typer.Exit as end:
        return end.exit_code
    except TyperException as error:
        message = getattr(error, "format_message", error.__str__)()
        # A bare `zermelo solve`: the help is the answer.
        if type(error).__name__ == "NoArgsIsHelpError":
            print(message)
        else:
            print_error(message)
        return getattr(error, "exit_code", BAD_INPUT)
    except BrokenPipeError:
        raise
    except (ValueError, OSError) as error:
        print_error(str(error))
        return BAD_INPUT
    except MemoryError:
        print_error("this machine has not that much memory; a smaller --memory may do")
        return BAD_INPUT
    except KeyboardInterrupt:
        print_error("interrupted")
        return INTERRUPTED


def drop(*streams: TextIO) -> None:
    """Send what is still to be written to nobody, so that Python does not try again when it ends."""
    nobody = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        os.dup2(nobody, stream.fileno())


def main() -> None:
    """Run the command line that was typed."""
    # `kill` and `timeout` end a run in good order, as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    code = ANSWERED
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # `zermelo table | head`: the reader has seen enough
        drop(sys.stdout, sys.stderr)
        code = CLOSED_PIPE
    except OSError as error:  # the disk is full
        if code != BAD_INPUT:  # else it has been said
            print_error(str(error))
        drop(sys.stdout)
        code = BAD_INPUT
    sys.exit(code)
