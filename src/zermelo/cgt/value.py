"""Values: short partizan games in canonical form, with the arithmetic of Winning Ways."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from html import escape
from typing import Literal, TypeAlias

from zermelo._core import LimitReached, Limits, ValueArena
from zermelo.cgt import toolkit
from zermelo.cgt.formats import STYLES, Style, styled
from zermelo.cgt.thermograph import Thermograph
from zermelo.cgt.toolkit import Uptimal

Outcome: TypeAlias = Literal["Left", "Right", "first", "second"]
ValueLike: TypeAlias = "Value | str | int | Fraction"

DEFAULT_SECONDS = math.inf
DEFAULT_MEMORY = 2 << 30
MAX_REPR = 200

OUTCOMES: dict[str, Outcome] = {"V": "Left", "H": "Right", "1": "first", "2": "second"}

# All games of a process live in one arena, so that equal games are the same number and every sum is computed once.
ARENA = ValueArena()
_limits: list[tuple[float, int] | None] = [None]
"""The limits of the blocks that are open, the innermost last."""


@contextmanager
def limits(*, seconds: float = DEFAULT_SECONDS, memory: int = DEFAULT_MEMORY) -> Iterator[None]:
    """Limit every operation on games in this block to some seconds, and all games together to some bytes.

    An operation beyond its limit raises :class:`LimitReached`; all games stay usable. A block inside another keeps to
    the limits of both.

    >>> with limits(seconds=10):
    ...     Value("{2|-1/2}") + 1
    Value('{3|1/2}')
    """
    if not seconds > 0 or memory <= 0:
        raise ValueError("limits must be positive")
    outer = _limits[-1]
    inner = (seconds, memory) if outer is None else (min(seconds, outer[0]), min(memory, outer[1]))
    _limits.append(inner)
    ARENA.set_limits(Limits(None, *inner))
    try:
        yield
    finally:
        _limits.pop()
        ARENA.set_limits(Limits(None, *open_limits()))


@contextmanager
def one_operation() -> Iterator[Callable[[], None]]:
    """Limit the operations of this block together, as one. The function that it yields looks at the clock."""
    end = time.monotonic() + open_limits()[0]
    ARENA.set_limits(Limits(None, *open_limits()), for_each=False)

    def look() -> None:
        if time.monotonic() > end:
            raise LimitReached("the time limit was reached")

    try:
        yield look
    finally:
        ARENA.set_limits(Limits(None, *open_limits()))


def open_limits() -> tuple[float, int]:
    """Return the seconds and the bytes of the innermost block of :func:`limits` that is open."""
    return _limits[-1] or (DEFAULT_SECONDS, DEFAULT_MEMORY)


def dyadic(value: int | Fraction) -> tuple[int, int]:
    """Return numerator and the exponent of the denominator 2**k.

    :raises ValueError: if the denominator is no power of two.
    """
    fraction = Fraction(value)
    exponent = fraction.denominator.bit_length() - 1
    if fraction.denominator != 1 << exponent:
        raise ValueError(f"{value} is not a dyadic rational: denominators must be powers of two")
    if abs(fraction.numerator) >= 1 << 62 or exponent > 60:
        raise LimitReached("a number needs more than 62 bits")
    return fraction.numerator, exponent


def fraction(ratio: tuple[int, int]) -> Fraction:
    """Return the number that the core gives as numerator and exponent."""
    return Fraction(ratio[0], 1 << ratio[1])


def thermograph_of(arena: ValueArena, game_id: int) -> Thermograph:
    """Return the thermograph of a game of an arena."""
    left, right, mean, temperature = arena.thermograph(game_id)
    return Thermograph(
        left=tuple((fraction(t), fraction(value)) for t, value in left),
        right=tuple((fraction(t), fraction(value)) for t, value in right),
        mean=fraction(mean),
        temperature=fraction(temperature),
    )


class Value:
    """The value of a game: its canonical form. Equal games have equal values, however they were made.

    >>> g = Value("{2|0||-1/2|-2}")
    >>> g.mean, g.temperature
    (Fraction(-1, 8), Fraction(9, 8))
    >>> Value("^") > 0, Value("*").confused_with(0), Value("*") + Value("*") == 0
    (True, True, True)
    >>> Value("+-1") + Fraction(1, 2)
    Value('{3/2|-1/2}')
    >>> 3 * Value("^")
    Value('^3')
    >>> Value("{1|-1}") == "+-1", bool(Value("^ + v")), f"{Value('{1|^}'):latex}"
    (True, False, '\\\\{1\\\\mathbin{|}{\\\\uparrow}\\\\}')

    A game equals every text that stands for it. Many texts stand for one game: put games, not texts, into sets.
    """

    __slots__ = ("_id",)

    def __init__(self, value: ValueLike = 0) -> None:
        if isinstance(value, Value):
            self._id: int = value._id
        elif isinstance(value, str):
            value.encode()  # half a character is a ValueError too
            self._id = ARENA.parse(value)
        elif isinstance(value, int | Fraction):
            self._id = ARENA.number(*dyadic(value))
        else:
            raise TypeError(f"a game is made from text, an integer or a Fraction, not from {type(value).__name__}")

    @property
    def id(self) -> int:
        """The number of the game in this process; equal games have the same."""
        return self._id

    @classmethod
    def from_id(cls, game_id: int) -> Value:
        """Return the game with this id in the process's arena."""
        game = cls.__new__(cls)
        game._id = game_id
        return game

    @classmethod
    def from_options(cls, left: Iterable[ValueLike], right: Iterable[ValueLike]) -> Value:
        """Return { left | right } in canonical form.

        >>> Value.from_options([0], [1])
        Value('1/2')
        """
        if isinstance(left, str) or isinstance(right, str):
            raise TypeError("options are lists of games: Value.from_options(['1', '*'], [0])")
        return cls.from_id(ARENA.make([cls(option)._id for option in left], [cls(option)._id for option in right]))

    simplification = staticmethod(toolkit.simplification)

    # Arithmetic

    def __add__(self, other: ValueLike) -> Value:
        if not isinstance(other, Value | str | int | Fraction):
            return NotImplemented
        return self.from_id(ARENA.add(self._id, Value(other)._id))

    __radd__ = __add__

    def __neg__(self) -> Value:
        return self.from_id(ARENA.negative(self._id))

    def __pos__(self) -> Value:
        return self

    def __sub__(self, other: ValueLike) -> Value:
        if not isinstance(other, Value | str | int | Fraction):
            return NotImplemented
        return self + -Value(other)

    def __rsub__(self, other: ValueLike) -> Value:
        return -self + other

    def __mul__(self, times: int) -> Value:
        if not isinstance(times, int):
            return NotImplemented
        if abs(times) >= 1 << 62:
            raise LimitReached("a number needs more than 62 bits")
        return self.from_id(ARENA.multiple(self._id, times))

    __rmul__ = __mul__

    def cool(self, t: int | Fraction) -> Value:
        """Return the game cooled by t: every move costs t.

        >>> Value("{4|0||-2}").cool(1)
        Value('{2|0||-1}')
        """
        return self.from_id(ARENA.cool(self._id, *dyadic(t)))

    def heat(self, t: ValueLike) -> Value:
        """Return the game heated by t: every move earns t, numbers stay.

        >>> Value("*").heat(1)
        Value('+-1')
        """
        return self.from_id(ARENA.heat(self._id, Value(t)._id))

    def overheat(self, s: ValueLike, t: ValueLike) -> Value:
        """Return the game overheated from s to t: every move earns t, an integer n becomes n times s.

        >>> Value(Fraction(1, 2)).overheat(1, 1)
        Value('{1|0}')
        """
        return self.from_id(ARENA.overheat(self._id, Value(s)._id, Value(t)._id))

    def norton_product(self, unit: ValueLike) -> Value:
        """Return the Norton product with a positive game: an integer n becomes n times it.

        >>> Value(3).norton_product("^"), Value("1/2").norton_product("^")
        (Value('^3'), Value('{^^*|v*}'))

        :raises ValueError: if the unit is not positive.
        """
        return self.from_id(ARENA.norton_product(self._id, Value(unit)._id))

    def ordinal_sum(self, other: ValueLike) -> Value:
        """Return the ordinal sum of the canonical form with another game: a move in the form ends the other game.

        >>> Value(1).ordinal_sum(1), Value("*").ordinal_sum("1"), Value("*2").ordinal_sum("*3")
        (Value('2'), Value('^*'), Value('*5'))
        """
        with one_operation() as look:
            return toolkit.ordinal_sum(self, Value(other), look)

    def conway_product(self, other: ValueLike) -> Value:
        """Return Conway's product of the canonical forms: of numbers their product, of nimbers the nim product.

        >>> Value("3/2").conway_product("-1/2"), Value("*2").conway_product("*2"), Value(2).conway_product("^")
        (Value('-3/4'), Value('*3'), Value('^^'))
        """
        with one_operation() as look:
            return toolkit.conway_product(self, Value(other), look)

    def reduced(self) -> Value:
        """Return the reduced canonical form: the simplest game that differs by an infinitesimal only.

        >>> Value("{3||2*|1^}").reduced(), Value("2^*").reduced()
        (Value('{3||2|1}'), Value('2'))
        """
        return toolkit.reduced(self)

    # Order: the games are only partially ordered.

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Value):
            return self._id == other._id
        if isinstance(other, int | Fraction):
            return self.is_number and self.left_stop == other
        if isinstance(other, str):
            try:
                return self._id == ARENA.parse(other)
            except ValueError:
                return False
        return NotImplemented

    def __bool__(self) -> bool:
        return self._id != 0

    def __hash__(self) -> int:
        # Equal to the hash of the number where the game equals one.
        return hash(self.left_stop) if self.is_number else hash(("Value", self._id))

    def __ge__(self, other: ValueLike) -> bool:
        return ARENA.greater_or_equal(self._id, Value(other)._id)

    def __le__(self, other: ValueLike) -> bool:
        return ARENA.greater_or_equal(Value(other)._id, self._id)

    def __gt__(self, other: ValueLike) -> bool:
        return self >= other and not self <= other

    def __lt__(self, other: ValueLike) -> bool:
        return self <= other and not self >= other

    def confused_with(self, other: ValueLike) -> bool:
        """Whether neither is greater: the first player wins the difference."""
        return not self >= other and not self <= other

    # Form

    @property
    def left_options(self) -> list[Value]:
        """Left's options in canonical form."""
        return [self.from_id(option) for option in ARENA.left_options(self._id)]

    @property
    def right_options(self) -> list[Value]:
        """Right's options in canonical form."""
        return [self.from_id(option) for option in ARENA.right_options(self._id)]

    @property
    def birthday(self) -> int:
        """Length of the longest play in canonical form."""
        return ARENA.birthday(self._id)

    @property
    def is_number(self) -> bool:
        """Whether the game is a number."""
        return ARENA.is_number(self._id)

    @property
    def is_integer(self) -> bool:
        """Whether the game is an integer."""
        return self.is_number and self.left_stop.denominator == 1

    def as_integer_ratio(self) -> tuple[int, int]:
        """Return numerator and denominator of a number.

        >>> Value("-3/4").as_integer_ratio(), float(Value("-3/4")), int(Value(2))
        ((-3, 4), -0.75, 2)

        :raises ValueError: if the game is no number.
        """
        if not self.is_number:
            raise ValueError(f"{self.short()} is no number; it has a mean, and stops")
        return self.left_stop.as_integer_ratio()

    @property
    def fraction(self) -> Fraction:
        """The game as an exact fraction, if it is a number; :meth:`as_integer_ratio` says why not."""
        return Fraction(*self.as_integer_ratio())

    def __float__(self) -> float:
        return float(self.fraction)

    def __int__(self) -> int:
        if not self.is_integer:
            raise ValueError(f"{self.short()} is no integer")
        return int(self.left_stop)

    @property
    def is_numberish(self) -> bool:
        """Whether the game differs from a number by an infinitesimal only."""
        return self.left_stop == self.right_stop

    @property
    def is_infinitesimal(self) -> bool:
        """Whether the game lies between every negative and every positive number.

        >>> [Value(text).is_infinitesimal for text in ("*2", "tiny(2)", "0", "1^", "+-1")]
        [True, True, True, False, False]
        """
        return self.left_stop == self.right_stop == 0

    @property
    def is_all_small(self) -> bool:
        """Whether in every follower both players can move, or neither.

        >>> Value("{^3|vv}").is_all_small, Value("tiny(2)").is_all_small
        (True, False)
        """
        return all(not one.is_number or one == 0 for one in toolkit.followers(self))

    @property
    def nimber(self) -> int | None:
        """The n of ``*n``, 0 for zero; None for a game that is no nimber."""
        if self._id == 0:
            return 0
        size = len(ARENA.left_options(self._id))
        return size if not self.is_number and size < 1024 and self == f"*{size}" else None

    @property
    def outcome(self) -> Outcome:
        """Who wins: ``Left`` or ``Right`` whoever starts, the ``first`` player to move or the ``second``.

        >>> [Value(text).outcome for text in ("^", "-1", "*", "0")]
        ['Left', 'Right', 'first', 'second']
        """
        return OUTCOMES[ARENA.outcome(self._id)]

    # Parts

    @property
    def number_part(self) -> Fraction:
        """The mean: the number in ``number + switch`` and ``number + infinitesimal``."""
        return self.mean

    @property
    def switch_part(self) -> Value | None:
        """The +-x in number + +-x, for a hot game of that form; else None.

        >>> Value("{4|1}").number_part, Value("{4|1}").switch_part, Value("{4|2||1}").switch_part
        (Fraction(5, 2), Value('+-3/2'), None)
        """
        rest = self - self.mean
        return rest if rest == -rest and not rest.is_infinitesimal else None

    @property
    def infinitesimal_part(self) -> Value | None:
        """The game less its number, where an infinitesimal remains; else None.

        >>> Value("3/4^*").infinitesimal_part
        Value('^*')
        """
        return self - self.left_stop if self.is_numberish else None

    @property
    def uptimal(self) -> Uptimal | None:
        """The game as a number, a nimber and multiples of ^<1>, ^<2>, ..., where it is such a sum; else None.

        >>> str(Value("^[3]").uptimal), str(Value("{0||0|v*}").uptimal), Value("tiny(2)").uptimal
        ('0.111', '*.12', None)
        """
        return toolkit.uptimal(self)

    @property
    def atomic_weight(self) -> Value:
        """The number of ups that an infinitesimal is close to: the difference is less than two ups and stars.

        >>> Value("^3*2").atomic_weight, Value("{^3|vv}").atomic_weight, Value("tiny(2)").atomic_weight
        (Value('3'), Value('{1|0}'), Value('0'))

        :raises ValueError: if the game has none, as 1 or {1|^3||^}.
        """
        return toolkit.atomic_weight(self)

    @property
    def left_incentives(self) -> list[Value]:
        """The gain of Left by each of her moves, the best ones only.

        >>> Value("{2|-1}").left_incentives, Value("^").right_incentives
        ([Value('{3|0}')], [Value('^*')])
        """
        return toolkit.maximal(option - self for option in self.left_options)

    @property
    def right_incentives(self) -> list[Value]:
        """The gain of Right by each of his moves, the best ones only."""
        return toolkit.maximal(self - option for option in self.right_options)

    @property
    def incentives(self) -> list[Value]:
        """The gain of either player by a move, the best ones only."""
        return toolkit.maximal([*self.left_incentives, *self.right_incentives])

    # Heat

    @property
    def left_stop(self) -> Fraction:
        """The number at which play ends when Left starts."""
        return fraction(ARENA.stops(self._id)[0])

    @property
    def right_stop(self) -> Fraction:
        """The number at which play ends when Right starts."""
        return fraction(ARENA.stops(self._id)[1])

    @property
    def thermograph(self) -> Thermograph:
        """The walls at every temperature from -1 up."""
        return thermograph_of(ARENA, self._id)

    @property
    def mean(self) -> Fraction:
        """The average value: many copies together come to this much each."""
        return fraction(ARENA.thermograph(self._id)[2])

    @property
    def temperature(self) -> Fraction:
        """How much a move in the game is worth; -1 for integers."""
        return fraction(ARENA.thermograph(self._id)[3])

    # Text

    def text(self, style: Style = "plain", *, max_length: int = 1 << 20) -> str:
        """Return the canonical form as ``Value(text)`` reads it, or as CGSuite, Unicode or LaTeX.

        >>> Value("3+miny(2)").text("cgsuite"), Value("1/2^^*").text("unicode")
        ('3+Miny(2)', '1/2⇑∗')

        :raises LimitReached: if it is longer than ``max_length`` characters.
        """
        return styled(ARENA.text(self._id, max_length), style)

    def short(self) -> str:
        """Return the form, or where it is long its mean and temperature in words."""
        try:
            return self.text(max_length=MAX_REPR)
        except LimitReached:
            return f"a game with mean {self.mean} and temperature {self.temperature}, too long to print"

    def __str__(self) -> str:
        return self.text()

    def __format__(self, spec: str) -> str:
        return self.text(spec) if spec in STYLES else format(str(self), spec)

    def __repr__(self) -> str:
        try:
            return f"Value({self.text(max_length=MAX_REPR)!r})"
        except LimitReached:
            return f"<Value with mean {self.mean} and temperature {self.temperature}, too long to print>"

    def __reduce__(self) -> tuple[type[Value], tuple[str]]:
        return Value, (str(self),)

    def _repr_html_(self) -> str:
        """Show the form and the thermograph in a notebook."""
        try:
            form = f"<code>{escape(self.text(max_length=2000))}</code>"
        except LimitReached:
            form = escape(repr(self))
        return f"<div>{form}</div>{self.thermograph._repr_svg_()}"
