"""The command line: `zermelo VERB GAME SPEC`."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any, TextIO

import typer
import typer.core
from typer.exceptions import TyperException

from zermelo import __version__
from zermelo._core import LimitReached
from zermelo.cli.options import GameCommands, TimeLimit
from zermelo.cli.output import ANSWERED, BAD_INPUT, CLOSED_PIPE, INTERRUPTED, LIMIT, print_error, print_json
from zermelo.cli.stopping import RAISED, TimeIsOver, within
from zermelo.game import Game, find_game, game_names

ELSEWHERE = {"explain": "solve", "why": "table", "facts": "table"}
"""Verbs whose file has another name. A call loads only the file of its own verb, so that it starts soon."""
OF_GAMES = ("solve", "explain", "play", "value")
"""The verbs that have one command for each game. The function `add_VERB` of their file makes it."""
# The verbs, with their help. The list of verbs shows the first sentence of each.
HELP = {
    "solve": "Who wins, with a winning move and how it was proved. Per starter, with nodes and seconds.",
    "explain": "Why somebody wins. The areas, the counts, the pairs that a proof rests on.",
    "play": "Play against the machine in the terminal. It plays every win and holds every draw that it can prove.",
    "value": "The value of a position in combinatorial game theory. Canonical form, stops, mean, temperature.",
    "why": "Why a board has its outcome. The shortest derivation, rule by rule.",
    "table": "Who wins on all boards up to a size. Also what is proved about all longer ones.",
    "draw": "Draw a position. The file's name ends in .svg, .png or .tex (TikZ).",
    "check": "Verify a certificate. Exit code: 0 verified, 1 rejected, 2 malformed, 3 unfinished.",
    "proof": "Describe, trim, show, extract, merge certificates.",
    "campaign": "Prove a claim in work units, here or on a cluster. Stop and go on at any time.",
    "facts": "List the facts that tables and derivations use. Each with its evidence: search, value, certificate.",
    "bench": "Regenerate published tables and compare.",
    "serve": "Serve the web page. Play, analyse, look up who wins, walk through proofs.",
    "doctor": "Show whether this installation is sound. Versions, processor, caches, a self-test; exit code 1 if not.",
}
# An example call of each command that is not made for a game. Its help shows the call, and the tests of faults run it.
EXAMPLES = {
    "value game": "'{2|0||-1/2|-2}'",
    "value build-db": "--squares 6 --file values.db",
    "value list": "--squares 5 --worth 0",
    "why": "6x20",
    "table": "12x12",
    "draw": "4x5 board.svg",
    "check": "4x5.zc",
    "proof info": "4x5.zc",
    "proof trim": "4x5.zc small.zc",
    "proof show": "4x5.zc",
    "proof extract": "4x5.zc '' later.zc",
    "proof merge": "4x5 V V joined.zc after.zc",
    "proof derive": "2x270 H long.zc",
    "campaign new": "GAME SPEC --cut 2 --store new.db",
    "campaign run": "--workers 0",
    "campaign status": "--store proved.db",
    "campaign export": "-o whole.zc --store proved.db",
    "campaign estimate": "--units 10",
    "facts": "",
    "bench signature": "",
    "bench papers": "domi --time 0.01 --csv rows.csv",
    "bench compare": "old.csv new.csv",
    "bench pg": "positions",
    "serve": "--port 0",
    "doctor": "",
}


class Verbs(typer.core.TyperGroup):
    """Lists the verbs in our order."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name in HELP if name in self.commands]


GRACE, SAVING = 0.4, 10.0
"""Extra seconds for a command that checks the time itself: it can say more than "time is over". More with --resume: to
save half a million results takes a second or two on a busy machine."""


