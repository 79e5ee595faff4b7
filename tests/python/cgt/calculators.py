"""Domineering by the rules in the plainest words, with the canonical forms of another calculator, pycgt."""

from __future__ import annotations

from functools import cache

import pycgt

from zermelo.cgt import Value

Squares = frozenset[tuple[int, int]]


@cache
def pycgt_value(free: Squares) -> pycgt.Game:
    """The value of free squares."""

    def after(d_row: int, d_col: int) -> list[pycgt.Game]:
        return [
            pycgt_value(free - {(row, col), (row + d_row, col + d_col)})
            for row, col in sorted(free)
            if (row + d_row, col + d_col) in free
        ]

    return pycgt.game(after(1, 0), after(0, 1))


@cache
def from_pycgt(game: pycgt.Game) -> Value:
    """The same game of ours, built from its options."""
    return Value.from_options(
        [from_pycgt(option) for option in game.left], [from_pycgt(option) for option in game.right]
    )


def value_of(free: Squares) -> Value:
    """The value of free squares as a game of ours."""
    return from_pycgt(pycgt_value(free))
