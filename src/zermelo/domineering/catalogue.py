"""Lists of positions with their values: all connected ones of a size, or all parts of a shape.

>>> every = connected(4)
>>> len(every), every.worth("+-1")[0].position
(5, '2x2')
>>> [(line["squares"], line["positions"], line["values"]) for line in connected(5, at_most=True).summary()]
[(1, 1, 1), (2, 1, 2), (3, 2, 3), (4, 5, 8), (5, 12, 11)]
"""

from __future__ import annotations

import tempfile
from itertools import starmap
from pathlib import Path

from zermelo._core import ComponentDatabase, DatabaseError
from zermelo.cgt import Value
from zermelo.cgt.value import ARENA, ValueLike
from zermelo.domineering.lattice import Lattice
from zermelo.domineering.position import Position
from zermelo.domineering.values import build_database, database_path, domineering_value
from zermelo.game.catalogue import Catalogue, Entry

__all__ = ["Catalogue", "Entry", "connected", "subsets"]

LARGEST_SHAPE = 18
"""Shapes of more squares have too many parts to list: 2 to the power of 18 are 262,144."""
LARGEST_COUNT = 15
"""The database holds a shape in 64 bits. Some shapes of more squares do not fit."""


def connected(
    squares: int, *, at_most: bool = False, database: Path | None = None, worth: ValueLike | None = None
) -> Catalogue:
    """Return all connected positions with this number of squares, each once for all moved, mirrored and turned images.

    Their values are those of the database of ``zermelo value build-db``, if it is large enough; otherwise they are
    computed now (12 squares take two seconds, 15 some minutes).

    :param worth: only positions of this value; of those that are listed once for both ways, the way that has it. Of
        three million positions of 15 squares they are found in a moment.

    >>> [(entry.position, str(entry.value)) for entry in connected(3)]
    [('1x3', '-1'), ('../.#', '*')]
    >>> [entry.position for entry in connected(9, at_most=True, worth="*2")]
    []

    :raises ValueError: if the number is out of range.
    """
    if not 1 <= squares <= LARGEST_COUNT:
        raise ValueError(
            f"squares must lie between 1 and {LARGEST_COUNT}: the file of values holds a shape in 64 bits, and "
            f"some shapes of {LARGEST_COUNT + 1} squares do not fit"
        )
    value = None if worth is None else Value(worth)
    wanted = None if value is None else [value.id, (-value).id]
    with tempfile.TemporaryDirectory() as folder:
        source = _open(database or database_path(), squares)
        if source is None:
            path = Path(folder, "components.zdb")
            try:
                build_database(max(2, squares), path)
            except DatabaseError as error:  # the disk is full
                raise OSError(str(error)) from None
            source = ComponentDatabase.open(str(path))
        shapes = ARENA.shapes(source, 1 if at_most else squares, squares, wanted)
    if (squares == 1 or at_most) and (value is None or value == 0):
        shapes.append((1, 8, Value(0).id))  # a single square, which no file needs to list
    shapes.sort(key=lambda shape: (shape[0].bit_count(), shape[1], shape[0]))
    found = Catalogue(starmap(_entry, shapes), negative=_turned)
    return found if value is None else found.worth(value)


def _turned(spec: str) -> str:
    return Position(spec).transposed().spec


def _open(path: Path | None, squares: int) -> ComponentDatabase | None:
    """Return a database that has these positions, if the file is one."""
    if path is None:
        return None
    try:
        database = ComponentDatabase.open(str(path))
    except DatabaseError:
        return None
    return database if database.max_squares >= squares else None


def _entry(cells: int, stride: int, value: int) -> Entry:
    """Return a shape of the database as a position."""
    frame = Lattice(64 // stride + 1, stride)
    return Entry(Position.of(frame).part(cells)[0].spec, cells.bit_count(), Value.from_id(value))


def subsets(shape: Position | str) -> Catalogue:
    """Return all parts of a shape, connected or not, each once for all its mirror images inside the shape.

    >>> [(entry.position, str(entry.value)) for entry in subsets("2x2")][-2:]
    [('#./..', '*'), ('2x2', '+-1')]

    :raises ValueError: if the shape has too many squares.
    """
    whole = Position(shape) if isinstance(shape, str) else shape
    on, free = whole.lattice, whole.free
    if free.bit_count() > LARGEST_SHAPE:
        raise ValueError(
            f"{whole.spec} has {free.bit_count()} free squares; parts of at most {LARGEST_SHAPE} are listed"
        )
    met: dict[int, Position] = {}
    part = free
    while True:
        blocked = on.full & ~part
        met.setdefault(on.least(blocked), Position.of(on, blocked))
        if not part:
            break
        part = part - 1 & free
    parts = sorted(met.values(), key=lambda each: (each.free.bit_count(), each.spec))
    return Catalogue(Entry(each.spec, each.free.bit_count(), domineering_value(each)) for each in parts)
