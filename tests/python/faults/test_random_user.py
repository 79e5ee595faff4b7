"""A user who types anything: command lines and calls from the grammar of all commands, valid and broken.

ZERMELO_USER=N tries N of them (ZERMELO_SEED other ones); `pytest -s` prints how they ended.
"""

from __future__ import annotations

import json
import os
import random
import shlex
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from forker import Forker
from test_faults import COMMANDS, DOCUMENTED, World, example_of

from zermelo.game import find_game, game_names

COUNT = int(os.environ.get("ZERMELO_USER", "450"))
SEED = int(os.environ.get("ZERMELO_SEED", "1"))
BATCH = 50
LIMIT = 0.1
SLOW = {"bench": 30.0, "doctor": 30.0, "facts": 10.0}
"""Commands whose limit is for each of many questions."""
SPECS = [spec for name in game_names() for spec in find_game(name).examples]
BROKEN = [
    "", " ", "0x0", "4x", "-1x4", "99999x99999", "1x40000", "2x1000000", "4x4:V9,9", "4x4:V1,1;V1,1", "3,3", "3,3,99",
    "9,9,0", "a b /", "/", "#", "##/##", "torus:1x1", "möbius:4x4", "1e9x2", "{|", "{1|{2|", "+-" * 400, "(" * 3000,
    "..#/" * 300, "\u2028", "--", "-", "None", "4x5.zc",
]  # fmt: skip
FILES = [
    "4x5.zc", "bad.zc", "old.csv", "campaigns.db", "none", "folder", "folder/new.svg", "no/where.svg", "new.svg",
    "new.png", "new.zc", "/dev/null", "/dev/full", "other-solver",
]  # fmt: skip
VALUES = {
    "--time": ["0.05", "0.1", "0.05", "0", "-1", "nan", "x"],
    "--memory": ["16M", "16M", "32", "1K", "inf", "-1", "2T", "x", "1e3"],
    "--nodes": ["1", "50", "1000", "0", "x"],
    "--threads": ["1", "2", "0", "x"],
    "--workers": ["0", "0", "-1", "x"],
    "--scheduler": ["x"],
    "--store": ["campaigns.db", "proved.db", "none.db", "4x5.zc", "folder", "mysql://x"],
    "--first": ["V", "H", "X", "both", "maker", "z"],
    "--port": ["-1", "x"],  # else it would serve
    "--rounds": ["1", "0"],
    "--units": ["1", "5", "0"],
}
WORDS = ["V", "H", "X", "O", "maker", "first", "search", "rules", "cover", "pairing", "V1,1", "V1,1;H1,2", "-", "z", ""]
NUMBERS = ["0", "1", "2", "3", "-1", "x", "1e3", "9" * 25]


def value_for(draw: random.Random, parameter: Any) -> str:
    """Something to type for a parameter; often what it takes."""
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


def line(draw: random.Random) -> list[str]:
    """A command line, or a call (its first word is @)."""
    if draw.random() < 0.15:
        return ["@", draw.choice(game_names()), draw.choice(["solve", "explain"]), draw.choice(SPECS + BROKEN)]
    words, command = draw.choice(list(COMMANDS.items()))
    if words[0] in SLOW and draw.random() < 0.8:
        return line(draw)
    typed = list(words)
    if draw.random() < 0.3:
        typed = example_of(command)
    else:
        for parameter in command.params:
            if not parameter.opts[0].startswith("-"):
                typed += [value_for(draw, parameter) for _ in range(draw.choice([1, 1, 1, 2, 0, 3]))]
    for parameter in command.params:
        option = draw.choice(parameter.opts)
        if option.startswith("-") and "--help" not in parameter.opts and draw.random() < 0.25:
            typed += [option] if getattr(parameter, "is_flag", False) else [option, value_for(draw, parameter)]
    taken = {name for parameter in command.params for name in parameter.opts}
    if "--time" in taken and not {"--time", "--seconds"} & set(typed):
        typed += ["--time", str(LIMIT)]
    if "--port" in taken:
        typed += ["--store", "none.db"]
    if draw.random() < 0.05:
        typed.insert(draw.randrange(len(typed) + 1), draw.choice(["--none", "--json", "-h", "x", ""]))
    return typed


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    forker = Forker()
    yield World(forker)
    forker.close()


def judge(words: list[str], code: int, raised: str | None, took: float, out: str, err: str) -> str | None:
    """What is wrong with the end of a call."""
    if raised is not None:
        return f"raised {raised}"
    if code not in DOCUMENTED:
        return f"exit code {code}"
    if "Traceback" in err or "fault of ours" in err:
        return err[-500:]
    silent = words[0] in ("@", "check") or "-h" in words or "Usage" in out  # a verdict is an answer, also "malformed"
    if code in (2, 130) and err.count("\n") != 1 and not silent:
        return f"{err.count(chr(10))} lines of errors: {err[:300]}"
    if took > SLOW.get(words[0], LIMIT + 1 if "--time" in words else 10):
        return f"{took:.1f} s"
    if "--json" in words and code in (0, 1, 3) and "-h" not in words:
        try:
            for text in out.splitlines():
                json.loads(text)
        except ValueError:
            return f"not JSON: {out[:300]}"
    return None


@pytest.mark.slow
def test_whatever_is_typed_ends_well(world: World) -> None:
    draw, codes, wrong = random.Random(SEED), Counter[str](), []
    (world.plain / "bad.zc").write_bytes((world.plain / "4x5.zc").read_bytes()[:-3] + b"xyz")
    (world.plain / "folder").mkdir()
    lines = [line(draw) for _ in range(COUNT)]
    # The same again as JSON: it must end in the same way.
    lines += [[*words, "--json"] for words in lines[: COUNT // 5] if words[0] != "@" and "--json" not in words]
    ended, last = dict[str, int](), dict[str, str]()
    while lines:
        where, log = world.copy(), world.root / "log"
        job = world.start(lines[:BATCH], where, log=str(log))
        seen, code = 0, None
        for _ in range(20):  # as long as it goes on
            code = world.forker.wait(job, 60)
            before, seen = seen, log.read_text().count("\n")
            if code is not None or seen == before:
                break
        if code is None:
            os.kill(job.process, 9)
            world.forker.wait(job, 10)
        job.read()
        told = [json.loads(text) for text in log.read_text().split("\n") if text]
        for words, end in zip(told[::2], told[1::2], strict=False):
            codes[f"{'call' if words[0] == '@' else 'line'} {end[0]}"] += 1
            ended[shlex.join(words)], last[shlex.join(words)] = end[0], end[4]
            if (problem := judge(words, *end)) is not None:
                wrong.append(f"{shlex.join(words)[:300]}: {problem}")
        if len(told) % 2:
            wrong.append(f"{shlex.join(told[-1])[:300]}: {'hangs' if code is None else f'ended the process: {code}'}")
        lines = lines[max(1, (len(told) + 1) // 2) :]
    for said, code in ended.items():
        plain = ended.get(said.removesuffix(" --json"), code)
        if plain != code and 3 not in (plain, code):
            wrong.append(f"{said[:300]}: {code} as JSON, {plain} as text: {last[said][:300]}")
    print(f"\nrandom user: {sum(codes.values()):,}: {dict(sorted(codes.items()))}, wrong: {len(wrong)}")
    assert not wrong, "\n".join(wrong)
