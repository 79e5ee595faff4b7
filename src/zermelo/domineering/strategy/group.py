"""A group of regions that are won together, though not each alone: play by the sum of their values.

H keeps the sum of the group at most zero. Regions that are only known to be at most -k (H wins them with k moves given
to V) take part as the number -k: a move in that number is one of the k moves of V beside the region, and H answers it
there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from zermelo.domineering.position import Move, Position
from zermelo.domineering.rules.bonus import beside

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo.cgt import Game


@lru_cache(maxsize=100_000)
def value(spec: str) -> Game:
    """Return the exact value of a position, remembered."""
    from zermelo.cgt import domineering_value

    return domineering_value(spec)


class Group:
    """The state of a group, seen by H: positions by region, and the moves of V still beside the bounded ones."""

    def __init__(
        self, positions: dict[int, Position], bonus: dict[int, int], search_reply: Callable[[str], Move]
    ) -> None:
        self.positions = positions
        self.bonus = bonus
        self._search_reply = search_reply

    def answer(self, moved: int | None) -> tuple[int, Move]:
        """Make and return H's move after V moved in a region, or her opening: the region and the move.

        :raises ValueError: if she has no winning move, which a won group never lets happen.
        """
        if moved in self.bonus:
            return self._answer_beside(moved)
        total = self._total()
        order = sorted(self.positions, key=lambda index: index != moved)
        tried: set[str] = set()
        for index in order:
            position = self.positions[index]
            if index in self.bonus or position.spec in tried:
                continue
            tried.add(position.spec)
            rest = total - value(position.spec)
            for move in position.legal_moves("H"):
                after = position.after(move)
                if rest + value(after.spec) <= 0:
                    self.positions[index] = after
                    return index, move
        for index, moves in self.bonus.items():
            if moves > 0 and total + 1 <= 0:
                self.bonus[index] -= 1
                return self._answer_beside(index)
        raise ValueError("H has no winning move in this group")

    def _total(self) -> Game:
        from zermelo.cgt import Game

        total = Game(-sum(self.bonus.values()))
        for index, position in self.positions.items():
            if index not in self.bonus:
                total = total + value(position.spec)
        return total

    def _answer_beside(self, index: int) -> tuple[int, Move]:
        """Answer in a bounded region: H to move wins it second with the bonus, so she has a winning move in it."""
        position = self.positions[index]
        rows = str(position).split("\n")
        move = self._search_reply(beside(rows, self.bonus[index]))
        self.positions[index] = position.after(move)
        return index, move
