"""Values of Domineering positions, V being Left and positive, and the file that has those of all small ones."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path

from zermelo._core import (
    BuildProgress,
    BuildReport,
    ComponentDatabase,
    DatabaseError,
    build_component_database,
    cache_folder,
)
from zermelo.cgt.value import ARENA, Value
from zermelo.domineering.position import Position
from zermelo.files import NO_CACHE

__all__ = ["build_database", "domineering_value", "use_database"]

FILE_NAME = "components.zdb"
DEFAULT_SQUARES = 12


def default_path() -> Path | None:
    """Return where the database is looked for and built; None where there is no cache folder."""
    folder = cache_folder()
    return Path(folder, FILE_NAME) if folder else None


def build_database(
    squares: int = DEFAULT_SQUARES,
    path: Path | None = None,
    *,
    seconds: float = math.inf,
    memory: int = 2 << 30,
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> BuildReport:
    """Build or extend the database to all connected positions of at most ``squares`` squares.

    The file is complete after each square count; an interrupted build resumes there. A broken file is replaced.

    :raises ValueError: if the number of squares is out of range, or there is no place for the file.
    :raises LimitReached: if a limit was hit; finished sizes stay in the file.
    """
    target = path or default_path()
    if target is None:
        raise ValueError(NO_CACHE)
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
    if path is None or not path.exists():
        return None
    try:
        return use_database(path)
    except DatabaseError as error:
        warnings.warn(f"{error}; it is ignored", stacklevel=2)
        return None


# Once per process, for the first value.
open_database = cache(use_default_database)


def domineering_value(position: str | Position) -> Value:
    """Return the canonical value of a position on a rectangle, cylinder or torus, with any squares blocked.

    >>> domineering_value("2x3"), domineering_value("2x4"), domineering_value("4x5")
    (Value('{2|-1/2}'), Value('miny(2)'), Value('1'))

    :raises ValueError: if the spec is not understood.
    :raises LimitReached: if the position is too large; see :func:`zermelo.cgt.limits`.
    """
    board = (Position(position) if isinstance(position, str) else position).board
    open_database()
    return Value.from_id(ARENA.domineering_value(board))
