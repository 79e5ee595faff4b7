"""A position as the page shows it, the same for every game; squares are (row, column) from 1, the top row first."""

from __future__ import annotations

from pydantic import BaseModel


class Piece(BaseModel):
    """Something a player placed."""

    player: str
    squares: list[tuple[int, int]]
    last: bool
    """Whether it was the last move."""


class MoveView(BaseModel):
    """A legal move and the squares it takes."""

    id: str
    squares: list[tuple[int, int]]


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
    blocked: list[tuple[int, int]]
    pieces: list[Piece]
    moves: list[MoveView]
    to_move: str
    player_names: dict[str, str]
    over: bool
    winner: str | None
    """The winner when the game is over; none is a draw."""
    reason: str
    """Why the game is over, in one sentence."""
