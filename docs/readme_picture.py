"""Draws docs/pictures/8x8.svg, the README's picture: `python docs/readme_picture.py` searches, and writes it again.

A test searches the drawn moves again and compares the file.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from zermelo.domineering import Move
from zermelo.draw import view_svg, write_picture
from zermelo.game import Piece, find_game

PICTURE = Path(__file__).resolve().parent / "pictures" / "8x8.svg"


def wins(move: Move) -> bool:
    """Whether Vertical wins 8x8 by beginning with a move."""
    game = find_game("domineering")
    return game.solve(f"8x8:{move}", first="H").starts["H"].winner == "V"


def quarter() -> list[Move]:
    """One first move of each class of mirror images."""
    return [Move("V", row, col) for row in range(1, 5) for col in range(1, 5)]


def images(move: Move) -> set[Move]:
    """A move and its mirror images on 8x8."""
    return {Move("V", r, c) for r in (move.row, 8 - move.row) for c in (move.col, 9 - move.col)}


def picture(winning: list[Move]) -> str:
    """Draw the moves and their mirror images as dominoes."""
    moves = {image for move in winning for image in images(move)}
    pieces = tuple(Piece("V", ((m.row, m.col), (m.row + 1, m.col))) for m in sorted(moves, key=str))
    view = find_game("domineering").parse("8x8").view()
    return view_svg(replace(view, pieces=pieces), title="Vertical's winning first moves on 8x8")


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    write_picture(PICTURE, picture([move for move in quarter() if wins(move)]))
