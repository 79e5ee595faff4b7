"""Options that several commands share, and the parsing of sizes and names in them."""

from __future__ import annotations

import re
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Threads = Annotated[
    int, typer.Option(help="Number of threads; they share one table.", min=1, max=256)
]
TimeLimit = Annotated[
    float | None, typer.Option("--time", help="Stop after so many seconds: unknown.")
]
NodeLimit = Annotated[
    int | None, typer.Option("--nodes", help="Stop after so many nodes: unknown.")
]
Memory = Annotated[str, typer.Option("--memory", help="Memory for tables, such as 512M or 2G.")]

UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


def parse_memory(text: str) -> int:
    """Return a number of bytes.

    >>> parse_memory("512M")
    536870912

    :raises ValueError: unless the text is a number and K, M or G, from 1M to 64G.
    """
    match = re.fullmatch(r"([0-9]{1,12})([KMG]?)B?", text.strip().upper())
    size = int(match[1]) * UNITS[match[2]] if match else 0
    if not 2**20 <= size <= 64 * 2**30:
        raise ValueError(
            f"memory {text[:20]!r} is not understood: write 1M to 64G, for example 512M or 2G"
        )
    return size


def names(text: str) -> tuple[str, ...]:
    """Split a list such as ``real,cover``."""
    return tuple(part.strip() for part in text.split(",") if part.strip())
