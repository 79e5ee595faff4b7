"""Properties of short games: atomic weights, uptimals, reduced forms, outcomes of sums, steps of a simplification.

Definitions follow Siegel, Combinatorial Game Theory, chapter II, and Winning Ways, chapters 6 and 8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from zermelo._core import LimitReached
from zermelo.running import Calls, unwound

if TYPE_CHECKING:
    from zermelo.cgt.value import Value, ValueLike

MAX_EXPONENT = 58


def followers(game: Value) -> set[Value]:
    """Return the game and everything that play can reach in its canonical form; numbers are not taken apart."""
    found, waiting = {game}, [game]
    while waiting:
        now = waiting.pop()
        if not now.is_number:
            new = {*now.left_options, *now.right_options} - found
            found |= new
            waiting += new
    return found


def maximal(games: Iterable[Value]) -> list[Value]:
    """Return the games that no other one of them exceeds, each once."""
    different = list(dict.fromkeys(games))
    return [one for one in different if not any(other > one for other in different)]


# Products and ordinal sums


def ordinal_sum(base: Value, other: Value, look: Callable[[], None]) -> Value:
    """Return G:H, where a move in G forgets H: its options are those of G, and G:X for the options X of H."""
    kind = type(base)
    known: dict[Value, Value] = {}

    def under(game: Value) -> Calls[Value]:
        if game not in known:
            left, right = base.left_options, base.right_options
            for option in game.left_options:
                left.append((yield under(option)))
            for option in game.right_options:
                right.append((yield under(option)))
            look()
            known[game] = kind.from_options(left, right)
        return known[game]

    return unwound(under(other))


def nim_product(one: int, other: int) -> int:
    """Return the product of nimbers: with h the largest 2, 4, 16, 256, ... in them, h times h is h + h/2."""
    if one < 2 or other < 2:
        return one * other
    bits = 1
    while max(one, other) >> 2 * bits:
        bits *= 2
    (a, b), (c, d) = divmod(one, 1 << bits), divmod(other, 1 << bits)
    high, low = nim_product(a, c), nim_product(b, d)
    return (nim_product(a ^ b, c ^ d) ^ low) << bits ^ low ^ nim_product(high, 1 << bits - 1)


def conway_product(one: Value, other: Value, look: Callable[[], None]) -> Value:
    """Return the product of On Numbers and Games: its options are xH + Gy - xy, for Left of options of one kind."""
    kind = type(one)
    known: dict[tuple[Value, Value], Value] = {}

    def times(g: Value, h: Value) -> Calls[Value]:
        if g.is_number and h.is_number:
            return kind(g.left_stop * h.left_stop)
        if g.nimber is not None and h.nimber is not None:
            return kind(f"*{nim_product(g.nimber, h.nimber)}")
        if (g, h) not in known:
            sides: dict[bool, list[Value]] = {True: [], False: []}
            for left_x, xs in ((True, g.left_options), (False, g.right_options)):
                for left_y, ys in ((True, h.left_options), (False, h.right_options)):
                    for x in xs:
                        look()
                        for y in ys:
                            option = (yield times(x, h)) + (yield times(g, y)) - (yield times(x, y))
                            sides[left_x == left_y].append(option)
            known[g, h] = kind.from_options(sides[True], sides[False])
        return known[g, h]

    return unwound(times(one, other))


# Infinitesimals


def atomic_weight(game: Value) -> Value:
    """Return the atomic weight; see :attr:`Value.atomic_weight`.

    The recursion of Winning Ways, chapter 8, finds it, with huge weights for numbers, which may be threats. Then the
    definition decides: ``vv + far < G - weight . ^ < ^^ + far``, where ``far`` is a nimber larger than any in play.
    """
    kind = type(game)
    no_weight = ValueError(
        f"{game.short()} has no atomic weight: only infinitesimals close to a multiple of ^ have one"
    )
    if not game.is_infinitesimal:
        raise no_weight
    far_size = 1 << (game.birthday + 2).bit_length()
    far, huge = kind(f"*{far_size}"), 8 * (game.birthday + 4)
    known: dict[Value, Value] = {}

    def weight(one: Value) -> Calls[Value]:
        if one not in known:
            known[one] = number_weight(one) if one.is_number else (yield game_weight(one))
        return known[one]

    def number_weight(one: Value) -> Value:
        return kind(0 if one == 0 else huge if one > 0 else -huge)

    def game_weight(one: Value) -> Calls[Value]:
        left: list[Value] = []
        right: list[Value] = []
        for each in one.left_options:
            left.append((yield weight(each)) - 2)
        for each in one.right_options:
            right.append((yield weight(each)) + 2)
        found = kind.from_options(left, right)
        if not found.is_integer or not (one > far or one < far):
            return found
        # The eccentric case: the largest or the least integer that fits, not the simplest.
        return kind(min(map(_least_above, right)) - 1 if one > far else 1 - min(_least_above(-each) for each in left))

    found = unwound(weight(game))
    if any(one.is_number and abs(one.mean) > huge // 2 for one in followers(found)):
        raise no_weight
    rest = game - found.norton_product("^")
    if not kind(f"vv*{far_size}") < rest < kind(f"^^*{far_size}"):
        raise no_weight
    return found


def _least_above(game: Value) -> int:
    """Return the least integer that is at least the game."""
    stop = game.left_stop
    least = -(-stop.numerator // stop.denominator)
    return least if game <= least else least + 1


@dataclass(frozen=True)
class Uptimal:
    """A number, a nimber and multiples of ^<1>, ^<2>, ...: their sum is called an uptimal.

    The text is CGSuite's: number, star, point, then the multiples, ``-`` after those below zero.

    >>> str(Uptimal(Fraction(1, 2), 3, (1, -2)))
    '1/2*3.12-'
    """

    number: Fraction
    star: int
    ups: tuple[int, ...]

    def __str__(self) -> str:
        star = "" if not self.star else "*" if self.star == 1 else f"*{self.star}"
        digits = "".join(f"{abs(n) if abs(n) < 10 else f'({abs(n)})'}{'-' if n < 0 else ''}" for n in self.ups) or "0"
        return f"{'' if star and not self.number else self.number}{star}.{digits}"

    @property
    def game(self) -> Value:
        """The game that it stands for."""
        from zermelo.cgt.value import Value

        powers = (times * Value(f"^<{place}>") for place, times in enumerate(self.ups, 1))
        return sum(powers, Value(self.number) + Value(f"*{self.star}"))


def uptimal(game: Value) -> Uptimal | None:
    """Return the expansion of a game that is an uptimal; see :attr:`Value.uptimal`."""
    if not game.is_numberish:
        return None
    kind, number = type(game), game.left_stop
    rest, ups, most = game - number, list[int](), game.birthday + 1
    while rest.nimber is None:
        if not rest.is_all_small or len(ups) > most:
            return None
        power = kind(f"^<{len(ups) + 1}>")
        # What is left must be nothing beside this power; four times it has no nimber in it.
        fits = (n for n in sorted(range(-most, most + 1), key=abs) if -power < 4 * (rest - n * power) < power)
        times = next(fits, None)
        if times is None:
            return None
        ups.append(times)
        rest -= times * power
    return Uptimal(number, rest.nimber, tuple(ups))


# Hot games


def reduced(game: Value) -> Value:
    """Return the reduced canonical form; see :meth:`Value.reduced`.

    Cooling by a number smaller than every positive temperature in the game turns infinitesimals into nothing; heating
    by the same number gives the rest back its moves.
    """
    if game.is_numberish:
        return type(game)(game.left_stop)
    numbers = [one.mean.denominator.bit_length() - 1 for one in followers(game) if one.is_number]
    exponent = max(numbers) + _height(game) + 2
    if exponent > MAX_EXPONENT:
        raise LimitReached("the game is too deep for its reduced form: a number needs more than 62 bits")
    little = Fraction(1, 1 << exponent)
    return game.cool(little).heat(little)


def _height(game: Value) -> int:
    known: dict[Value, int] = {}

    def height(one: Value) -> int:
        if one not in known:
            options = () if one.is_number else (*one.left_options, *one.right_options)
            known[one] = 1 + max(map(height, options), default=-1)
        return known[one]

    return height(game)


# Sums


def outcome_of_sum(*games: ValueLike) -> str:
    """Say who wins a sum without working out its canonical form: ``Left``, ``Right``, ``first`` or ``second``.

    >>> outcome_of_sum("{5|-5}", "{3|-3}", "^", "v*")
    'first'

    :raises LimitReached: if play is more than some millions of positions; see :func:`zermelo.cgt.limits`.
    """
    from zermelo.cgt.value import Value

    parts = [Value(game) for game in games]
    wins = _wins_first(parts, 1), _wins_first(parts, -1)
    return {(True, True): "first", (True, False): "Left", (False, True): "Right"}.get(wins, "second")


MAX_POSITIONS = 2_000_000


def _wins_first(games: Sequence[Value], sign: int) -> bool:
    """Whether Left (sign 1) or Right (-1) wins a sum when she starts, by playing it out."""
    known: dict[tuple[tuple[Value, ...], int], bool] = {}

    def wins(parts: list[Value], sign: int) -> Calls[bool]:
        # Step 1: a game and its negative are nothing, numbers are one number, stops may decide.
        number = Fraction(0)
        left: list[Value] = []
        for part in parts:
            if part.is_number:
                number += part.left_stop
            elif -part in left:
                left.remove(-part)
            else:
                left.append(part)
        low = number + sum(part.right_stop for part in left)
        high = number + sum(part.left_stop for part in left)
        if not left:
            return number * sign > 0
        if low > 0 or high < 0:
            return (low > 0) == (sign > 0)
        # Step 2: a move in any part except the number: nobody needs to move there.
        rest = sorted(left, key=lambda part: part.id)
        key = (*rest, type(rest[0])(number)), sign
        if key not in known:
            if len(known) >= MAX_POSITIONS:
                raise LimitReached(f"the sum has more than {MAX_POSITIONS:,} positions")
            numbers = [] if number == 0 else [key[0][-1]]
            moves = (
                [*numbers, *rest[:at], option, *rest[at + 1 :]]
                for at, part in enumerate(rest)
                if at == 0 or part != rest[at - 1]
                for option in (part.left_options if sign > 0 else part.right_options)
            )
            won = False
            for after in moves:
                won = not (yield wins(after, -sign))
                if won:
                    break
            known[key] = won
        return known[key]

    return unwound(wins(list(games), sign))


# How a form becomes canonical


@dataclass(frozen=True)
class Simplification:
    """A form, the steps that simplify it, each in a sentence, and the game it is.

    >>> print(simplification("{0,*|^,1}"))
    {*,0|1,^}
    Right's 1 is dominated by ^.
    Left's * is reversible through 0, which is at most the game: Left's options of 0 take its place: none.
    {0|^} = ^^*
    """

    form: str
    steps: tuple[str, ...]
    last: str
    game: Value

    def __str__(self) -> str:
        end = self.last if self.last == str(self.game) else f"{self.last} = {self.game}"
        return "\n".join([self.form, *self.steps, end])


def simplification(form: str) -> Simplification:
    """Say step by step how a typed form becomes canonical: which options are dominated, which reversible.

    >>> from zermelo.cgt import Value
    >>> print(Value.simplification("{1,0|2}"))
    {0,1|2}
    Left's 0 is dominated by 1.
    {1|2} = 3/2
    """
    from zermelo.cgt.value import ARENA, Value

    left, right = ([Value.from_id(one) for one in side] for side in ARENA.parse_form(form))
    game, steps = Value.from_options(left, right), list[str]()
    written = _written(left, right)
    changed = True
    while changed:
        left, right = _undominated(left, "Left", steps, Value.__ge__), _undominated(right, "Right", steps, Value.__le__)
        left, one = _bypassed(left, "Left", steps, lambda x: x <= game)
        right, two = _bypassed(right, "Right", steps, lambda x: x >= game)
        changed = one or two
    return Simplification(written, tuple(steps), _written(left, right), game)


def _written(left: Sequence[Value], right: Sequence[Value]) -> str:
    return (
        "{"
        + "|".join(",".join(sorted(map(str, side), key=lambda text: (len(text), text))) for side in (left, right))
        + "}"
    )


def _undominated(
    options: list[Value], who: str, steps: list[str], beats: Callable[[Value, Value], bool]
) -> list[Value]:
    options = list(dict.fromkeys(options))
    for option in list(options):
        better = next((other for other in options if other != option and beats(other, option)), None)
        if better is not None:
            steps.append(f"{who}'s {option} is dominated by {better}.")
            options.remove(option)
    return options


def _bypassed(
    options: list[Value], who: str, steps: list[str], good: Callable[[Value], bool]
) -> tuple[list[Value], bool]:
    changed = False
    result: list[Value] = []
    for option in options:
        answers = option.right_options if who == "Left" else option.left_options
        answer = next((one for one in answers if good(one)), None)
        if answer is None:
            result.append(option)
            continue
        instead = answer.left_options if who == "Left" else answer.right_options
        bound, names = "at most" if who == "Left" else "at least", ", ".join(map(str, instead)) or "none"
        steps.append(
            f"{who}'s {option} is reversible through {answer}, which is {bound} the game: "
            f"{who}'s options of {answer} take its place: {names}."
        )
        result += instead
        changed = True
    return result, changed
