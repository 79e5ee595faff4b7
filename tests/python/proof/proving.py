"""Short ways to write and verify certificates in tests."""

from __future__ import annotations

import atexit
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import tiny

from zermelo.game import Limits, Position, Written, find_game


def prove(position: Position | str, first: str, path: Path, game: str = "domineering", **options: Any) -> Written:
    """Write a certificate; limits by name, and what else :meth:`Game.prove` takes."""
    names = ("seconds", "nodes", "memory", "threads", "cancel", "on_progress")
    limits = {name: options.pop(name) for name in names if name in options}
    read = find_game(game).parse(position) if isinstance(position, str) else position
    return read.game.prove(read, first, path, limits=Limits(**limits), **options)


FOLDER = tempfile.TemporaryDirectory()
atexit.register(FOLDER.cleanup)


@cache
def certificate(spec: str, first: str) -> Path:
    """Return a certificate of Domineering, which is written once and must not be changed."""
    path = Path(FOLDER.name, f"{len(list(Path(FOLDER.name).iterdir()))}.zc")
    assert prove(spec, first, path).path
    return path


def verified_by_both(path: Path) -> bool:
    """Whether both checkers verify a file; neither runs as a program of its own here."""
    return tiny.FAST.check(path).verified and tiny.zcheck.check(str(path))[0] == tiny.zformat.VERIFIED
