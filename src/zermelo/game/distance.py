"""How good a move is: in how many moves the game is over if both play well, or that it takes at least so many.

The winner plays for a short game, the loser for a long one. The moves of both players count. The search is plain: by
the rules of the game alone, deeper and deeper, with a memory of positions by their keys.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from zermelo.game.limits import Limits
from zermelo.game.positions import DESCRIBED, Move, Player, Position
from zermelo.game.watch import Stopped, Watch

NODES = 20_000
"""Positions that a search looks at, if its limits do not say otherwise: a second at most."""
DEEPEST = 200
"""The most moves that are looked ahead; a few hundred would be too deep for Python's stack."""


@dataclass(frozen=True)
class Distance:
    """Moves of both players from a move, which counts, until the game is over."""

    moves: int
    exact: bool
    """Whether it takes exactly so many; if not, it takes at least so many."""

    __pydantic_config__ = DESCRIBED


class _Search:
    """Says whether a player can end the game with a win within some moves, whatever the opponent plays."""

    def __init__(self, winner: Player, watch: Watch) -> None:
        self.winner, self._watch = winner, watch
        self._known: dict[Hashable, tuple[int, int]] = {}
        """For a position and the player to move: how many moves are not enough, and how many are."""

    def within(self, position: Position, player: Player, most: int) -> bool:
        """Whether the winner has won after ``most`` more moves.

        :raises Stopped: if a limit is reached.
        """
        key = position.key(), player
        few, enough = self._known.get(key, (-1, DEEPEST + 1))
        if most <= few or most >= enough:
            return most >= enough
        self._watch.step()
        decided = position.decided(player)
        if decided is not None or not most:
            found = decided == self.winner
            self._known[key] = (few, 0) if found else (DEEPEST + 1 if decided is not None else most, enough)
            return found
        options = (position.after(move) for move in position.moves(player))
        results = (self.within(after, after.player_after(player), most - 1) for after in options)
        found = any(results) if player == self.winner else all(results)
        self._known[key] = (few, most) if found else (most, enough)
        return found


def distances(
    position: Position, player: Player, winners: Mapping[Move, Player], limits: Limits
) -> dict[Move, Distance]:
    """Return the distance of each move whose winner is known; all searches together stay within the limits.

    :param winners: who wins after each move; a draw has no distance.
    """
    watch = Watch(limits.with_(nodes=limits.nodes or NODES, on_progress=None))
    position = position.turn_of(player)
    searches = {winner: _Search(winner, watch) for winner in position.game.players}
    waiting = [move for move, winner in winners.items() if winner in searches]
    found, least = dict[Move, Distance](), 1
    try:
        for most in range(DEEPEST):
            for move in waiting:
                after = position.after(move)  # again for each depth: a board may have a million moves
                if searches[winners[move]].within(after, after.player_after(player), most):
                    found[move] = Distance(most + 1, exact=True)
            waiting = [move for move in waiting if move not in found]
            if not waiting:
                break
            least = most + 2
    except Stopped:
        pass
    return dict.fromkeys(waiting, Distance(least, exact=False)) | found


def longest(found: Mapping[Move, Distance]) -> list[Move]:
    """Return the moves with which the game lasts longest. Bounds are all equal, and above every exact distance."""
    most = max(distance.moves for distance in found.values())
    return [move for move, distance in found.items() if distance.moves == most]
