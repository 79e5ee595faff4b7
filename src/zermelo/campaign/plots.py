"""Plots of a campaign: units by size, and progress over time."""

from __future__ import annotations

import math
from itertools import accumulate
from pathlib import Path
from typing import Any

from zermelo.draw import svg
from zermelo.draw.plot import new_figure
from zermelo.files import whole_file
from zermelo.store import Campaign, Store

MOST = 200_000  # units drawn; a larger campaign is drawn from a part of its units


def plot_campaign(store: Store, campaign: Campaign, path: Path) -> None:
    """Write a picture with two plots.

    :raises ValueError: if matplotlib is missing, the file's ending is wrong or nothing is finished.
    """
    if path.suffix not in (".png", ".svg"):
        raise ValueError(f"picture file {path.name!r} must end in .svg or .png")
    rows = store.history(campaign, limit=MOST)
    if not rows:
        raise ValueError("no unit is finished, so there is nothing to plot")
    nodes = [max(searched, 1) for _, searched in rows]
    figure: Any = new_figure(9, 3.6)
    sizes, progress = figure.subplots(1, 2)
    last = math.ceil(math.log10(max(nodes)) + 0.01)
    sizes.hist(nodes, bins=[10 ** (last * step / 29) for step in range(30)], color=svg.BLUE)
    sizes.set_xscale("log")
    sizes.set_xlabel("nodes of a unit")
    sizes.set_ylabel("units")
    hours = [(finished - rows[0][0]) / 3600 for finished, _ in rows]
    progress.plot(hours, range(1, len(hours) + 1), color=svg.BLUE, label="units")
    progress.set_xlabel("hours")
    progress.set_ylabel("units finished")
    work = progress.twinx()
    work.plot(hours, list(accumulate(nodes)), color=svg.VERMILION, linestyle="--", label="nodes")
    work.set_ylabel("nodes")
    figure.legend(loc="upper left", bbox_to_anchor=(0.55, 0.95))
    figure.suptitle(f"{campaign.winner} wins {campaign.game} {campaign.spec}?")
    with whole_file(path) as out:
        figure.savefig(out, format=path.suffix[1:])
