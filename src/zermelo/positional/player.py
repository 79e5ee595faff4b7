"""A player that answers every Maker move with the proved reply."""

from __future__ import annotations

from zermelo import _core
from zermelo.positional.mnk import MnkGame
from zermelo.positional.solving import ask, make_solver


class BreakerPlayer:
    """The second player of an m,n,k game in which Breaker wins: no Maker ever gets k in a row against it.

    Each answer is proved by a search from the position at hand, with what earlier answers taught it; once a pairing
    serves all that is left, it is followed without search.

    >>> player = BreakerPlayer(MnkGame.from_text("5,5,5"))
    >>> game = MnkGame.from_text("5,5,5:c3")
    >>> player.reply(game) in game.free
    True
    """

    def __init__(self, game: MnkGame, *, threads: int = 1, memory: int | None = None) -> None:
        self._solver = make_solver(game, threads=threads, memory=memory)
        self._board = (game.columns, game.rows, game.k)
        self._partner: dict[int, int] = {}
        self._followed: tuple[int, ...] = ()

    def reply(self, game: MnkGame, *, seconds: float | None = None) -> int:
        """Return the square that answers the first player's last move.

        :raises ValueError: if it is not the second player's turn, or no draw can be proved from here.
        """
        if (game.columns, game.rows, game.k) != self._board:
            raise ValueError("this player was made for another board")
        if game.first_to_move or not game.free:
            raise ValueError("it is not the second player's turn")
        if game.moves[: len(self._followed)] != self._followed:
            self._partner = {}
        partner = self._partner.get(game.moves[-1])
        if partner is None and self._partner:  # a Maker move outside all pairs: any square will do
            partner = next((s for s in self._partner if s in game.free), game.free[0])
        if partner is not None and partner in game.free:
            self._followed = (*game.moves, partner)
            return partner
        result = ask(self._solver, game.first, game.second, _core.PositionalSide.BREAKER, seconds=seconds)
        if result.winner != _core.PositionalWinner.BREAKER:
            raise ValueError("no draw can be proved from this position")
        square = int(result.reply.vertex) if result.reply.vertex >= 0 else game.free[0]
        if result.reply.by_pairing:
            self._partner = {u: v for a, b in result.reply.pairs for u, v in ((a, b), (b, a))}
        self._followed = (*game.moves, square)
        return square


def likely_square(game: MnkGame) -> int:
    """Return a free square that looks good to the player to move: on lines that one side may still complete, soon.

    >>> game = MnkGame.from_text("3,3,3:a1,b2,b1")
    >>> game.name(likely_square(game))
    'c1'
    """
    own, other = (set(game.first), set(game.second))
    if not game.first_to_move:
        own, other = other, own
    value = dict.fromkeys(game.free, 0)
    for square in range(game.columns * game.rows):
        row, column = divmod(square, game.columns)
        for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            last_row, last_column = row + up * (game.k - 1), column + right * (game.k - 1)
            if last_row >= game.rows or not 0 <= last_column < game.columns:
                continue
            line = {square + i * (up * game.columns + right) for i in range(game.k)}
            mine, theirs = len(line & own), len(line & other)
            if not (mine and theirs):
                for free in line & value.keys():
                    value[free] += 8 ** (mine + theirs) * (2 if mine else 1)
    return max(value, key=lambda free: value[free])
