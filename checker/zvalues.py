"""Values of small Domineering pieces (FORMAT.md 5): floors on a grid of 1/64, computed by plain recursion.

A shape is a connected set of free squares, (height, width, bits) with square row * width + column, cut to its
bounding box and the least of its four mirror images. A game is a sorted tuple of shapes, none of them a number; its
value is the sum. Everything that is a number has been moved into an integer count of 1/64.
"""

from __future__ import annotations

from collections.abc import Iterator

from zformat import Budget

UNIT = 64
INFINITE = 1 << 40
Shape = tuple[int, int, int]
Game = tuple[Shape, ...]


def rows_of(height: int, width: int, bits: int) -> list[int]:
    return [(bits >> (row * width)) & ((1 << width) - 1) for row in range(height)]


def from_rows(rows: list[int], width: int) -> Shape:
    bits = 0
    for row, line in enumerate(rows):
        bits |= line << (row * width)
    return (len(rows), width, bits)


def canonical(height: int, width: int, bits: int) -> Shape:
    """The least mirror image, cut to the bounding box."""
    rows = rows_of(height, width, bits)
    while rows and not rows[0]:
        rows.pop(0)
    while rows and not rows[-1]:
        rows.pop()
    every = 0
    for line in rows:
        every |= line
    low = (every & -every).bit_length() - 1
    width = every.bit_length() - low
    rows = [line >> low for line in rows]
    flipped = [int(f"{line:0{width}b}"[::-1], 2) for line in rows]
    return min(from_rows(image, width) for image in (rows, rows[::-1], flipped, flipped[::-1]))


def connected(height: int, width: int, bits: int) -> Iterator[int]:
    """The connected parts of a set, the one with the smallest square first."""
    left = sum(1 << (row * width) for row in range(height))
    not_left = ((1 << (height * width)) - 1) & ~left
    not_right = not_left >> 1
    while bits:
        part = bits & -bits
        while True:
            grown = (part | part << width | part >> width | (part & not_right) << 1 | (part & not_left) >> 1) & bits
            if grown == part:
                break
            part = grown
        yield part
        bits &= ~part


def simplest_between(low: int, high: int) -> int | None:
    """The simplest number strictly between, in 1/64; None if the grid has none."""
    if low < 0 < high:
        return 0
    if high <= 0:
        mirrored = simplest_between(-high, -low)
        return None if mirrored is None else -mirrored
    step = UNIT
    while step:
        candidate = (low // step + 1) * step
        if candidate < high:
            return candidate
        step //= 2
    return None


class Values:
    """Floors and switch floors of games, each computed once."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.shapes: dict[Shape, tuple[int, Game]] = {}
        self.pieces: dict[Shape, tuple[int, Game]] = {}
        self.raw: dict[Shape, tuple[int, Game]] = {}
        self.moves: dict[Shape, tuple[list[tuple[int, Game]], list[tuple[int, Game]]]] = {}
        self.known: dict[Game, tuple[int, int, int, int]] = {}
        self.switches: dict[tuple[Game, int], int] = {}
        self.moved: dict[tuple[Game, int], int] = {}

    def shape(self, height: int, width: int, bits: int) -> tuple[int, Game]:
        """A connected set as (number, game): a number alone, or no number and one shape."""
        found = self.raw.get((height, width, bits))
        if found is None:
            least = canonical(height, width, bits)
            found = self.shapes.get(least)
            if found is None:
                floor, _, ceiling, _ = self.floors((least,))
                found = (floor, ()) if floor == ceiling else (0, (least,))
                self.shapes[least] = found
                self.budget.store(3)
            self.raw[(height, width, bits)] = found
            self.budget.store(3)
        return found

    def set(self, height: int, width: int, bits: int) -> tuple[int, Game]:
        """Any set as (number, game)."""
        number, shapes = 0, []
        for part in connected(height, width, bits):
            if part & (part - 1):
                value, game = self.shape(height, width, part)
                number += value
                shapes.extend(game)
        return number, tuple(sorted(shapes))

    def piece(self, height: int, width: int, bits: int) -> tuple[int, Game]:
        """The same, remembered: the strips of a proof repeat."""
        found = self.pieces.get((height, width, bits))
        if found is None:
            found = self.set(height, width, bits)
            self.pieces[(height, width, bits)] = found
            self.budget.store(3)
        return found

    def shape_moves(self, shape: Shape) -> tuple[list[tuple[int, Game]], list[tuple[int, Game]]]:
        """Vertical's and Horizontal's options of one shape."""
        found = self.moves.get(shape)
        if found is None:
            height, width, bits = shape
            options: tuple[list[tuple[int, Game]], list[tuple[int, Game]]] = ([], [])
            for square in range(height * width):
                if bits >> square & 1:
                    down, right = square + width, square + 1
                    if bits >> down & 1:
                        options[0].append(self.set(height, width, bits ^ (1 << square | 1 << down)))
                    if right % width and bits >> right & 1:
                        options[1].append(self.set(height, width, bits ^ (1 << square | 1 << right)))
            found = (list(set(options[0])), list(set(options[1])))
            self.moves[shape] = found
            self.budget.store(2 + len(found[0]) + len(found[1]))
        return found

    def options(self, game: Game, player: int) -> Iterator[tuple[int, Game]]:
        for index, shape in enumerate(game):
            if index and shape == game[index - 1]:
                continue
            rest = game[:index] + game[index + 1 :]
            for number, after in self.shape_moves(shape)[player]:
                yield number, tuple(sorted(rest + after)) if rest else after

    def floors(self, game: Game) -> tuple[int, int, int, int]:
        """(N, M, N', M'): largest n with X >= n, with X |> n; least n with X <= n, with X <| n (FORMAT.md 5.2)."""
        if not game:
            return (0, -1, 0, 1)
        found = self.known.get(game)
        if found is None:
            self.budget.tick()
            low, high = -INFINITE, INFINITE
            left_m, right_m = -INFINITE, INFINITE
            for number, option in self.options(game, 0):
                floor, _, _, right_first = self.floors(option)
                low = max(low, number + floor)
                left_m = max(left_m, number + right_first)
            for number, option in self.options(game, 1):
                _, left_first, ceiling, _ = self.floors(option)
                high = min(high, number + ceiling)
                right_m = min(right_m, number + left_first)
            if low < high:
                value = simplest_between(low, high)
                found = (low, low, high, high) if value is None else (value, value - 1, value, value + 1)
            else:
                found = (right_m, low, left_m, high)
            self.known[game] = found
            self.budget.store(3 + len(game))
        return found

    def switch(self, game: Game, heat: int) -> int:
        """F: an m with X >= {m + heat | m - heat} (FORMAT.md 5.3)."""
        if not game:
            return -1 - heat
        key = (game, heat)
        found = self.switches.get(key)
        if found is None:
            self.budget.tick()
            found = self.floors(game)[1] - heat
            for number, option in self.options(game, 1):
                best = self.floors(option)[0] + number + heat
                if best < found:
                    for more, reply in self.options(option, 0):
                        best = max(best, number + more + self.switch(reply, heat))
                        if best >= found:
                            break
                    found = min(found, best)
            self.switches[key] = found
            self.budget.store(3)
        return found

    def moved_switch(self, game: Game, heat: int) -> int:
        """Return the largest F after a move of Left (FORMAT.md 5.6)."""
        key = (game, heat)
        found = self.moved.get(key)
        if found is None:
            replies = (number + self.switch(option, heat) for number, option in self.options(game, 0))
            found = self.moved[key] = max(replies, default=-INFINITE)
            self.budget.store(3)
        return found
