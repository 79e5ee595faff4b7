"""Zermelo: who wins, with a proof."""

from __future__ import annotations

from zermelo._core import VERSION as __version__
from zermelo._core import CancelToken
from zermelo.domineering import Move, Position, Result, explain, solve, who_wins

__all__ = [
    "CancelToken",
    "Move",
    "Position",
    "Result",
    "__version__",
    "explain",
    "solve",
    "who_wins",
]
