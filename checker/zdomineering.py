"""Domineering: the strategy, read in the order in which it is played (FORMAT.md 4)."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from zcover import Cover, check_cover
from zformat import MAX_CELLS, Budget, Reader, malformed, reject
from zvalues import INFINITE, Game, Values, canonical, connected, from_rows, rows_of

MAX_PIECE = 64
ALL, KEEP, REF, STRIPS = range(4)
MAX_HEATS = 3
COVER, FIRST_MOVE = 7, 8
ANSWERS, ANSWERS_KEEP = 8, 12
BENT, BENT_KEEP, BENT_WON, MOST_CUTS = 16, 24, 0, 7
BENT_HEATS = [80, 64, 0]
COVER_VERSION, ANSWERS_VERSION, BENT_VERSION = 2, 3, 7
TOPOLOGIES = ("", "hcylinder:", "vcylinder:", "torus:")


class Domineering:
    def __init__(self, reader: Reader, budget: Budget) -> None:
        self.reader = reader
        self.budget = budget
        self.values = Values(budget)
        self.known: dict[tuple[object, ...], int] = {}
        self.nodes = 0
        self.read_claim()

    def read_claim(self) -> None:
        """Read board, starter and winner; turn the board so that the winner plays vertically."""
        reader = self.reader
        topology = reader.number(4, "topology")
        rows, cols = reader.number(MAX_CELLS + 1, "rows"), reader.number(MAX_CELLS + 1, "columns")
        if not 1 <= rows * cols <= MAX_CELLS:
            raise malformed("the board must have 1 to 256 squares")
        raw = bytes(reader.byte() for _ in range((rows * cols + 7) // 8))
        free = int.from_bytes(raw, "little")
        if free >> (rows * cols):
            raise malformed("free squares outside the board")
        starter, winner = reader.number(2, "starter"), reader.number(2, "winner")
        self.starts = starter == winner
        grid = "/".join("".join("#."[free >> (r * cols + c) & 1] for c in range(cols)) for r in range(rows))
        board = f"{rows}x{cols}" if free == (1 << (rows * cols)) - 1 else grid
        self.claim = {
            "game": "domineering", "spec": TOPOLOGIES[topology] + board,
            "starter": "VH"[starter], "winner": "VH"[winner],
        }  # fmt: skip
        if winner == 1:
            free = sum(1 << (c * rows + r) for r in range(rows) for c in range(cols) if free >> (r * cols + c) & 1)
            rows, cols = cols, rows
            topology = (topology & 1) << 1 | topology >> 1
        self.rows, self.cols, self.free = rows, cols, free
        self.ring_rows = bool(topology & 1) and cols >= 3  # Horizontal's dominoes wrap around
        self.ring_cols = bool(topology & 2) and rows >= 3
        self.plain = topology == 0
        self.cover = Cover(rows, cols, self.ring_rows, self.ring_cols)
        self.across, self.down = [], []
        for r in range(rows):
            for c in range(cols):
                if c + 1 < cols or self.ring_rows:
                    self.across.append(1 << (r * cols + c) | 1 << (r * cols + (c + 1) % cols))
                if r + 1 < rows or self.ring_cols:
                    self.down.append(1 << (r * cols + c) | 1 << ((r + 1) % rows * cols + c))

    def check(self) -> None:
        self.prove()
        self.reader.end()

    def prove(self) -> None:
        if self.starts:
            self.winner_moves(self.free)
        else:
            self.loser_moves(self.free)

    def loser_moves(self, free: int) -> None:
        """Horizontal is to move, and Vertical wins: G >= 0."""
        self.budget.tick()
        self.nodes += 1
        tag = self.reader.byte()
        is_cut = ANSWERS <= tag <= ANSWERS_KEEP + MAX_HEATS and self.reader.version >= ANSWERS_VERSION
        is_bent = BENT <= tag <= BENT_KEEP + MOST_CUTS and self.reader.version >= BENT_VERSION and tag % 8 > 0
        if tag == REF:
            key, number = self.normal(free)
            if self.known.get(key, INFINITE) > number:
                raise reject("a reference to a position that was not proved")
        elif tag <= KEEP or is_cut or is_bent:
            moves = [domino for domino in self.across if free & domino == domino]
            if is_cut:
                moves = self.moves_left(moves, self.cut(free, tag % (MAX_HEATS + 1)))
            for _ in range(tag % 8 if is_bent else 0):
                moves = self.moves_left(moves, self.bend(free))
            for domino in moves:
                self.winner_moves(free ^ domino)
            if tag == KEEP or (is_cut and tag >= ANSWERS_KEEP) or (is_bent and tag > BENT_KEEP):
                key, number = self.normal(free)
                self.known[key] = min(number, self.known.get(key, number))
                self.budget.store(4 + 2 * len(key))
        else:
            self.leaf(free, tag, first=False)

    def winner_moves(self, free: int) -> None:
        """Vertical is to move, and wins: G |> 0."""
        self.nodes += 1
        tag = self.reader.varint()
        if tag >= FIRST_MOVE:
            index = tag - FIRST_MOVE
            for domino in self.down:
                if free & domino == domino:
                    if not index:
                        return self.loser_moves(free ^ domino)
                    index -= 1
            raise reject("a move that is not legal")
        self.leaf(free, tag, first=True)

    def leaf(self, free: int, tag: int, *, first: bool) -> None:
        if STRIPS <= tag <= STRIPS + MAX_HEATS:
            self.strips(self.cut(free, tag - STRIPS), first)
        elif tag == (BENT_WON if first else BENT) and self.reader.version >= BENT_VERSION:
            self.strips(self.bend(free), first)
        elif tag == COVER and self.reader.version >= COVER_VERSION:
            moves = [domino for domino in self.down if free & domino == domino]
            check_cover(self.cover, self.reader, free, moves, first=first)
        else:
            raise malformed(f"unknown tag {tag}")

    def normal(self, free: int) -> tuple[tuple[object, ...], int]:
        """What a reference compares (FORMAT.md 4.3): shapes up to mirror images and place, and an integer."""
        rows, cols = self.rows, self.cols
        if not self.plain:
            lines = rows_of(rows, cols, free)
            turns = self.reader.version >= COVER_VERSION
            down = range(rows if turns and self.ring_cols else 1)
            along = range(cols if turns and self.ring_rows else 1)
            mask = (1 << cols) - 1
            images = []
            for turned in (lines, [int(f"{line:0{cols}b}"[::-1], 2) for line in lines]):
                for shift in along:
                    image = [(line << shift | line >> (cols - shift)) & mask for line in turned]
                    images += [image[i:] + image[:i] for i in down]
                    image.reverse()
                    images += [image[i:] + image[:i] for i in down]
            return tuple(min(images)), 0
        number, shapes = 0, []
        for part in connected(rows, cols, free):
            height, width, bits = canonical(rows, cols, part)
            if width == 1:
                number += height // 2
            elif height == 1:
                number -= width // 2
            else:
                shapes.append((height, width, bits))
        return tuple(sorted(shapes)), number

    def strips(self, cut: Cut, first: bool) -> None:
        """Add up what the pieces of a cut are worth at least, see whether that is enough (FORMAT.md 5)."""
        best = nothing(cut.heats)
        for strip in cut.strips:
            best = self.add_strip(best, strip, cut, first)
        if not any(enough(cut.heats, *state, total, first) for state, total in best.items()):
            raise reject("the strips are not worth enough")

    def cut(self, free: int, temperatures: int) -> Cut:
        """Read temperatures and cuts."""
        if not self.plain:
            raise reject("strips are for boards without rings")
        heats = [self.reader.byte() for _ in range(temperatures)]
        if any(hot <= cold for hot, cold in pairwise(heats)):
            raise malformed("the temperatures must fall")
        strips = []
        for part in connected(self.rows, self.cols, free):
            top = ((part & -part).bit_length() - 1) // self.cols
            bottom = (part.bit_length() - 1) // self.cols
            raw = bytes(self.reader.byte() for _ in range((bottom - top + 7) // 8))
            cuts = int.from_bytes(raw, "little")
            if cuts >> (bottom - top):
                raise malformed("a cut below the component")
            strip = 0
            for row in range(top, bottom + 1):
                strip |= part & ((1 << self.cols) - 1) << (row * self.cols)
                if row == bottom or cuts >> (row - top) & 1:
                    strips.append(strip)
                    strip = 0
        return Cut(heats, strips, False)

    def bend(self, free: int) -> Cut:
        """Read a cut that steps between runs of squares in a row (FORMAT.md 5.6)."""
        if not self.plain:
            raise reject("strips are for boards without rings")
        strips: list[int] = []
        byte, bit = 0, 8
        for part in connected(self.rows, self.cols, free):
            row_of_first = ((part & -part).bit_length() - 1) // self.cols
            current = len(strips)
            strips.append(0)
            for row in range(row_of_first, (part.bit_length() - 1) // self.cols + 1):
                line = part & ((1 << self.cols) - 1) << (row * self.cols)
                while line:
                    run = line & ~(line + (line & -line))
                    line ^= run
                    below = 0
                    if row > row_of_first:
                        if bit == 8:
                            byte, bit = self.reader.byte(), 0
                        below = byte >> bit & 1
                        bit += 1
                    if current + below == len(strips):
                        strips.append(0)
                    strips[current + below] |= run
                current = len(strips) - 1
        if byte >> bit:
            raise malformed("a cut below the last run")
        return Cut(BENT_HEATS, strips, True)

    def moves_left(self, moves: list[int], cut: Cut) -> list[int]:
        """Check the moves of Horizontal that a cut answers (FORMAT.md 4.4); return the others."""
        strips = cut.strips
        raw = bytes(self.reader.byte() for _ in range((len(moves) + 7) // 8))
        answered = int.from_bytes(raw, "little")
        if answered >> len(moves):
            raise malformed("an answer to a move that does not exist")
        self.nodes += answered.bit_count()
        # The sum of all strips but one is needed for every move in that one.
        ahead = [nothing(cut.heats)]
        for strip in strips:
            ahead.append(self.add_strip(ahead[-1], strip, cut, True))
        for number, strip in enumerate(strips):
            inside = [m for i, m in enumerate(moves) if answered >> i & 1 and m & strip == m]
            if not inside:
                continue
            self.budget.look()  # such a node may take a hundred times as long as others
            others = ahead[number]
            for other in strips[number + 1 :]:
                others = self.add_strip(others, other, cut, True)
            for domino in inside:
                best = self.add_strip(others, strip ^ domino, cut, True)
                if not any(enough(cut.heats, *state, total, True) for state, total in best.items()):
                    raise reject("the strips are not worth enough")
        return [domino for i, domino in enumerate(moves) if not answered >> i & 1]

    def add_strip(self, best: Sums, strip: int, cut: Cut, first: bool) -> Sums:
        """Add a set of squares: every maximal run of columns that are not all blocked is a piece."""
        lines = rows_of(self.rows, self.cols, strip)
        occupied = [row for row, line in enumerate(lines) if line]
        if not occupied:
            return best
        lines = lines[occupied[0] : occupied[-1] + 1]
        columns = 0
        for line in lines:
            columns |= line
        while columns:
            low = (columns & -columns).bit_length() - 1
            width = (~(columns >> low) & ((columns >> low) + 1)).bit_length() - 1
            mask = (1 << width) - 1
            columns &= ~(mask << low)
            if len(lines) * width > MAX_PIECE:
                raise reject(f"a piece larger than {MAX_PIECE} squares")
            piece = from_rows([line >> low & mask for line in lines], width)
            best = self.add(best, self.values.piece(*piece), cut, first)
        return best

    def add(self, best: Sums, worth: tuple[int, Game], cut: Cut, first: bool) -> Sums:
        number, game = worth
        floor, left_first, _, _ = self.values.floors(game)
        terms: list[tuple[int, bool, int]] = [(-1, False, number + floor)]
        if first:
            terms.append((-1, True, number + left_first))
        if game:  # a number plus a switch is never more than the number
            for which, heat in enumerate(cut.heats):
                terms.append((which, False, number + self.values.switch(game, heat)))
                if first and cut.with_move:
                    terms.append((which, True, number + self.values.moved_switch(game, heat)))
        after: Sums = {}
        for (parities, moved), total in best.items():
            for which, moves, value in terms:
                if not (moved and moves):
                    flipped = tuple(bit ^ (i == which) for i, bit in enumerate(parities))
                    state = (flipped, moved or moves)
                    after[state] = max(total + value, after.get(state, -INFINITE))
        return after


Sums = dict[tuple[tuple[int, ...], bool], int]


class Cut(NamedTuple):
    """Falling temperatures, and strips, which are sets of squares."""

    heats: list[int]
    strips: list[int]
    with_move: bool
    """The piece in which Vertical moves may be a switch then (FORMAT.md 5.6)."""


def nothing(heats: list[int]) -> Sums:
    """Return the sum of no pieces: the largest sum for the parities of switches, and whether Vertical has moved."""
    return {((0,) * len(heats), False): 0}


def enough(heats: list[int], parities: tuple[int, ...], moved: bool, total: int, first: bool) -> bool:
    """Does Vertical win  total + switches?  The switches are taken in turn, the hottest first (FORMAT.md 5.4)."""
    vertical_takes = first and not moved
    for heat, odd in zip(heats, parities, strict=True):
        if odd:
            total += heat if vertical_takes else -heat
            vertical_takes = not vertical_takes
    return total > 0 if vertical_takes else total >= 0
