"""The regions of a position in which the game goes on by itself, with their values within small limits."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from zermelo._core import CancelToken, LimitReached
from zermelo.cgt import Value, limits
from zermelo.domineering.position import Position
from zermelo.domineering.values import domineering_value
from zermelo.game import Clock, Limits, Regions, Square, ValuedRegion

# All values of a process live in one arena with one set of limits: one thread at a time.
_arena = threading.RLock()
SECONDS, ALL_SECONDS = 2.0, 8.0
MEMORY = 256 << 20
LONGEST_TEXT = 120


def alone(position: Position, squares: list[Square]) -> str:
    """Return the spec of one region, cropped to its rows and columns unless the board wraps."""
    inside = set(squares)
    rows, cols, prefix = range(1, position.rows + 1), range(1, position.cols + 1), f"{position.topology}:"
    if position.topology == "rectangle":
        rows = range(min(row for row, _ in inside), max(row for row, _ in inside) + 1)
        cols = range(min(col for _, col in inside), max(col for _, col in inside) + 1)
        prefix = ""
    return prefix + "/".join("".join("." if (row, col) in inside else "#" for col in cols) for row in rows)


@contextmanager
def valuing(seconds: float = SECONDS) -> Iterator[None]:
    """Work with values while no other thread does, within limits for each step."""
    with _arena, limits(seconds=min(seconds, SECONDS), memory=MEMORY):
        yield


def value_of(spec: str, seconds: float = SECONDS) -> Value | None:
    """Return a position's value, or None if the limits do not allow it."""
    with valuing(seconds):
        try:
            return domineering_value(spec)
        except LimitReached:
            return None


def printed(game: Value | None) -> tuple[str | None, str | None]:
    """Return a value as text: shortened if it is very long, and in full if it can be printed."""
    if game is None:
        return None, None
    try:
        text = game.text(max_length=100_000)
    except LimitReached:
        return "too long to print", None
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 2] + " …", text


def regions_of(position: Position, cancel: CancelToken | None = None) -> Regions:
    """Work out each region's value and their sum; values that would take too long together are left out."""
    found, clock = [], Clock(Limits(seconds=ALL_SECONDS))
    total: Value | None = Value(0)
    for squares in sorted(position.component_squares(), key=len, reverse=True):
        if len(squares) < 2:
            continue
        spec = alone(position, squares)
        game = None if clock.over or (cancel is not None and cancel.cancelled) else value_of(spec)
        if game is None or total is None:
            total = None
        else:
            with valuing():
                try:
                    total = total + game
                except LimitReached:
                    total = None
        mean, temperature = (None, None) if game is None else (str(game.mean), str(game.temperature))
        found.append(ValuedRegion(tuple(squares), spec, *printed(game), mean, temperature))
    return Regions(tuple(found), *printed(total))


def thermograph(position: Position) -> str:
    """Return the thermograph of a position as an SVG picture.

    :raises ValueError: if the position is too large for its value.
    """
    value = value_of(position.spec)
    if value is None:
        raise ValueError("this position is too large for its value to be worked out here")
    return value.thermograph._repr_svg_()
