"""Zermelo: who wins, with a proof."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from zermelo._core import VERSION as __version__
from zermelo._core import CancelToken

if TYPE_CHECKING:
    from zermelo.domineering.answer import who_wins
    from zermelo.domineering.explain import explain
    from zermelo.domineering.position import Move, Position
    from zermelo.domineering.solve import Result, solve

__all__ = ["CancelToken", "Move", "Position", "Result", "__version__", "explain", "solve", "who_wins"]


def __getattr__(name: str) -> Any:
    """Load the games when they are first asked for: a command that needs none starts sooner."""
    if name in __all__:
        return getattr(import_module("zermelo.domineering"), name)
    raise AttributeError(f"module 'zermelo' has no attribute {name!r}")
