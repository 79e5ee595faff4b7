"""What every command prints with: one JSON form, one error form, one set of exit codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

ANSWERED, REJECTED, BAD_INPUT, LIMIT, INTERRUPTED, CLOSED_PIPE = 0, 1, 2, 3, 130, 141


def counted(count: int, word: str) -> str:
    """Return a number with its word.

    >>> counted(1, "node"), counted(1234, "node")
    ('1 node', '1,234 nodes')
    """
    return f"{count:,} {word}" + ("" if count == 1 else "s")


def print_json(value: Mapping[str, Any]) -> None:
    """Print one JSON object on standard output."""
    print(json.dumps(value, ensure_ascii=False))


def print_error(message: str) -> None:
    """Print one line on standard error."""
    print("zermelo: " + " ".join(message.split()), file=sys.stderr)
