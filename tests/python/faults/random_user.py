"""A user who types anything: command lines and calls from the grammar of all commands, valid and broken.

`python tests/python/faults/random_user.py --tries 1000000 --processes 16 --seed 7` tries a million on a large machine;
the tests try 20,000.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import shlex
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from forker import Forker, Job
from worlds import COMMANDS, DOCUMENTED, World, example_of

from zermelo.game import find_game, game_names

BATCH = 2000
"""Lines that one process runs, one after the other, in one folder."""
TIME = 0.02
LATE = 0.5
"""Seconds after which a limit must have stopped a command; by the clock or by the processor, whichever is less."""
UNLIMITED = 10.0
"""Seconds for what has no limit, or one for each of many questions."""
SILENT = 60.0
"""Seconds without an end after which a process hangs."""
RARE = {"bench": 0.01, "doctor": 0.05, "serve": 0.15, "value": 0.5, "play": 0.5}
"""How often verbs are tried that are slow to try."""
SPECS = [spec for name in game_names() for spec in find_game(name).examples]
BROKEN = [
    "", " ", "0x0", "4x", "-1x4", "99999x99999", "1x40000", "2x1000000", "4x4:V9,9", "4x4:V1,1;V1,1", "3,3", "3,3,99",
    "9,9,0", "a b /", "/", "#", "##/##", "torus:1x1", "möbius:4x4", "1e9x2", "{|", "{1|{2|", "+-" * 400, "(" * 3000,
    "..#/" * 300, "\u2028", "--", "-", "None", "4x5.zc", "\udcff", "a\0b", "{" * 5000, "9" * 5000, "1/" * 3000,
]  # fmt: skip
VALUES_OF_GAMES = ["{2|0||-1/2|-2}", "+-1", "^*", "3.(1/2 + *2)", "0", "*5", "{1|{2|3}}", "-7/8", "tiny(2)", "v"]
FILES = [
    "4x5.zc", "bad.zc", "old.csv", "campaigns.db", "none", "folder", "folder/new.svg", "no/where.svg", "new.svg",
    "new.png", "new.zc", "/dev/null", "/dev/full", "sizes.txt", "after.zc",
]  # fmt: skip
VALUES = {
    "--time": ["0.01", "0.02", "0.02", "0.02", "0.05", "0", "-1", "nan", "x"],
    "--memory": ["16M", "16M", "32", "1K", "inf", "-1", "2T", "x", "1e3"],
    "--nodes": ["1", "50", "1000", "0", "x"],
    "--threads": ["1", "2", "0", "x"],
    "--workers": ["0", "0", "-1", "x"],
    "--scheduler": ["x"],
    "--store": ["campaigns.db", "proved.db", "none.db", "4x5.zc", "folder", "mysql://x"],
    "--first": ["V", "H", "X", "both", "maker", "z"],
    "--port": ["-1", "x"],  # else it would serve
    "--units": ["1", "5", "0"],
}
WORDS = ["V", "H", "X", "O", "maker", "first", "search", "rules", "cover", "pairing", "V1,1", "V1,1;H1,2", "-", "z", ""]
NUMBERS = ["0", "1", "2", "3", "-1", "x", "1e3", "9" * 25]
CALLS = ("solve", "explain", "prove", "reply", "mark", "plan", "look", "value", "zermelo.solve", "cgt")
"""What a user of Python asks; :func:`forker.call` does it."""
SAID = ("why", "canonical", "mean", "temperature", "left_stop", "right_stop", "verdict", "claim", "text", "status")
REASONS = ("by the rules", "shipped fact", "proved by search")
COUNTED = ("bytes", "units", "before", "after", "signature", "parts")


class Speaker:
    """Makes lines: each as likely as another where the seed is the same."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.commands = list(COMMANDS)
        self.weights = [RARE.get(words[0], 1.0) for words in self.commands]

    def value_for(self, parameter: Any) -> str:
        """Something to type for a parameter; often what it takes."""
        draw = self.draw
        names = [name for name in parameter.opts if name in VALUES]
        kind = type(parameter.type).__name__.lower()
        if names:
            return draw.choice(VALUES[names[0]])
        if "path" in kind:
            return draw.choice(FILES)
        if "int" in kind or "float" in kind:
            return draw.choice(NUMBERS)
        said = (getattr(parameter, "help", "") or "").partition("One of: ")[2].partition(".")[0]
        if said and draw.random() < 0.7:
            return draw.choice(said.split(", "))
        return draw.choice([*SPECS, *BROKEN, *WORDS, *FILES] if draw.random() < 0.6 else SPECS)

    def line(self) -> list[str]:
        """A command line, or a call (its first word is @)."""
        draw = self.draw
        if draw.random() < 0.2:
            game = draw.choice(game_names())
            specs = list(find_game(game).examples) if draw.random() < 0.7 else BROKEN
            what = draw.choice(CALLS)
            specs = VALUES_OF_GAMES + BROKEN if what == "cgt" else specs
            limits = [draw.choice(VALUES[name][:6]) for name in ("--time", "--nodes", "--threads")]
            return ["@", game, what, draw.choice(specs), *limits]
        words = draw.choices(self.commands, self.weights)[0]
        command = COMMANDS[words]
        typed = list(words)
        if draw.random() < 0.4:
            typed = example_of(command)
            if "--time" in typed:  # a short one will do
                typed[typed.index("--time") + 1] = draw.choice(VALUES["--time"])
        else:
            for parameter in command.params:
                if not parameter.opts[0].startswith("-"):
                    typed += [self.value_for(parameter) for _ in range(draw.choice([1, 1, 1, 1, 1, 2, 0]))]
        for parameter in command.params:
            option = draw.choice(parameter.opts)
            if option.startswith("-") and "--help" not in parameter.opts and draw.random() < 0.12:
                typed += [option] if getattr(parameter, "is_flag", False) else [option, self.value_for(parameter)]
        taken = {name for parameter in command.params for name in parameter.opts}
        if "--time" in taken and not {"--time", "--seconds"} & set(typed):
            typed += ["--time", str(TIME)]
        if "--memory" in taken and "--memory" not in typed:
            typed += ["--memory", "16M"]
        if words == ("campaign", "run") and "--workers" not in typed:  # else a cluster would start
            typed += ["--workers", "0"]
        if "--port" in taken:
            typed += ["--store", "no/where.db"]
        if draw.random() < 0.03:
            typed.insert(draw.randrange(len(typed) + 1), draw.choice(["--none", "-h", "x", ""]))
        return typed

    def lines(self, count: int) -> Iterator[list[str]]:
        """So many; some come twice, as text and as JSON."""
        while count > 0:
            words = self.line()
            yield words
            count -= 1
            if words[0] != "@" and "--json" not in words and self.draw.random() < 0.2 and count:
                yield [*words, "--json"]
                count -= 1


