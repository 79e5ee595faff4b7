"""Games in Python: arithmetic, order, text, limits."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.cgt import LimitReached, Value, limits
from zermelo.domineering.values import domineering_value

NUMBERS = st.builds(lambda n, k: Value(Fraction(n, 1 << k)), st.integers(-20, 20), st.integers(0, 3))
NAMED = st.sampled_from(["*", "*2", "^", "v*", "+-1", "tiny(2)", "{2|-1/2}", "1/2^*3"]).map(Value)
GAMES = st.recursive(
    NUMBERS | NAMED,
    lambda inner: st.builds(Value.from_options, st.lists(inner, min_size=1, max_size=2), st.lists(inner, max_size=2)),
    max_leaves=8,
)


@given(GAMES)
@settings(max_examples=300, deadline=None)
def test_text_round_trips(game: Value) -> None:
    assert Value(str(game)) == game
    assert Value(str(-game)) == -game
    assert pickle.loads(pickle.dumps(game)) == game


@given(GAMES)
@settings(max_examples=200, deadline=None)
def test_thermograph_contains_stops_and_mean(game: Value) -> None:
    graph = game.thermograph
    assert graph.left_at(0) == game.left_stop
    assert graph.right_at(0) == game.right_stop
    assert game.right_stop <= game.mean <= game.left_stop
    assert graph.left_at(1000) == graph.right_at(1000) == game.mean
    assert (-game).mean == -game.mean
    assert (-game).temperature == game.temperature


def test_numbers_mix_with_games() -> None:
    assert Value(3) == 3 and hash(Value(3)) == hash(3)
    assert Value("1/2") == Fraction(1, 2)
    assert 1 - Value("+-1") == Value("{2|0}")
    assert Value("^") * 2 == Value("^^") == 2 * Value("^")
    assert Value("*") != 0 and Value("*") != Value("*2")
    assert Value("{0|1}").birthday == 2


def test_bad_values_are_refused() -> None:
    with pytest.raises(ValueError, match="powers of two"):
        Value(Fraction(1, 3))
    with pytest.raises(TypeError):
        Value(0.5)  # type: ignore[arg-type]
    with pytest.raises(LimitReached):
        Value(1 << 70)
    with pytest.raises(ValueError, match="positive"), limits(seconds=0):
        pass
    with pytest.raises(ValueError, match="cooled"):
        Value("*").cool(-1)


def test_huge_boards_reach_a_limit_and_games_stay_usable() -> None:
    with limits(seconds=0.3), pytest.raises(LimitReached, match="time"):
        domineering_value("9x9")
    with limits(memory=1 << 20), pytest.raises(LimitReached, match="memory"):
        domineering_value("9x9")
    assert domineering_value("2x4") == Value("miny(2)")


def test_notebook_display_shows_form_and_thermograph() -> None:
    html = Value("{2|-1/2}")._repr_html_()
    assert "<code>{2|-1/2}</code>" in html and "<svg" in html and "wall-left" in html


def test_block_inside_another_keeps_to_the_limits_of_both() -> None:
    board = "6x9"  # no part of a board that another test has valued: what is known takes no memory
    with limits(memory=1 << 20):
        with limits(seconds=60):
            pass
        with pytest.raises(LimitReached, match="memory"):
            domineering_value(board)
        with limits(seconds=60), pytest.raises(LimitReached, match="memory"):
            domineering_value(board)
    with limits(seconds=0.3), limits(seconds=60), pytest.raises(LimitReached, match="time"):
        domineering_value("5x9")
