"""The dialect of ``.pg`` files with ``#boardsize``: squares by their coordinates, goals as marks on them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from zermelo.positional.race import MAX_VERTICES
from zermelo.words import letters

BOARD_WORDS = ("boardsize", "init", "depth", "blackgoal", "whitegoal", "blackactions", "whiteactions")
MARK = re.compile(r"(black|white)\((\d{1,6}|\?x(?:[+-]\d{1,6})?),(\d{1,6}|\?y(?:[+-]\d{1,6})?)\)", re.ASCII)
OCCUPY = r":action[\w-]+:parameters\(\?x,\?y\):precondition\(open\(\?x,\?y\)\):effect\(PLAYER\(\?x,\?y\)\)"
DOMINO = re.compile(r"open\(\?x,\?y\)open\(\?x([+-]1)?,\?y([+-]1)?\)")
MOST_MARKS = 1_000_000
"""Marks of all goals, those that ``?x`` and ``?y`` stand for counted for every square."""


@dataclass
class Line:
    """The words of a line behind a code word."""

    number: int
    words: list[str]

    def error(self, what: str) -> ValueError:
        return ValueError(f"line {self.number}: {what}")


class Mark(NamedTuple):
    """A player's mark on a square, whose column and row may be counted from a place."""

    player: str
    x: int
    y: int
    moves_x: bool
    moves_y: bool


def plain_sections(sections: dict[str, list[Line]]) -> dict[str, list[Line]]:
    """Return the sections of the dialect without coordinates: squares are called ``b3``, Black begins.

    >>> lines = {"boardsize": ["2 2"], "depth": ["3"], "blackgoal": ["black(?x,?y) black(?x+1,?y)"]}
    >>> plain = plain_sections({word: [Line(1, text.split()) for text in of] for word, of in lines.items()})
    >>> [line.words for line in plain["blackwins"]]
    [['a1', 'b1'], ['a2', 'b2']]

    :raises ValueError: naming the line, and what would be right.
    """
    columns, rows = numbers(sections, "boardsize", 2, "4 3: columns and rows")
    (depth,) = numbers(sections, "depth", 1, "7: the moves of both players")
    if columns * rows > MAX_VERTICES:
        raise sections["boardsize"][0].error(f"at most {MAX_VERTICES} squares, not {columns} x {rows}")
    for player in ("black", "white"):
        actions = sections.get(f"{player}actions", [])
        text = "".join(word for line in actions for word in line.words)
        if (domino := DOMINO.search(text)) and f"({player}(?x,?y){player}(" in text:
            first = "HV"[(domino[2] is not None) == (player == "black")]
            raise actions[0].error(
                "two squares a move make Domineering, which has commands of its own: "
                f"zermelo solve domineering {rows}x{columns} --first {first}"
            )
        if actions and not re.fullmatch(OCCUPY.replace("PLAYER", player), text):
            raise actions[0].error(f"the one action of {player} must be to mark an open square, as in Hex")
    times = [f"t{time}" for time in range(1, min(depth, columns * rows) + 1)]
    squares = [f"{letters(column)}{row + 1}" for row in range(rows) for column in range(columns)]

    def mark(line: Line, word: str, player: str | None) -> Mark:
        """Read a mark; a place that does not depend on ``?x`` and ``?y`` must lie on the board."""
        match = MARK.fullmatch(word)
        if word == "False":
            raise line.error(
                "a game without winning sets is not positional; "
                f"if it is Domineering, ask: zermelo solve domineering {rows}x{columns}"
            )
        if match is None or match[1] != (player or match[1]) or (player is None and "?" in word):
            raise line.error(f"{word[:40]!r} is not understood: write marks such as {player or 'white'}(2,1)")
        moves = [text.startswith("?") for text in match.groups()[1:]]
        x, y = (
            int(text[2:] or 0) if moved else int(text) for text, moved in zip(match.groups()[1:], moves, strict=True)
        )
        if not any(moves) and not (1 <= x <= columns and 1 <= y <= rows):
            raise line.error(f"{word} lies outside the board of {columns} x {rows}")
        return Mark(match[1], x, y, *moves)

    def square(mark: Mark, right: int, up: int) -> int:
        """Return the number of a mark's square seen from a place; -1 beyond the border."""
        x, y = mark.x + mark.moves_x * right, mark.y + mark.moves_y * up
        return (y - 1) * columns + x - 1 if 0 < x <= columns and 0 < y <= rows else -1

    def goals(player: str) -> Iterable[Line]:
        """Yield the winning sets of a player; ``?x`` and ``?y`` stand for every square of the board."""
        every, count = list(product(range(1, columns + 1), range(1, rows + 1))), 0
        shapes = list[tuple[Line, list[Mark], list[tuple[int, int]]]]()
        for line in sections.get(f"{player}goal", []):
            marks = [mark(line, word, player) for word in line.words]
            shapes.append((line, marks, every if any(one.moves_x or one.moves_y for one in marks) else [(0, 0)]))
            count += len(marks) * len(shapes[-1][2])
            if count > MOST_MARKS:
                raise line.error(f"the goals of {player} have more than {MOST_MARKS:,} marks")
        for line, marks, places in shapes:
            sets = dict.fromkeys(tuple(sorted(square(one, *at) for one in marks)) for at in places)
            yield from (Line(line.number, [squares[v] for v in one]) for one in sets if -1 not in one)

    marks: dict[str, list[Line]] = {"black": [], "white": []}
    for line in sections.get("init", []):
        for word in line.words:
            one = mark(line, word, None)
            marks[one.player].append(Line(line.number, [squares[square(one, 0, 0)]]))
    return {
        "positions": [Line(0, squares)],
        "times": [Line(0, times)],
        "blackturns": [Line(0, times[::2])],
        "blackinitials": marks["black"],
        "whiteinitials": marks["white"],
        "blackwins": list(goals("black")),
        "whitewins": list(goals("white")),
    }


def numbers(sections: dict[str, list[Line]], section: str, count: int, example: str) -> list[int]:
    """Return the positive numbers of a section."""
    lines = sections.get(section, [])
    words = [word for line in lines for word in line.words]
    if len(words) != count or not all(re.fullmatch(r"[1-9]\d{0,5}", word, re.ASCII) for word in words):
        where = f"line {lines[0].number}: " if lines else ""
        raise ValueError(f"{where}#{section} needs {'a number' if count == 1 else 'two numbers'} such as {example}")
    return list(map(int, words))
