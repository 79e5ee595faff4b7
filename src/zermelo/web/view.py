"""A position as the page shows it, the same for every game; squares are (row, column) from 1, the top row first."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, WithJsonSchema

from zermelo.draw import Area
from zermelo.web.analysis import Mark

Square = Annotated[
    tuple[int, int], WithJsonSchema({"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2})
]


class Piece(BaseModel):
    """Something a player placed."""

    player: str
    squares: list[Square]
    last: bool
    """Whether it was the last move."""


class MoveView(BaseModel):
    """A legal move and the squares it takes."""

    id: str
    squares: list[Square]


class View(BaseModel):
    """A position with everything a page needs to show it and to let a visitor move."""

    spec: str
    rows: int
    cols: int
    row_labels: list[str]
    col_labels: list[str]
    wraps_rows: bool
    """Whether top and bottom are joined."""
    wraps_cols: bool
    """Whether left and right are joined."""
    blocked: list[Square]
    pieces: list[Piece]
    moves: list[MoveView]
    to_move: str
    player_names: dict[str, str]
    over: bool
    winner: str | None
    """The winner when the game is over; none is a draw."""
    reason: str
    """Why the game is over, in one sentence."""


class Reply(BaseModel):
    """A move for the player whose turn it is: the best that is known."""

    move: str | None
    """None when there is no move."""
    squares: list[Square]
    mark: Mark
    """What the move does for the player who makes it."""
    nodes: int


class AreaView(BaseModel):
    """Squares drawn in one colour over the board."""

    squares: list[Square]
    label: str
    colour: str
    dashed: bool

    @classmethod
    def of(cls, area: Area) -> AreaView:
        """Convert a picture's area, whose squares count from 0."""
        return cls(
            squares=[(row + 1, col + 1) for row, col in area.squares],
            label=area.label,
            colour=area.colour,
            dashed=area.dashed,
        )


class Overlay(BaseModel):
    """What to draw over the board, and what to say below."""

    areas: list[AreaView]
    caption: list[str]
