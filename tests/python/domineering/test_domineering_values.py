"""Values of Domineering positions: published ones, those of another calculator, and symmetries."""

from __future__ import annotations

from fractions import Fraction

import pytest

from zermelo.cgt import Value
from zermelo.domineering import Position
from zermelo.domineering.values import domineering_value

# Issue list; Winning Ways chapter 5; Lachmann, Moore and Rapaport section 3 for widths 9 and 11 (rows x columns).
PUBLISHED = {
    "2x1": "1",
    "2x2": "+-1",
    "2x3": "{2|-1/2}",
    "2x4": "miny(2)",
    "2x5": "1/2",
    "3x3": "+-1",
    "4x5": "1",
    "5x5": "0",
    "2x13": "0",
    "9x1": "4",
    "9x2": "{3/2|0||-1/2|-5/2}",
    "9x3": "{5|3||11/4|1/4}",
    "11x1": "5",
    "11x2": "{1|||1/2|-1||-3/2|-7/2}",
}
MEANS = ["1", "0", "3/4", "0", "1/2", "0", "1/2", "-1/8", "3/8", "-5/16", "3/16", "-1/2"]
TEMPERATURES = ["-1", "1", "5/4", "0", "-1/2", "1", "1", "9/8", "9/8", "19/16", "19/16", "0"]


@pytest.mark.parametrize("spec", PUBLISHED)
def test_value_agrees_with_publications(spec: str) -> None:
    assert domineering_value(spec) == Value(PUBLISHED[spec])


@pytest.mark.parametrize("columns", range(1, 13))
def test_two_rows_have_published_mean_and_temperature(columns: int) -> None:
    value = domineering_value(f"2x{columns}")
    assert value.mean == Fraction(MEANS[columns - 1])
    assert value.temperature == Fraction(TEMPERATURES[columns - 1])


def test_width_9_and_11_sums_are_below_minus_one_half() -> None:
    nine = 2 * domineering_value("9x2")
    assert nine == Value("{1|-1/2||-1|-5/2}") and nine < Fraction(-1, 2)
    eleven = 4 * domineering_value("11x2")
    assert eleven == nine
    # So H wins 9x23 and 11x16 by much: equations below (5) of the paper.
    assert 11 * domineering_value("9x2") + domineering_value("9x1") < 0
    assert 8 * domineering_value("11x2") <= Fraction(-3, 2)


@pytest.mark.parametrize("spec", ["..#./.##./....", "4x4:V1,2;H3,3", "3x5", "#../..#/.../.#."])
def test_transposed_position_has_the_negative_value(spec: str) -> None:
    position = Position(spec)
    assert domineering_value(position.transposed()) == -domineering_value(position)
    for image in range(4):
        assert domineering_value(position.mirrored(image)) == domineering_value(position)
