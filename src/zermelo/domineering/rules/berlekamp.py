"""The value of [2 x n] for odd n, by Berlekamp's formula: how Lachmann, Moore and Rapaport settle [2x31].

E. R. Berlekamp, "Blockbusting and Domineering", Journal of Combinatorial Theory A 49 (1988) 67-116. With n = 2 k + 1,

    [2 x n] = 1/2 - k (1/4 + heat(*, 3/4)) + heat(overheat(x_k, 1/2, 1/2*), 3/4)

where x_k is Blockbusting on a strip of k parcels between two sold to Left, cooled by 1. In Blockbusting the players
buy one parcel a turn, and Left scores a point for each two neighbours that are both hers.

The formula is a published theorem that is evaluated here, not proved; it equals our own exact value wherever we have
one (odd n up to 21, see the tests), and a search has confirmed its statement about [2x31].
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

from zermelo.cgt import Value
from zermelo.domineering.lattice import Lattice
from zermelo.domineering.rules.derive import Derived
from zermelo.domineering.rules.outcomes import OF_VALUES
from zermelo.domineering.rules.rulebook import EMPTY, Rule, nowhere
from zermelo.domineering.rules.sums import compared

LENGTHS = range(23, 34, 2)
"""The formula is used for these lengths: longer than our own values, up to the end of the charts."""
WEIGHT = 3500
"""A derivation prefers searches of shorter boards to the formula, and the formula to a search of 2x31."""

FORMULA = Rule(
    "Berlekamp's formula",
    EMPTY.relation,
    "",
    "the value of two rows of odd length, evaluated as published (J. Comb. Theory A 49, 1988); it equals our own exact "
    "values for n <= 21",
    nowhere,
)


@cache
def blockbusting(parcels: int, left_end: bool, right_end: bool) -> Value:
    """Return Blockbusting on a strip; an end is true if the parcel beyond it is Left's.

    >>> blockbusting(1, True, True), blockbusting(3, True, True)
    (Value('{2|0}'), Value('{2|1}'))
    """
    if parcels == 0:
        return Value(int(left_end and right_end))
    options = (
        [blockbusting(at, left_end, mine) + blockbusting(parcels - 1 - at, mine, right_end) for at in range(parcels)]
        for mine in (True, False)
    )
    return Value.from_options(*options)


def value(cols: int) -> Value:
    """Return the value of two rows of an odd number of columns.

    >>> value(13), value(31)
    (Value('0'), Value('{2|0||-1/2|-2|||-5/2}'))

    :raises ValueError: if the number is even.
    """
    if cols < 1 or cols % 2 == 0:
        raise ValueError(f"the formula takes an odd number of columns, not {cols}")
    half = Fraction(1, 2)
    pairs = cols // 2
    column = Value(Fraction(1, 4)) + Value("*").heat(Fraction(3, 4))
    strip = blockbusting(pairs, True, True).cool(1)
    heated = strip.overheat(half, Value(half) + Value("*")).heat(Fraction(3, 4))
    return Value(half) - column * pairs + heated


@cache
def formula_steps() -> tuple[Derived, ...]:
    """Return who wins two rows of :data:`LENGTHS`."""
    found = list[Derived]()
    for cols in LENGTHS:
        size, game = Lattice(2, cols), value(cols)
        outcomes = OF_VALUES[game.outcome]
        rule = replace(FORMULA, lemma=f"{{0}} = {compared(game, outcomes)}")
        found.append(Derived(size, outcomes, WEIGHT, rule=rule, boards=(size,)))
    return tuple(found)
