"""A position with the player to move: a campaign plans, solves and proves these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zermelo.game import DRAW, Game, Move, Player, Position, find_game
from zermelo.store import Campaign


class Turn(NamedTuple):
    """A position and the player to move there."""

    position: Position
    player: Player

    @classmethod
    def read(cls, game: Game, text: str) -> Turn:
        """Return the turn of a text that :attr:`text` wrote; the store keeps such texts."""
        player, _, spec = text.partition(" ")
        return cls(game.parse(spec).turn_of(player), player)

    @property
    def text(self) -> str:
        """The player to move, and the position's own text."""
        return f"{self.player} {self.position.text}"

    @property
    def key(self) -> str:
        """A text that is the same for all symmetric copies."""
        return f"{self.player} {self.position.key()}"

    @property
    def decided(self) -> Player | None:
        """The winner where the game is over."""
        return self.position.decided(self.player)

    def moves(self, winner: Player) -> Sequence[Move]:
        """Return the moves in the order of a certificate in which this player wins."""
        return self.position.game.certificate_moves(self.position, self.player, winner)

    def after(self, move: Move) -> Turn:
        """Return the turn after a move."""
        return Turn(self.position.after(move), self.position.game.other(self.player))

    def children(self, winner: Player) -> list[Turn]:
        """Return the turns after each move, in the order of :meth:`moves`."""
        return [self.after(move) for move in self.moves(winner)]


def first_turn(game: Game, spec: str, first: Player = "", winner: Player = "") -> tuple[Turn, Player]:
    """Return the start of a claim and its winner; if no winner is named, it is the player who begins.

    :raises ValueError: if the spec or a player is wrong, or such positions have no campaigns.
    """
    if DRAW in game.outcomes:
        raise ValueError(
            f"there are no campaigns of {game.title}, which may end in a draw; "
            f"to stop and go on with a search: zermelo solve {game.name} SPEC --resume FILE"
        )
    position = game.parse(spec)
    (player, *_) = game.starters(position, first or None)
    winner = winner or player
    game.other(winner)
    if game.claim_codes:
        game.claim_bytes(position, player, winner)  # which refuses positions that have no certificates
    return Turn(position.turn_of(player), player), winner


def start_of(campaign: Campaign) -> Turn:
    """Return the position that a campaign's claim is about."""
    return first_turn(find_game(campaign.game), campaign.spec, campaign.first, campaign.winner)[0]
