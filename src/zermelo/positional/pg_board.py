"""The dialect of ``.pg`` files with ``#boardsize``: squares by their coordinates, goals as marks on them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from zermelo.positional.race import MAX_VERTICES
from zermelo.words import letters

BOARD_WORDS = (
    "boardsize", "init", "depth", "blackgoal", "whitegoal", "blackactions", "whiteactions",
    "blackinitials", "whiteinitials",
)  # fmt: skip
MARK = re.compile(r"(black|white|open)\(([^(),]{1,20}),([^(),]{1,20})\)")
BOUND = re.compile(r"(le|ge)\(\?([xy]),([^(),]{1,20})\)")
PLACE = re.compile(r"(\?x|\?y|xmin|xmax|ymin|ymax|\d{1,6})(?:([+-]\d{1,6}))?", re.ASCII)
ACTION = re.compile(
    r":action[\w-]*:parameters\(\?x,\?y\)(?::indexbounds\(([^:]*)\))?:precondition\(([^:]*)\):effect\(([^:]*)\)"
)
NEVER = "false"
"""A goal that nobody reaches, in small letters."""
UPRIGHT, ACROSS = frozenset({(0, 0), (0, 1)}), frozenset({(0, 0), (1, 0)})
MOST_MARKS = 1_000_000
"""Marks of all goals, those that ``?x`` and ``?y`` stand for counted for every square."""
Cell = tuple[int, int]


@dataclass
class Line:
    """The words of a line behind a code word."""

    number: int
    words: list[str]

    def error(self, what: str) -> ValueError:
        return ValueError(f"line {self.number}: {what}")


class Place(NamedTuple):
    """A column or a row: a number, or one that is counted from the place that ``?x`` and ``?y`` stand for."""

    number: int
    moves: bool

    def at(self, here: int) -> int:
        return self.number + here * self.moves


class Mark(NamedTuple):
    """A player's mark on a square; or ``open``, for none."""

    player: str
    x: Place
    y: Place

    def at(self, here: Cell) -> Cell:
        return self.x.at(here[0]), self.y.at(here[1])


