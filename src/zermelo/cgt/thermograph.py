"""Thermographs: the result of each player at every temperature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from zermelo.draw.thermograph import Corner, thermograph_svg


def wall_at(wall: Sequence[Corner], t: Fraction | int) -> Fraction:
    """Return the wall's value at temperature t; above its last corner a wall is constant.

    :raises ValueError: if t is below -1.
    """
    if t < wall[0][0]:
        raise ValueError("thermographs begin at temperature -1")
    for (t0, value0), (t1, value1) in pairwise(wall):
        if t <= t1:
            return value0 + (value1 - value0) * (Fraction(t) - t0) / (t1 - t0)
    return wall[-1][1]


@dataclass(frozen=True)
class Thermograph:
    """Corners (temperature, value) of both walls from t = -1 up; the mast stands on the last ones.

    >>> from zermelo.cgt import Value
    >>> graph = Value("{2|-1/2}").thermograph
    >>> str(graph.mean), str(graph.temperature)
    ('3/4', '5/4')
    >>> str(graph.left_at(0)), str(graph.right_at(1))
    ('2', '1/2')
    """

    left: tuple[Corner, ...]
    right: tuple[Corner, ...]
    mean: Fraction
    temperature: Fraction

    def left_at(self, t: Fraction | int) -> Fraction:
        """Return the left wall: the score if Left starts and every move costs t."""
        return wall_at(self.left, t)

    def right_at(self, t: Fraction | int) -> Fraction:
        """Return the right wall: the score if Right starts and every move costs t."""
        return wall_at(self.right, t)

    def to_json(self) -> dict[str, list[list[str]]]:
        """Return the corners as exact rational strings."""
        return {
            side: [[str(t), str(value)] for t, value in wall]
            for side, wall in (("left", self.left), ("right", self.right))
        }

    def _repr_svg_(self) -> str:
        return thermograph_svg(self.left, self.right)
