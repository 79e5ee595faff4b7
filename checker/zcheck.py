#!/usr/bin/env python3
"""zcheck: verify a certificate of who wins a game. See FORMAT.md, whose section numbers the comments cite.

  python3 zcheck.py [--json] [--time SECONDS] [--memory MIB] FILE

Standard library only, and nothing from the program that wrote the certificate: the rules of the games, the theorems
and the arithmetic are written in this folder once more, for reading: zformat.py (bytes), zdomineering.py (strategies),
zvalues.py (values of small pieces), zpositional.py (zones), zrectangles.py (rules), zcram.py (Cram), zstrong.py
(strong games), zrace.py (races). Exit code 0 verified, 1 rejected, 2 malformed, 3 unfinished.

Limits that are not given grow with the file (a pipe counts as empty), so that a few bytes cost little: a minute and a
second more for every 200 bytes, 1024 MiB and one more for every 1000 bytes up to 8192.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

from zcram import Cram
from zdomineering import Domineering
from zformat import MALFORMED, UNFINISHED, VERIFIED, Budget, Reader, Stop, malformed
from zpositional import Positional
from zrace import Race
from zrectangles import Rectangles
from zstrong import Strong

WORDS = ("VERIFIED", "REJECTED", "MALFORMED", "UNFINISHED")


def check(path: str, seconds: float | None = None, mebibytes: float | None = None) -> tuple[int, dict[str, object]]:
    """Check one file; return the exit code and the report."""
    said: dict[str, object] = {}
    reader = game = None
    try:
        size = Path(path).stat().st_size
        budget = Budget(
            60 + size / 200 if seconds is None else seconds,
            min(1024 + size / 1000, 8192) if mebibytes is None else mebibytes,
        )
        reader = Reader(path, budget)
        kind = reader.byte()
        if kind == 1:
            game = Domineering(reader, budget)
        elif kind in (2, 3):
            game = Positional(reader, budget, kind)
        elif kind == 4:
            game = Rectangles(reader, budget)
        elif kind == 5:
            game = Cram(reader, budget)
        elif kind in (6, 7):
            game = Strong(reader, budget, kind - 4)
        elif kind == 8:
            game = Race(reader, budget)
        else:
            raise malformed(f"unknown game {kind}")
        game.check()
        verdict = VERIFIED
    except Stop as stop:
        verdict, said["reason"] = stop.verdict, stop.reason
    except OSError as error:
        verdict, said["reason"] = MALFORMED, f"the file cannot be read: {error.strerror}"
    except (MemoryError, RecursionError):
        verdict, said["reason"] = UNFINISHED, "the memory of this machine was exhausted"
    if reader is not None:
        reader.file.close()
        said["bytes"] = reader.offset()
    if game is not None:
        said.update(game.claim)
        said["nodes"] = game.nodes
    return verdict, {"verdict": WORDS[verdict].lower(), **said}


def number(text: str) -> float:
    """Read a limit; 'inf' is none."""
    value = float(text)
    if "_" in text or math.isnan(value) or value < 0:
        raise ValueError
    return value


def main(arguments: list[str]) -> int:
    as_json, files = False, []
    limits: dict[str, float | None] = {"--time": None, "--memory": None}
    words = iter(arguments)
    try:
        for word in words:
            if word == "--json":
                as_json = True
            elif word in limits:
                limits[word] = number(next(words))
            elif word.startswith("-"):
                raise ValueError
            else:
                files.append(word)
        (path,) = files
    except (ValueError, StopIteration):
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return MALFORMED
    verdict, said = check(path, limits["--time"], limits["--memory"])
    if as_json:
        print(json.dumps(said))
    else:
        claim = " ".join(f"{key} {said[key]}" for key in ("game", "rules", "spec", "starter", "winner") if key in said)
        tail = said.get("reason") or f"{said['nodes']} nodes"
        print(f"{WORDS[verdict]}: {claim + ': ' if claim else ''}{tail}")
    return verdict


if __name__ == "__main__":
    sys.setrecursionlimit(20000)
    sys.exit(main(sys.argv[1:]))
