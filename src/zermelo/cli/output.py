"""What every command prints with: one JSON form, one error form, one set of exit codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from zermelo.draw.text import counted

__all__ = ["counted", "print_error", "print_json"]

ANSWERED, REJECTED, BAD_INPUT, LIMIT, INTERRUPTED, CLOSED_PIPE = 0, 1, 2, 3, 130, 141


def print_json(value: Mapping[str, Any]) -> None:
    """Print one JSON object on standard output, at once."""
    print(json.dumps(value, ensure_ascii=False), flush=True)


def print_error(message: str) -> None:
    """Print one line on standard error, where there is one."""
    if sys.stderr is not None:
        print("zermelo: " + " ".join(message.split()), file=sys.stderr)
