"""`zermelo doctor`: is this installation sound?"""

from __future__ import annotations

import math
import os
import platform
import sys
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any

import typer

from zermelo import __version__, _core
from zermelo.bench.record import processor
from zermelo.cli.options import Json
from zermelo.cli.output import REJECTED, counted, tell
from zermelo.files import NO_CACHE
from zermelo.game import Limits, find_game, game_names
from zermelo.game.plain import PlainChooser

INSTRUCTIONS = ("sse4_2", "popcnt", "avx2", "bmi2", "avx512f")
"""The instruction sets that matter to the core."""
OPTIONAL = {"fastapi": "web", "uvicorn": "web", "dask": "cluster", "distributed": "cluster", "matplotlib": "plot"}


def installed(name: str) -> str | None:
    """Return the version of a package, or None."""
    found = next(iter(Distribution.discover(name=name)), None)
    return None if found is None else found.version


def self_test() -> dict[str, bool]:
    """Solve a small position of every game by its own solver and by the plain search; both must agree."""
    found = {}
    limits = Limits(seconds=1, nodes=20_000)
    for name in game_names():
        try:
            game = find_game(name)
            for spec in sorted(game.examples, key=lambda spec: math.prod(game.parse(spec).size)):
                position = game.parse(spec)
                slow = game.solve(position, limits=limits, chooser=PlainChooser(game, limits))
                if slow.known:
                    fast = game.solve(position, limits=limits)
                    found[f"{name}: two searches agree on {spec}"] = slow.outcome == fast.outcome
                    break
        except Exception as error:  # another package, or a broken installation: report it
            found[f"{name}: {type(error).__name__}: {error}"] = False
    return found


def cache_report() -> dict[str, Any]:
    """Return the folder of the tables, and the problem with it if there is one."""
    path = _core.cache_folder()
    if not path:
        return {"folder": None, "files": 0, "bytes": 0, "problem": NO_CACHE}
    folder = Path(path)
    files = [file for file in sorted(folder.glob("*")) if file.is_file()] if folder.is_dir() else []
    above = next((place for place in (folder, *folder.parents) if place.exists()), Path("/"))
    problem = None
    if not above.is_dir():
        problem = f"{above} is a file, not a folder"
    elif not os.access(above, os.W_OK | os.X_OK):
        problem = f"{above} cannot be written"
    size = sum(file.stat().st_size for file in files)
    return {"folder": path, "files": len(files), "bytes": size, "problem": problem}


def doctor(as_json: Json = False) -> None:
    tests, cache, extras = self_test(), cache_report(), {name: installed(name) for name in OPTIONAL}
    features = [name for name in INSTRUCTIONS if name in processor("flags").split()]
    report = {
        "version": __version__,
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "processor_features": features,
        "cache": cache,
        "extras": extras,
        "self_test": tests,
        "sound": all(tests.values()) and cache["problem"] is None,
    }
    tell(
        as_json,
        report,
        f"zermelo {__version__}, Python {report['python']}, {report['platform']}",
        f"processor: {', '.join(features) or 'no feature list'}",
        f"cache: {cache['problem'] or cache['folder']}, {counted(cache['files'], 'file')}",
        *(
            f"{name}: {version or f'not installed (pip install zermelo[{OPTIONAL[name]}])'}"
            for name, version in extras.items()
        ),
        *(f"{'ok' if passed else 'FAILED'}: {name}" for name, passed in tests.items()),
    )
    if not report["sound"]:
        raise typer.Exit(REJECTED)
