"""Winning moves within a time limit, for play: one search remembers from move to move what it has found."""

from __future__ import annotations

from zermelo import _core
from zermelo.domineering.engine import DEFAULT_OPTIONS, component_engine, component_search_takes
from zermelo.domineering.position import Move, Player, Position
from zermelo.domineering.solve import solve
from zermelo.domineering.strategy.replies import find_reply

AT_ONCE = 40
"""With so few free squares a search takes no time worth limiting."""


class OutOfTimeError(Exception):
    """The time was over before a winning move was found: there may be one."""


class Thinker:
    """Finds a winning move in so many seconds, or not at all.

    >>> str(Thinker(5).find_reply(Position.from_text("3x2"), "V"))
    'V1,1'
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._engines: dict[tuple[int, int], _core.ComponentSearch] = {}

    def find_reply(self, position: Position, player: Player) -> Move:
        """Return a winning move.

        :raises ValueError: if there is none.
        :raises OutOfTimeError: if there was no time to find one.
        """
        board = position.board
        if position.free_count <= AT_ONCE:
            return find_reply(position, player)
        engine = None
        if component_search_takes(board):
            size = (board.rows, board.cols)
            if size not in self._engines:
                self._engines[size] = component_engine(board, DEFAULT_OPTIONS, 1)
            engine = self._engines[size]
        start = solve(position, first=player, seconds=self.seconds, engine=engine).starts[player]
        if start.move is not None:
            return start.move
        if start.winner is None or start.winner == player:
            raise OutOfTimeError(f"no winning move was found in {self.seconds:g} s")
        raise ValueError(f"{player} has no winning move on {position.spec}")
