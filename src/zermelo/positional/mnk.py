"""The m,n,k game as text: specs, squares and boards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

MAX_SQUARES = 256


def column_name(column: int) -> str:
    """Name a column as spreadsheets do.

    >>> column_name(0), column_name(25), column_name(26)
    ('a', 'z', 'aa')
    """
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("a") + letter) + name
    return name


def column_number(name: str) -> int:
    """Read a column name back.

    >>> column_number("a"), column_number("aa")
    (0, 26)
    """
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1


@dataclass(frozen=True)
class MnkGame:
    """An m,n,k game: ``columns`` x ``rows`` squares, ``k`` in a row, and the moves played so far in turn.

    A square is a number, row * columns + column, rows counted from the bottom.

    >>> game = MnkGame.from_text("7,7,5:d4,c3")
    >>> game.columns, game.rows, game.k, game.moves
    (7, 7, 5, (24, 16))
    >>> game.text
    '7,7,5:d4,c3'
    """

    columns: int
    rows: int
    k: int
    moves: tuple[int, ...] = ()

    @classmethod
    def from_text(cls, text: str) -> MnkGame:
        """Parse ``m,n,k`` or ``m,n,k:move,move,...``.

        :raises ValueError: with one sentence that says what is wrong.
        """
        size, _, moves = text.strip().partition(":")
        match = re.fullmatch(r"\s*(\d{1,6})\s*,\s*(\d{1,6})\s*,\s*(\d{1,6})\s*", size)
        if not match:
            raise ValueError(f"{text!r} is not an m,n,k game: write columns,rows,k as in 7,7,5 or 7,7,5:d4,c3")
        columns, rows, k = (int(part) for part in match.groups())
        if columns < 1 or rows < 1 or k < 1:
            raise ValueError(f"m, n and k must be at least 1, not {size.strip()}")
        if columns * rows > MAX_SQUARES:
            raise ValueError(f"a board of {columns} x {rows} squares is too large: at most {MAX_SQUARES} squares")
        game = cls(columns, rows, k)
        for name in moves.split(",") if moves.strip() else ():
            game = game.play(game.square(name.strip()))
        return game

    def square(self, name: str) -> int:
        """Return the square with this name, column letter and row number from the bottom.

        :raises ValueError: if there is no such square.
        """
        match = re.fullmatch(r"([a-z]{1,3})(\d{1,3})", name.lower())
        if match:
            column, row = column_number(match[1]), int(match[2]) - 1
            if 0 <= column < self.columns and 0 <= row < self.rows:
                return row * self.columns + column
        last = self.name(self.columns * self.rows - 1)
        raise ValueError(f"{name!r} is not a square of this board: squares go from a1 to {last}")

    def name(self, square: int) -> str:
        """Name a square: column letter, row number from the bottom."""
        return f"{column_name(square % self.columns)}{square // self.columns + 1}"

    def play(self, square: int) -> MnkGame:
        """Return the game with one move more.

        :raises ValueError: if the square is taken or the game is over.
        """
        if square in self.moves:
            raise ValueError(f"square {self.name(square)} is already taken")
        if self.winner() is not None:
            raise ValueError(f"the game is over before {self.name(square)}")
        return MnkGame(self.columns, self.rows, self.k, (*self.moves, square))

    @property
    def first(self) -> tuple[int, ...]:
        """The first player's squares."""
        return self.moves[0::2]

    @property
    def second(self) -> tuple[int, ...]:
        """The second player's squares."""
        return self.moves[1::2]

    @property
    def free(self) -> tuple[int, ...]:
        """The unmarked squares."""
        taken = set(self.moves)
        return tuple(s for s in range(self.columns * self.rows) if s not in taken)

    @property
    def first_to_move(self) -> bool:
        """Whether the first player moves next."""
        return len(self.moves) % 2 == 0

    def winner(self) -> str | None:
        """Return ``first`` or ``second`` if that player has k in a row, else None."""
        for name, own in (("first", set(self.first)), ("second", set(self.second))):
            for square in own:
                row, column = divmod(square, self.columns)
                for d_column, d_row in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                    run = [(row + i * d_row, column + i * d_column) for i in range(self.k)]
                    if all(
                        0 <= r < self.rows and 0 <= c < self.columns and r * self.columns + c in own for r, c in run
                    ):
                        return name
        return None

    @property
    def text(self) -> str:
        """The spec that :meth:`from_text` reads."""
        size = f"{self.columns},{self.rows},{self.k}"
        return size + (":" + ",".join(map(self.name, self.moves)) if self.moves else "")

    def _repr_svg_(self) -> str:
        """Draw the board for notebooks: black discs for the first player, white ones for the second."""
        from zermelo.draw.pairing import pairing_svg

        return pairing_svg(
            self.columns, self.rows, first=self.first, second=self.second, title=f"m,n,k position {self.text}"
        )

    def grid(self, labels: Mapping[int, str] | None = None) -> str:
        """Draw the board with X and O, or with labels on its squares.

        >>> print(MnkGame.from_text("3,2,3:b1").grid())
        2 . . .
        1 . X .
          a b c
        """
        labels = labels or {}
        marks = dict.fromkeys(self.first, "X") | dict.fromkeys(self.second, "O")
        cells = {s: marks.get(s) or labels.get(s, ".") for s in range(self.columns * self.rows)}
        width = max(max(map(len, cells.values())), len(column_name(self.columns - 1)))
        margin = len(str(self.rows))
        lines = [
            f"{row + 1:>{margin}} " + " ".join(f"{cells[row * self.columns + c]:>{width}}" for c in range(self.columns))
            for row in reversed(range(self.rows))
        ]
        names = " ".join(f"{column_name(c):>{width}}" for c in range(self.columns))
        return "\n".join([*lines, " " * (margin + 1) + names])


def pair_labels(pairs: Iterable[tuple[int, int]]) -> dict[int, str]:
    """Give both squares of each pair the same letters, as the papers draw them.

    >>> pair_labels([(0, 1), (4, 9)])
    {0: 'a', 1: 'a', 4: 'b', 9: 'b'}
    """
    labels: dict[int, str] = {}
    for index, (u, v) in enumerate(pairs):
        labels[u] = labels[v] = column_name(index)
    return labels
