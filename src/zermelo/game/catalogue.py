"""Lists of positions with their values, which can be searched, counted and exported.

>>> from zermelo.domineering.catalogue import connected
>>> every = connected(4)
>>> len(every), every.worth("+-1")[0].position
(5, '2x2')
>>> [(line["squares"], line["positions"], line["values"]) for line in connected(5, at_most=True).summary()]
[(1, 1, 1), (2, 1, 2), (3, 2, 3), (4, 5, 8), (5, 12, 11)]
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from zermelo.cgt import Value
from zermelo.files import write_file

COLUMNS = (
    "position", "squares", "value", "outcome", "left_stop", "right_stop", "mean", "temperature", "birthday", "number"
)  # fmt: skip
"""The columns of an export."""


@dataclass(frozen=True)
class Entry:
    """A position and its value.

    >>> from zermelo.domineering.catalogue import connected
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

    >>> from zermelo.domineering.catalogue import subsets
    >>> small = subsets("2x3")
    >>> len(small), len(small.worth(0)), [entry.position for entry in small.hottest(2)]
    (24, 8, ['2x3', '#../#..'])
    """

    def __init__(self, entries: Iterable[Entry], *, negative: Callable[[str], str] | None = None) -> None:
        """Keep entries; ``negative`` turns a position round, where of it and its negative only one is listed."""
        self.entries = tuple(entries)
        self.negative = negative

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __getitem__(self, index: int) -> Entry:
        return self.entries[index]

    def where(self, wanted: Callable[[Entry], bool]) -> Catalogue:
        """Return the entries for which a function returns true.

        >>> from zermelo.domineering.catalogue import connected
        >>> len(connected(5).where(lambda entry: entry.value.is_number))
        5
        """
        return Catalogue(filter(wanted, self.entries), negative=self.negative)

    def worth(self, value: Value | str | int | Fraction) -> Catalogue:
        """Return the positions of this value; of those that are listed once for both ways, the way that has it.

        >>> from zermelo.domineering.catalogue import connected
        >>> [entry.position for entry in connected(3).worth(1)]
        ['3x1']
        """
        game = Value(value)
        found = [entry for entry in self.entries if entry.value == game]
        if self.negative is not None and game != -game:
            others = [entry for entry in self.entries if entry.value == -game]
            found += [Entry(self.negative(entry.position), entry.squares, game) for entry in others]
        return Catalogue(found, negative=self.negative)

    def hottest(self, number: int = 10) -> Catalogue:
        """Return the entries with the highest temperatures, hottest first.

        >>> from zermelo.domineering.catalogue import connected
        >>> [str(entry.temperature) for entry in connected(6).hottest(3)]
        ['5/4', '5/4', '1']
        """
        ordered = sorted(self.entries, key=lambda entry: -entry.temperature)
        return Catalogue(ordered[:number], negative=self.negative)

    def summary(self) -> list[dict[str, Any]]:
        """Count positions, different values and temperatures for each number of squares.

        A value and its negative are two values, also where only one of a position and its turned image is listed.
        """
        lines: list[dict[str, Any]] = []
        for squares, group in groupby(sorted(self.entries, key=lambda entry: entry.squares), lambda e: e.squares):
            entries = list(group)
            values = {entry.value for entry in entries}
            if self.negative is not None:
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
