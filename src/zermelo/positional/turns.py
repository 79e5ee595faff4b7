"""The order of turns of a positional game: any that repeats itself after a while."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Turns:
    """The order of turns: ``prefix`` once, then ``cycle`` for ever; 0 and 1 are the first and the second player.

    >>> turns = Turns.read("m(bbmm)", "mb")
    >>> turns.next, turns.advanced().write("mb"), turns.advanced().advanced().write("mb")
    (0, '(bbmm)', '(bmmb)')
    """

    prefix: tuple[int, ...] = ()
    cycle: tuple[int, ...] = (0, 1)

    @property
    def next(self) -> int:
        """The player to move."""
        return (self.prefix or self.cycle)[0]

    def at(self, ply: int) -> int:
        """Return the player of a move, counted from 0."""
        back = ply - len(self.prefix)
        return self.prefix[ply] if back < 0 else self.cycle[back % len(self.cycle)]

    @property
    def alternate(self) -> bool:
        """Whether the players move in turn, one move each."""
        order = self.prefix + self.cycle * 2
        return all(one != two for one, two in pairwise(order))

    def advanced(self, moves: int = 1) -> Turns:
        """Return the order after some moves."""
        turn = max(0, moves - len(self.prefix)) % len(self.cycle)
        return Turns(self.prefix[moves:], self.cycle[turn:] + self.cycle[:turn])

    @classmethod
    def read(cls, text: str, letters: str) -> Turns:
        """Read an order such as ``mbb`` (for ever) or ``m(bbmm)``; the letters are those of the two players.

        :raises ValueError: if it is none.
        """
        match = re.fullmatch(
            rf"([{letters}]{{0,1000}})\(([{letters}]{{1,1000}})\)|([{letters}]{{1,1000}})", text.lower()
        )
        if match is None:
            example = f"{letters[0]}({letters[1] * 2}{letters[0] * 2})"
            raise ValueError(
                f"order of turns {text[:40]!r} is not understood: write the players' letters, such as "
                f"{letters[0]}{letters[1] * 2} for ever, or {example} with a part that comes once"
            )
        prefix, cycle = (match[1], match[2]) if match[2] else ("", match[3])
        return cls(tuple(map(letters.index, prefix)), tuple(map(letters.index, cycle))).shortest()

    @classmethod
    def of_moves(cls, order: Sequence[int]) -> Turns:
        """Return the shortest order that begins so.

        >>> Turns.of_moves([1, 0, 0, 1, 1, 0, 0, 1])
        Turns(prefix=(), cycle=(1, 0, 0, 1))
        """
        count = len(order)
        for length in range(1, count + 1):
            for cycle in range(length, 0, -1):  # a part that comes once is the exception
                prefix = length - cycle
                if all(order[i] == order[i - cycle] for i in range(length, count)):
                    return cls(tuple(order[:prefix]), tuple(order[prefix:length]))
            if length == 8:  # no order of published games is longer; without a pattern it is written out
                break
        return cls(tuple(order[:-1]), tuple(order[-1:] or (0,)))

    def shortest(self) -> Turns:
        """Return the same order in the shortest form."""
        cycle = self.cycle
        period = next(
            n for n in range(1, len(cycle) + 1) if len(cycle) % n == 0 and cycle == cycle[:n] * (len(cycle) // n)
        )
        prefix, cycle = self.prefix, cycle[:period]
        while prefix and prefix[-1] == cycle[-1]:
            prefix, cycle = prefix[:-1], prefix[-1:] + cycle[:-1]
        return Turns(prefix, cycle)

    def write(self, letters: str) -> str:
        """Return the order as :meth:`read` takes it."""
        prefix, cycle = ("".join(letters[one] for one in part) for part in (self.prefix, self.cycle))
        return f"{prefix}({cycle})"


IN_TURN = Turns()
"""The players move in turn, the first one begins."""
