"""Published figures, measurements, files of measurements, and the comparison of two files."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import platform
import statistics
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from importlib import resources
from pathlib import Path
from typing import Any

from zermelo import __version__
from zermelo.files import write_file


def published() -> dict[str, Any]:
    """Return the figures of the papers, each list with its source."""
    data: dict[str, Any] = json.loads(resources.files("zermelo.bench").joinpath("published.json").read_text())
    return data


@dataclass(frozen=True)
class Measurement:
    """One run: the question, the answer, its cost, and the cost that a paper states."""

    suite: str
    case: str
    setting: str
    answer: str
    nodes: int
    seconds: float
    published_nodes: int | None = None
    published_answer: str | None = None
    evaluations: int = 0
    cut: bool = False
    """Whether a limit cut the run short, so that its nodes are not those of an answer."""
    published_seconds: float | None = None
    """Infinite where the authors gave up."""

    @property
    def key(self) -> tuple[str, str, str]:
        """The same for the same measurement in another file."""
        return (self.suite, self.case, self.setting)

    @property
    def wrong(self) -> bool:
        """Whether the answer contradicts the published one."""
        return self.published_answer is not None and self.answer != self.published_answer

    def ratios(self, old: Measurement) -> dict[str, float]:
        """Return the nodes and the seconds over those of an old run: below 1 is better."""
        seconds = self.seconds / max(1e-9, old.seconds)
        return {"node_ratio": self.nodes / max(1, old.nodes), "time_ratio": seconds}

    def to_json(self) -> dict[str, Any]:
        """Return plain data; a run that the authors did not finish has no seconds."""
        return asdict(self) | ({"published_seconds": None} if self.published_seconds == math.inf else {})


def processor(about: str) -> str:
    """Return the system's words about the processor under this name; empty if there are none."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(about)), "")


def machine() -> str:
    """Name the processor and the number of cores it shows.

    >>> len(machine()) > 0
    True
    """
    return f"{processor('model name') or platform.processor() or platform.machine()}, {os.cpu_count()} cores"


def commit() -> str:
    """Name the commit of the checkout the package runs from, or its version."""
    try:
        result = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return __version__
    return result.stdout.strip() if result.returncode == 0 and result.stdout else __version__


def write_csv(path: Path, rows: Iterable[Measurement]) -> None:
    """Write measurements with commit and machine, whole or not at all."""
    buffer, where = io.StringIO(), {"commit": commit(), "machine": machine()}
    names = [field.name for field in fields(Measurement)]
    writer = csv.DictWriter(buffer, [*names, *where], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) | where for row in rows)
    write_file(path, buffer.getvalue())


def read_csv(path: Path) -> list[Measurement]:
    """Read measurements back.

    :raises ValueError: if the file is not one that :func:`write_csv` wrote, or is not there.
    """
    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}; make one with: zermelo bench papers --csv {path}")
    try:
        with path.open(newline="") as file:
            return [_measurement(row) for row in csv.DictReader(file)]
    except (KeyError, TypeError, ValueError, UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} is not a benchmark file: write one with --csv ({error})") from None


READERS: dict[str, Callable[[str], Any]] = {"float": float, "int": int, "str": str, "bool": "True".__eq__}
KINDS = {field.name: str(field.type).partition(" | ") for field in fields(Measurement)}


def _measurement(row: dict[str, str]) -> Measurement:
    values: dict[str, Any] = {}
    for name, (kind, _, none) in KINDS.items():
        if name in row or name not in ("cut", "published_seconds"):  # older files lack newer columns
            values[name] = None if none and not row[name] else READERS[kind](row[name])
    return Measurement(**values)


def compare(old: Iterable[Measurement], new: Iterable[Measurement]) -> list[tuple[Measurement, Measurement]]:
    """Pair the measurements that both files have."""
    before = {row.key: row for row in old}
    return [(before[row.key], row) for row in new if row.key in before]


def geometric_mean(values: Iterable[float]) -> float:
    """Return the geometric mean of some numbers; a time of 0 s counts as very short.

    >>> round(geometric_mean([1, 4]), 6)
    2.0
    """
    return statistics.geometric_mean(max(value, 1e-12) for value in values)
