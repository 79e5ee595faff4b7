"""Combinatorial game values: canonical forms, sums, comparisons, thermographs."""

from __future__ import annotations

from zermelo._core import DatabaseError, LimitReached
from zermelo.cgt.game import Game, limits
from zermelo.cgt.thermograph import Thermograph
from zermelo.cgt.toolkit import Simplification, Uptimal, outcome_of_sum

__all__ = [
    "DatabaseError",
    "Game",
    "LimitReached",
    "Simplification",
    "Thermograph",
    "Uptimal",
    "limits",
    "outcome_of_sum",
]
