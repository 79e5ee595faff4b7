"""Values of Domineering positions, V being Left and positive, and the file that has those of all small ones.

This module is loaded when it is first used. It is also the service :class:`zermelo.game.services.Database`.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from zermelo import game
from zermelo._core import (
    BuildProgress,
    BuildReport,
    ComponentDatabase,
    DatabaseError,
    build_component_database,
    cache_folder,
)
from zermelo.cgt import Value
from zermelo.cgt.value import ARENA
from zermelo.domineering.position import Position
from zermelo.files import NO_CACHE
from zermelo.game.services import Database
from zermelo.game.values import ALL_VALUES, Ledger, PlainValues
from zermelo.game.watch import Watch

if TYPE_CHECKING:
    from zermelo.domineering.game import DomineeringGame
    from zermelo.game.catalogue import Catalogue

__all__ = ["DomineeringValues", "build_database", "database_path", "domineering_value", "use_database"]

FILE_NAME = "components.zdb"
DEFAULT_SQUARES = 12
CHEAP_SQUARES = 20
"""A search replaces a part of so many free squares by its value."""


def database_path() -> Path | None:
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
    target = path or database_path()
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


@cache
def open_database() -> ComponentDatabase | None:
    """Use the database of the cache folder if there is a sound one; warn about a broken one. Once per process."""
    path = database_path()
    if path is None or not path.exists():
        return None
    try:
        return use_database(path)
    except DatabaseError as error:
        warnings.warn(f"{error}; it is ignored", stacklevel=2)
        return None


def domineering_value(position: str | game.Position) -> Value:
    """Return the canonical value of a position on a rectangle, cylinder or torus, with any squares blocked.

    >>> domineering_value("2x3"), domineering_value("2x4"), domineering_value("4x5")
    (Value('{2|-1/2}'), Value('miny(2)'), Value('1'))

    :raises ValueError: if the spec is not understood.
    :raises LimitReached: if the position is too large; see :func:`zermelo.cgt.limits`.
    """
    board = (Position(position) if isinstance(position, str) else cast(Position, position)).board
    open_database()
    return Value.from_id(ARENA.domineering_value(board))


class DomineeringValues(PlainValues):
    """Values of positions by the core, V being Left."""

    help = "V is Left and positive. It takes far longer than finding the winner; --time limits it."

    def __init__(self, game: DomineeringGame) -> None:
        super().__init__(game)
        self.examples = ("5x5", "2x9", "..#./..../#...")
        self.database = cast("Database", sys.modules[__name__])

    def cheap(self, position: game.Position) -> bool:
        return cast(Position, position).free.bit_count() <= CHEAP_SQUARES

    def id_in(self, ledger: Ledger, position: game.Position, watch: Watch) -> int:
        database = open_database()
        if ledger is not ALL_VALUES:
            ledger.of(self, lambda: ledger.arena.use_database(database))
        return ledger.arena.domineering_value(cast(Position, position).board)

    def catalogue(
        self, squares: int, *, at_most: bool, within: str | None, file: Path | None, worth: str | None
    ) -> Catalogue:
        from zermelo.domineering.catalogue import connected, subsets

        if within is None:
            return connected(squares, at_most=at_most, database=file, worth=worth)
        return subsets(within) if worth is None else subsets(within).worth(worth)
