"""Console blocks of the documentation: commands, and the output that stands below them."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

os.environ.update(COLUMNS="100", NO_COLOR="1")  # pages are as wide as this, whatever the terminal is
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = re.compile(r"# not run: .{5,}; (output|figures) of \d{4}-\d\d-\d\d$")
# What may differ from run to run: times, rates, and figures that depend on them.
SAME = tuple(
    (re.compile(pattern, re.MULTILINE), shown)
    for pattern, shown in (
        (r"\b\d+(\.\d+)? s\b", "T s"),
        (r"\b[\d,.]+ nodes/s", "N nodes/s"),
        (r'"(seconds|elapsed|busy)": [\d.e-]+', r'"\1": T'),
        (r"in \d+(\.\d+)? seconds", "in T seconds"),
        (r" +$", ""),
        (r" +", " "),  # columns move with the width of what stands in them
    )
)


def settled(text: str) -> str:
    """A text without what may differ from run to run."""
    for pattern, shown in SAME:
        text = pattern.sub(shown, text)
    return text


def as_words(command: str) -> list[str]:
    """The words of a command; `./dev run` only adds the build, which has been done."""
    words = shlex.split(command)
    return ["zermelo", *words[2:]] if words[:2] == ["./dev", "run"] else words


def run(command: str, folder: Path) -> str:
    """Run a command in a folder and return what it prints; `zermelo` in this process, which is faster."""
    words = as_words(command)
    if words[0] != "zermelo":
        words[0] = {"python": sys.executable, "python3": sys.executable}.get(words[0], words[0])
        done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.stdout
    from zermelo.cli.app import run as run_zermelo

    said, typed = io.StringIO(), sys.stdin
    sys.stdin = io.StringIO()  # nobody is there to type
    with contextlib.chdir(folder), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        run_zermelo(words[1:])
    sys.stdin = typed
    return said.getvalue()


@dataclass(frozen=True)
class Shown:
    """A command of a page and the output that stands below it."""

    command: str
    output: str


def commands(block: str) -> list[Shown]:
    """Return the commands of a console block; none if it is marked as not run."""
    found: list[Shown] = []
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append(Shown(line[2:].rstrip("\n"), ""))
        elif found:
            found[-1] = replace(found[-1], output=found[-1].output + line)
    return [] if NOT_RUN.match(block.split("\n", 1)[0]) else found


def matches(shown: str, output: str) -> bool:
    """Whether a page shows an output; its line `...` stands for any lines, its sign `…` for anything in a line."""
    parts = [re.escape(part).replace("…", ".*") for part in re.split(r"^\.\.\.\n", settled(shown), flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*".join(parts), settled(output)) is not None


def fill_block(block: str, folder: Path) -> str:
    """Return a console block with the output that its commands have now."""
    shown = commands(block)
    if not shown:
        return block
    lines: list[str] = []
    for each in shown:
        output = run(each.command, folder)
        output = output if not output or output.endswith("\n") else output + "\n"
        same = matches(each.output, output)
        lines.append(f"$ {each.command}\n{each.output if same else output}")
    return "".join(lines)
