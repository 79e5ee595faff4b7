"""Domineering: the strategy, read in the order in which it is played (FORMAT.md 4)."""

from __future__ import annotations

from zcover import Cover, check_cover
from zformat import Budget, Reader, malformed, reject
from zvalues import INFINITE, Game, Values, canonical, connected, from_rows, rows_of

MAX_PIECE = 64
ALL, KEEP, REF = range(3)
COVER, FIRST_MOVE = 7, 8
CUT, CUT_KEEP, CUT_WON, MAX_CUTS = 16, 24, 0, 7
HEATS = (80, 64, 0)  # the temperatures 5/4, 1 and 0, in units of 1/64
TOPOLOGIES = ("", "hcylinder:", "vcylinder:", "torus:")


class Domineering:
    def __init__(self, reader: Reader, budget: Budget) -> None:
        self.reader = reader
        self.budget = budget
        self.values = Values(budget)
        self.known: dict[tuple[object, ...], int] = {}
        self.nodes = 0
        # Read board, starter and winner; turn the board so that the winner plays vertically.
        topology = reader.number(4, "topology")
        rows, cols, free, board = reader.board()
        starter, winner = reader.number(2, "starter"), reader.number(2, "winner")
        self.starts = starter == winner
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
        cuts = tag % (MAX_CUTS + 1) if CUT <= tag <= CUT_KEEP + MAX_CUTS else 0
        if tag == REF:
            key, number = self.normal(free)
            if self.known.get(key, INFINITE) > number:
                raise reject("a reference to a position that was not proved")
        elif tag <= KEEP or cuts:
            moves = [domino for domino in self.across if free & domino == domino]
            for _ in range(cuts):
                moves = self.moves_left(moves, self.cut(free))
            for domino in moves:
                self.winner_moves(free ^ domino)
            if tag == KEEP or tag > CUT_KEEP:
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
        if tag == (CUT_WON if first else CUT):
            best = NOTHING
            for strip in self.cut(free):
                best = self.add_strip(best, strip, first)
            check_sums(best, first)
        elif tag == COVER:
            moves = [domino for domino in self.down if free & domino == domino]
            check_cover(self.cover, self.reader, free, moves, first=first)
        else:
            raise malformed(f"unknown tag {tag}")

    def normal(self, free: int) -> tuple[tuple[object, ...], int]:
        """Return the normal form (FORMAT.md 4.3): shapes up to mirror images and place, and an integer."""
        rows, cols = self.rows, self.cols
        if not self.plain:
            lines = rows_of(rows, cols, free)
            down = range(rows if self.ring_cols else 1)
            along = range(cols if self.ring_rows else 1)
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

    def cut(self, free: int) -> list[int]:
        """Read a cut; return its strips (FORMAT.md 5.6)."""
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
        return strips

    def moves_left(self, moves: list[int], strips: list[int]) -> list[int]:
        """Check the moves of Horizontal that a cut answers (FORMAT.md 4.4); return the others."""
        raw = bytes(self.reader.byte() for _ in range((len(moves) + 7) // 8))
        answered = int.from_bytes(raw, "little")
        if answered >> len(moves):
            raise malformed("an answer to a move that does not exist")
        self.nodes += answered.bit_count()
        # The sum of all strips but one is needed for every move in that one.
        ahead = [NOTHING]
        for strip in strips:
            ahead.append(self.add_strip(ahead[-1], strip, True))
        for number, strip in enumerate(strips):
            inside = [m for i, m in enumerate(moves) if answered >> i & 1 and m & strip == m]
            if not inside:
                continue
            self.budget.look()  # such a node may take a hundred times as long as others
            others = ahead[number]
            for other in strips[number + 1 :]:
                others = self.add_strip(others, other, True)
            for domino in inside:
                check_sums(self.add_strip(others, strip ^ domino, True), True)
        return [domino for i, domino in enumerate(moves) if not answered >> i & 1]

    def add_strip(self, best: Sums, strip: int, first: bool) -> Sums:
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
            best = self.add(best, self.values.piece(*piece), first)
        return best

    def add(self, best: Sums, worth: tuple[int, Game], first: bool) -> Sums:
        number, game = worth
        floor, left_first, _, _ = self.values.floors(game)
        terms: list[tuple[int, bool, int]] = [(-1, False, number + floor)]
        if first:
            terms.append((-1, True, number + left_first))
        if game:  # a number plus a switch is never more than the number
            for which, heat in enumerate(HEATS):
                terms.append((which, False, number + self.values.switch(game, heat)))
                if first:
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
"""The largest sum for the parities of the switches at each temperature, and whether Vertical has moved."""
NOTHING: Sums = {((0,) * len(HEATS), False): 0}


def check_sums(best: Sums, first: bool) -> None:
    """Reject sums none of which is enough."""
    if not any(enough(*state, total, first) for state, total in best.items()):
        raise reject("the strips are not worth enough")


def enough(parities: tuple[int, ...], moved: bool, total: int, first: bool) -> bool:
    """Whether Vertical wins the total and the switches. They are taken in turn, the hottest first (FORMAT.md 5.4)."""
    vertical_takes = first and not moved
    for heat, odd in zip(HEATS, parities, strict=True):
        if odd:
            total += heat if vertical_takes else -heat
            vertical_takes = not vertical_takes
    return total > 0 if vertical_takes else total >= 0
