"""Lists of positions with their values: all connected ones of a size, or all parts of a shape.

>>> every = connected(4)
>>> len(every), every.worth("+-1")[0].position
(5, '2x2')
>>> [(line["squares"], line["positions"], line["values"]) for line in connected(5, at_most=True).summary()]
[(1, 1, 1), (2, 1, 2), (3, 2, 3), (4, 5, 8), (5, 12, 11)]
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from zermelo._core import ComponentDatabase, DatabaseError
from zermelo.cgt import Value
from zermelo.cgt.value import ARENA
from zermelo.domineering.lattice import lattice
from zermelo.domineering.position import Position
from zermelo.domineering.values import build_database, default_path, domineering_value
from zermelo.files import write_file

__all__ = ["Catalogue", "Entry", "connected", "subsets"]

LARGEST_SHAPE = 18
"""Shapes of more squares have too many parts to list: 2 to the power of 18 are 262,144."""
LARGEST_COUNT = 12
"""The database holds a shape in 64 bits. Some shapes of more squares do not fit."""
COLUMNS = (
    "position", "squares", "value", "outcome", "left_stop", "right_stop", "mean", "temperature", "birthday", "number"
)  # fmt: skip
"""The columns of an export."""


@dataclass(frozen=True)
class Entry:
    """A position and its value.

    >>> entry = connected(4).hottest(1)[0]
    >>> entry.position, str(entry.value), entry.temperature
    ('2x2', '+-1', Fraction(1, 1))
    """

    position: str
    squares: int
    value: Value

    @property
    def temperature(self) -> Fraction:
        """The value of a move there; -1 for integers."""
        return self.value.temperature

    def turned(self) -> Entry:
        """Return the entry with rows and columns exchanged, which is worth the negative."""
        return Entry(Position(self.position).transposed().spec, self.squares, -self.value)

    def row(self) -> dict[str, Any]:
        """Return the entry as plain data, exact numbers as text."""
        return {"position": self.position, "squares": self.squares, **_described(self.value)}


@lru_cache(maxsize=1 << 16)
def _described(value: Value) -> dict[str, Any]:
    exact = {name: str(getattr(value, name)) for name in ("left_stop", "right_stop", "mean", "temperature")}
    rest = {"birthday": value.birthday, "number": value.is_number}
    return {"value": str(value), "outcome": value.outcome, **exact, **rest}


class Catalogue:
    """A list of positions with their values.

    >>> small = subsets("2x3")
    >>> len(small), len(small.worth(0)), [entry.position for entry in small.hottest(2)]
    (24, 8, ['2x3', '#../#..'])
    """

    def __init__(self, entries: Iterable[Entry], *, up_to_turning: bool = False) -> None:
        """Keep entries; ``up_to_turning`` says that of a position and its transposed image only one is listed."""
        self.entries = tuple(entries)
        self.up_to_turning = up_to_turning

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __getitem__(self, index: int) -> Entry:
        return self.entries[index]

    def where(self, wanted: Callable[[Entry], bool]) -> Catalogue:
        """Return the entries for which a function returns true.

        >>> len(connected(5).where(lambda entry: entry.value.is_number))
        5
        """
        return Catalogue(filter(wanted, self.entries), up_to_turning=self.up_to_turning)

    def worth(self, value: Value | str | int | Fraction) -> Catalogue:
        """Return the positions of this value; of those that are listed once for both ways, the way that has it.

        >>> [entry.position for entry in connected(3).worth(1)]
        ['3x1']
        """
        game = Value(value)
        found = [entry for entry in self.entries if entry.value == game]
        if self.up_to_turning and game != -game:
            found += [entry.turned() for entry in self.entries if entry.value == -game]
        return Catalogue(found, up_to_turning=self.up_to_turning)

    def hottest(self, number: int = 10) -> Catalogue:
        """Return the entries with the highest temperatures, hottest first.

        >>> [str(entry.temperature) for entry in connected(6).hottest(3)]
        ['5/4', '5/4', '1']
        """
        ordered = sorted(self.entries, key=lambda entry: -entry.temperature)
        return Catalogue(ordered[:number], up_to_turning=self.up_to_turning)

    def summary(self) -> list[dict[str, Any]]:
        """Count positions, different values and temperatures for each number of squares.

        A value and its negative are two values, also where only one of a position and its turned image is listed.
        """
        lines: list[dict[str, Any]] = []
        for squares, group in groupby(sorted(self.entries, key=lambda entry: entry.squares), lambda e: e.squares):
            entries = list(group)
            values = {entry.value for entry in entries}
            if self.up_to_turning:
                values |= {-value for value in values}
            heats = {value: value.temperature for value in values}
            line = {
                "squares": squares,
                "positions": len(entries),
                "values": len(values),
                "temperatures": len(set(heats.values())),
                "numbers": sum(entry.value.is_number for entry in entries),
                "hot": sum(heats[entry.value] > 0 for entry in entries),
                "hottest": str(max(heats.values())),
            }
            lines.append(line)
        return lines

    def rows(self) -> list[dict[str, Any]]:
        """Return all entries as plain data."""
        return [entry.row() for entry in self.entries]

    def frame(self) -> Any:
        """Return a pandas DataFrame with the columns of :data:`COLUMNS`.

        :raises ModuleNotFoundError: if pandas is not installed; ``pip install 'zermelo[frames]'`` brings it.
        """
        pandas: Any = import_module("pandas")
        return pandas.DataFrame(self.rows(), columns=list(COLUMNS))

    def write(self, path: Path) -> None:
        """Write the rows to a .csv or .parquet file, whole or not at all.

        :raises ValueError: if the name ends otherwise.
        """
        if path.suffix == ".csv":
            text = io.StringIO()
            writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows())
            write_file(path, text.getvalue())
        elif path.suffix == ".parquet":
            write_file(path, self.frame().to_parquet())
        else:
            raise ValueError(f"{path.name}: the name of the file must end in .csv or .parquet")


def connected(squares: int, *, at_most: bool = False, database: Path | None = None) -> Catalogue:
    """Return all connected positions with this number of squares, each once for all moved, mirrored and turned images.

    Their values are those of the database of ``zermelo value build-db``, if it is large enough; otherwise they are
    computed now (12 squares take two seconds).

    >>> [(entry.position, str(entry.value)) for entry in connected(3)]
    [('1x3', '-1'), ('../.#', '*')]

    :raises ValueError: if the number is out of range.
    """
    if not 1 <= squares <= LARGEST_COUNT:
        raise ValueError(
            f"squares must lie between 1 and {LARGEST_COUNT}: the file of values holds a shape in 64 bits, and "
            f"some shapes of {LARGEST_COUNT + 1} squares do not fit"
        )
    with tempfile.TemporaryDirectory() as folder:
        source = _open(database or default_path(), squares)
        if source is None:
            path = Path(folder, "components.zdb")
            try:
                build_database(max(2, squares), path)
            except DatabaseError as error:  # the disk is full
                raise OSError(str(error)) from None
            source = ComponentDatabase.open(str(path))
        shapes = [shape for shape in source.components() if shape[0].bit_count() <= squares]
    wanted = [shape for shape in shapes if at_most or shape[0].bit_count() == squares]
    if squares == 1 or at_most:
        wanted.append((1, 8))  # a single square, which no file needs to list
    ARENA.use_database(source)
    wanted = sorted(set(wanted), key=lambda shape: (shape[0].bit_count(), shape[1], shape[0]))
    return Catalogue(map(_entry, wanted), up_to_turning=True)


def _open(path: Path | None, squares: int) -> ComponentDatabase | None:
    """Return a database that has these positions, if the file is one."""
    if path is None:
        return None
    try:
        database = ComponentDatabase.open(str(path))
    except DatabaseError:
        return None
    return database if database.max_squares >= squares else None


def _entry(shape: tuple[int, int]) -> Entry:
    """Value a shape of the database."""
    cells, stride = shape
    frame = lattice(64 // stride + 1, stride)
    spec = Position.of(frame).part(cells)[0].spec
    return Entry(spec, cells.bit_count(), Value.from_id(ARENA.shape_value(cells, stride)))


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