@dataclass
class End:
    """How a line ended."""

    words: list[str]
    code: int
    raised: str | None
    took: float
    out: str
    err: str
    changed: bool
    """Whether files were written, so that the same line may say something else."""


def limit_of(words: list[str]) -> float | None:
    """The time that a line has; None where it has none, or one for each of many questions."""
    if words[0] == "@":
        lists_a_million_moves = words[2] == "mark" and words[3] == "2x1000000"
        return None if words[2] in ("plan", "look") or lists_a_million_moves else float(words[4])
    if words[0] in ("bench", "serve", "doctor"):
        return None
    place = "--time" if "--time" in words else "--seconds"
    value = words[len(words) - words[::-1].index(place)] if place in words[:-1] else "1"
    try:
        return float(value) if float(value) > 0 else 1.0
    except ValueError:
        return 1.0


def problem_of(end: End) -> str | None:
    """What is wrong with the end of a line."""
    words, code, err = end.words, end.code, end.err
    if end.raised is not None:
        return f"raised {end.raised}"
    if code not in DOCUMENTED:
        return f"exit code {code}"
    if "Traceback" in err or "this is a bug" in err or "Exception ignored" in err:
        return err[-500:]
    silent = words[0] in ("@", "check") or "-h" in words or "Usage" in end.out  # a verdict is an answer
    if code in (2, 130) and err.count("\n") != 1 and not silent:
        return f"{err.count(chr(10))} lines of errors: {err[:300]}"
    limit = limit_of(words)
    late = 2 * LATE if words[0] == "play" else LATE  # it thinks in this time, and shows the board
    if end.took > (UNLIMITED if limit is None else limit + late):
        return f"{end.took:.1f} s"
    if "--json" in words and code in (0, 1, 3) and "-h" not in words:
        try:
            for text in filter(None, end.out.split("\n")):
                json.loads(text)
        except ValueError:
            return f"not JSON: {end.out[:300]}"
    return None


