"""A user who types anything: random command lines, valid and broken, for every command there is."""

from __future__ import annotations

import itertools
import json
import random
import shlex
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from forker import Forker
from worlds import COMMANDS, DOCUMENTED, World, example_of

from zermelo.game import find_game, game_names

BATCH = 2000
"""Lines that one process runs, one after the other, in one folder."""
TIME = 0.02
LATE = 0.5
"""Seconds after which a limit must have stopped a command; by the clock or by the processor, whichever is less."""
UNLIMITED = 10.0
"""Seconds for commands without a limit, or with one limit for each of many questions."""
RARE = {"bench": 0.01, "doctor": 0.05, "serve": 0.15, "value": 0.5, "play": 0.5}
"""How often slow commands are tried."""
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
    "--port": ["-1", "x"],  # a good one would start a server
    "--units": ["1", "5", "0"],
}
WORDS = ["V", "H", "X", "O", "maker", "first", "search", "rules", "cover", "pairing", "V1,1", "V1,1;H1,2", "-", "z", ""]
NUMBERS = ["0", "1", "2", "3", "-1", "x", "1e3", "9" * 25]
IN_BOTH = ("canonical", "mean", "temperature", "left_stop", "right_stop", "verdict", "claim", "text")
"""Keys of JSON answers whose values the text prints, too."""


