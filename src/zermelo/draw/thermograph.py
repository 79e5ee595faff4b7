"""A thermograph as in Winning Ways: values grow to the left, temperature upwards, the mast on top."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from zermelo.draw import svg

Corner = tuple[Fraction, Fraction]

WIDTH, HEIGHT = 360.0, 300.0
MARGIN_X, MARGIN_TOP, MARGIN_BOTTOM = 44.0, 24.0, 40.0


def ticks(low: Fraction, high: Fraction) -> Iterable[Fraction]:
    """Return about six round numbers between low and high."""
    step = Fraction(1)
    while (high - low) / step > 8:
        step *= 2
    while (high - low) / step < 3 and step > Fraction(1, 64):
        step /= 2
    first = -(-low // step)
    return [(first + i) * step for i in range(int(high // step - first) + 1)]


def thermograph_svg(left: Sequence[Corner], right: Sequence[Corner]) -> str:
    """Draw both walls, given by their corners (temperature, value) from t = -1 up.

    >>> corner = (Fraction(-1), Fraction(2))
    >>> thermograph_svg([corner], [corner]).startswith("<svg")
    True
    """
    top = max(left[-1][0], right[-1][0])
    bottom_t, top_t = Fraction(-1), max(top + 1, Fraction(1))
    values = [value for _, value in [*left, *right]]
    low, high = min(values), max(values)
    pad = max((high - low) / 8, Fraction(1, 2))
    low, high = low - pad, high + pad

    def x_of(value: Fraction) -> float:
        return MARGIN_X + float((high - value) / (high - low)) * (WIDTH - 2 * MARGIN_X)

    def y_of(t: Fraction) -> float:
        share = float((t - bottom_t) / (top_t - bottom_t))
        return HEIGHT - MARGIN_BOTTOM - share * (HEIGHT - MARGIN_TOP - MARGIN_BOTTOM)

    parts: list[str] = []
    for value in ticks(low, high):
        x = x_of(value)
        parts.append(svg.element("line", x1=x, x2=x, y1=y_of(bottom_t), y2=y_of(top_t), stroke=svg.GRID))
        parts.append(svg.text(x, y_of(bottom_t) + 14, str(value), size=12, fill=svg.INK))
    for t in ticks(bottom_t, top_t):
        y = y_of(t)
        parts.append(
            svg.element("line", x1=MARGIN_X, x2=WIDTH - MARGIN_X, y1=y, y2=y, stroke=svg.INK if t == 0 else svg.GRID)
        )
        parts.append(svg.text(MARGIN_X - 8, y, str(t), size=12, anchor="end", fill=svg.INK))
    for wall, colour, name in ((left, svg.BLUE, "left"), (right, svg.VERMILION, "right")):
        corners = [*wall, (top, wall[-1][1])]
        path = " ".join(f"{svg.number(x_of(value))},{svg.number(y_of(t))}" for t, value in corners)
        parts.append(
            svg.element("polyline", points=path, fill="none", stroke=colour, stroke_width=2.5, id=f"wall-{name}")
        )
    x = x_of(left[-1][1])
    parts.append(svg.element("line", x1=x, x2=x, y1=y_of(top), y2=y_of(top_t), stroke=svg.INK, stroke_width=2.5))
    parts.append(svg.text(WIDTH / 2, HEIGHT - 10, "value (Left is positive, to the left)", size=11, fill=svg.BLOCKED))
    parts.append(svg.text(MARGIN_X, 11, "temperature", size=11, fill=svg.BLOCKED))
    return svg.document(WIDTH, HEIGHT, "".join(parts), title="thermograph")
