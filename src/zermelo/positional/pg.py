"""The ``.pg`` files of published benchmarks: a positional game, and whether Black can win it in time.

docs/reference-formats.md describes the format with an example of each code word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from zermelo.positional.dominoes import DominoPosition
from zermelo.positional.pg_board import BOARD_WORDS, BoardFile, Line
from zermelo.positional.position import BREAKER, MAKER, HypergraphPosition, bits
from zermelo.positional.race import MAX_SETS, MAX_VERTICES, Goal, RacePosition
from zermelo.positional.turns import IN_TURN, Turns

WORDS = (
    "version", "times", "blackturns", "positions", "blackwins", "whitewins", "blackinitials", "whiteinitials",
    "firstmoves", "edges", "neighbours", "source", "target", "startboarder", "endboarder", "blackgoal",
    "distances", "unreachablepairs",
)  # fmt: skip
HINTS = ("version", "distances", "unreachablepairs")
"""Code words without a meaning for the game: facts that other programs derive from it."""
RELATIONS = ("up", "side")
"""The neighbours on a line of ``#neighbours`` when ``#blackgoal`` speaks of shapes."""
NONE = "na"
"""Stands where there is no neighbour."""

MOST_STEPS = 2_000_000
"""Steps of all shapes in all places."""


class Step(NamedTuple):
    """From a point of a shape that is known to another one: to the neighbour, or, not ``ahead``, from it."""

    known: str
    other: str
    relation: str
    ahead: bool


def parse_pg(text: str, *, strong: bool = False) -> HypergraphPosition | RacePosition | DominoPosition:
    """Read a ``.pg`` file: Black is Maker, White is Breaker.

    A file with a bound, an order of turns, first moves, winning sets for White, or a graph gives a race.

    >>> text = "#times t1 t2 t3\\n#blackturns t1 t3\\n#positions a b c\\n#blackwins a b\\nb c\\n"
    >>> parse_pg(text).edges
    ((0, 1), (1, 2))
    >>> parse_pg(text.replace(" t3", "")).text
    'race: a b / b c : within 2'

    :raises ValueError: naming the line, and what would be right.
    """
    reader = Reader(text)
    return reader.domineering or reader.position(strong)


