"""Brute force for games that are lost by the player who cannot move. It shares no code with the package.

A position is anything that can be hashed; a game is a function that gives the positions after a player's moves (0 or
1). Sums are tuples of (rules, position); a value of the package is played by its options like any other game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

Rules = Callable[[Any, int], Iterable[Any]]
Term = tuple[Rules, Any]
OUTCOMES = {(True, True): "first", (True, False): "Left", (False, True): "Right", (False, False): "second"}


class Brute:
    """Plays sums out, with a memory of equal ones."""

    def __init__(self, *, misere: bool = False) -> None:
        self._misere = misere
        self._wins: dict[tuple[Hashable, int], bool] = {}
        self._nimbers: dict[Hashable, int] = {}

    def __len__(self) -> int:
        return len(self._wins)

    def wins(self, terms: tuple[Term, ...], player: int) -> bool:
        """Whether the player to move wins a sum."""
        key = (terms, player)
        if key not in self._wins:
            afters = [
                (*terms[:at], (rules, after), *terms[at + 1 :])
                for at, (rules, position) in enumerate(terms)
                for after in rules(position, player)
            ]
            wins = any(not self.wins(after, 1 - player) for after in afters)
            self._wins[key] = wins or (self._misere and not afters)
        return self._wins[key]

    def outcome(self, *terms: Term) -> tuple[bool, bool]:
        """Whether Left wins when she starts, and whether Right wins when he starts."""
        return self.wins(terms, 0), self.wins(terms, 1)

    def equal(self, rules: Rules, position: Any, value: Any) -> bool:
        """Whether a position has a value: the second player wins their difference."""
        return self.outcome((rules, position), (negative_value, value)) == (False, False)

    def nimber(self, rules: Rules, position: Any) -> int:
        """The least number that no option has, in a game in which both have the same moves."""
        key = (rules, position)
        if key not in self._nimbers:
            found = {self.nimber(rules, after) for after in rules(position, 0)}
            self._nimbers[key] = next(n for n in range(len(found) + 1) if n not in found)
        return self._nimbers[key]


def negative_value(value: Any, player: int) -> list[Any]:
    """Return the moves in a value with the players exchanged."""
    return list(value.right_options if player == 0 else value.left_options)


# Rules of boards: tuples of equally long strings. Written once more, by squares and by hand.


def put(board: tuple[str, ...], *changes: tuple[int, int, str]) -> tuple[str, ...]:
    """Return the board with other letters on some squares."""
    lines = [list(row) for row in board]
    for row, col, letter in changes:
        lines[row][col] = letter
    return tuple("".join(row) for row in lines)


def at(board: tuple[str, ...], row: int, col: int) -> str:
    """Return the letter of a square; a blank off the board."""
    return board[row][col] if 0 <= row < len(board) and 0 <= col < len(board[0]) else " "


def squares(board: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return all squares."""
    return [(row, col) for row in range(len(board)) for col in range(len(board[0]))]


FOUR = ((0, 1), (1, 0), (0, -1), (-1, 0))


def clobber(board: tuple[str, ...], player: int) -> list[tuple[str, ...]]:
    """A stone takes an enemy beside it."""
    own, enemy = "xo"[player], "ox"[player]
    return [
        put(board, (row, col, "."), (row + down, col + right, own))
        for row, col in squares(board)
        for down, right in FOUR
        if at(board, row, col) == own and at(board, row + down, col + right) == enemy
    ]


def tinted(board: tuple[str, ...], player: int, closes: str) -> list[tuple[str, ...]]:
    """A player colours a square that is still open to her; it closes its neighbours to one player."""
    found = []
    for row, col in squares(board):
        if at(board, row, col) not in (".", "xo"[player]):
            continue
        after = put(board, (row, col, "#"))
        for down, right in FOUR:
            near = at(after, row + down, col + right)
            if near in (".", closes):
                after = put(after, (row + down, col + right, "#" if near == closes else "ox"["xo".index(closes)]))
        found.append(after)
    return found


