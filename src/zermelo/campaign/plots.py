"""Plots of a campaign: units by size, and progress over time."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from zermelo.draw import svg
from zermelo.store import Campaign, Store

MOST = 200_000  # units drawn; a larger campaign is drawn from a part of its units


def plot_campaign(store: Store, campaign: Campaign, path: Path) -> None:
    """Write a picture with two plots.

    :raises ValueError: if matplotlib is missing, the file's ending is wrong or nothing is finished.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ValueError("plots need the plot extra: pip install 'zermelo[plot]'") from None
    if path.suffix not in (".png", ".svg"):
        raise ValueError(f"picture file {path.name!r} must end in .svg or .png")
    rows = store.history(campaign, limit=MOST)
    if not rows:
        raise ValueError("no unit is finished, so there is nothing to plot")
    finished = np.array([row[0] for row in rows])
    nodes = np.maximum(np.array([row[1] for row in rows], dtype=float), 1.0)
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    FigureCanvasAgg(figure)
    sizes, progress = figure.subplots(1, 2)
    edges = np.logspace(0, np.ceil(np.log10(nodes.max()) + 0.01), 30)
    sizes.hist(nodes, bins=edges, color=svg.BLUE)
    sizes.set_xscale("log")
    sizes.set_xlabel("nodes of a unit")
    sizes.set_ylabel("units")
    hours = (finished - finished.min()) / 3600
    progress.plot(hours, np.arange(1, len(hours) + 1), color=svg.BLUE, label="units")
    progress.set_xlabel("hours")
    progress.set_ylabel("units finished")
    work = progress.twinx()
    work.plot(hours, np.cumsum(nodes), color=svg.VERMILION, linestyle="--", label="nodes")
    work.set_ylabel("nodes")
    figure.legend(loc="upper left", bbox_to_anchor=(0.55, 0.95))
    figure.suptitle(f"{campaign.winner} wins {campaign.game} {campaign.spec}?")
    figure.savefig(path)
