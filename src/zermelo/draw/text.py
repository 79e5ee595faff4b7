"""A position as text for the terminal: labels, pieces, the last move in brackets, large boards through a window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from zermelo.words import letter

if TYPE_CHECKING:
    from zermelo.game import Square, View

ROWS, COLUMNS = 40, 38
"""The largest part of a board that is shown; 38 columns of two characters and the labels fit 80 characters."""


def span(size: int, most: int, around: int) -> range:
    """Return the part of 1 to ``size`` that is shown, with ``around`` in it.

    >>> span(1000, 60, 500), span(8, 60, 3)
    (range(470, 530), range(1, 9))
    """
    begin = max(1, min(around - most // 2, size - most + 1))
    return range(begin, min(size, begin + most - 1) + 1)


def grid(view: View, marks: Mapping[Square, str] | None = None) -> str:
    """Draw a board. ``marks`` are words on free squares; a large board is shown around the last move.

    >>> from zermelo.game import Piece, View
    >>> board = View(2, 3, ("1", "2"), ("1", "2", "3"), (Piece("H", ((1, 1), (1, 2)), last=True),), ((2, 3),))
    >>> print(grid(board))
      1 2 3
    1(H H).
    2 . . #
    """
    last = {square for piece in view.pieces if piece.last for square in piece.squares}
    middle = min(last, default=(1, 1))
    words = {one.square: one.text for one in view.texts} | dict(marks or {})
    for piece in view.pieces:
        words.update(dict.fromkeys(piece.squares, letter(piece.player)))
    words.update(dict.fromkeys(view.blocked, "#"))
    longest = max((len(word) for word in words.values()), default=1)
    width = max(longest, *map(len, view.col_labels)) if view.cols <= COLUMNS else longest
    rows = span(view.rows, ROWS, middle[0])
    cols = span(view.cols, max(1, COLUMNS * 2 // (width + 1)), middle[1])
    margin = max(map(len, view.row_labels))

    def line(row: int) -> str:
        text = f"{view.row_labels[row - 1]:>{margin}}"
        for col in cols:
            opens, closes = (row, col) in last and (row, col - 1) not in last, (row, col - 1) in last
            text += "(" if opens else ")" if closes and (row, col) not in last else " "
            text += f"{words.get((row, col), '.'):>{width}}"
        return text + (")" if (row, cols[-1]) in last else "")

    lines = [line(row) for row in rows]
    labels = [view.col_labels[col - 1] for col in cols]
    # Every column is named if there is room, else those with round numbers. A name ends where its column is.
    all_fit, names = all(len(label) <= width for label in labels), " " * margin
    for index, label in enumerate(labels, 1):
        if all_fit or label[-1] in "05":
            names += f"{label:>{margin + index * (width + 1) - len(names)}}"
    # Columns are named where the rows begin: row 1 on top, or at the bottom as in chess.
    lines = [names, *lines] if view.row_labels[0] == "1" else [*lines, names]
    if len(cols) < view.cols:
        lines.insert(0, f"columns {labels[0]} to {labels[-1]} of {view.cols:,}")
    if len(rows) < view.rows:
        shown = f"{view.row_labels[rows[0] - 1]} to {view.row_labels[rows[-1] - 1]}"
        lines.insert(0, f"rows {shown} of {view.rows:,}")
    return "\n".join(line.rstrip() for line in lines)
