"""Values of Domineering by another calculator, cgt-py, and their conversion into ours."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import cgt_py

from zermelo.cgt import Value

Squares = frozenset[tuple[int, int]]
_known: dict[str, Value] = {}


def shown(theirs: Any) -> str:
    """The text in CanonicalForm('{1|*}') or DyadicRationalNumber('3/4')."""
    return repr(theirs).split("'")[1]


def number(theirs: Any) -> Fraction:
    return Fraction(shown(theirs))


def from_cgt_py(form: Any) -> Value:
    """Our value with the same options, so that only the arithmetic of `Value.from_options` is trusted."""
    text = repr(form)
    if text not in _known:
        options = form.left_options, form.right_options
        _known[text] = Value.from_options(*(map(from_cgt_py, side) for side in options))
    return _known[text]


@cache
def value_of(free: Squares) -> Value:
    """The value of a set of free squares."""
    rows, cols = (range(max((square[axis] for square in free), default=0) + 1) for axis in (0, 1))
    lines = ("".join("." if (row, col) in free else "#" for col in cols) for row in rows)
    return from_cgt_py(cgt_py.Domineering("|".join(lines)).canonical_form)
