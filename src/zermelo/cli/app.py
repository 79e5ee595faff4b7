"""The command line: `zermelo VERB GAME SPEC`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Any, TextIO

import typer
import typer.core
from typer.exceptions import TyperException

from zermelo import __version__
from zermelo.cli import verbs
from zermelo.cli.output import ANSWERED, BAD_INPUT, CLOSED_PIPE, INTERRUPTED, print_error

# The files that hold the commands of each verb. A call loads only those of its own verb, so that it starts soon.
FILES = {
    "solve": ("domineering", "mnk"),
    "explain": ("domineering", "mnk"),
    "value": ("value",),
    "table": ("table",),
    "why": ("why",),
    "play": ("play_domineering", "play_mnk"),
    "draw": ("draw",),
    "check": ("check",),
    "proof": ("proof",),
    "campaign": ("campaign",),
    "facts": ("facts",),
    "bench": ("bench", "mnk"),
    "serve": ("serve",),
    "doctor": ("doctor",),
}


class Verbs(typer.core.TyperGroup):
    """Lists the verbs in our order."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name in FILES if name in self.commands]


def build_app(names: Iterable[str] = FILES) -> typer.Typer:
    """Return the command line with these verbs."""
    app = typer.Typer(
        cls=Verbs,
        no_args_is_help=True,
        rich_markup_mode=None,
        add_completion=False,
        epilog="Begin with: zermelo solve domineering 8x8",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
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
        # A bare `zermelo solve`: the help is the answer.
        if type(error).__name__ == "NoArgsIsHelpError":
            print(getattr(error, "format_message", error.__str__)())
        else:
            print_error(usage_message(error))
        return getattr(error, "exit_code", BAD_INPUT)
    except BrokenPipeError:
        raise
    except (ValueError, OSError) as error:
        print_error(plain_message(error))
        return BAD_INPUT
    except MemoryError:
        print_error("this machine has not that much memory; a smaller --memory may do")
        return BAD_INPUT
    except KeyboardInterrupt:
        print_error("interrupted")
        return INTERRUPTED


def usage_message(error: TyperException) -> str:
    """Say what is wrong with a command line, and where to look or what to choose from."""
    message = str(getattr(error, "format_message", error.__str__)()).rstrip(".")
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    if message.startswith("No such command"):
        names = ", ".join(context.command.list_commands(context))
        return f"{message}; {context.command_path} takes: {names}"
    return f"{message}; see {context.command_path} --help"


def plain_message(error: Exception) -> str:
    """Return an error in words; those of the system without their number.

    >>> plain_message(FileNotFoundError(2, "No such file or directory", "a.zc"))
    'a.zc: No such file or directory'
    """
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)


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
            print_error(plain_message(error))
        drop(sys.stdout)
        code = BAD_INPUT
    sys.exit(code)
