"""The file of values of all small connected Domineering positions: where it is, how it is built and used."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable
from pathlib import Path

from zermelo._core import BuildProgress, BuildReport, ComponentDatabase, DatabaseError, build_component_database
from zermelo.cgt.game import ARENA

FILE_NAME = "components.zdb"
DEFAULT_SQUARES = 12


def cache_folder() -> Path:
    """Return ZERMELO_CACHE, else XDG_CACHE_HOME/zermelo, else ~/.cache/zermelo."""
    if folder := os.environ.get("ZERMELO_CACHE"):
        return Path(folder)
    if folder := os.environ.get("XDG_CACHE_HOME"):
        return Path(folder, "zermelo")
    return Path.home() / ".cache" / "zermelo"


def default_path() -> Path:
    """Return where the database is looked for and built."""
    return cache_folder() / FILE_NAME


def build_database(
    squares: int = DEFAULT_SQUARES,
    path: Path | None = None,
    *,
    seconds: float = math.inf,
    memory: int = 2 << 30,
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> BuildReport:
    """Build or extend the database to all connected positions of at most so many squares.

    The file is complete after each square count; an interrupted build resumes there. A broken file is replaced.

    :raises ValueError: if the number of squares is out of range.
    :raises LimitReached: if a limit was hit; what was finished stays.
    """
    target = path if path is not None else default_path()
    target.parent.mkdir(parents=True, exist_ok=True)
    return build_component_database(str(target), squares, seconds, memory, on_progress)


def use_database(path: Path | None) -> ComponentDatabase | None:
    """Take values of small components from this file from now on; None for none.

    :raises DatabaseError: if the file is missing, broken or foreign; nothing changes then.
    """
    database = None if path is None else ComponentDatabase.open(str(path))
    ARENA.use_database(database)
    return database


def use_default_database() -> ComponentDatabase | None:
    """Use the database of the cache folder if there is a sound one; warn about a broken one."""
    path = default_path()
    if not path.exists():
        return None
    try:
        return use_database(path)
    except DatabaseError as error:
        warnings.warn(f"{error}; it is ignored", stacklevel=2)
        return None
