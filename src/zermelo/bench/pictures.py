"""Plots of measurements: growth of proof trees (thesis figures 8.1 to 8.9), nodes per ply, speed ratios."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from zermelo.bench.record import Measurement
from zermelo.bench.records import speedups
from zermelo.draw.plot import Series, bars_svg, lines_svg


def pictures(rows: Sequence[Measurement]) -> dict[str, str]:
    """Return an SVG picture for every suite among the rows that has one, by name.

    >>> row = Measurement("growth-2xn", "2x3", "cover", "1", 2, 0.0, published_nodes=2)
    >>> list(pictures([row]))
    ['growth-2xn']
    """
    found: dict[str, str] = {}
    for suite in dict.fromkeys(row.suite for row in rows):
        mine = [row for row in rows if row.suite == suite and row.answer != "unknown"]
        if not mine:
            continue
        if suite.startswith("growth-"):
            found[suite] = growth(suite.removeprefix("growth-"), mine)
        elif suite == "plies":
            found[suite] = plies(mine)
        elif suite == "records":
            if faster := speedups(mine):
                found["speed"] = bars_svg(
                    sorted(faster.items(), key=lambda one: -one[1]),
                    title="Our search beside Obsequi",
                    label="times faster (user seconds, one thread)",
                )
        elif ratios := node_ratios(mine):
            found[f"{suite}-nodes"] = bars_svg(
                ratios, title=f"{suite}: our nodes over the published ones", label="ratio"
            )
    return found


def growth(family: str, rows: Iterable[Measurement]) -> str:
    """Nodes of a family such as 4xn by its other side: ours and the published."""
    lengths = [(int(row.case.split("x")[1]), row) for row in rows]
    ours = sorted((length, row.nodes) for length, row in lengths)
    theirs = sorted((length, row.published_nodes) for length, row in lengths if row.published_nodes)
    series = [Series("published", theirs), Series("ours, same search", ours)]
    return lines_svg(series, title=f"Growth of the proof tree, {family}", x_label="n", y_label="nodes")


def plies(rows: Sequence[Measurement]) -> str:
    """Nodes per ply of 8x8, with and without the symmetry order."""

    def points(setting: str, published: bool) -> list[tuple[float, float]]:
        return [
            (int(re.sub(r"\D", "", row.case)), (row.published_nodes or 0) if published else row.nodes)
            for row in rows
            if row.setting == setting
        ]

    series = [
        Series(f"{setting}, {word}", points(setting, word == "published"))
        for setting in dict.fromkeys(row.setting for row in rows)
        for word in ("published", "ours")
    ]
    return lines_svg(series, title="Nodes per ply, 8x8", x_label="ply", y_label="nodes")


def node_ratios(rows: Iterable[Measurement]) -> list[tuple[str, float]]:
    """Our nodes over the published ones, where both are known."""
    return [
        (f"{row.case} {row.setting}".strip(), row.nodes / row.published_nodes)
        for row in rows
        if row.published_nodes and row.nodes
    ]