class BoardFile:
    """The sections of a file in the dialect.

    >>> lines = {"boardsize": ["2 2"], "depth": ["3"], "blackgoal": ["black(?x,?y) black(?x+1,?y)"]}
    >>> file = BoardFile({word: [Line(1, text.split()) for text in of] for word, of in lines.items()})
    >>> [line.words for line in file.plain_sections()["blackwins"]], file.domineering()
    ([['a1', 'b1'], ['a2', 'b2']], None)

    :raises ValueError: naming the line, and what would be right.
    """

    def __init__(self, sections: dict[str, list[Line]]) -> None:
        self.sections = sections
        self.columns, self.rows = numbers(sections, "boardsize", 2, "4 3: columns and rows")
        (self.depth,) = numbers(sections, "depth", 1, "7: the moves of both players")
        if self.columns * self.rows > MAX_VERTICES:
            what = f"at most {MAX_VERTICES} squares, not {self.columns} x {self.rows}"
            raise sections["boardsize"][0].error(what)
        self.cells = [(column, row) for row in range(1, self.rows + 1) for column in range(1, self.columns + 1)]
        self.names = {(column, row): f"{letters(column - 1)}{row}" for column, row in self.cells}
        self.initials = {player: [*self._initials(player)] for player in ("black", "white")}

    def lines(self, section: str) -> list[Line]:
        return self.sections.get(section, [])

    def plain_sections(self) -> dict[str, list[Line]]:
        """Return the sections of the game without coordinates: squares are called ``b3``, Black begins."""
        shapes = [self.shapes(player) for player in ("black", "white")]
        for player, found in zip(("black", "white"), shapes, strict=True):
            if found not in ([], [frozenset({(0, 0)})]):
                what = f"the one action of {player} must be to mark an open square, as in Hex"
                raise self.lines(f"{player}actions")[0].error(what)
        times = [f"t{time}" for time in range(1, min(self.depth, len(self.cells)) + 1)]
        return {
            "positions": [Line(0, list(self.names.values()))],
            "times": [Line(0, times)],
            "blackturns": [Line(0, times[::2])],
            "blackinitials": self.initials["black"],
            "whiteinitials": self.initials["white"],
            "blackwins": list(self._goals("black")),
            "whitewins": list(self._goals("white")),
        }

    def domineering(self) -> tuple[str, str] | None:
        """Return the board of Domineering and the letter of Black, if it is that game; else None.

        Files of that game may leave out the actions: then there is no goal, and Black's dominoes stand upright.
        """
        shapes = [self.shapes(player) for player in ("black", "white")]
        goals = [line for player in ("black", "white") for line in self.lines(f"{player}goal")]
        endless = all([word.lower() for word in line.words] == [NEVER] for line in goals)
        if shapes == [[], []] and goals and endless:
            shapes = [[UPRIGHT], [ACROSS]]
        if not endless or sorted(map(len, shapes)) != [1, 1] or {shapes[0][0], shapes[1][0]} != {UPRIGHT, ACROSS}:
            return None
        taken = {name for lines in self.initials.values() for line in lines for name in line.words}
        board = "/".join(
            "".join(".#"[self.names[column, row] in taken] for column in range(1, self.columns + 1))
            for row in range(1, self.rows + 1)
        )
        return board if taken else f"{self.rows}x{self.columns}", "HV"[shapes[0] == [UPRIGHT]]

    # Marks and places

    def _initials(self, player: str) -> Iterable[Line]:
        """Yield a player's marks at the start, by their names."""
        yield from self.lines(f"{player}initials")
        for line in self.lines("init"):
            marks = self._marks(line, "".join(line.words))
            if any(mark.x.moves or mark.y.moves or mark.player == "open" for mark in marks):
                raise line.error(f"{' '.join(line.words)[:40]!r} is not understood: write marks such as white(2,1)")
            names = [self.names[mark.at((0, 0))] for mark in marks if mark.player == player]
            yield Line(line.number, names)

    def _place(self, line: Line, text: str, axis: str) -> Place:
        """Read ``3``, ``?x``, ``?x-1`` or ``xmax``; of a row ``?y`` and so on."""
        match = PLACE.fullmatch(text)
        bases = {f"?{axis}": 0, f"{axis}min": 1, f"{axis}max": self.columns if axis == "x" else self.rows}
        if match is None or not (match[1] in bases or match[1].isdigit()):
            raise line.error(f"{text[:40]!r} is not understood: write 2, ?{axis}, ?{axis}+1, {axis}min or {axis}max")
        base = bases[match[1]] if match[1] in bases else int(match[1])
        return Place(base + int(match[2] or 0), match[1].startswith("?"))

    def _marks(self, line: Line, text: str, player: str | None = None) -> list[Mark]:
        """Read marks that follow each other; one that does not depend on ``?x`` and ``?y`` must lie on the board."""
        found, at = list[Mark](), 0
        while at < len(text):
            match = MARK.match(text, at)
            if match is None or match[1] not in (player or match[1], "open"):
                raise line.error(
                    f"{text[at : at + 40]!r} is not understood: write marks such as {player or 'white'}(2,1)"
                )
            mark = Mark(match[1], self._place(line, match[2], "x"), self._place(line, match[3], "y"))
            if not (mark.x.moves or mark.y.moves) and mark.at((0, 0)) not in self.names:
                raise line.error(f"{match[0]} lies outside the board of {self.columns} x {self.rows}")
            found.append(mark)
            at = match.end()
        return found

    def _bounded(self, line: Line, text: str) -> tuple[str, list[Cell]]:
        """Return a text without its bounds such as ``le(?x,xmax-1)``, and the places that they allow."""
        places = self.cells
        for word, axis, limit in BOUND.findall(text):
            most, number = self._place(line, limit, axis), "xy".index(axis)
            if most.moves:
                raise line.error(f"{limit} is no bound: write {axis}max-1 or a number")
            places = [at for at in places if (at[number] <= most.number if word == "le" else at[number] >= most.number)]
        return BOUND.sub("", text), places

    def _goals(self, player: str) -> Iterable[Line]:
        """Yield the winning sets of a player; ``?x`` and ``?y`` stand for every square of the board."""
        shapes, count = list[tuple[Line, list[Mark], list[Cell]]](), 0
        for line in self.lines(f"{player}goal"):
            if [word.lower() for word in line.words] == [NEVER]:
                continue
            text, places = self._bounded(line, "".join(line.words))
            marks = self._marks(line, text, player)
            if any(mark.player == "open" for mark in marks) or not marks:
                raise line.error(f"a goal is a set of marks, such as {player}(2,1) {player}(?x+1,?y)")
            if not any(mark.x.moves or mark.y.moves for mark in marks):
                places = places[:1]
            shapes.append((line, marks, places))
            count += len(marks) * len(places)
            if count > MOST_MARKS:
                raise line.error(f"the goals of {player} have more than {MOST_MARKS:,} marks")
        for line, marks, places in shapes:
            sets = dict.fromkeys(tuple(sorted({mark.at(here) for mark in marks})) for here in places)
            for one in sets:
                if all(cell in self.names for cell in one):
                    yield Line(line.number, [self.names[cell] for cell in one])

    def shapes(self, player: str) -> list[frozenset[Cell]]:
        """Return the shape that each action of a player marks, of open squares; its first square is (0, 0)."""
        lines, found, at = self.lines(f"{player}actions"), list[frozenset[Cell]](), 0
        text = "".join(word for line in lines for word in line.words)
        while at < len(text):
            match = ACTION.match(text, at)
            if match is None:
                what = f"the actions of {player} are not understood: write them as ':action occupy :parameters (?x,?y) "
                raise lines[0].error(what + f":precondition (open(?x,?y)) :effect ({player}(?x,?y))'")
            _, places = self._bounded(lines[0], match[1] or "")
            before, after = (self._marks(lines[0], part) for part in match.groups()[1:])
            cells = {mark.at((0, 0)) for mark in after}
            plain = all(mark.x.moves and mark.y.moves for mark in before + after)
            plain = (
                plain and {mark.player for mark in before} <= {"open"} and {mark.player for mark in after} == {player}
            )
            fits = {(x, y) for x, y in self.cells if all((x + right, y + down) in self.names for right, down in cells)}
            if not plain or {mark.at((0, 0)) for mark in before} != cells or fits - set(places):
                raise lines[0].error(f"an action of {player} must mark open squares, and change nothing else")
            x, y = min(cells)
            found.append(frozenset((right - x, down - y) for right, down in cells))
            at = match.end()
        return found


def numbers(sections: dict[str, list[Line]], section: str, count: int, example: str) -> list[int]:
    """Return the positive numbers of a section."""
    lines = sections.get(section, [])
    words = [word for line in lines for word in line.words]
    if len(words) != count or not all(re.fullmatch(r"[1-9]\d{0,5}", word, re.ASCII) for word in words):
        where = f"line {lines[0].number}: " if lines else ""
        raise ValueError(f"{where}#{section} needs {'a number' if count == 1 else 'two numbers'} such as {example}")
    return list(map(int, words))
