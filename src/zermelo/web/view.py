"""Positions, moves and areas as JSON, the same for every game.

Squares are (row, column) from 1, the top row first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, WithJsonSchema

from zermelo import game
from zermelo.draw import Area
from zermelo.game import DRAW, Mark, MoveView, Player, Position

Square = Annotated[
    tuple[int, int], WithJsonSchema({"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2})
]


class Model(BaseModel):
    """An answer; the texts below its fields go into the description of the API."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class FromAttributes(Model):
    """An answer that is filled from the attributes of an object."""

    model_config = ConfigDict(from_attributes=True)


@dataclass(frozen=True, kw_only=True)
class View(game.View):
    """A position with everything that the page needs to show it and to let a visitor move."""

    __pydantic_config__ = game.View.__pydantic_config__
    spec: str
    start: str
    """The spec of the start if the position keeps its moves, otherwise of the position itself."""
    played: list[str]
    """The moves since the start."""
    moves: list[MoveView]
    to_move: str
    turn_fixed: bool
    """Whether the start says who moves first; if not, either player may begin."""
    player_names: dict[str, str]
    """Both players, the one who usually begins first."""
    over: bool
    winner: str | None
    """The winner when the game is over; none is a draw."""
    reason: str
    """Why the game is over, in one sentence."""
    rules: str
    """The rules in the words of this board."""
    notations: dict[str, str]
    """The position in the notation of other programs, by their names."""

    @classmethod
    def of(
        cls, position: Position, player: Player, moves: Iterable[str] | None = None, *, turn_fixed: bool = True
    ) -> View:
        """Describe a position with a player to move; ``moves`` are those to show if not all legal ones."""
        rules = position.game
        winner = position.decided(player)
        legal = position.moves(player)
        shown = legal if moves is None else [move for move in legal if str(move) in set(moves)]
        start, played = position.history
        return cls(
            spec=position.text,
            start=start,
            played=list(played),
            **vars(position.view()),
            moves=[position.move_view(move) for move in shown],
            to_move=player,
            turn_fixed=turn_fixed,
            player_names={name: rules.player_names[name] for name in rules.players},
            over=winner is not None,
            winner=None if winner == DRAW else winner,
            reason="" if winner is None else rules.ending(position, player),
            rules=rules.rules_of(position),
            notations=dict(rules.notations(position)),
        )


class Reply(Model):
    """The best known move for the player to move."""

    move: str | None
    """None when there is no move."""
    squares: list[Square]
    mark: Mark
    """The result of the move for its player; `unknown` means that the move is a guess."""
    words: str
    """Who wins the position before the move, in words."""
    by: str
    """The source: `over`, `rules`, `fact`, `search`, `symmetry`, or `limit` if the result is not known."""
    why: str
    """The source in words; for an unknown result, how long the search took."""
    certificate: str | None
    """The hash of the verified certificate of a fact."""
    nodes: int
    seconds: float


class Overlay(Model):
    """Areas to draw over the board, and the words below it."""

    areas: list[Area]
    words: list[str]
    """In plain words; empty if the caption is in words already."""
    caption: list[str]
    """In full, with formulas."""
    winner: str | None
    """The player who wins by this, `draw` if it only stops one, null if it decides nothing."""

    @classmethod
    def of(
        cls, areas: Sequence[Area], caption: Iterable[str], words: Iterable[str] = (), winner: str | None = None
    ) -> Overlay:
        return cls(areas=list(areas), words=list(words), caption=list(caption), winner=winner)