class Bounded(typer.core.TyperCommand):
    """A command that ends within its ``--time``; a command without that option gets it.

    A parameter named ``time`` limits the whole command. A parameter named ``seconds`` limits each of many questions.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.lent = not {"time", "seconds"} & {parameter.name for parameter in self.params}
        if self.lent:
            self.params.append(time_parameter())

    def invoke(self, ctx: Any) -> Any:
        seconds = ctx.params.pop("time", None) if self.lent else ctx.params.get("time")
        with within(seconds, 0.0 if self.lent else SAVING if ctx.params.get("resume") else GRACE):
            return super().invoke(ctx)


def time_parameter() -> Any:
    """Return the option ``--time`` as a parameter of a command."""
    lender = typer.Typer(add_completion=False)

    @lender.command()
    def lend(time: TimeLimit = None) -> None: ...

    return typer.main.get_command(lender).params[0]


def build_app(verbs: Iterable[str] = HELP, games: Sequence[str] | None = None) -> typer.Typer:
    """Return the command line with these verbs, and with the commands of these games (all if not given)."""
    app = typer.Typer(
        cls=Verbs,
        no_args_is_help=True,
        rich_markup_mode=None,
        add_completion=False,
        epilog="Begin with: zermelo solve 8x8, or zermelo solve, which lists the games.",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(callback)
    loaded: list[Game] | None = None
    for name in verbs:
        command: Any = typer.Typer(cls=GameCommands, no_args_is_help=True, rich_markup_mode=None)
        # Without games only the names are needed.
        module = None if games == () else import_module(f"zermelo.cli.{ELSEWHERE.get(name, name)}")
        if module is not None and name in OF_GAMES:
            loaded = load_games(games) if loaded is None else loaded
            add: Callable[[typer.Typer, Game], None] = getattr(module, f"add_{name}")
            for game in loaded:
                add(command, game)
            if games and not command.registered_commands:  # this game has no such command: name the games that have one
                for game in load_games(None):
                    add(command, game)
            for more in getattr(module, "MORE", ()):
                more(command)
        elif module is not None:
            command = getattr(module, name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name, help=HELP[name])
        else:
            app.command(name, help=HELP[name])(command)
    for info in app.registered_groups:
        for one in info.typer_instance.registered_commands if info.typer_instance else ():
            one.cls = Bounded
            one.epilog = one.epilog or example(f"{info.name} {one.name or getattr(one.callback, '__name__', '')}")
    for one in app.registered_commands:
        one.cls = Bounded
        one.epilog = example(one.name or "")
    return app


def example(name: str) -> str | None:
    """Return the line below the help of a command that is not made for a game."""
    return f"Example: zermelo {name} {EXAMPLES[name]}".rstrip() if name in EXAMPLES else None


def load_games(names: Sequence[str] | None) -> list[Game]:
    """Load these games, or all. Of all games, one that does not load is left out; `doctor` reports it."""
    if names is not None:
        return [find_game(name) for name in names]
    loaded = []
    for name in game_names():
        try:
            loaded.append(find_game(name))
        except Exception as error:  # somebody else's package
            print_error(f"game {name} does not load: {error}")
    return loaded


def wanted(words: Sequence[str]) -> tuple[Iterable[str], Sequence[str] | None]:
    """Return the verbs and the games that a command line needs: all where help or an error must name them."""
    plain = [word for word in words if not word.startswith("-")]
    if not plain or plain[0] not in HELP:
        return HELP, ()
    if len(plain) == 1:
        return plain, None
    return plain[:1], (plain[1],) if plain[1] in game_names() else game_names(shelf=False)


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


def command_for(words: Sequence[str]) -> Any:
    """Return the command that parses and runs a command line. Only the modules that it needs are loaded."""
    return typer.main.get_command(build_app(*wanted(words)))


def run(words: list[str]) -> int:
    """Run a command line and return its exit code. Every error that a user can cause is one line and exit code 2."""
    RAISED.clear()
    try:
        if broken := [word for word in words if not word.isascii() and word.encode(errors="ignore").decode() != word]:
            raise ValueError(f"{broken[0][:40]!a} is not text in UTF-8")
        command = command_for(words)
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
            return getattr(error, "exit_code", BAD_INPUT)
        return fail(usage_message(error), words, getattr(error, "exit_code", BAD_INPUT))
    except BrokenPipeError:
        raise
    except BaseException as error:
        return failed(RAISED[0] if RAISED else error, words)


def failed(error: BaseException, words: list[str]) -> int:
    """Print the error that ended a command line, and return the exit code."""
    try:
        raise error
    except (ValueError, OSError) as error:
        return fail(plain_message(error), words)
    except ModuleNotFoundError as error:
        return fail(f"this needs {error.name}, which is not installed: zermelo doctor says how to get it", words)
    except (MemoryError, RecursionError):
        return fail("not enough memory; try a smaller --memory", words)
    except (TimeIsOver, LimitReached) as over:
        if "--json" in words:
            print_json({"outcome": "unknown", "limit": str(over)})
        else:
            print_error(str(over))
        return LIMIT
    except KeyboardInterrupt as stop:
        return fail(" ".join(["interrupted", *map(str, stop.args)]), words, INTERRUPTED)
    except Exception as error:  # exit code 1 would say "rejected"
        if os.environ.get("ZERMELO_DEBUG"):
            raise
        return fail(f"this is a bug: {type(error).__name__}: {error}; ZERMELO_DEBUG=1 shows where", words)


def fail(message: str, words: list[str], code: int = BAD_INPUT) -> int:
    """Print an error, for a program as JSON too, and return the exit code."""
    print_error(message)
    if "--json" in words:
        with contextlib.suppress(OSError):  # the message has been printed, and standard output may be full or closed
            print_json({"error": " ".join(message.split())})
    return code


def usage_message(error: TyperException) -> str:
    """Return the error of a command line with a pointer to its help or the list of choices."""
    message = str(getattr(error, "format_message", error.__str__)()).rstrip(".")
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    if message.startswith("No such command"):
        names = ", ".join(context.command.list_commands(context))
        return f"{message}; {context.command_path} takes: {names}"
    return f"{message}; see {context.command_path} --help"


def plain_message(error: Exception) -> str:
    """Return an error in words, without the number of a system error.

    >>> plain_message(FileNotFoundError(2, "No such file or directory", "a.zc"))
    'a.zc: No such file or directory'
    """
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def drop(*streams: TextIO) -> None:
    """Discard unwritten output, so that Python does not try to write it again at its end."""
    nobody = os.open(os.devnull, os.O_WRONLY)
    for stream in filter(None, streams):
        os.dup2(nobody, stream.fileno())


def main() -> None:
    """Run the command line of this process."""
    if sys.stdout is None:  # closed before the start
        print_error("standard output is closed")
        sys.exit(BAD_INPUT)
    code = ANSWERED
    try:
        with within(None):
            code = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # `zermelo table | head`: the reader has seen enough
        drop(sys.stdout, sys.stderr)
        code = CLOSED_PIPE
    except OSError as error:  # the disk is full
        if code != BAD_INPUT:  # otherwise it has been printed
            print_error(plain_message(error))
        drop(sys.stdout)
        code = BAD_INPUT
    sys.exit(code)
