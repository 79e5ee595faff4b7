"""Plots of measurements with matplotlib, which is loaded only here; told apart by shape as well as by colour."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from zermelo.draw import svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Yellow is too pale for a line on paper.
COLOURS = (svg.BLUE, svg.VERMILION, svg.GREEN, svg.PURPLE, svg.ORANGE, svg.SKY)
MARKERS = "os^D"


@dataclass(frozen=True)
class Series:
    """Points of one line, by rising x; a point whose y is 0 or less is left out."""

    name: str
    points: Sequence[tuple[float, float]]


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure, in inches.

    :raises ValueError: if matplotlib is missing.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ValueError("plots need matplotlib, which is not installed: pip install 'zermelo[plot]'") from None
    return Figure(figsize=(width, height), layout="constrained")


def figure_svg(figure: Figure, title: str) -> str:
    """Return a figure as one of our pictures: same input, same text; a title for screen readers."""
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": "zermelo"}):
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    text = drawn.getvalue()
    head, _, rest = text[text.index("<svg") :].partition(">")
    # Sizes in points are more than some readers understand.
    return f'{head.replace("pt", "")} role="img"><title>{escape(title)}</title>{rest}'


def lines_svg(series: Sequence[Series], *, title: str, x_label: str, y_label: str) -> str:
    """Draw one line for each series over a logarithmic axis.

    :raises ValueError: if there is no point to draw.
    """
    shown = [Series(one.name, [point for point in one.points if point[1] > 0]) for one in series]
    if not any(one.points for one in shown):
        raise ValueError("there is nothing to plot")
    figure = new_figure(6, 3.8)
    axes: Any = figure.subplots()
    for index, one in enumerate(shown):
        style = {"color": COLOURS[index % len(COLOURS)], "marker": MARKERS[index % len(MARKERS)]}
        axes.plot([x for x, _ in one.points], [y for _, y in one.points], label=one.name, **style)
    axes.set(title=title, xlabel=x_label, ylabel=y_label, yscale="log")
    axes.grid(axis="y", color=svg.GRID)
    axes.legend()
    return figure_svg(figure, title)


def bars_svg(bars: Sequence[tuple[str, float]], *, title: str, label: str) -> str:
    """Draw a bar with its number for each name, on a logarithmic scale.

    :raises ValueError: if there is no positive number.
    """
    shown = [(name, value) for name, value in reversed(bars) if value > 0]
    if not shown:
        raise ValueError("there is nothing to plot")
    figure = new_figure(6, 0.9 + 0.25 * len(shown))
    axes: Any = figure.subplots()
    drawn = axes.barh([name for name, _ in shown], [value for _, value in shown], color=svg.BLUE)
    axes.bar_label(drawn, [f" {value:,.3g}" for _, value in shown])
    axes.set(title=title, xlabel=label, xscale="log")
    axes.margins(x=0.15)
    return figure_svg(figure, title)