def cannibal(board: tuple[str, ...], player: int) -> list[tuple[str, ...]]:
    """A stone takes any stone beside it."""
    own = "xo"[player]
    return [
        put(board, (row, col, "."), (row + down, col + right, own))
        for row, col in squares(board)
        for down, right in FOUR
        if at(board, row, col) == own and at(board, row + down, col + right) in "xo"
    ]


def snort(board: tuple[str, ...], player: int) -> list[tuple[str, ...]]:
    """No enemies side by side."""
    return tinted(board, player, "ox"[player])


def col(board: tuple[str, ...], player: int) -> list[tuple[str, ...]]:
    """No two of one colour side by side."""
    return tinted(board, player, "xo"[player])


def cram(board: tuple[str, ...], player: int) -> list[tuple[str, ...]]:
    """Dominoes either way."""
    return [
        put(board, (row, col, "#"), (row + down, col + right, "#"))
        for row, col in squares(board)
        for down, right in FOUR[:2]
        if at(board, row, col) == at(board, row + down, col + right) == "."
    ]


def domineering(board: tuple[str, ...], player: int) -> list[tuple[str, ...]]:
    """Left's dominoes stand, Right's lie."""
    down, right = ((1, 0), (0, 1))[player]
    return [
        put(board, (row, col, "#"), (row + down, col + right, "#"))
        for row, col in squares(board)
        if at(board, row, col) == at(board, row + down, col + right) == "."
    ]


def dawson(board: tuple[str, ...], player: int) -> list[tuple[str, ...]]:
    """Two pins side by side in a row."""
    return domineering(board, 1)


def kayles(board: tuple[str, ...], player: int) -> list[tuple[str, ...]]:
    """One pin, or two side by side in a row."""
    one = [put(board, (row, col, "#")) for row, col in squares(board) if at(board, row, col) == "."]
    return one + dawson(board, player)


def elephants(board: tuple[str, ...], player: int) -> list[tuple[str, ...]]:
    """Left goes right, Right goes left, a step at a time."""
    own, way = "ER"[player], (1, -1)[player]
    return [
        put(board, (row, col, "."), (row, col + way, own))
        for row, col in squares(board)
        if at(board, row, col) == own and at(board, row, col + way) == "."
    ]


def toads(board: tuple[str, ...], player: int) -> list[tuple[str, ...]]:
    """Left goes right, Right goes left: a step, or a jump over one enemy."""
    own, enemy, way, found = "TF"[player], "FT"[player], (1, -1)[player], []
    for row, col in squares(board):
        if at(board, row, col) == own and at(board, row, col + way) == ".":
            found.append(put(board, (row, col, "."), (row, col + way, own)))
        if at(board, row, col) == own and at(board, row, col + way) == enemy and at(board, row, col + 2 * way) == ".":
            found.append(put(board, (row, col, "."), (row, col + 2 * way, own)))
    return found


def legal_nogo(board: tuple[str, ...]) -> bool:
    """Whether every group of stones has a free square beside it."""
    for square in squares(board):
        letter = at(board, *square)
        if letter not in "xo":
            continue
        group, waiting, free = {square}, [square], False
        while waiting:
            row, col = waiting.pop()
            for down, right in FOUR:
                near = (row + down, col + right)
                free = free or at(board, *near) == "."
                if at(board, *near) == letter and near not in group:
                    group.add(near)
                    waiting.append(near)
        if not free:
            return False
    return True


def nogo(board: tuple[str, ...], player: int) -> list[tuple[str, ...]]:
    """A stone on a free square, after which every group still has a free square beside it."""
    free = [(row, col) for row, col in squares(board) if at(board, row, col) == "."]
    return [after for row, col in free if legal_nogo(after := put(board, (row, col, "xo"[player])))]


def konane(board: tuple[str, ...], player: int) -> list[tuple[str, ...]]:
    """A stone jumps over enemies in a straight line, each time onto the free square behind."""
    own, enemy, found = "xo"[player], "ox"[player], []
    for row, col in squares(board):
        for down, right in FOUR if at(board, row, col) == own else ():
            here, now = (row, col), board
            while at(now, here[0] + down, here[1] + right) == enemy and (
                at(now, here[0] + 2 * down, here[1] + 2 * right) == "."
            ):
                there = (here[0] + 2 * down, here[1] + 2 * right)
                now = put(now, (*here, "."), (here[0] + down, here[1] + right, "."), (*there, own))
                found.append(now)
                here = there
    return found