@dataclass
class Reader:
    """The sections of a file."""

    text: str
    sections: dict[str, list[Line]] = field(default_factory=dict)
    at: dict[str, int] = field(default_factory=dict)
    """The line of each code word."""
    index: dict[str, int] = field(default_factory=dict)
    """The number of each position."""
    won: tuple[int, ...] = ()
    """One position more, which Black has and which is a winning set, if he has won before a move."""
    domineering: DominoPosition | None = None
    """The position, if the file is one of Domineering."""

    def __post_init__(self) -> None:
        current: str | None = None
        for number, line in enumerate(self.text.removeprefix("\ufeff").splitlines(), 1):
            words = line.partition("%")[0].split()
            if words and words[0].startswith("#"):
                current = words.pop(0)[1:]
                if current not in WORDS + BOARD_WORDS:
                    known = dict.fromkeys(WORDS + BOARD_WORDS)
                    raise self.error(number, f"no such code word: #{current[:40]}; there are {', '.join(known)}")
                self.sections.setdefault(current, [])
                self.at.setdefault(current, number)
            if words and current is None:
                raise self.error(number, "a code word such as #positions must come first")
            if words and current is not None:
                self.sections[current].append(Line(number, words))
        squares = "boardsize" in self.sections
        allowed = ("version", *BOARD_WORDS) if squares else WORDS
        if alien := next((word for word in self.sections if word not in allowed), None):
            what = (
                f"#{alien} and #boardsize do not go together"
                if squares
                else f"#{alien} belongs to files with #boardsize"
            )
            others = ", ".join(f"#{word}" for word in allowed if word != "boardsize")
            raise self.error(self.at[alien], f"{what}; {'beside it' if squares else 'without it'} there are {others}")
        if squares:
            board = BoardFile(self.sections)
            if (found := board.domineering()) is not None:
                self.domineering = DominoPosition.read(f"dominoes: {found[0]} : maker {found[1]}, within {board.depth}")
            else:
                self.sections = board.plain_sections()

    def error(self, number: int, what: str) -> ValueError:
        """Return the error of a line."""
        return ValueError(f"line {number}: {what}")

    def lines(self, section: str) -> list[Line]:
        return self.sections.get(section, [])

    def words(self, section: str) -> Iterator[tuple[int, str]]:
        """Yield the words of a section, each with its line."""
        return ((line.number, word) for line in self.lines(section) for word in line.words)

    def vertex(self, number: int, word: str) -> int:
        """Return the number of a position."""
        if word not in self.index:
            raise self.error(number, f"{word[:40]} is not in #positions")
        return self.index[word]

    def mistake(self, section: str, what: str) -> ValueError:
        """Return the error of a section."""
        return self.error(self.at.get(section) or self.at["boardsize"], what)

    def vertices(self, section: str) -> tuple[int, ...]:
        """Return the positions of a section, each once."""
        return tuple(dict.fromkeys(self.vertex(number, word) for number, word in self.words(section)))

    def sets(self, section: str) -> tuple[tuple[int, ...], ...]:
        """Return the sets of a section, one on each line."""
        if len(lines := self.lines(section)) > MAX_SETS:
            raise self.error(
                lines[MAX_SETS].number, f"at most {MAX_SETS:,} winning sets, #{section} has {len(lines):,}"
            )
        return tuple(tuple(dict.fromkeys(self.vertex(line.number, word) for word in line.words)) for line in lines)

    def position(self, strong: bool) -> HypergraphPosition | RacePosition:
        """Return the position of the file."""
        for number, word in self.words("positions"):
            if word in self.index:
                raise self.error(number, f"position {word[:40]} is named twice")
            if len(self.index) == MAX_VERTICES:
                raise self.error(number, f"at most {MAX_VERTICES} positions, and {word[:40]} is one more")
            if not word.isprintable():
                raise self.error(number, f"{word[:40]!r} is no name: write letters and digits")
            self.index[word] = len(self.index)
        if "positions" not in self.sections:
            raise ValueError("#positions is missing: it names all vertices")
        goal, rival = self.goal(), self.sets("whitewins")
        black, white = self.vertices("blackinitials") + self.won, self.vertices("whiteinitials")
        if both := set(black) & set(white):
            name = next(name for name, v in self.index.items() if v in both)
            raise self.mistake("whiteinitials", f"{name[:40]} is marked by both players: it may have one owner")
        if goal.joins and rival:
            raise self.mistake("whitewins", "Black joins a graph, so White can only block: leave out #whitewins")
        turns, moves = self.turns()
        free = len(self.index) - len(black) - len(white)
        within = None if moves is None or moves >= free else moves
        first = self.vertices("firstmoves")
        if first and not set(first) - {*black, *white}:
            raise self.mistake("firstmoves", "none of the first moves is free: leave out the marks or #firstmoves")
        names = tuple(self.index)
        if strong and rival:
            raise self.mistake("whitewins", "there are winning sets of White already: leave out 'strong:'")
        if rival and set(map(frozenset, rival)) == set(map(frozenset, goal.sets)):
            rival, strong = goal.sets, True
            ahead = len(black) - len(white)
            if not first and within is None and turns.alternate and ahead == turns.next and goal.searched(len(names)):
                return HypergraphPosition(names, goal.sets, black, white, (MAKER, BREAKER)[turns.next], strong=True)
        if goal.joins or rival or first or within is not None or turns != IN_TURN or not goal.searched(len(names)):
            goals = (goal, Goal(rival) if rival and rival != goal.sets else goal if rival or strong else None)
            return RacePosition(names, goals, black, white, turns, within, first)
        to_move = MAKER if "times" in self.sections else None
        return HypergraphPosition(names, goal.sets, black, white, to_move, strong)

    def turns(self) -> tuple[Turns, int | None]:
        """Return the order of turns and the number of moves; None if the file does not say."""
        times: dict[str, int] = {}
        for number, word in self.words("times"):
            if word in times:
                raise self.error(number, f"time {word[:40]} is named twice")
            times[word] = 1
        for number, word in self.words("blackturns"):
            if word not in times:
                raise self.error(number, f"{word[:40]} is not in #times")
            times[word] = 0
        if "times" not in self.sections:
            return IN_TURN, None
        order = list(times.values())
        return Turns.of_moves(order) if len(order) > 1 else Turns((), (0, 1) if 0 in order else (1, 0)), len(order)

    # Goals

    def goal(self) -> Goal:
        """Return Black's goal: winning sets, shapes, or a graph."""
        joins = [word for word in ("source", "target", "startboarder", "endboarder") if word in self.sections]
        kinds = {
            "blackwins": bool(self.lines("blackwins")),
            "blackgoal": "blackgoal" in self.sections,
            "graph": bool(joins),
        }
        if kinds["graph"] and kinds["blackwins"]:  # the same goal twice: sets that join the ends add nothing
            graph = self.graph(joins)
            if all(graph.reached(bits(one)) for one in self.sets("blackwins")):
                return graph
        if sum(kinds.values()) > 1:
            raise self.mistake(
                max((word for word in ("blackwins", "blackgoal", *joins) if word in self.at), key=self.at.__getitem__),
                "give one goal only: #blackwins, #blackgoal, or a graph with two ends (#source and #target "
                "with #edges, #startboarder and #endboarder with #neighbours)",
            )
        if kinds["blackgoal"]:
            return Goal(self.shapes())
        return self.graph(joins) if joins else Goal(self.sets("blackwins"))

    def graph(self, joins: Sequence[str]) -> Goal:
        """Return a graph with two ends, which are given by these sections."""
        if set(joins) == {"source", "target"}:
            return self.graph_of_edges()
        if set(joins) == {"startboarder", "endboarder"}:
            return Goal((), tuple(self.neighbours()), self.vertices("startboarder"), self.vertices("endboarder"))
        raise self.mistake(joins[0], "a graph needs #source and #target, or #startboarder and #endboarder")

    def neighbours(self) -> Iterator[tuple[int, int]]:
        """Yield the edges of ``#neighbours``: a position, then its neighbours."""
        seen = set[tuple[int, int]]()
        for line in self.lines("neighbours"):
            at = self.vertex(line.number, line.words[0])
            for other in (self.vertex(line.number, word) for word in line.words[1:] if word.lower() != NONE):
                edge = min(at, other), max(at, other)
                if at != other and edge not in seen:
                    seen.add(edge)
                    yield edge

    def graph_of_edges(self) -> Goal:
        """Return the graph of ``#edges``; the source and the target are no positions, and nobody marks them."""
        ends = [dict[int, int](), dict[int, int]()]
        names = [[word for _, word in self.words(section)] for section in ("source", "target")]
        if any(len(of) != 1 or of[0] in self.index for of in names) or names[0] == names[1]:
            raise self.mistake("source", "#source and #target name one point each that is not in #positions")
        edges = dict[tuple[int, int], int]()
        for line in self.lines("edges"):
            if len(line.words) != 2:
                raise self.error(line.number, "an edge has two ends: write them as in 'a b'")
            outer = [end for end, of in enumerate(names) if of[0] in line.words]
            if len(outer) == 2:  # Black has won before a move
                self.won = (self.index.setdefault(names[0][0], len(self.index)),)
                return Goal((self.won,))
            inner = [self.vertex(line.number, word) for word in line.words if not any(word in of for of in names)]
            if outer:
                ends[outer[0]].update(dict.fromkeys(inner, line.number))
            elif inner[0] != inner[1]:
                edges.setdefault((min(inner), max(inner)), line.number)
        return Goal((), tuple(edges), tuple(ends[0]), tuple(ends[1]))

    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Return the winning sets that the shapes of ``#blackgoal`` have on the grid of ``#neighbours``."""
        steps: dict[str, dict[int, int]] = {relation: {} for relation in RELATIONS}
        for line in self.lines("neighbours"):
            if len(line.words) != 3:
                raise self.error(
                    line.number, "a shape needs lines 'position up side' in #neighbours, na where there is none"
                )
            at = self.vertex(line.number, line.words[0])
            for relation, word in zip(RELATIONS, line.words[1:], strict=True):
                if word.lower() != NONE:
                    steps[relation][at] = self.vertex(line.number, word)
        back = {relation: {to: at for at, to in step.items()} for relation, step in steps.items()}
        found, work = dict[frozenset[int], None](), 0
        for line in self.lines("blackgoal"):
            plan = self.plan(line.number, [self.relation(line.number, word) for word in line.words])
            work += len(plan) * len(self.index)
            if work > MOST_STEPS:
                raise self.error(line.number, f"the shapes have more than {MOST_STEPS:,} steps in all their places")
            for start in self.index.values():
                places: dict[str, int | None] = {plan[0].known: start}
                for known, other, relation, ahead in plan:
                    to = (steps if ahead else back)[relation].get(places[known])  # type: ignore[arg-type]
                    if to is None or places.setdefault(other, to) != to:
                        break
                else:
                    found.setdefault(frozenset(places.values()))  # type: ignore[arg-type]
            if len(found) > MAX_SETS:
                raise self.error(line.number, f"the shapes have more than {MAX_SETS:,} places")
        return tuple(tuple(sorted(shape)) for shape in found)

    def relation(self, number: int, word: str) -> tuple[str, str, str]:
        """Read a step such as ``up(p0,p1)``."""
        match = re.fullmatch(r"(\w{1,40})\((\w{1,40}),(\w{1,40})\)", word)
        if match is None or match[1] not in RELATIONS:
            raise self.error(number, f"{word[:40]!r} is no step of a shape: write up(p,q) or side(p,q)")
        return match[1], match[2], match[3]

    def plan(self, number: int, rules: list[tuple[str, str, str]]) -> list[Step]:
        """Return the steps of a shape in an order in which each begins at a point that is known."""
        beside = dict[str, list[tuple[int, Step]]]()
        for rule, (relation, one, two) in enumerate(rules):
            beside.setdefault(one, []).append((rule, Step(one, two, relation, True)))
            beside.setdefault(two, []).append((rule, Step(two, one, relation, False)))
        points, used, found = {rules[0][1]: None}, set[int](), list[Step]()
        while points:
            for rule, step in beside.pop(points.popitem()[0], []):
                if rule not in used:
                    found.append(step)
                    used.add(rule)
                    points.setdefault(step.other)
        if beside:
            raise self.error(number, "the steps of a shape must hang together")
        return found
