"""Values, means and temperatures against two independent calculators, pycgt and cgt-py."""

from __future__ import annotations

import random
from fractions import Fraction

import cgt_py
import pycgt
import pytest
from calculators import from_pycgt, pycgt_value

from zermelo.cgt import Value
from zermelo.domineering.values import domineering_value


def random_rows(rng: random.Random) -> list[str]:
    rows, cols = rng.choice([(2, 4), (3, 3), (3, 4), (4, 3), (4, 4), (3, 5), (4, 5), (5, 4)])
    blocked = rng.choice([0.1, 0.2, 0.3, 0.4])
    return ["".join("#" if rng.random() < blocked else "." for _ in range(cols)) for _ in range(rows)]


def number(theirs: cgt_py.DyadicRationalNumber) -> Fraction:
    """Read the number out of DyadicRationalNumber('3/4')."""
    return Fraction(repr(theirs).split("'")[1])


def from_cgt_py(form: cgt_py.CanonicalForm, known: dict[str, Value]) -> Value:
    """Build the game again from the options of the other calculator's form."""
    text = repr(form)
    if text not in known:
        known[text] = Value.from_options(
            [from_cgt_py(option, known) for option in form.left_options],
            [from_cgt_py(option, known) for option in form.right_options],
        )
    return known[text]


@pytest.mark.slow
def test_values_agree_with_cgt_py() -> None:
    rng = random.Random(1)
    hot, known = 0, dict[str, Value]()
    for _ in range(400):
        rows = random_rows(rng)
        ours, theirs = (domineering_value("/".join(rows)), cgt_py.Domineering("|".join(rows)).canonical_form)
        assert ours == from_cgt_py(theirs, known), rows
        temperature = number(theirs.temperature)
        assert ours.temperature == temperature, rows
        assert ours.left_stop == number(theirs.left_stop)
        assert ours.right_stop == number(theirs.right_stop)
        hot += temperature > 0
    assert hot > 100


@pytest.mark.slow
def test_values_agree_with_pycgt() -> None:
    rng, compared = random.Random(2), 0
    for _ in range(500):
        rows = random_rows(rng)
        free = frozenset((row, col) for row, line in enumerate(rows) for col, at in enumerate(line) if at == ".")
        if len(free) > 15:  # it is slow
            continue
        ours, theirs = domineering_value("/".join(rows)), pycgt_value(free)
        assert ours == from_pycgt(theirs), rows
        assert ours.mean == pycgt.mean(theirs), rows
        assert ours.birthday == pycgt.birthday(theirs)
        temperature = pycgt.temperature(theirs)
        if temperature >= 0:
            assert ours.temperature == temperature, rows
        else:
            assert ours.temperature < 0
        compared += 1
    assert compared > 300
