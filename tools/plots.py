"""Plot files of measurements: growth of proof trees (thesis figures 8.1 to 8.8), nodes per ply, our speed-up.

  python tools/plots.py FILE.csv ... FOLDER

Writes FOLDER/plot-NAME.svg. `zermelo bench ... --csv` and `tools/records.py --csv` write such files.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from records import speedups

from zermelo.bench.record import Measurement, read_csv
from zermelo.draw import svg

Points = list[tuple[float, float]]
# Yellow is too pale for a line on paper. Lines differ by shape as well as by colour.
STYLES = ((svg.BLUE, "o"), (svg.VERMILION, "s"), (svg.GREEN, "^"), (svg.PURPLE, "D"))


def pictures(rows: Sequence[Measurement]) -> dict[str, str]:
    """Return an SVG picture for every suite among the rows that has one, by name."""
    found: dict[str, str] = {}
    for suite in dict.fromkeys(row.suite for row in rows):
        mine = [row for row in rows if row.suite == suite and row.answer != "unknown"]
        if suite.startswith("growth-"):
            title = f"Growth of the proof tree, {suite.removeprefix('growth-')}"
            ours = points((row.case, row.nodes) for row in mine)
            published = points((row.case, row.published_nodes or 0) for row in mine)
            found[suite] = lines_svg({"published": published, "ours, same search": ours}, title=title, x_label="n")
        elif suite == "plies":
            lines: dict[str, Points] = {}
            for setting in dict.fromkeys(row.setting for row in mine):
                there = [row for row in mine if row.setting == setting]
                lines[f"{setting}, published"] = points((row.case, row.published_nodes or 0) for row in there)
                lines[f"{setting}, ours"] = points((row.case, row.nodes) for row in there)
            found[suite] = lines_svg(lines, title="Nodes per ply, 8x8", x_label="ply")
        elif suite == "records" and (faster := speedups(mine)):
            found["speed"] = bars_svg(faster)
    return found


def points(rows: Iterable[tuple[str, int]]) -> Points:
    """Return nodes by the last number of their case, such as 9 for 4x9 and ply 9."""
    return sorted((int(re.findall(r"\d+", case)[-1]), nodes) for case, nodes in rows)


def lines_svg(lines: dict[str, Points], *, title: str, x_label: str) -> str:
    """Draw nodes, one line for each name, over a logarithmic axis; points of 0 are left out."""
    figure = Figure(figsize=(6, 3.8), layout="constrained")
    axes: Any = figure.subplots()
    for (name, points), (colour, marker) in zip(lines.items(), STYLES, strict=False):
        shown = [point for point in points if point[1] > 0]
        axes.plot([x for x, _ in shown], [y for _, y in shown], label=name, color=colour, marker=marker)
    axes.set(title=title, xlabel=x_label, ylabel="nodes", yscale="log")
    axes.grid(axis="y", color=svg.GRID)
    axes.legend()
    return figure_svg(figure, title)


def bars_svg(speedups: dict[str, float]) -> str:
    """Draw a bar with its number for each board, the longest at the top."""
    title, bars = "Our search beside Obsequi", sorted(speedups.items(), key=lambda one: one[1])
    figure = Figure(figsize=(6, 0.9 + 0.25 * len(bars)), layout="constrained")
    axes: Any = figure.subplots()
    drawn = axes.barh([name for name, _ in bars], [value for _, value in bars], color=svg.BLUE)
    axes.bar_label(drawn, [f" {value:,.3g}" for _, value in bars])
    axes.set(title=title, xlabel="times faster (user seconds, one thread)", xscale="log")
    axes.margins(x=0.15)
    return figure_svg(figure, title)


def figure_svg(figure: Any, title: str) -> str:
    """Return a figure as one of our pictures: same input, same text; a title for screen readers."""
    drawn = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "zermelo"}):
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    text = drawn.getvalue()
    head, _, rest = text[text.index("<svg") :].partition(">")
    # Sizes in points are more than some readers understand.
    return f'{head.replace("pt", "")} role="img"><title>{escape(title)}</title>{rest}'


def plots(files: Iterable[Path]) -> dict[str, str]:
    """Return the pictures of some files, by file name."""
    drawn = pictures([row for file in files for row in read_csv(file)])
    return {f"plot-{name}.svg": picture for name, picture in drawn.items()}


def main(words: Sequence[str]) -> None:
    *files, folder = map(Path, words)
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in plots(files).items():
        (folder / name).write_text(picture)
        print(folder / name)


if __name__ == "__main__":
    main(sys.argv[1:])