class LineMaker:
    """Makes command lines; the same seed makes the same lines."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.commands = list(COMMANDS)
        self.weights = [RARE.get(words[0], 1.0) for words in self.commands]

    def value_for(self, parameter: Any) -> str:
        """Return text for a parameter, often of the kind that it takes."""
        choice: Callable[[Sequence[str]], str] = self.chance.choice
        kind = type(parameter.type).__name__.lower()
        if names := [name for name in parameter.opts if name in VALUES]:
            return choice(VALUES[names[0]])
        if "path" in kind:
            return choice(FILES)
        if "int" in kind or "float" in kind:
            return choice(NUMBERS)
        listed = (getattr(parameter, "help", "") or "").partition("One of: ")[2].partition(".")[0]
        if listed and self.chance.random() < 0.7:
            return choice(listed.split(", "))
        return choice([*SPECS, *BROKEN, *WORDS, *FILES, *VALUES_OF_GAMES] if self.chance.random() < 0.6 else SPECS)

    def line(self) -> list[str]:
        """Return a command line."""
        chance = self.chance
        words = chance.choices(self.commands, self.weights)[0]
        command = COMMANDS[words]
        typed = list(words)
        if chance.random() < 0.4:
            typed = example_of(command)
            if "--time" in typed:
                typed[typed.index("--time") + 1] = chance.choice(VALUES["--time"])
        else:
            for parameter in command.params:
                if not parameter.opts[0].startswith("-"):
                    typed += [self.value_for(parameter) for _ in range(chance.choice([1, 1, 1, 1, 1, 2, 0]))]
        for parameter in command.params:
            option = chance.choice(parameter.opts)
            if option.startswith("-") and "--help" not in parameter.opts and chance.random() < 0.12:
                typed += [option] if getattr(parameter, "is_flag", False) else [option, self.value_for(parameter)]
        taken = {name for parameter in command.params for name in parameter.opts}
        if "--time" in taken and not {"--time", "--seconds"} & set(typed):
            typed += ["--time", str(TIME)]
        if "--memory" in taken and "--memory" not in typed:
            typed += ["--memory", "16M"]
        if words == ("campaign", "run") and "--workers" not in typed:  # the default starts a cluster
            typed += ["--workers", "0"]
        if "--port" in taken:
            typed += ["--store", "no/where.db"]
        if chance.random() < 0.03:
            typed.insert(chance.randrange(len(typed) + 1), chance.choice(["--none", "-h", "x", ""]))
        return typed

    def lines(self, count: int) -> list[list[str]]:
        """Return so many lines, or one more; some come twice, as text and as JSON."""
        made: list[list[str]] = []
        while len(made) < count:
            made.append(self.line())
            if "--json" not in made[-1] and self.chance.random() < 0.2:
                made.append([*made[-1], "--json"])
        return made


@dataclass
class End:
    """How a line ended."""

    words: list[str]
    code: int
    raised: str | None = None
    took: float = 0.0
    out: str = ""
    err: str = ""
    changed: bool = False
    """Whether files were written, so that the same line may give another answer."""


def limit_of(words: list[str]) -> float | None:
    """Return the time limit of a line; None if it has none, or one for each of many questions."""
    if words[0] in ("bench", "serve", "doctor"):
        return None
    option = "--time" if "--time" in words else "--seconds"
    value = words[len(words) - words[::-1].index(option)] if option in words[:-1] else "1"
    try:
        return float(value) if float(value) > 0 else 1.0
    except ValueError:
        return 1.0


def problem_of(end: End) -> str | None:
    """Return what is wrong with the end of a line."""
    words, code, err = end.words, end.code, end.err
    if end.raised is not None:
        return f"raised {end.raised}"
    if code not in DOCUMENTED:
        return f"exit code {code}"
    if "Traceback" in err or "this is a bug" in err or "Exception ignored" in err:
        return err[-500:]
    silent = words[0] == "check" or "-h" in words or "Usage" in end.out  # a verdict is an answer
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
    """Yield every value in plain data that is no container, with its key."""
    if isinstance(data, (dict, list)):
        for name, value in data.items() if isinstance(data, dict) else ((key, one) for one in data):
            yield from leaves(value, name)
    else:
        yield key, data


def disagreement(text: End, as_json: End) -> str | None:
    """Return a difference between the text and the JSON of a line."""
    if text.code != as_json.code:
        excused = 3 in (text.code, as_json.code) or "--json" in as_json.err  # an option that excludes it
        return None if excused else f"{as_json.code} as JSON, {text.code} as text"
    printed = " ".join(text.out.split())
    if text.code not in (0, 1) or "-h" in text.words or "unknown within" in printed:
        return None
    names = [name for game in map(find_game, game_names()) for name in game.player_names.items()]
    for key, value in (leaf for line in as_json.out.splitlines() if line for leaf in leaves(json.loads(line))):
        expected = []
        if key in ("winner", "wins") and value and text.words[0] not in ("why", "proof"):  # those name outcomes
            expected = (
                ["draw"] if value == "draw" else [f"{one} wins" for pair in names if value in pair for one in pair]
            )
        elif key in IN_BOTH and value and value is not True and len(str(value)) < 500:
            expected = [] if str(value).startswith("unknown") else [" ".join(str(value).split())]
        if expected and not any(one in printed for one in expected):
            return f"JSON says {key} {str(value)[:200]!r}, the text does not: {printed[:300]}"
    return None


def try_lines(forker: Forker, count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Try so many random lines; return how often each exit code came, and everything that is wrong."""
    world, lines = World(forker), LineMaker(seed).lines(count)
    codes, wrong = Counter[str](), list[str]()
    while lines:
        where, log = world.copy(), world.root / "log"
        (where / "bad.zc").write_bytes((where / "4x5.zc").read_bytes()[:-3] + b"xyz")
        (where / "folder").mkdir()
        job = world.start(lines[:BATCH], where, log=str(log))
        code = forker.wait(job, 3600)
        job.read()
        records = [json.loads(text) for text in log.read_text().split("\n") if text]
        ends = [End(words, *end) for words, end in zip(records[::2], records[1::2], strict=False)]
        codes.update(f"line {end.code}" for end in ends)
        found = [(end, problem_of(end)) for end in ends]
        for text, as_json in itertools.pairwise(ends):
            if as_json.words == [*text.words, "--json"] and not text.changed and problem_of(as_json) is None:
                codes["text and JSON"] += 1
                found.append((as_json, disagreement(text, as_json)))
        if len(records) % 2:  # the last line that began has no end
            found.append((End(records[-1], -1), f"ended the process: {code}"))
        wrong += [f"{shlex.join(end.words)[:300]}: {problem}" for end, problem in found if problem is not None]
        del lines[: max(1, (len(records) + 1) // 2)]
        shutil.rmtree(where, ignore_errors=True)
    return codes, wrong
