"""What the planner must know of a game: a two-player game, positions as text, and one player who is claimed to win."""

from __future__ import annotations

from typing import Protocol


class Game(Protocol):
    """The rules as a planner sees them.

    A position is a text that names the board and the player to move. Texts are what the store keeps, so they must
    stay readable by later versions.
    """

    name: str
    spec: str

    def root(self) -> str:
        """Return the starting position."""

    def winners(self) -> tuple[str, ...]:
        """Return the players a claim may name."""

    def key(self, position: str) -> str:
        """Return a text that is the same for all symmetric copies of a position."""

    def mover(self, position: str) -> str:
        """Return the player to move."""

    def decided(self, position: str) -> str | None:
        """Return the winner where the rules decide at once, or None."""

    def children(self, position: str) -> list[str]:
        """Return the position after each move, in the order of the certificate format."""

    def ordered(self, position: str) -> list[str]:
        """Return the same, the mover's most promising first; symmetric copies may be left out."""

    def features(self, position: str, winner: str) -> tuple[float, ...]:
        """Return numbers that hint how hard it is to prove that ``winner`` wins here."""

    def describe(self, position: str) -> str:
        """Return the position as a spec that the solver's commands understand."""
