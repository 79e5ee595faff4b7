"""Small plots of progress: a line over time, or a bar for each of a few counts."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.draw import svg

WIDTH, HEIGHT, MARGIN = 340.0, 150.0, 30.0
BOTTOM, RIGHT = HEIGHT - MARGIN, WIDTH - MARGIN


def _plot(title: str, parts: Sequence[str]) -> str:
    axis = svg.element("line", x1=MARGIN, y1=BOTTOM, x2=RIGHT, y2=BOTTOM, stroke=svg.BLOCKED)
    head = svg.text(MARGIN, 14, title, size=12, anchor="start", fill=svg.INK)
    return svg.document(WIDTH, HEIGHT, "".join([*parts, axis, head]), title=title)


def line_svg(title: str, xs: Sequence[float], ys: Sequence[float], x_words: str, y_words: str) -> str:
    """Draw a line from the origin through points; the words say how far the axes go.

    >>> line_svg("Units", [1, 2], [5, 10], "2 s", "10").count("polyline")
    1
    """
    far, high = max(*xs, 1e-9), max(*ys, 1)

    def place(x: float, y: float) -> str:
        return f"{svg.number(MARGIN + x / far * (RIGHT - MARGIN))},{svg.number(BOTTOM - y / high * (BOTTOM - MARGIN))}"

    path = " ".join([place(0, 0), *map(place, xs, ys)])
    line = svg.element("polyline", points=path, fill="none", stroke=svg.BLUE, stroke_width=2)
    right = svg.text(RIGHT, HEIGHT - 14, x_words, size=11, anchor="end", fill=svg.BLOCKED)
    return _plot(title, [line, right, svg.text(MARGIN, MARGIN + 2, y_words, size=11, anchor="start", fill=svg.BLOCKED)])


def bars_svg(title: str, counts: Sequence[tuple[str, int]]) -> str:
    """Draw a bar for each named count.

    >>> bars_svg("Positions", [("0", 1), ("1", 6)]).count("<rect")
    3
    """
    high, wide = max((count for _, count in counts), default=1), (RIGHT - MARGIN) / max(1, len(counts))
    parts = []
    for number, (name, count) in enumerate(counts):
        left, tall = MARGIN + number * wide, count / high * (BOTTOM - MARGIN)
        parts.append(svg.rect(left + 1, BOTTOM - tall, max(1.0, wide - 2), tall, fill=svg.BLUE))
        parts.append(svg.text(left + wide / 2, HEIGHT - 14, name, size=11, fill=svg.BLOCKED))
    return _plot(title, parts)
