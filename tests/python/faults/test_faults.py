"""Every command under every fault: it says so in one line, its exit code means what it says, and no file is half.

Commands, their options that write files and an example call of each are found by asking the command line; a command
without an example fails. ZERMELO_FAULTS=N gives every command N signals of each kind at random moments, CI one;
ZERMELO_SEED chooses others. `pytest -s` prints the table.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from forker import Forker
from worlds import CALLS, COMMANDS, DOCUMENTED, Call, Good, World, example_of, is_new, tree

ANSWERED, BAD_INPUT, LIMIT, INTERRUPTED, CLOSED_PIPE = 0, 2, 3, 130, 141
SEED = int(os.environ.get("ZERMELO_SEED", "1"))
SIGNALS = int(os.environ.get("ZERMELO_FAULTS", "1"))
"""How many signals of each kind every command gets."""


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_command_has_an_example(words: tuple[str, ...]) -> None:
    assert tuple(example_of(COMMANDS[words])[: len(words)]) == words


@pytest.fixture(scope="module")
def world(forker: Forker) -> Iterator[World]:
    made = World(forker)
    for call in CALLS:
        where, begin = made.copy(), time.monotonic()
        code, out, err = made.end(made.start(call.words, where))
        changed = {name: data for name, data in tree(where).items() if is_new(where / name, made.plain / name)}
        made.good[call.name] = Good(code, out, changed, time.monotonic() - begin)
        assert code in (0, 3) or call.name == "serve", (call, code, err)
        shutil.rmtree(where)
    yield made
    print(f"\n\n| command | {' | '.join(FAULTS)} |\n|---|{'---|' * len(FAULTS)}")
    for name, row in TABLE.items():
        print(f"| `{name}` | " + " | ".join(row.get(fault, "") for fault in FAULTS) + " |")
    print(f"\n{made.calls:,} calls, {made.used:,.0f} s of the processor")


# The faults: each runs a call in a fresh copy of the world and says how it ended; what is wrong is raised.


def sane(call: Call, world: World, where: Path, code: int, err: str) -> None:
    """What holds under every fault: a documented code, one line at most, and no file that nobody asked for."""
    assert code in DOCUMENTED, (code, err)
    assert "Traceback" not in err and "this is a bug" not in err and err.count("\n") <= 1, err
    for name in tree(where).keys() - world.before.keys() - world.good[call.name].changed.keys():
        raise AssertionError(f"{name} is left")
    for file in where.rglob("*.db"):
        if file.is_file() and os.access(file, os.W_OK) and file.name != "values.db":
            with sqlite3.connect(file) as database:
                assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            database.close()


def same_files(world: World, where: Path) -> None:
    """Nothing was written, but in stores, which look after themselves."""
    now = tree(where)
    for name, data in world.before.items():
        assert now[name] == data or name.endswith(".db"), f"{name} was changed"
    new = [name for name in now.keys() - world.before.keys() if ".db" not in name or "values" in name]
    assert not new, new


def whole(name: str, data: bytes, good: bytes) -> None:
    """A file is all there."""
    if name.endswith((".zc", ".svg", ".png", ".html")):
        assert (data[:4], data[-6:]) == (good[:4], good[-6:]), f"{name} is not whole"
    assert data or not good, f"{name} is empty"


def as_good(call: Call, world: World) -> tuple[int, ...]:
    """The codes of a call that goes well: on a busy machine its time may be over before."""
    return (world.good[call.name].code, *([LIMIT] if "--time" in call.words else []))


def refused(call: Call, world: World, where: Path, **fault: Any) -> int:
    """A call that writes something cannot, and says so; others do not care."""
    good = world.good[call.name]
    code, _, err = world.end(world.start(call.words, where, **fault))
    sane(call, world, where, code, err)
    if good.changed:
        assert (code, err.count("\n")) == (BAD_INPUT, 1), (code, err)
        assert "Errno" not in err, "in words"
        proof = any(name.endswith(".zc") for name in good.changed)
        assert not proof or ".zc: " in err or str(where) in err, f"it names neither the file nor its folder: {err}"
        same_files(world, where)
    elif "file_size" not in fault or err.count("\n") != 1:  # who needs room to work in says so, too
        assert code in as_good(call, world), (code, err)
    return code


def unharmed(call: Call, world: World, where: Path, **fault: Any) -> int:
    """A fault that is none of the call's business."""
    good = world.good[call.name]
    code, out, err = world.end(world.start(call.words, where, **fault))
    sane(call, world, where, code, err)
    assert code in as_good(call, world), (code, out[-200:], err)
    now = tree(where)
    for name, data in good.changed.items() if code == good.code else ():
        whole(name, now[name], data)
    return code


def full_disk(call: Call, world: World, where: Path) -> int:
    return refused(call, world, where, file_size=10)


def read_only(call: Call, world: World, where: Path) -> int:
    for file in (*where.rglob("*"), where):
        file.chmod(0o555 if file.is_dir() or os.access(file, os.X_OK) else 0o444)
    return refused(call, world, where, humble=True)


def is_folder(call: Call, world: World, where: Path) -> int:
    good = world.good[call.name]
    targets = [where / name for name in good.changed]
    for target in targets:
        target.unlink(missing_ok=True)
        target.mkdir(parents=True)
    code, _, err = world.end(world.start(call.words, where))
    assert code == (BAD_INPUT if targets else good.code) and err.count("\n") <= 1, (code, err)
    assert "Traceback" not in err and "this is a bug" not in err, err
    for target in targets:
        assert target.is_dir() and not list(target.iterdir())
    assert not [name for name in tree(where) if name.endswith(".part")]
    return code


