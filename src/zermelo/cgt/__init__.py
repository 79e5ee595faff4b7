"""Combinatorial game values: canonical forms, sums, comparisons, thermographs, values of Domineering positions."""

from __future__ import annotations

from zermelo._core import LimitReached
from zermelo.cgt.game import Game, limits
from zermelo.cgt.thermograph import Thermograph
from zermelo.cgt.values import domineering_value

__all__ = ["Game", "LimitReached", "Thermograph", "domineering_value", "limits"]
