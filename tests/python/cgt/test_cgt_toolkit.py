"""The toolkit against the definitions, played out on trees that share no code with it, and against cgt-py.

What CGSuite documents is written down as texts.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations, count, product
from typing import Any, NamedTuple

import cgt_py
import pytest
from calculators import number, shown

from zermelo.cgt import LimitReached, Uptimal, Value, limits, outcome_of_sum


class Tree(NamedTuple):
    """Options by the numbers of their trees; trees with the same options have the same number."""

    number: int
    left: tuple[Tree, ...]
    right: tuple[Tree, ...]

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other


TREES: dict[tuple[frozenset[int], frozenset[int]], Tree] = {}


def tree(left: Iterable[Tree], right: Iterable[Tree]) -> Tree:
    sides = {one.number: one for one in left}, {one.number: one for one in right}
    key = frozenset(sides[0]), frozenset(sides[1])
    if key not in TREES:
        TREES[key] = Tree(len(TREES), tuple(sides[0].values()), tuple(sides[1].values()))
    return TREES[key]


ZERO = tree((), ())
ROUNDS = int(os.environ.get("ZERMELO_CGT_ROUNDS", "5000"))
"""Random games compared with cgt-py; more on request."""


# The oracle


@cache
def at_least(a: Tree, b: Tree) -> bool:
    return not any(at_least(b, x) for x in a.right) and not any(at_least(x, a) for x in b.left)


@cache
def plus(a: Tree, b: Tree) -> Tree:
    return tree(
        [*(plus(x, b) for x in a.left), *(plus(a, x) for x in b.left)],
        [*(plus(x, b) for x in a.right), *(plus(a, x) for x in b.right)],
    )


@cache
def minus(a: Tree) -> Tree:
    return tree(map(minus, a.right), map(minus, a.left))


def integer(n: int) -> Tree:
    return ZERO if n == 0 else tree([integer(n - 1)], ()) if n > 0 else minus(integer(-n))


@cache
def star(n: int) -> Tree:
    options = list(map(star, range(n)))
    return tree(options, options)


UP = tree([ZERO], [star(1)])


def times(one: Tree, n: int) -> Tree:
    result = ZERO
    for _ in range(abs(n)):
        result = plus(result, one)
    return result if n >= 0 else minus(result)


@cache
def tree_of(game: Value) -> Tree:
    return tree(map(tree_of, game.left_options), map(tree_of, game.right_options))


@cache
def game_of(one: Tree) -> Value:
    return Value.from_options(map(game_of, one.left), map(game_of, one.right))


@cache
def norton(one: Tree, unit: Tree) -> Tree:
    """G . U by the definition."""
    if one in INTEGERS:
        return times(unit, INTEGERS[one])
    earned = [*unit.left, *(plus(plus(unit, unit), minus(x)) for x in unit.right)]
    return tree(
        [plus(norton(x, unit), each) for x in one.left for each in earned],
        [plus(norton(x, unit), minus(each)) for x in one.right for each in earned],
    )


INTEGERS = {integer(n): n for n in range(-8, 9)}


# Random games


def random_game(rng: random.Random, leaves: list[str], depth: int) -> Value:
    if depth == 0 or rng.random() < 0.2:
        return Value(rng.choice(leaves))
    sides = ([random_game(rng, leaves, depth - 1) for _ in range(rng.choice((1, 1, 2)))] for _ in "LR")
    return Value.from_options(*sides)


HOT = ["0", "1", "-1", "2", "1/2", "-3/2", "*", "^", "{2|-1}", "{1|0}"]
SMALL = ["0", "*", "*2", "^", "v*", "vv"]


def test_atomic_weights_keep_to_the_definition() -> None:
    rng, different = random.Random(1), set[Value]()
    for _ in range(120):
        game = random_game(rng, SMALL, 2)
        weight = game.atomic_weight
        different.add(weight)
        rest = plus(tree_of(game), minus(norton(tree_of(weight), UP)))
        above = plus(times(UP, 2), star(8))
        assert at_least(above, rest) and not at_least(rest, above), game
        assert at_least(rest, minus(above)) and not at_least(minus(above), rest), game
    assert len(different) > 6


def test_atomic_weights_add_up() -> None:
    rng = random.Random(2)
    for _ in range(150):
        one, two = random_game(rng, SMALL, 2), random_game(rng, SMALL, 2)
        with limits(seconds=20):
            assert (one + two).atomic_weight == one.atomic_weight + two.atomic_weight, (one, two)
            assert (-one).atomic_weight == -one.atomic_weight


# Value, atomic weight (None: not atomic), uptimal expansion, incentives; as CGSuite's own tests have them.
CGSUITE = [
    ("73/16v9*8", None, "73/16*8.9-", ["^*"]),
    ("{0|*||*|||*||||*}", "1", "0.1111", ["^[4]*"]),
    ("{0||0|v*}", "1", "*.12", ["^[2]*"]),
    ("{0||0,v*|vv|||{0||0,v*|vv|||vv,{0,v*|vv}},{0||0,v*|vv}|{0||0,v*|vv|||vv,{0,v*|vv}||||vv}}", "0", "0.0202", None),
    ("{0||0|vvv}", "0", None, ["{^3,{^3|0}|0}"]),
    ("{^^^|vv}", "{1|0}", None, ["{^5|0}"]),
    ("{0||0|-3/2}", "0", None, ["{3/2,{3/2|0}|0}"]),
    ("{0|||0||-1|-3}", "0", None, None),
    ("{5||3|1|||0||||0}", "0", None, None),
    ("{1|^^||^}", "2", None, None),
    ("{1|^^^||^}", None, None, None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "weight", "expansion", "incentives"), CGSUITE)
def test_infinitesimals_are_as_cgsuite_documents(
    text: str, weight: str | None, expansion: str | None, incentives: list[str] | None
) -> None:
    game = Value(text)
    if weight is None:
        with pytest.raises(ValueError, match="no atomic weight"):
            _ = game.atomic_weight
    else:
        assert game.atomic_weight == weight
    assert (game.uptimal and str(game.uptimal)) == expansion
    assert incentives is None or game.incentives == [Value(one) for one in incentives]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("cool({3||2*|1*},1/4)", "{11/4||2|3/2}"),
        ("cool({3||2*|1*},1/2)", "{5/2|2*}"),
        ("cool({3||2*|1*},3/4)", "9/4*"),
        ("cool({3||2*|1*},70)", "9/4"),
        ("heat({3||2*|1*},1/2)", "{7/2|||5/2|3/2||+-1/2}"),
        ("heat({3||2*|1*},1)", "{4|||3|1||0|-2}"),
        ("heat({3||2*|1*},*)", "{3*||2|1}"),
        ("overheat({3||2*|1*},*,1*)", "{1||+-(1*)|-1,{-1|-3}}"),
        ("overheat(7/16,0,0)", "^[3]"),
        ("norton(-4,^)", "v4"),
        ("norton(1/2,^)", "{^^*|v*}"),
        ("norton(^,^)", "{^^*||0|v4}"),
        ("norton(tiny(2),^)", "{^^*||0|v6}"),
    ],
)
def test_heat_and_products_are_as_cgsuite_documents(text: str, result: str) -> None:
    assert str(Value(text)) == result


def test_uptimals_are_the_sums_they_say() -> None:
    powers = [UP]
    for _ in range(2):  # ^<n> = { 0 | v[n-1]* }, and ^[n-1] is the sum of the powers before
        total = ZERO
        for power in powers:
            total = plus(total, power)
        powers.append(tree([ZERO], [plus(minus(total), star(1))]))
    rng = random.Random(3)
    for _ in range(40):
        ups = tuple(rng.randint(-2, 2) for _ in range(rng.randint(0, 3)))
        nim, number = rng.choice((0, 0, 1, 2)), rng.randint(-1, 1)
        game = sum((n * game_of(power) for n, power in zip(ups, powers, strict=False)), game_of(star(nim)) + number)
        while ups and ups[-1] == 0:
            ups = ups[:-1]
        assert game.uptimal == Uptimal(Fraction(number), nim, ups)
        assert game.uptimal is not None and game.uptimal.game == game
    for text in ("tiny(2)", "{^3|vv}", "+-1", "{0||0|v3}"):
        assert Value(text).uptimal is None


def test_incentives_are_the_best_differences() -> None:
    rng = random.Random(5)
    for _ in range(100):
        game = random_game(rng, HOT, 2)
        whole = tree_of(game)
        gains = [plus(x, minus(whole)) for x in whole.left] + [plus(whole, minus(x)) for x in whole.right]
        found = [tree_of(one) for one in game.incentives]
        for gain in gains:
            assert any(at_least(one, gain) for one in found)
        for one in found:
            assert any(at_least(one, gain) and at_least(gain, one) for gain in gains)
            assert not any(at_least(other, one) for other in found if other != one)


def test_norton_products_keep_to_the_definition_and_distribute() -> None:
    rng = random.Random(6)
    for _ in range(60):
        one, two = random_game(rng, ["0", "1", "-1", "1/2", "*"], 1), random_game(rng, ["0", "1", "-2", "*"], 1)
        for unit in ("^", "1", "{2|1}"):
            product = one.norton_product(unit)
            expected = norton(tree_of(one), tree_of(Value(unit)))
            assert product == game_of(expected), (one, unit)
            assert (one + two).norton_product(unit) == product + two.norton_product(unit)
    with pytest.raises(ValueError, match="positive"):
        Value(1).norton_product("*")


def test_heating_keeps_to_the_definition() -> None:
    def heated(game: Value, t: Value) -> Value:
        if game.is_number:
            return game
        return Value.from_options(
            [heated(x, t) + t for x in game.left_options], [heated(x, t) - t for x in game.right_options]
        )

    rng = random.Random(7)
    for _ in range(100):
        game, t = random_game(rng, HOT, 2), Value(rng.choice(["1", "1/2", "*", "1*"]))
        assert game.heat(t) == heated(game, t)


def test_outcome_of_a_sum_is_that_of_play() -> None:
    rng, seen = random.Random(8), set[str]()
    for _ in range(150):
        parts = [random_game(rng, HOT, 2) for _ in range(rng.randint(0, 4))]
        outcome = sum(parts, Value(0)).outcome
        assert outcome_of_sum(*parts) == outcome, parts
        seen.add(outcome)
    assert len(seen) == 4


def test_steps_of_a_simplification_are_true() -> None:
    rng, kinds = random.Random(9), set[str]()
    for _ in range(120):
        sides = [[str(random_game(rng, HOT, 1)) for _ in range(rng.randint(1, 3))] for _ in "LR"]
        text = "{" + "|||||".join(",".join(side) for side in sides) + "}"
        done = Value.simplification(text)
        assert done.game == text and done.last == done.last
        final = Value.simplification(done.last)
        assert final.steps == () and final.game == done.game, text
        for step in done.steps:
            if found := re.fullmatch(r"(Left|Right)'s (.*) is dominated by (.*)\.", step):
                worse, better = tree_of(Value(found[2])), tree_of(Value(found[3]))
                assert at_least(better, worse) if found[1] == "Left" else at_least(worse, better)
            else:
                found = re.match(r"(Left|Right)'s (.*) is reversible through (.*), which", step)
                assert found
                answer, whole = tree_of(Value(found[3])), tree_of(done.game)
                option = Value(found[2])
                assert Value(found[3]) in (option.right_options if found[1] == "Left" else option.left_options)
                assert at_least(whole, answer) if found[1] == "Left" else at_least(answer, whole)
            kinds.add(step.split()[3])
    assert kinds == {"dominated", "reversible"}


def test_texts_in_all_styles_mean_the_same() -> None:
    rng = random.Random(10)
    for _ in range(300):
        game = random_game(rng, [*HOT, "tiny(2)", "3v[2]*", "+-(1,{2|0})", "1/4^^*3"], 2)
        assert Value(game.text("unicode")) == Value(game.text("cgsuite")) == game
        latex = game.text("latex")
        assert latex.replace(r"\{", "").replace(r"\}", "").count("{") == latex.replace(r"\}", "").count("}")
    assert Value("{2+tiny(2)|v[3]*}").text("latex") == r"\{2+{+}_{2}\mathbin{|}{\downarrow}^{[3]}{*}\}"
    assert f"{Value('+-1/2'):latex}|{Value('^'):>3}|{Value('^3'):unicode}" == r"\pm \frac{1}{2}|  ^|↑3"
    with pytest.raises(ValueError, match="style 'word'"):
        Value(0).text("word")  # type: ignore[arg-type]


def test_games_equal_their_texts_and_nothing_breaks() -> None:
    assert Value("*") == "*" and Value("{1|-1}") == "+-1" and Value(2) != "2*" and Value("*") != "no game"
    assert not Value("^ + v") and Value("*")
    assert Value("^").outcome == "Left" and Value("*2").nimber == 2 and Value("^").nimber is None
    for text in ("1+-1", "1 +-1"):
        with pytest.raises(ValueError, match="two ways"):
            Value(text)
    assert Value("1 + -1") == 0 and Value("1 + +-1") == Value("1±1") == Value("{2|0}")
    for bad in (0.5, None, [1], b"1"):
        with pytest.raises(TypeError):
            Value(bad)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            Value(1) + bad  # type: ignore[operator]
        with pytest.raises(TypeError):
            _ = Value(1) >= bad  # type: ignore[operator]
        assert Value(1) != bad
    with pytest.raises(TypeError, match="lists"):
        Value.from_options("12", [])


def to_cgt_py(game: Value, known: dict[Value, Any]) -> Any:
    """Write a game for cgt-py, whose parser knows neither || nor ^^ nor our words: option by option."""
    if game not in known:
        known[game] = cgt_py.CanonicalForm(plain(game))
    return known[game]


@cache
def plain(game: Value) -> str:
    text = str(game)
    if re.fullmatch(r"-?[\d/]+|(-?[\d/]+)?[\^v]*\*?\d*", text):
        return text.replace("^^", "^2").replace("vv", "v2")
    left, right = (",".join(map(plain, side)) for side in (game.left_options, game.right_options))
    return f"{{{left}|{right}}}"


def from_text(form: Any) -> Value:
    return Value(shown(form))


def test_random_games_agree_with_cgt_py() -> None:
    rng, known, hot = random.Random(11), dict[Value, Any](), 0
    leaves = [*HOT, "tiny(2)", "^^*", "*3", "-5/4", "1v"]
    previous = Value(0)
    for _ in range(ROUNDS):
        game = random_game(rng, leaves, 2)
        form, other = to_cgt_py(game, known), to_cgt_py(previous, known)
        assert from_text(form) == game
        assert from_text(-form) == -game
        assert from_text(form.reduced) == game.reduced(), game
        assert shown(form.temperature) == str(game.temperature), game
        assert (number(form.left_stop), number(form.right_stop)) == (game.left_stop, game.right_stop)
        assert (form >= other, form <= other) == (game >= previous, game <= previous)
        if rng.random() < 0.3:
            assert from_text(form + other) == game + previous
            assert from_text(form.cool("1/2")) == game.cool(Fraction(1, 2)), game
        hot += game.temperature > 0
        previous = game
    assert hot > ROUNDS // 5


SMALL_GAMES = ["0", "1", "-1", "1/2", "*", "*2", "^", "v*", "+-1", "{1|*}", "{2|0||-1}", "tiny(1)"]


def test_ordinal_sums_keep_order_and_end_at_the_base() -> None:
    """G:H is greater, equal or less as H is (the colon principle), and G:0 is G."""
    for base in map(Value, SMALL_GAMES):
        assert base.ordinal_sum(0) == base
        for one, two in combinations(map(Value, SMALL_GAMES), 2):
            sums = base.ordinal_sum(one), base.ordinal_sum(two)
            assert (sums[0] >= sums[1], sums[0] <= sums[1]) == (one >= two, one <= two)
    stalk = Value(0)
    for colour in (1, 1, -1, 1):  # a stalk of Hackenbush from the ground up: 1:1:-1:1, associative from the left
        stalk = stalk.ordinal_sum(colour)
    assert stalk == "7/4"


def test_products_of_numbers_and_nimbers_are_theirs() -> None:
    numbers = ["0", "1", "-2", "1/2", "-3/4", "5/8"]
    for one, two in combinations(numbers, 2):
        assert Value(one).conway_product(two).fraction == Value(one).fraction * Value(two).fraction
    products: dict[tuple[int, int], int] = {}
    for one, two in product(range(20), repeat=2):  # the least that no option is, by the definition
        options = {products[a, two] ^ products[one, b] ^ products[a, b] for a, b in product(range(one), range(two))}
        products[one, two] = next(n for n in count() if n not in options)
        assert Value(f"*{one}").conway_product(f"*{two}").nimber == products[one, two]
    cgsuite = {("*19", "*23"): "*86", ("15", "^^*2"): "^30*2", ("{3|1}", "^^"): "{^6|^^}"}  # by its own tests
    for (left, right), value in cgsuite.items():
        assert Value(left).conway_product(right) == value
    for game in SMALL_GAMES:
        assert Value(game).conway_product(1) == game and Value(game).conway_product(0) == 0
        assert Value(game).conway_product(-1) == -Value(game)


def test_a_product_of_many_steps_keeps_to_the_limit() -> None:
    begin = time.monotonic()
    with limits(seconds=0.2), pytest.raises(LimitReached, match="time"):
        Value("*1000").conway_product("1/4")
    assert time.monotonic() - begin < 2


def test_numbers_become_floats_and_other_games_do_not() -> None:
    assert (float(Value("-5/8")), int(Value(3)), Value("3/4").as_integer_ratio()) == (-0.625, 3, (3, 4))
    for text, kind in (("*", float), ("1/2", int), ("+-1", int)):
        with pytest.raises(ValueError, match="is no"):
            kind(Value(text))


@pytest.mark.parametrize("text", ["1/2^^*", "v3*2", "^", "*", "{1|^*}", "tiny(2)", "-1v<3>*", "1/2^[2]", "+-(1,^)"])
def test_words_are_read_back(text: str) -> None:
    assert Value(f"{Value(text):words}") == text
    assert Value("3.up + star - down") == "^4*"
