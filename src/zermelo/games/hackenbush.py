"""Hackenbush (Winning Ways, chapters 1 and 2), on any graph: a game by its rules alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count

from zermelo.game import Game, MoveView, Piece, Player, Position, Square, SquareText, View
from zermelo.game.services import left_right_outcomes

Edge = tuple[str, str, str]
"""A vertex, the colour, and the other vertex."""
GROUND, MOST_EDGES = "0", 200


@dataclass(frozen=True)
class Chop:
    """A move: an edge by its colour and its number in the text, ``B2``."""

    edge: int
    colour: str

    def __str__(self) -> str:
        return f"{self.colour}{self.edge + 1}"


@lru_cache(maxsize=256)
def layout(edges: tuple[Edge, ...]) -> tuple[dict[int, Square], dict[int, int]]:
    """Return the square of each edge, rows counted from the ground, and the edge below each."""
    squares, below, free = dict[int, Square](), dict[int, int](), dict[int, int]()
    reached: dict[str, tuple[int, int]] = {GROUND: (0, 1)}  # the height and the column of each vertex
    stands: dict[str, int] = {}
    waiting = [GROUND]
    for vertex in waiting:
        height, column = reached[vertex]
        for number, (one, _, two) in enumerate(edges):
            if number not in squares and vertex in (one, two):
                squares[number] = height + 1, max(column, free.get(height + 1, 1))
                free[height + 1] = squares[number][1] + 1
                if vertex in stands:
                    below[number] = stands[vertex]
                other = two if vertex == one else one
                if other not in reached:
                    reached[other], stands[other] = squares[number], number
                    waiting.append(other)
    return squares, below


@dataclass(frozen=True, repr=False)
class HackenbushPosition(Position):
    """The edges of the start, the numbers of those that stand, and the moves since."""

    start: str
    edges: tuple[Edge, ...]
    standing: tuple[int, ...]
    given: tuple[str, ...] = ()

    @property
    def game(self) -> Game:
        return HACKENBUSH

    @property
    def history(self) -> tuple[str, tuple[str, ...]]:
        return self.start, self.given

    @property
    def text(self) -> str:
        return f"{self.start}:{';'.join(self.given)}" if self.given else self.start

    def moves(self, player: Player) -> tuple[Chop, ...]:
        own = (player, "G") if self.game.other(player) else ()
        return tuple(Chop(number, self.edges[number][1]) for number in self.standing if self.edges[number][1] in own)

    def after(self, move: object) -> HackenbushPosition:
        chop = next((one for one in map(self._chop, self.standing) if move in (one, str(one))), None)
        if chop is None:
            hint = f"{self._chop(self.standing[0])} would be one" if self.standing else "there is none"
            raise ValueError(f"{str(move)[:20]!r} is not a legal move here: {hint}")
        left = [number for number in self.standing if number != chop.edge]
        grounded = {GROUND}
        fresh = True
        while fresh:
            near = {one for number in left for one in self._ends(number) if grounded & self._ends(number)}
            fresh = not near <= grounded
            grounded |= near
        stays = tuple(number for number in left if self._ends(number) <= grounded)
        return HackenbushPosition(self.start, self.edges, stays, (*self.given, str(chop)))

    def _chop(self, number: int) -> Chop:
        return Chop(number, self.edges[number][1])

    def _ends(self, number: int) -> set[str]:
        one, _, two = self.edges[number]
        return {one, two}

    def decided(self, player: Player) -> Player | None:
        return None if self.moves(player) else self.game.other(player)

    def key(self) -> str:
        """Return the edges with their vertices numbered in an order that depends on the shape as far as possible."""
        near: dict[str, list[tuple[str, str]]] = {GROUND: []}
        for one, colour, two in (self.edges[number] for number in self.standing):
            near.setdefault(one, []).append((colour, two))
            near.setdefault(two, []).append((colour, one))
        rank = {vertex: int(vertex != GROUND) for vertex in near}
        for _ in near:
            seen = {one: (rank[one], sorted((colour, rank[two]) for colour, two in near[one])) for one in near}
            order = sorted(seen.values())
            before, rank = rank, {vertex: order.index(shape) for vertex, shape in seen.items()}
            if rank == before:
                break
        numbers, waiting = {GROUND: 0}, [GROUND]
        for vertex in waiting:
            for _, other in sorted(near[vertex], key=lambda edge: (edge[0], rank[edge[1]])):
                if other not in numbers:
                    numbers[other] = len(numbers)
                    waiting.append(other)
        named = ((sorted((numbers[one], numbers[two])), colour) for one in near for colour, two in near[one])
        return " ".join(f"{one}{colour}{two}" for (one, two), colour in sorted(named))

    @cached_property
    def _parts(self) -> list[list[int]]:
        """The edges that hold together, also without the ground."""
        parts = list[tuple[set[str], list[int]]]()
        for number in self.standing:
            ends = self._ends(number) - {GROUND}
            joined = [part for part in parts if part[0] & ends]
            parts = [part for part in parts if part not in joined]
            vertices, edges = zip(*joined, (ends, [number]), strict=True)
            parts.append((set().union(*vertices), [one for part in edges for one in part]))
        return sorted(sorted(part[1]) for part in parts)

    @property
    def components(self) -> tuple[HackenbushPosition, ...]:
        return tuple(_stands(tuple(self.edges[number] for number in part)) for part in self._parts)

    def component_squares(self) -> list[list[Square]]:
        return [sorted(map(self._square, part)) for part in self._parts]

    def _square(self, number: int) -> Square:
        squares = layout(self.edges)[0]
        return max(row for row, _ in squares.values()) + 1 - squares[number][0], squares[number][1]

    def view(self) -> View:
        squares, below = layout(self.edges)
        rows, cols = (max(side, default=1) for side in zip(*squares.values(), strict=True)) if squares else (1, 1)
        every = {(row, col) for row in range(1, rows + 1) for col in range(1, cols + 1)}
        shown = {number: self._square(number) for number in self.standing}
        coloured = ((self.edges[number][1], square) for number, square in shown.items())
        return View(
            rows,
            cols,
            tuple(str(rows - row) for row in range(rows)),
            tuple(str(col + 1) for col in range(cols)),
            tuple(Piece(colour, (square,)) for colour, square in coloured if colour != "G"),
            tuple(sorted(every - set(shown.values()))),
            texts=tuple(SquareText(square, "G") for number, square in shown.items() if self.edges[number][1] == "G"),
            edges=tuple((shown[low], shown[one]) for one, low in below.items() if one in shown and low in shown),
        )

    def move_view(self, move: object) -> MoveView:
        assert isinstance(move, Chop)
        return MoveView(str(move), (self._square(move.edge),))

    def __neg__(self) -> Position:
        swap = {"B": "R", "R": "B", "G": "G"}
        if not self.standing:
            return self
        edges = (self.edges[number] for number in self.standing)
        return _stands(tuple((one, swap[colour], two) for one, colour, two in edges))


def _stands(edges: tuple[Edge, ...]) -> HackenbushPosition:
    return HackenbushPosition(" ".join(map("".join, edges)), edges, tuple(range(len(edges))))


class Hackenbush(Game):
    name, title = "hackenbush", "Hackenbush"
    players = ("B", "R")
    player_names: Mapping[Player, str] = {"B": "Left", "R": "Right"}
    rules = (
        "Left cuts a blue edge (B) or a green one (G), Right a red edge (R) or a green one. "
        "Everything that is no longer joined to the ground falls. Who cannot move loses."
    )
    spec_help = "stalks from the ground up (BRB GG), or edges and their vertices, 0 the ground (0Ba aRb); then :B1;R2"
    examples = ("BRB", "0Ba aRb bG0 aBc", "GGG BR RB", "BBR RG:R3")
    outcomes: Mapping[str, str] = left_right_outcomes(players)
    normal_play = needs_name = True

    def parse(self, text: str) -> HackenbushPosition:
        start, _, moves = text.strip().partition(":")
        edges, fresh = list[Edge](), (f"v{n}" for n in count() if f"v{n}" not in start)
        for word in start.split():
            if re.fullmatch("[BRG]+", word):
                names = [GROUND, *(next(fresh) for _ in word)]
                edges += zip(names, word, names[1:], strict=False)
            elif edge := re.fullmatch("([a-z0-9]{1,20})([BRG])([a-z0-9]{1,20})", word):
                edges.append((edge[1], edge[2], edge[3]))
            else:
                raise ValueError(f"{word[:40]!r} is no edge and no stalk: write {self.spec_help}")
        if not 1 <= len(edges) <= MOST_EDGES:
            raise ValueError(f"a position has 1 to {MOST_EDGES} edges, not {len(edges)}: write {self.spec_help}")
        if loose := set(range(len(edges))) - set(layout(tuple(edges))[0]):
            raise ValueError(f"edge {''.join(edges[min(loose)])} is not joined to the ground, which is vertex {GROUND}")
        position = HackenbushPosition(" ".join(start.split()), tuple(edges), tuple(range(len(edges))))
        for move in filter(None, moves.split(";")):
            position = position.after(move)
        return position


HACKENBUSH = Hackenbush()
