"""Draws docs/pictures/8x8.svg, the README's picture: `python docs/readme_picture.py` searches, and writes it again.

A test searches the drawn moves again and compares the file.
"""

from __future__ import annotations

from pathlib import Path

from zermelo.domineering import Move, Position, solve
from zermelo.draw import Domino, board_svg, svg
from zermelo.draw.files import write_atomically

PICTURE = Path(__file__).resolve().parent / "pictures" / "8x8.svg"


def wins(move: Move) -> bool:
    """Whether Vertical wins 8x8 by beginning with a move."""
    position = Position.from_text("8x8")
    position.push(move)
    return solve(position, first="H").starts["H"].winner == "V"


def quarter() -> list[Move]:
    """One first move of each class of mirror images."""
    return [Move("V", row, col) for row in range(1, 5) for col in range(1, 5)]


def images(move: Move) -> set[Move]:
    """A move and its mirror images on 8x8."""
    return {Move("V", r, c) for r in (move.row, 8 - move.row) for c in (move.col, 9 - move.col)}


def picture(winning: list[Move]) -> str:
    """Draw the moves and their mirror images as dominoes."""
    moves = {image for move in winning for image in images(move)}
    dominoes = [Domino(((m.row - 1, m.col - 1), (m.row, m.col - 1)), svg.BLUE) for m in sorted(moves, key=str)]
    return board_svg(8, 8, lambda row, col: True, dominoes=dominoes, title="Vertical's winning first moves on 8x8")


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    write_atomically(PICTURE, picture([move for move in quarter() if wins(move)]).encode())