def fission(board: tuple[str, ...], player: int) -> list[tuple[str, ...]]:
    """A stone becomes two: Left's above and below, Right's on both sides."""
    down, right = ((1, 0), (0, 1))[player]
    return [
        put(board, (row, col, "."), (row - down, col - right, "x"), (row + down, col + right, "x"))
        for row, col in squares(board)
        if at(board, row, col) == "x"
        and at(board, row - down, col - right) == at(board, row + down, col + right) == "."
    ]


EIGHT = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


def rays(board: tuple[str, ...], row: int, col: int) -> list[tuple[int, int]]:
    """Return the free squares that a queen reaches."""
    found = []
    for down, right in EIGHT:
        far = 1
        while at(board, row + far * down, col + far * right) == ".":
            found.append((row + far * down, col + far * right))
            far += 1
    return found


def amazons(board: tuple[str, ...], player: int) -> list[tuple[str, ...]]:
    """A queen moves, then she shoots like a queen, also over the square that she has left."""
    own, found = "xo"[player], []
    for row, col in squares(board):
        for to in rays(board, row, col) if at(board, row, col) == own else ():
            moved = put(board, (row, col, "."), (*to, own))
            found += [put(moved, (*arrow, "#")) for arrow in rays(moved, *to)]
    return found


# Rules of graphs: the edges, and the letters of the vertices by their names.

Graph = tuple[frozenset[tuple[str, str]], tuple[tuple[str, str], ...]]


def beside(graph: Graph, name: str) -> set[str]:
    return {two if one == name else one for one, two in graph[0] if name in (one, two)}


def changed(graph: Graph, changes: dict[str, str]) -> Graph:
    return graph[0], tuple(sorted({**dict(graph[1]), **changes}.items()))


def tinted_graph(graph: Graph, player: int, closes: str) -> list[Graph]:
    """As on a board: the neighbours of a coloured vertex are closed to one player."""
    letters, found = dict(graph[1]), []
    left = "ox"["xo".index(closes)]
    for name, letter in letters.items():
        if letter in (".", "xo"[player]):
            near = {one: {".": left, closes: "#"}.get(letters[one], letters[one]) for one in beside(graph, name)}
            found.append(changed(graph, near | {name: "#"}))
    return found


def snort_graph(graph: Graph, player: int) -> list[Graph]:
    return tinted_graph(graph, player, "ox"[player])


def col_graph(graph: Graph, player: int) -> list[Graph]:
    return tinted_graph(graph, player, "xo"[player])


def clobber_graph(graph: Graph, player: int) -> list[Graph]:
    letters, own, enemy = dict(graph[1]), "xo"[player], "ox"[player]
    return [
        changed(graph, {name: ".", other: own})
        for name, letter in letters.items()
        if letter == own
        for other in beside(graph, name)
        if letters[other] == enemy
    ]


def arc_kayles(graph: Graph, player: int) -> list[Graph]:
    """An edge goes with both its ends."""
    free = {name for name, letter in graph[1] if letter == "."}
    return [changed(graph, {one: "#", two: "#"}) for one, two in graph[0] if {one, two} <= free]


# Hackenbush: edges, each with its number, a vertex, the colour, and the other vertex.

Bush = frozenset[tuple[int, str, str, str]]


def hackenbush(bush: Bush, player: int) -> list[Bush]:
    """A player cuts an edge of hers, or a green one, and everything falls that hangs on it alone."""
    found = []
    for edge in bush:
        if edge[2] in ("BG", "RG")[player]:
            joined, loose = set(), set(bush - {edge})
            ground = {"0"}
            while now := {one for one in loose if one[1] in ground or one[3] in ground}:
                joined |= now
                loose -= now
                ground |= {vertex for one in now for vertex in (one[1], one[3])}
            found.append(frozenset(joined))
    return found
