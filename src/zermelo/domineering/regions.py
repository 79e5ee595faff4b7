"""Values within small limits: of a position, and of the regions in which the game goes on by itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from zermelo._core import CancelToken, LimitReached
from zermelo.cgt import Value, limits
from zermelo.domineering.position import Position
from zermelo.domineering.values import domineering_value
from zermelo.game import Clock, Limits, Regions, ValuedRegion

# All values of a process live in one arena with one set of limits: one thread at a time.
_arena = threading.RLock()
SECONDS, ALL_SECONDS = 2.0, 8.0
MEMORY = 256 << 20
LONGEST_TEXT = 120


@contextmanager
def valuing(seconds: float = SECONDS) -> Iterator[None]:
    """Work with values while no other thread does, within limits for each step."""
    with _arena, limits(seconds=min(seconds, SECONDS), memory=MEMORY):
        yield


def value_of(position: Position) -> Value | None:
    """Return a position's value, or None if the limits do not allow it."""
    with valuing():
        try:
            return domineering_value(position)
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
    for squares in sorted(position.board.components(), key=len, reverse=True):
        if len(squares) < 2:
            continue
        region, _, _ = position.part(sum(1 << square for square in squares))
        game = None if clock.over or (cancel is not None and cancel.cancelled) else value_of(region)
        if game is None or total is None:
            total = None
        else:
            with valuing():
                try:
                    total = total + game
                except LimitReached:
                    total = None
        mean, temperature = (None, None) if game is None else (str(game.mean), str(game.temperature))
        places = tuple(position.lattice.places(squares))
        found.append(ValuedRegion(places, region.spec, *printed(game), mean, temperature))
    return Regions(tuple(found), *printed(total))


def thermograph(position: Position) -> str:
    """Return the thermograph of a position as an SVG picture.

    :raises ValueError: if the position is too large for its value.
    """
    value = value_of(position)
    if value is None:
        raise ValueError("this position is too large for its value to be worked out here")
    return value.thermograph._repr_svg_()
