"""Every command with an example call, found by asking the command line, and folders in which to run them."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import typer
from forker import Forker, Job

from zermelo.cli import app
from zermelo.game import find_game, game_names

DOCUMENTED = (0, 1, 2, 3, 130, 141)
LONGEST = 60.0
ENDINGS = {"--proof": ".zc", "--csv": ".csv", "--html": ".html"}
SMALLER = {"8x8": "4x5", "4x5": "3x3"}
"""Boards to use instead of the examples, so that a call takes no time."""
Tree = dict[str, bytes]


def commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command with the words that call it."""
    for word, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*words, word))
    if not hasattr(group, "commands"):
        yield words, group


def module_of(name: str) -> str:
    """Return the module of a game's services; games of the shelf share theirs."""
    module = type(find_game(name)).__module__
    return "the shelf" if module.startswith("zermelo.games.") else module


COMMANDS = dict(commands(typer.main.get_command(app.build_app())))
DIFFERENT = {module_of(name): name for name in reversed(game_names())}.values()
TRIED = {words: one for words, one in COMMANDS.items() if not {*words[1:]} & {*game_names()} - {*DIFFERENT}}
"""The commands without those of games that run the code of another game in the list."""


def example_of(command: Any) -> list[str]:
    """Return the first example below a command's help."""
    found = re.search(r"Examples?: zermelo ((?:[^,]|,(?! ))*)", command.epilog or "")
    words = shlex.split(found[1]) if found else []
    if len(words) == 3 and words[1] in game_names():
        words[2] = SMALLER.get(words[2], words[2])
    return [{"GAME": game_names()[0], "SPEC": "4x5"}.get(word, word) for word in words]


def writing_options(command: Any) -> list[str]:
    """Return the options that name a file to write."""
    return [
        max(one.opts, key=len)
        for one in command.params
        if "path" in type(one.type).__name__.lower() and one.opts[0].startswith("-") and "rite" in (one.help or "")
    ]


def ending_of(command: Any, option: str) -> str:
    """Return the file ending that an option wants: the first that its help names."""
    words = next(one.help for one in command.params if option in one.opts)
    named = re.search(r"(?<!\w)\.[a-z]{2,7}\b", words)
    return named[0] if named else ENDINGS.get(option, ".svg")


class Call(NamedTuple):
    """An example of a command, alone or with one more option that writes a file."""

    name: str
    words: list[str]
    alone: bool


def calls() -> Iterator[Call]:
    for words, command in TRIED.items():
        name, example = " ".join(words), example_of(command)
        yield Call(name, example, True)
        for option in writing_options(command):
            if not {option, option[1:3]} & set(example):
                file = "made" + ending_of(command, option)
                yield Call(f"{name} {option}", [*example, option, file], False)


CALLS = list(calls())


class Good(NamedTuple):
    """How a call ends without a fault."""

    code: int
    out: str
    changed: dict[str, bytes]
    seconds: float


class World:
    """A folder with all files that the examples name, and copies of it to break."""

    def __init__(self, forker: Forker) -> None:
        self.forker, self.root, self.count = forker, Path(tempfile.mkdtemp(dir=forker.folder)), 0
        self.calls, self.used = 0, 0.0
        self.cache = self.root / "cache"
        self.cache.mkdir(mode=0o777)
        self.cache.chmod(0o777)
        self.plain = self.root / "plain"
        self.plain.mkdir()
        game = game_names()[0]
        self.prepare(
            f"solve {game} 4x5 --first V --proof 4x5.zc",
            f"solve {game} 4x5:V1,1 --first H --proof after.zc",
            f"campaign new {game} 4x5 --cut 2 --store campaigns.db",
            f"campaign new {game} 4x5 --cut 2 --store proved.db",
            "campaign run --workers 0 --store proved.db",
            "campaign estimate --units 4",
            "bench papers growth --time 0.01 --csv old.csv",
        )
        rows = (self.plain / "old.csv").read_text().splitlines(keepends=True)
        for name in ("old.csv", "new.csv"):
            (self.plain / name).write_text("".join(rows[:10]))
        (self.plain / "positions").mkdir()
        (self.plain / "positions" / "won.pg").write_text(
            "#times 1 2 3\n#blackturns 1 3\n#positions a b\n#blackwins\na b\n"
        )
        self.before = tree(self.plain)
        self.good: dict[str, Good] = {}

    def prepare(self, *lines: str) -> None:
        """Run command lines in the folder that is copied; they must succeed."""
        for line in lines:
            _, out, err = self.end(self.start(shlex.split(line), self.plain))
            assert not err, (line, out, err)

    def copy(self) -> Path:
        self.count += 1
        return shutil.copytree(self.plain, self.root / f"world{self.count}")

    def start(self, words: list[str] | list[list[str]], where: Path, **fault: Any) -> Job:
        env = {"ZERMELO_CACHE": str(self.cache), "PATH": f"{where}:{os.environ['PATH']}", **fault.pop("env", {})}
        return self.forker.start(words, where, env=env, **fault)

    def end(self, job: Job, patience: float = LONGEST) -> tuple[int, str, str]:
        """Wait for a call; a server is stopped when it has printed its address."""
        code = self.forker.wait(job, patience, until_it_speaks="--port" in job.words)
        if code is None:
            os.kill(job.process, signal.SIGINT)
            code = self.forker.wait(job, 10)
            if code is None:
                os.kill(job.process, signal.SIGKILL)
                code = self.forker.wait(job, 10)
        out, err = job.read()
        self.calls, self.used = self.calls + 1, self.used + job.used
        assert code is not None
        return code, out, err


def tree(folder: Path) -> Tree:
    """Return every file, but for those that SQLite keeps beside its own for a while."""
    files = [file for file in folder.rglob("*") if file.is_file() and not file.name.endswith(("-wal", "-shm"))]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def is_new(file: Path, old: Path) -> bool:
    """Whether a file was written since it was copied, perhaps with the same content."""
    return not old.exists() or file.stat().st_mtime_ns != old.stat().st_mtime_ns
