"""Combinatorial game values: canonical forms, sums, comparisons, thermographs."""

from __future__ import annotations

from zermelo._core import DatabaseError, LimitReached
from zermelo.cgt.thermograph import Thermograph
from zermelo.cgt.toolkit import Simplification, Uptimal, outcome_of_sum
from zermelo.cgt.value import Value, limits

__all__ = [
    "DatabaseError",
    "Value",
    "LimitReached",
    "Simplification",
    "Thermograph",
    "Uptimal",
    "limits",
    "outcome_of_sum",
]
