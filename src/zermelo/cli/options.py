"""Options that several commands share, and the parsing of sizes and names in them."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Threads = Annotated[int, typer.Option(help="Number of threads; they share one table.", min=1, max=256)]


def refuse_nan(value: float | None) -> float | None:
    """Refuse what passes every test of a range."""
    if value is not None and math.isnan(value):
        raise typer.BadParameter("nan is not a number of seconds.")
    return value


def player_case(value: str | None) -> str | None:
    """Take v and h for V and H.

    >>> player_case("v"), player_case("both"), player_case(None)
    ('V', 'both', None)
    """
    return value.upper() if value in ("v", "h") else value


TimeLimit = Annotated[
    float | None, typer.Option("--time", min=0.001, callback=refuse_nan, help="Stop after so many seconds: unknown.")
]
NodeLimit = Annotated[int | None, typer.Option("--nodes", min=1, help="Stop after so many nodes: unknown.")]


def memory_option(use: str) -> Any:
    """Return the option of a command that uses memory for this; its text goes through :func:`parse_memory`."""
    return typer.Option("--memory", metavar="SIZE", help=f"{use}, such as 512M or 2G; a plain number is MiB.")


Memory = Annotated[str, memory_option("Memory for tables")]

UNITS = {"": 2**20, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
LEAST_MEMORY, MOST_MEMORY = 2**20, 2**40


def parse_memory(text: str) -> int:
    """Return a number of bytes.

    >>> parse_memory("2G") == parse_memory("2048") == 2**31
    True

    :raises ValueError: unless the text is a size from 1M to 1T.
    """
    match = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]{1,6})?)([KMGT]?)(I?B)?", text.strip().upper())
    if match is None:
        raise ValueError(f"memory {text[:20]!r} is not understood: write a size such as 512M or 2G, or a number of MiB")
    size = int(float(match[1]) * UNITS[match[2]])
    if not LEAST_MEMORY <= size <= MOST_MEMORY:
        raise ValueError(f"memory {text[:20]!r} is out of range: from 1M to 1T (a plain number is MiB)")
    return size


def names(text: str) -> tuple[str, ...]:
    """Split a list such as ``real,cover``."""
    return tuple(part.strip() for part in text.split(",") if part.strip())