def leaves(data: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every value in plain data that is no container, with the key under which it stands."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield from leaves(value, name)
    elif isinstance(data, list):
        for value in data:
            yield from leaves(value, key)
    else:
        yield key, data


def disagreement(text: End, as_json: End) -> str | None:
    """What the JSON of a line says that its text does not."""
    if text.code != as_json.code:
        fits = 3 in (text.code, as_json.code) or "--json" in as_json.err  # an option that excludes it
        return None if fits else f"{as_json.code} as JSON, {text.code} as text"
    if text.code not in (0, 1) or "-h" in text.words:
        return None
    names = {name for game in map(find_game, game_names()) for name in game.player_names.items()}
    flat = " ".join(text.out.split())
    if "unknown within" in flat:  # a busy machine came less far
        return None
    for line in filter(None, as_json.out.split("\n")):
        for key, value in leaves(json.loads(line)):
            if not value or value is True or len(str(value)) > 500 or str(value).startswith("unknown"):
                continue
            said = [str(value)]
            if key == "why" and str(value).startswith(REASONS):
                said = [*REASONS]  # which of them comes first is a matter of time
            elif key in COUNTED and text.words[0] != "check":
                said = [f"{value:,}"]
            elif key in ("winner", "wins") and text.words[0] not in ("why", "proof"):  # the outcome; what was written
                said = (
                    ["draw"] if value == "draw" else [f"{n} wins" for s, long in names if s == value for n in (s, long)]
                )
            elif key not in SAID:
                continue
            if not any(" ".join(one.split()) in flat for one in said):
                return f"JSON says {key} {str(value)[:200]!r}, the text does not: {flat[:300]}"
    return None


@dataclass
class Told:
    """What came out of many lines."""

    codes: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    compared: int = 0
    used: float = 0.0
    """Seconds of the processors."""

    @property
    def count(self) -> int:
        return sum(self.codes.values())

    def take(self, ends: list[End], last: list[str] | None, code: int | None) -> None:
        """Judge a batch; ``last`` is the line in which its process ended, if that was too soon."""
        for end in ends:
            self.codes[f"{'call' if end.words[0] == '@' else 'line'} {end.code}"] += 1
            if (problem := problem_of(end)) is not None:
                self.wrong.append(f"{shlex.join(end.words)[:300]}: {problem}")
        for text, as_json in itertools.pairwise(ends):
            if as_json.words == [*text.words, "--json"] and not text.changed and problem_of(as_json) is None:
                self.compared += 1
                if (problem := disagreement(text, as_json)) is not None:
                    self.wrong.append(f"{shlex.join(as_json.words)[:300]}: {problem}")
        if last is not None:
            how = "hangs" if code is None else f"ended the process: {code}"
            self.wrong.append(f"{shlex.join(last)[:300]}: {how}")

    def __str__(self) -> str:
        rate = self.count / max(self.used, 0.001)
        ends = ", ".join(f"{name}: {count:,}" for name, count in sorted(self.codes.items()))
        cost = f"{self.used:,.0f} s of the processor, {rate:,.0f} a second"
        both = f"{self.compared:,} as text and as JSON"
        return f"{self.count:,} tries ({both}), {cost}; {ends}; wrong: {len(self.wrong):,}"


class Batch:
    """Some lines that one process works on."""

    def __init__(self, world: World, lines: list[list[str]]) -> None:
        self.world, self.lines, self.where = world, lines, world.copy()
        (self.where / "bad.zc").write_bytes((self.where / "4x5.zc").read_bytes()[:-3] + b"xyz")
        (self.where / "folder").mkdir()
        self.log = world.root / f"{self.where.name}.log"
        self.job: Job = world.start(lines, self.where, log=str(self.log))
        self.seen, self.since = 0, time.monotonic()

    def ended(self) -> bool:
        """Whether it has ended, or hangs."""
        if self.world.forker.wait(self.job, 0) is not None:
            return True
        size = self.log.stat().st_size if self.log.exists() else 0
        if size != self.seen:
            self.seen, self.since = size, time.monotonic()
        return time.monotonic() - self.since > SILENT

    def take(self, told: Told) -> list[list[str]]:
        """Judge what it has done; return the lines that are left."""
        code = self.job.code
        if code is None:
            os.kill(self.job.process, 9)
            self.world.forker.wait(self.job, 10)
        self.job.read()
        said = [json.loads(text) for text in self.log.read_text().split("\n") if text]
        ends = [End(words, *end) for words, end in zip(said[::2], said[1::2], strict=False)]
        told.used += self.job.used
        told.take(ends, said[-1] if len(said) % 2 else None, code)
        self.log.unlink()
        shutil.rmtree(self.where, ignore_errors=True)
        return self.lines[max(1, (len(said) + 1) // 2) :] if len(said) < 2 * len(self.lines) else []


def try_all(forker: Forker, tries: int, seed: int, processes: int = 1) -> Told:
    """Try so many lines; what is wrong is printed as soon as it is seen."""
    world, told, lines = World(forker), Told(), Speaker(seed).lines(tries)
    running: list[Batch] = []
    while True:
        while len(running) < processes and (more := list(itertools.islice(lines, BATCH))):
            running.append(Batch(world, more))
        if not running:
            return told
        for batch in [one for one in running if one.ended()]:
            running.remove(batch)
            known = len(told.wrong)
            if left := batch.take(told):
                running.append(Batch(world, left))
            print(told, *told.wrong[known:], sep="\n", flush=True)
        time.sleep(0.01)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=20_000)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    forker = Forker()
    try:
        told = try_all(forker, given.tries, given.seed, given.processes)
    finally:
        forker.close()
    sys.exit(bool(told.wrong))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()
