"""Figures of matplotlib, which is loaded only here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure, in inches.

    :raises ValueError: if matplotlib is missing.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ValueError("plots need matplotlib, which is not installed: pip install 'zermelo[plot]'") from None
    return Figure(figsize=(width, height), layout="constrained")