def closed_stdout(call: Call, world: World, where: Path) -> int:
    code, _, err = world.end(world.start(call.words, where, closed="stdout"))
    sane(call, world, where, code, err)
    assert (code, err) == (BAD_INPUT, "zermelo: standard output is closed\n")
    same_files(world, where)
    return code


def closed_pipe(call: Call, world: World, where: Path) -> int:
    code, _, err = world.end(world.start(call.words, where, closed="pipe"))
    sane(call, world, where, code, err)
    if world.good[call.name].out:  # else it has nothing to say
        assert (code, err) == (CLOSED_PIPE, ""), (code, err)
    return code


def interrupted(call: Call, world: World, where: Path, number: signal.Signals) -> int:
    good, draw = world.good[call.name], random.Random(f"{SEED} {call.name} {number}")
    code = -1
    for _ in range(SIGNALS):
        shutil.rmtree(where)
        shutil.copytree(world.plain, where)
        job = world.start(call.words, where)
        time.sleep(min(good.seconds, 3) * draw.random())
        with contextlib.suppress(ProcessLookupError):
            os.kill(job.process, number)
        begin = time.monotonic()
        code, _, err = world.end(job, 20)
        assert time.monotonic() - begin < 10, "it did not stop"  # others may keep the machine busy
        sane(call, world, where, code, err)
        assert code in (*as_good(call, world), INTERRUPTED), (code, err)
        for name, data in tree(where).items():
            if name in good.changed and name not in world.before:
                whole(name, data, good.changed[name])
    return code


def sigint(call: Call, world: World, where: Path) -> int:
    return interrupted(call, world, where, signal.SIGINT)


def sigterm(call: Call, world: World, where: Path) -> int:
    return interrupted(call, world, where, signal.SIGTERM)


def two_at_once(call: Call, world: World, where: Path) -> int:
    """On the same targets, and on the same cache, which is empty."""
    good, fine, cache = world.good[call.name], as_good(call, world), {"ZERMELO_CACHE": str(where / "cache")}
    jobs = [world.start(call.words, where, env=cache) for _ in range(2)]
    codes = []
    for job in jobs:
        code, _, err = world.end(job)
        assert code in (*fine, BAD_INPUT) and "Traceback" not in err and "this is a bug" not in err, err
        assert code in fine or err.count("\n") == 1
        codes.append(code)
    assert set(fine) & set(codes)
    shutil.rmtree(where / "cache", ignore_errors=True)
    sane(call, world, where, codes[0], "")
    for name, data in good.changed.items() if LIMIT not in codes else ():
        whole(name, tree(where)[name], data)
    return max(codes)


def bad_cache(call: Call, world: World, where: Path) -> int:
    cache, draw = where / "cache", random.Random(f"{SEED} {call.name}")
    cache.mkdir()
    for file in world.cache.iterdir():
        with file.open("rb") as old:
            data = bytearray(old.read(1 << 20))  # cut off, where it is longer
        for _ in range(8 * bool(data)):  # a lock is empty
            data[draw.randrange(len(data))] ^= 1 + draw.randrange(255)
        (cache / file.name).write_bytes(data)
    good = world.good[call.name]
    code, out, err = world.end(world.start(call.words, where, env={"ZERMELO_CACHE": str(cache)}))
    shutil.rmtree(cache)
    sane(call, world, where, code, err)
    assert code in as_good(call, world) or call.name == "doctor", (code, err)
    if call.name.startswith("solve"):
        words = [re.sub(r"\[.*\]", "", text) for text in (out, good.out)]
        assert words[0] == words[1]
    return code


def no_home(call: Call, world: World, where: Path) -> int:
    if call.name == "doctor":  # it says that there is no place for a cache
        return world.end(world.start(call.words, where, env=NOWHERE))[0]
    return unharmed(call, world, where, env=NOWHERE)


def cache_is_file(call: Call, world: World, where: Path) -> int:
    env = {"ZERMELO_CACHE": str(where / "4x5.zc")}
    if call.name == "doctor":
        code, out, _ = world.end(world.start(call.words, where, env=env))
        assert code == 1 and "is a file, not a folder" in out, out
        return code
    code = unharmed(call, world, where, env=env)
    assert (where / "4x5.zc").read_bytes() == world.before["4x5.zc"]
    return code


def clock_back(call: Call, world: World, where: Path) -> int:
    return unharmed(call, world, where, clock_back=True)


NOWHERE = {"HOME": None, "ZERMELO_CACHE": None, "XDG_CACHE_HOME": None}
FAULTS = {
    fault.__name__: fault
    for fault in (
        full_disk, read_only, is_folder, closed_stdout, closed_pipe, sigint, sigterm, two_at_once, bad_cache, no_home,
        cache_is_file, clock_back,
    )
}  # fmt: skip
ABOUT_FILES = (full_disk, read_only, is_folder, sigint, sigterm, two_at_once)
"""The others are the same to a command whichever file it writes."""
TABLE: dict[str, dict[str, str]] = {call.name: {} for call in CALLS}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_every_command_stands_the_fault(fault: str, world: World) -> None:
    kept, wrong = tree(world.cache), []
    for call in CALLS:
        if not call.alone and FAULTS[fault] not in ABOUT_FILES:
            continue
        where = world.copy()
        try:
            TABLE[call.name][fault] = str(FAULTS[fault](call, world, where))
        except AssertionError as error:
            TABLE[call.name][fault] = "WRONG"
            wrong.append(f"{call.name}: {str(error)[:400]}")
            print(fault, wrong[-1])
        for file in (where, *where.rglob("*")):
            if file.is_dir():
                file.chmod(0o755)
        shutil.rmtree(where)
    now = tree(world.cache)
    assert {name: now.get(name) for name in kept} == kept, "the cache was harmed"
    assert not [name for name in now if name.endswith(".part")]
    assert not wrong, "\n".join(wrong)
