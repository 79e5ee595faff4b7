"""Every command under every fault: one line of error at most, a documented exit code, and only whole files.

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
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from forker import Forker
from worlds import CALLS, COMMANDS, DOCUMENTED, Call, Good, World, example_of, is_new, tree

BAD_INPUT, LIMIT, INTERRUPTED, CLOSED_PIPE = 2, 3, 130, 141
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


# The faults: each runs a call in a fresh copy of the world, checks how it ends and returns its exit code.


def check(call: Call, world: World, where: Path, code: int, err: str) -> None:
    """Check the promises for every fault: a documented code, one line of error at most, no file left over."""
    assert code in DOCUMENTED, (code, err)
    assert "Traceback" not in err and "this is a bug" not in err and err.count("\n") <= 1, err
    for name in tree(where).keys() - world.before.keys() - world.good[call.name].changed.keys():
        raise AssertionError(f"{name} is left")
    for file in where.rglob("*.db"):
        if file.is_file() and os.access(file, os.W_OK) and file.name != "values.db":
            with sqlite3.connect(file) as database:
                assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            database.close()


def run(call: Call, world: World, where: Path, **fault: Any) -> tuple[int, str, str]:
    """Run a call with a fault; return its exit code, output and errors."""
    code, out, err = world.end(world.start(call.words, where, **fault))
    check(call, world, where, code, err)
    return code, out, err


def check_unchanged(world: World, where: Path) -> None:
    """Check that no file was written; stores may change."""
    now = tree(where)
    for name, data in world.before.items():
        assert now[name] == data or name.endswith(".db"), f"{name} was changed"
    new = [name for name in now.keys() - world.before.keys() if ".db" not in name or "values" in name]
    assert not new, new


def check_whole(name: str, data: bytes, good: bytes) -> None:
    """Check that a file is complete."""
    if name.endswith((".zc", ".svg", ".png", ".html")):
        assert (data[:4], data[-6:]) == (good[:4], good[-6:]), f"{name} is not whole"
    assert data or not good, f"{name} is empty"


def as_good(call: Call, world: World) -> tuple[int, ...]:
    """Return the codes of a call that succeeds; on a busy machine its time may be too short."""
    return (world.good[call.name].code, *([LIMIT] if "--time" in call.words else []))


def refused(call: Call, world: World, where: Path, **fault: Any) -> int:
    """Run a call that cannot write: it is refused if it writes something."""
    good = world.good[call.name]
    code, _, err = run(call, world, where, **fault)
    if good.changed:
        assert (code, err.count("\n")) == (BAD_INPUT, 1), (code, err)
        assert "Errno" not in err
        proof = any(name.endswith(".zc") for name in good.changed)
        assert not proof or ".zc: " in err or str(where) in err, f"it names neither the file nor its folder: {err}"
        check_unchanged(world, where)
    elif "file_size" not in fault or err.count("\n") != 1:  # some need room for their work
        assert code in as_good(call, world), (code, err)
    return code


def unharmed(call: Call, world: World, where: Path, **fault: Any) -> int:
    """Run a call that the fault does not concern."""
    good = world.good[call.name]
    code, out, err = run(call, world, where, **fault)
    assert code in as_good(call, world), (code, out[-200:], err)
    now = tree(where)
    for name, data in good.changed.items() if code == good.code else ():
        check_whole(name, now[name], data)
    return code


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
    code, _, err = run(call, world, where, closed="stdout")
    assert (code, err) == (BAD_INPUT, "zermelo: standard output is closed\n")
    check_unchanged(world, where)
    return code


def closed_pipe(call: Call, world: World, where: Path) -> int:
    code, _, err = run(call, world, where, closed="pipe")
    if world.good[call.name].out:
        assert (code, err) == (CLOSED_PIPE, ""), (code, err)
    return code


def interrupted(call: Call, world: World, where: Path, number: signal.Signals) -> int:
    good, chance = world.good[call.name], random.Random(f"{SEED} {call.name} {number}")
    code = -1
    for _ in range(SIGNALS):
        shutil.rmtree(where)
        shutil.copytree(world.plain, where)
        job = world.start(call.words, where)
        time.sleep(min(good.seconds, 3) * chance.random())
        with contextlib.suppress(ProcessLookupError):
            os.kill(job.process, number)
        begin = time.monotonic()
        code, _, err = world.end(job, 20)
        assert time.monotonic() - begin < 10, "it did not stop"  # others may keep the machine busy
        check(call, world, where, code, err)
        assert code in (*as_good(call, world), INTERRUPTED), (code, err)
        for name, data in tree(where).items():
            if name in good.changed and name not in world.before:
                check_whole(name, data, good.changed[name])
    return code


def two_at_once(call: Call, world: World, where: Path) -> int:
    """Run two processes on the same files and the same empty cache."""
    good, fine, cache = world.good[call.name], as_good(call, world), {"ZERMELO_CACHE": f"{where}-cache"}
    ends = [world.end(job) for job in [world.start(call.words, where, env=cache) for _ in range(2)]]
    codes = [code for code, _, _ in ends]
    for code, _, err in ends:
        assert code in fine or (code == BAD_INPUT and err.count("\n") == 1), (code, err)
        check(call, world, where, code, err)
    assert set(fine) & set(codes)
    for name, data in good.changed.items() if LIMIT not in codes else ():
        check_whole(name, tree(where)[name], data)
    return max(codes)


def bad_cache(call: Call, world: World, where: Path) -> int:
    cache, chance = Path(f"{where}-cache"), random.Random(f"{SEED} {call.name}")
    cache.mkdir()
    for file in world.cache.iterdir():
        with file.open("rb") as old:
            data = bytearray(old.read(1 << 20))  # cut off, where it is longer
        for _ in range(8 * bool(data)):  # a lock is empty
            data[chance.randrange(len(data))] ^= 1 + chance.randrange(255)
        (cache / file.name).write_bytes(data)
    code, out, err = run(call, world, where, env={"ZERMELO_CACHE": str(cache)})
    assert code in as_good(call, world) or call.name == "doctor", (code, err)
    if call.name.startswith("solve"):
        assert re.sub(r"\[.*\]", "", out) == re.sub(r"\[.*\]", "", world.good[call.name].out)
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


NOWHERE = {"HOME": None, "ZERMELO_CACHE": None, "XDG_CACHE_HOME": None}
ABOUT_FILES: dict[str, Callable[[Call, World, Path], int]] = {
    "full_disk": partial(refused, file_size=10),
    "read_only": read_only,
    "is_folder": is_folder,
    "sigint": partial(interrupted, number=signal.SIGINT),
    "sigterm": partial(interrupted, number=signal.SIGTERM),
    "two_at_once": two_at_once,
}
"""These faults are tried with each option that writes a file, too."""
FAULTS = {
    **ABOUT_FILES,
    "closed_stdout": closed_stdout,
    "closed_pipe": closed_pipe,
    "bad_cache": bad_cache,
    "no_home": no_home,
    "cache_is_file": cache_is_file,
    "clock_back": partial(unharmed, clock_back=True),
}
TABLE: dict[str, dict[str, str]] = {call.name: {} for call in CALLS}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_every_command_survives_the_fault(fault: str, world: World) -> None:
    before, wrong = tree(world.cache), []
    for call in CALLS:
        if not call.alone and fault not in ABOUT_FILES:
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
    assert {name: now.get(name) for name in before} == before, "the cache was harmed"
    assert not [name for name in now if name.endswith(".part")]
    assert not wrong, "\n".join(wrong)
