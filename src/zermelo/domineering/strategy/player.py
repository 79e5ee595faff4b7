"""A player who wins every board that the rules or a search give her, and answers in milliseconds.

The board may be of any length: it is played as a sum of small regions, and every move of the opponent is answered in
the region where it was made.
"""

from __future__ import annotations

from collections.abc import Callable

from zermelo.domineering.position import Move, Player, Position, opponent
from zermelo.domineering.rules.sizes import Size
from zermelo.domineering.strategy.group import Group
from zermelo.domineering.strategy.plan import Plan, Region

Reply = Callable[[Position, Player], Move]


class Strategy:
    """One side of a game on a board; tell it the opponent's moves with `reply`.

    >>> from zermelo.domineering.strategy import strategy
    >>> vera = strategy("2x1", "V", first=True)
    >>> str(vera.open())
    'V1,1'
    """

    def __init__(self, size: Size, player: Player, plan: Plan, find_reply: Reply) -> None:
        self.size = size
        self.player = player
        self.plan = plan
        self._find_reply = find_reply
        self._positions: dict[int, Position] = {}
        self._groups: dict[int, Group] = {}
        self._owner: dict[tuple[int, int], int] = {}
        for index, region in enumerate(plan.regions):
            for row in range(region.size.rows):
                for col in range(region.size.cols):
                    self._owner[region.frame.square(row, col)] = index

    @property
    def moves_first(self) -> bool:
        """Whether the player must make the first move."""
        return self.plan.opening is not None or self.plan.open_region is not None

    def open(self) -> Move:
        """Return and make the first move.

        :raises ValueError: if this player is the second one.
        """
        if self.plan.opening is not None:
            return self.plan.opening
        if self.plan.open_region is None:
            raise ValueError(f"{self.player} moves second here")
        return self._answer(self.plan.open_region, moved=False)

    def reply(self, move: Move) -> Move:
        """Return and make the answer to a legal move of the opponent.

        :raises ValueError: if the move is not one of the opponent's, or is illegal.
        """
        if move.player != opponent(self.player):
            raise ValueError(f"{move} is not a move of {opponent(self.player)}")
        index = self._owner.get((move.row - 1, move.col - 1))
        if index is None:
            raise ValueError(f"move {move} does not fit on free squares of {self.size.spec}")
        region = self.plan.regions[index]
        local = region.frame.to_local(move)
        self._play(index, local)
        if region.kind == "twins":
            answer = turned_copy(region, local)
            self._play(index, answer)
            return region.frame.to_board(answer)
        return self._answer(index)

    def _answer(self, index: int, moved: bool = True) -> Move:
        """Find, make and return a winning move in a region, or in its group."""
        region = self.plan.regions[index]
        if region.kind == "sum":
            group = self._group(region.group)
            found, answer = group.answer(index if moved else None)
            self._positions[found] = group.positions[found]
            return self.plan.regions[found].frame.to_board(answer)
        position = self._position(index)
        answer = self._find_reply(position, region.frame.player(self.player))
        self._play(index, answer)
        return region.frame.to_board(answer)

    def _group(self, number: int) -> Group:
        if number not in self._groups:
            members = [i for i, region in enumerate(self.plan.regions) if region.group == number]
            self._groups[number] = Group(
                {index: self._position(index) for index in members},
                {i: self.plan.regions[i].bonus for i in members if self.plan.regions[i].bonus},
                lambda spec: self._find_reply(Position.from_text(spec), "H"),
            )
        return self._groups[number]

    def _position(self, index: int) -> Position:
        if index not in self._positions:
            self._positions[index] = Position.from_text(self.plan.regions[index].size.spec)
        return self._positions[index]

    def _play(self, index: int, move: Move) -> None:
        self._positions[index] = self._position(index).after(move)
        group = self._groups.get(self.plan.regions[index].group)
        if group is not None:
            group.positions[index] = self._positions[index]


def turned_copy(region: Region, move: Move) -> Move:
    """Return the answer in the other of two squares side by side: the same move, turned about the diagonal.

    >>> from zermelo.domineering.strategy.plan import Frame
    >>> str(turned_copy(Region(Frame(), Size(2, 4), "twins"), Move("V", 1, 2)))
    'H2,3'
    """
    side = region.size.rows
    if move.col <= side:
        return Move(opponent(move.player), move.col, move.row + side)
    return Move(opponent(move.player), move.col - side, move.row)
