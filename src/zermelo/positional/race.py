"""Races: positional games with goals for one or both players, any order of turns, a bound, and chosen first moves.

Every positional game is one: :class:`Race` is a question to the race search. :class:`RacePosition` is a position
of a game that only these rules describe, such as a Hex puzzle to be won within nine moves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self
from urllib.parse import unquote

from zermelo import _core
from zermelo.game import DRAW, Player, Square
from zermelo.positional.position import (
    BREAKER,
    MAKER,
    MAX_EDGES,
    MAX_RACE_VERTICES,
    MAX_SEARCHED,
    Board,
    NamedPosition,
    bits,
    quoted,
)
from zermelo.positional.turns import IN_TURN, Turns

if TYPE_CHECKING:
    from zermelo.game import Move

MAX_VERTICES = MAX_RACE_VERTICES
MAX_SETS = 100_000
MOST_DRAWN = 2_000
"""Winning sets or edges that a picture shows."""


@dataclass(frozen=True)
class Goal:
    """The goal of a player: all vertices of a winning set, or a path of a graph from ``first`` to ``last``."""

    sets: tuple[tuple[int, ...], ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()

    @property
    def joins(self) -> bool:
        """Whether it is a path."""
        return bool(self.first or self.last or self.edges)

    def searched(self, vertices: int) -> bool:
        """Whether the searches of hypergraphs take a board of this size."""
        return not self.joins and vertices <= MAX_SEARCHED and len(self.sets) <= MAX_EDGES

    @cached_property
    def masks(self) -> tuple[int, ...]:
        return tuple(map(bits, self.sets))

    @cached_property
    def neighbours(self) -> Counter[int]:
        """The neighbours of every vertex, one bit each; none where it has no edge."""
        found = Counter[int]()
        for u, v in self.edges:
            found[u] |= 1 << v
            found[v] |= 1 << u
        return found

    def reached(self, own: int) -> bool:
        """Whether the owner of these vertices has the goal."""
        if not self.joins:
            return any(not mask & ~own for mask in self.masks)
        near, last = self.neighbours, bits(self.last)
        seen = new = bits(self.first) & own
        while new:
            around = 0
            while new:
                around |= near[(new & -new).bit_length() - 1]
                new &= new - 1
            new = around & own & ~seen
            seen |= new
        return bool(seen & last)

    def core(self, vertices: int) -> _core.RaceGoal:
        """Return the goal as the core takes it."""
        if not self.joins:
            return _core.RaceGoal(sets=list(map(list, self.sets)))
        near: list[list[int]] = [[] for _ in range(vertices)]
        for u, v in self.edges:
            near[u].append(v)
            near[v].append(u)
        return _core.RaceGoal(neighbours=near, first=list(self.first), last=list(self.last))


@dataclass(frozen=True)
class Race:
    """A question to the race search: the goals and marks of both players, and the rules of play."""

    vertices: int
    goals: tuple[Goal, Goal | None]
    """None: the second player only wants to stop the first."""
    marks: tuple[tuple[int, ...], tuple[int, ...]]
    turns: Turns
    within: int | None = None
    """Moves of both players until the end; None: until the board is full."""
    first: tuple[int, ...] = ()
    """The next move is one of these; any if empty."""
    drawless: bool = False
    """Whether exactly one of the players reaches a goal when the board is full."""

    @property
    def moves_left(self) -> int:
        """How many moves can still be made."""
        free = self.vertices - len(self.marks[0]) - len(self.marks[1])
        return free if self.within is None else min(free, self.within)


class RaceBoard(Board):
    """The board of a race. It has no graph: no search but the race search takes it."""

    def __init__(self, vertices: int, goals: tuple[Goal, Goal | None]) -> None:
        self.vertices, self.goals, self.size = vertices, goals, None
        self.edges = goals[0].sets
        self.masks = goals[0].masks
        self.symmetries = [list(range(vertices))]

    @property
    def graph(self) -> _core.Hypergraph:
        raise ValueError("this game has rules of its own: who wins, and with which moves, is all that is known of it")


@dataclass(frozen=True)
class RacePosition(NamedPosition):
    """A position of a race, by itself: after a move the order of turns and the bound are those that are left.

    >>> position = RacePosition.read("a b / b c : within 3")
    >>> position.to_move, position.after("b").text
    ('maker', 'race: a b / b c : maker b, turns (bm), within 2')
    >>> RacePosition.read("join: a-b b-c c-d / a / d : breaker b").decided("maker")
    'breaker'
    """

    vertices: tuple[str, ...]
    goals: tuple[Goal, Goal | None]
    maker: tuple[int, ...] = ()
    breaker: tuple[int, ...] = ()
    turns: Turns = IN_TURN
    within: int | None = None
    first: tuple[int, ...] = ()
    by_race = True

    def __post_init__(self) -> None:
        if len(self.vertices) > MAX_VERTICES:
            raise ValueError(f"at most {MAX_VERTICES} vertices, this game has {len(self.vertices)}")
        sets = sum(len(goal.sets) for goal in self.goals if goal)
        if sets > MAX_SETS:
            raise ValueError(f"at most {MAX_SETS:,} winning sets, this game has {sets:,}")
        if any(not one for goal in self.goals if goal for one in goal.sets):
            raise ValueError("a winning set must have at least one vertex")
        for name in self.vertices:
            if not name or not name.isprintable() or name.split() != [name]:
                raise ValueError(f"{name!r} is not a vertex name")
        both = self.maker + self.breaker
        if len(set(both)) != len(both):
            raise ValueError("a vertex is marked twice, or by both players")
        if self.within is not None and not 0 <= self.within <= MAX_VERTICES:
            raise ValueError(f"the bound must be 0 to {MAX_VERTICES} moves, not {self.within}")
        if self.first and not set(self.first) - set(both):
            raise ValueError("none of the first moves is free")

    @property
    def strong(self) -> bool:  # type: ignore[override]
        return self.goals[1] is not None

    @cached_property
    def board(self) -> RaceBoard:
        return RaceBoard(len(self.vertices), self.goals)

    @property
    def to_move(self) -> Player:
        return (MAKER, BREAKER)[self.turns.next]

    def race(self, first: Player | None = None) -> Race:
        return Race(len(self.vertices), self.goals, (self.maker, self.breaker), self.turns, self.within, self.first)

    def ruled(self, turns: Turns, within: int | None) -> RacePosition:
        return replace(self, turns=turns, within=within)

    @property
    def moves_left(self) -> int:
        return self.race().moves_left

    def owner_of_edge(self) -> Player | None:
        for player, goal in zip((MAKER, BREAKER), self.goals, strict=True):
            if goal and goal.reached(bits(self.marks(player))):
                return player
        return None

    def won(self) -> tuple[Square, ...]:
        for player, goal in zip((MAKER, BREAKER), self.goals, strict=True):
            marks = set(self.marks(player))
            if edge := next((one for one in goal.sets if marks.issuperset(one)), ()) if goal else ():
                return tuple(map(self.square, edge))
        return ()

    def decided(self, player: Player) -> Player | None:
        if (owner := self.owner_of_edge()) is not None:
            return owner
        if self.moves_left:
            breaker, every = bits(self.breaker), (1 << len(self.vertices)) - 1
            if self.strong or self.goals[0].reached(every & ~breaker):
                return None
        return DRAW if self.strong else BREAKER

    def moves(self, player: Player) -> Sequence[str]:
        if player != self.to_move or self.decided(player) is not None:
            return ()
        allowed = set(self.first) or set(self.free)
        return tuple(self.vertices[v] for v in self.free if v in allowed)

    @property
    def text(self) -> str:
        def words(vertices: Iterable[int]) -> str:
            return " ".join(quoted(self.vertices[v], "-|") for v in vertices)

        one, two = self.goals
        if one.joins:
            head = "join: " + " ".join("-".join(words([v]) for v in edge) for edge in one.edges)
            head += f" / {words(one.first)} / {words(one.last)}"
            named = {v for edge in one.edges for v in edge} | set(one.first) | set(one.last)
        else:
            head = "race: " + " / ".join(map(words, one.sets))
            named = {v for edge in one.sets for v in edge}
        if two is not None:
            head += " | " + ("same" if two == one else " / ".join(map(words, two.sets)))
            named |= {v for edge in two.sets for v in edge}
        parts = {
            "free": words(v for v in range(len(self.vertices)) if v not in named),
            MAKER: words(self.maker),
            BREAKER: words(self.breaker),
            "turns": "" if self.turns == IN_TURN else self.turns.write("mb"),
            "within": "" if self.within is None else str(self.within),
            "first": words(self.first),
        }
        return " : ".join(filter(None, (head, ", ".join(f"{word} {names}" for word, names in parts.items() if names))))

    @classmethod
    def read(cls, text: str) -> RacePosition:
        """Read a race in one line: ``race:`` and winning sets, or ``join:`` and a graph with two ends.

        :raises ValueError: with one sentence about the mistake.
        """
        head, _, tail = text.strip().partition(" : ")
        joins = head.startswith("join:")
        body, bar, other = head.removeprefix("race:").removeprefix("join:").partition("|")
        index: dict[str, int] = {}

        def numbers(part: str) -> tuple[int, ...]:
            return tuple(dict.fromkeys(index.setdefault(unquote(name), len(index)) for name in part.split()))

        def sets(part: str) -> tuple[tuple[int, ...], ...]:
            found = tuple(map(numbers, part.split("/"))) if part.strip() else ()
            if not all(found):
                raise ValueError("a winning set must have at least one vertex: write sets as in 'a b c / c d'")
            return found

        if joins:
            parts = body.split("/")
            if len(parts) != 3 or bar:
                raise ValueError("write a graph and its two ends as in 'join: a-b b-c / a / c'")
            pairs = [edge.split("-") for edge in parts[0].split()]
            if not all(len(pair) == 2 and all(pair) for pair in pairs):
                raise ValueError("write every edge of a graph as in 'a-b'")
            edges = tuple((u, v) for pair in pairs for u, v in [(numbers(one)[0] for one in pair)])
            goals: tuple[Goal, Goal | None] = (Goal((), edges, numbers(parts[1]), numbers(parts[2])), None)
            if not goals[0].joins:
                raise ValueError("a graph needs an edge or an end: write it as in 'join: a-b b-c / a / c'")
        else:
            one = Goal(sets(body))
            goals = (one, None if not bar else one if other.strip() == "same" else Goal(sets(other)))
        rules = dict[str, str]()
        for part in tail.split(",") if tail.strip() else ():
            word, _, rest = part.strip().partition(" ")
            if word not in ("free", MAKER, BREAKER, "turns", "within", "first") or word in rules or not rest.strip():
                raise ValueError(
                    f"{part.strip()[:40]!r} is not understood: after ' : ' write 'maker a b', 'breaker c', 'free d', "
                    "'turns mb', 'within 7' or 'first a b', separated by commas"
                )
            rules[word] = rest.strip()
        numbers(rules.get("free", ""))
        known = len(index)
        maker, breaker, first = (numbers(rules.get(word, "")) for word in (MAKER, BREAKER, "first"))
        if len(index) > known:
            raise ValueError(f"vertex {list(index)[known]!r} is on no winning set: name it as free, too")
        within = rules.get("within")
        if within is not None and not re.fullmatch(r"\d{1,4}", within, re.ASCII):
            raise ValueError(f"the bound {within[:20]!r} must be a number of moves, as in 'within 7'")
        turns = Turns.read(rules["turns"], "mb") if "turns" in rules else IN_TURN
        return cls(tuple(index), goals, maker, breaker, turns, None if within is None else int(within), first)

    def after(self, move: Move | str) -> Self:
        if self.first and self._read_move(str(move).strip())[1] not in self.first:
            raise ValueError(f"{str(move)[:40]!r} is no first move here: {' '.join(self.moves(self.to_move))[:200]}")
        return super().after(move)

    def _marked(self, player: Player, vertex: int) -> Self:
        within = None if self.within is None else self.within - 1
        left = replace(self, turns=self.turns.advanced(), within=within, first=())
        if player == MAKER:
            return replace(left, maker=(*self.maker, vertex))
        return replace(left, breaker=(*self.breaker, vertex))

    def key(self) -> str:
        return replace(self, maker=tuple(sorted(self.maker)), breaker=tuple(sorted(self.breaker))).text

    @property
    def _drawn(self) -> Iterable[tuple[int, ...]]:
        return (self.goals[0].edges or self.goals[0].sets)[:MOST_DRAWN]
