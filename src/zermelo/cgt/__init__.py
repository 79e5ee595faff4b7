"""Combinatorial game values: canonical forms, sums, comparisons, thermographs, values of Domineering positions."""

from __future__ import annotations

from zermelo._core import DatabaseError, LimitReached
from zermelo.cgt.database import build_database, use_database
from zermelo.cgt.game import Game, limits
from zermelo.cgt.thermograph import Thermograph
from zermelo.cgt.toolkit import Simplification, Uptimal, outcome_of_sum
from zermelo.cgt.values import domineering_value

__all__ = [
    "DatabaseError",
    "Game",
    "LimitReached",
    "Simplification",
    "Thermograph",
    "Uptimal",
    "build_database",
    "domineering_value",
    "limits",
    "outcome_of_sum",
    "use_database",
]
