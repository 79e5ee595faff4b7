"""Zermelo: who wins, with a proof."""

from __future__ import annotations

from zermelo._core import VERSION as __version__

__all__ = ["__version__"]
