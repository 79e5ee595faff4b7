"""Plots of measurements: lines over a whole-number axis, and bars; told apart by shape as well as by colour."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.draw import svg

WIDTH, HEIGHT = 560.0, 360.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 20.0, 56.0, 44.0
BAR = 22.0
# Yellow is too pale for a line on paper.
COLOURS = (svg.BLUE, svg.VERMILION, svg.GREEN, svg.PURPLE, svg.ORANGE, svg.SKY)


@dataclass(frozen=True)
class Series:
    """Points of one line, by rising x; a point whose y is 0 or less is left out of a logarithmic plot."""

    name: str
    points: Sequence[tuple[float, float]]


def short(value: float) -> str:
    """Write a number as people read it on an axis.

    >>> [short(v) for v in (0.5, 7, 1000, 2500000, 3e9)]
    ['0.5', '7', '1k', '2.5M', '3G']
    """
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def ticks_of(low: float, high: float, logarithmic: bool) -> list[float]:
    """Return round numbers between low and high: powers of ten, or about five steps."""
    if logarithmic:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        return [10.0**power for power in range(first, last + 1, max(1, (last - first) // 6))]
    step = 10.0 ** math.floor(math.log10(max(high - low, 1e-9)))
    while (high - low) / step < 4:
        step /= 2
    return [low + i * step for i in range(int((high - low) / step) + 1)]


def marker(shape: int, x: float, y: float, colour: str) -> str:
    """Draw a disc, a square, a triangle or a ring."""
    if shape % 4 == 1:
        return svg.rect(x - 4, y - 4, 8, 8, fill=colour)
    if shape % 4 == 2:
        corners = f"{svg.number(x)},{svg.number(y - 5)} {svg.number(x - 5)},{svg.number(y + 4)} "
        corners += f"{svg.number(x + 5)},{svg.number(y + 4)}"
        return svg.element("polygon", points=corners, fill=colour)
    fill = svg.PAPER if shape % 4 == 3 else colour
    return svg.element("circle", cx=x, cy=y, r=4, fill=fill, stroke=colour, stroke_width=2)


def lines_svg(series: Sequence[Series], *, title: str, x_label: str, y_label: str, logarithmic: bool = True) -> str:
    """Draw one line for each series.

    >>> picture = lines_svg([Series("ours", [(2, 10), (3, 200)])], title="growth", x_label="n", y_label="nodes")
    >>> picture.count("<polyline"), ">100<" in picture
    (1, True)

    :raises ValueError: if there is no point to draw.
    """
    shown = [Series(one.name, [p for p in one.points if p[1] > 0 or not logarithmic]) for one in series]
    points = [point for one in shown for point in one.points]
    if not points:
        raise ValueError("there is nothing to plot")
    x_low, x_high = min(x for x, _ in points), max(x for x, _ in points)
    ticks = ticks_of(min(y for _, y in points) if logarithmic else 0.0, max(y for _, y in points), logarithmic)
    y_low, y_high = ticks[0], max(ticks[-1], max(y for _, y in points))

    def x_of(x: float) -> float:
        return LEFT + (x - x_low) / max(x_high - x_low, 1e-9) * (WIDTH - LEFT - RIGHT)

    def y_of(y: float) -> float:
        low, high, here = y_low, y_high, y
        if logarithmic:
            low, high, here = math.log10(low), math.log10(high), math.log10(here)
        share = (here - low) / max(high - low, 1e-9)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    parts = [
        svg.text(LEFT, 16, title, size=14, anchor="start", fill=svg.INK, font_weight="bold"),
        svg.text(LEFT - 8, TOP - 16, y_label, size=11, anchor="end", fill=svg.BLOCKED),
        svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x_label, size=11, fill=svg.BLOCKED),
    ]
    for tick in ticks:
        y = y_of(tick)
        parts.append(svg.element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, stroke=svg.GRID))
        parts.append(svg.text(LEFT - 8, y, short(tick), size=11, anchor="end", fill=svg.INK))
    whole = sorted({x for x, _ in points})
    for x in whole[:: max(1, len(whole) // 16)]:
        parts.append(svg.text(x_of(x), HEIGHT - BOTTOM + 14, f"{x:g}", size=11, fill=svg.INK))
    place = LEFT
    for index, one in enumerate(shown):
        colour = COLOURS[index % len(COLOURS)]
        path = " ".join(f"{svg.number(x_of(x))},{svg.number(y_of(y))}" for x, y in one.points)
        parts.append(svg.element("polyline", points=path, fill="none", stroke=colour, stroke_width=2))
        parts += [marker(index, x_of(x), y_of(y), colour) for x, y in one.points]
        parts.append(marker(index, place + 5, 36, colour))
        parts.append(svg.text(place + 14, 36, one.name, size=12, anchor="start", fill=svg.INK))
        place += 30 + 7 * len(one.name)
    return svg.document(WIDTH, HEIGHT, "".join(parts), title=title)


def bars_svg(bars: Sequence[tuple[str, float]], *, title: str, label: str) -> str:
    """Draw a bar with its number for each name, on a logarithmic scale that begins at the largest power of ten below.

    >>> bars_svg([("8x8", 20.0), ("9x9", 5.0)], title="speed", label="times").count("<rect")
    3

    :raises ValueError: if there is no positive number.
    """
    shown = [(name, value) for name, value in bars if value > 0]
    if not shown:
        raise ValueError("there is nothing to plot")
    least = 10.0 ** math.floor(math.log10(min(value for _, value in shown)) - 0.001)
    most = max(value for _, value in shown)
    left = 24 + 7.4 * max(len(name) for name, _ in shown)
    parts = [
        svg.text(12, 16, title, size=14, anchor="start", fill=svg.INK, font_weight="bold"),
        svg.text(left, 36, label, size=11, anchor="start", fill=svg.BLOCKED),
    ]
    for index, (name, value) in enumerate(shown):
        y = 50 + index * BAR
        share = math.log10(value / least) / max(math.log10(most / least), 1e-9)
        long = max(2.0, share * (WIDTH - left - 70))
        parts.append(svg.text(left - 8, y + 8, name, size=12, anchor="end", fill=svg.INK))
        parts.append(svg.rect(left, y, long, BAR - 6, fill=svg.BLUE))
        number = f"{value:.3g}" if value < 1000 else short(round(value))
        parts.append(svg.text(left + long + 6, y + 8, number, size=12, anchor="start", fill=svg.INK))
    return svg.document(WIDTH, 60 + len(shown) * BAR, "".join(parts), title=title)
