#!/usr/bin/env python3
"""zcheck: verify a certificate of who wins a game. See FORMAT.md, whose section numbers the comments cite.

  python3 zcheck.py [--json] [--time SECONDS] [--memory MIB] FILE

Standard library only, and nothing from the program that wrote the certificate: the rules of the games, the theorems
and the arithmetic are written here once more, for reading. Exit code 0 verified, 1 rejected, 2 malformed, 3 unfinished.
"""

from __future__ import annotations

import json
import sys
import time
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

VERIFIED, REJECTED, MALFORMED, UNFINISHED = 0, 1, 2, 3
WORDS = {
    VERIFIED: "VERIFIED",
    REJECTED: "REJECTED",
    MALFORMED: "MALFORMED",
    UNFINISHED: "UNFINISHED",
}
MAX_CELLS, MAX_EDGES, MAX_PIECE = 256, 4096, 64


class Stop(Exception):  # noqa: N818 (not an error: a verdict)
    """Checking ends here, with this verdict and this reason."""

    def __init__(self, verdict: int, reason: str) -> None:
        super().__init__(reason)
        self.verdict = verdict
        self.reason = reason


def reject(reason: str) -> Stop:
    return Stop(REJECTED, reason)


def malformed(reason: str) -> Stop:
    return Stop(MALFORMED, reason)


class Budget:
    """Time and memory; what is stored is counted in units of about a hundred bytes."""

    def __init__(self, seconds: float, mebibytes: float) -> None:
        self.deadline = time.monotonic() + seconds
        self.units = int(mebibytes * (1 << 20) / 100)
        self.ticks = 0

    def tick(self) -> None:
        self.ticks += 1
        if self.ticks & 1023 == 0:
            self.look()

    def look(self) -> None:
        if time.monotonic() > self.deadline:
            raise Stop(UNFINISHED, "the time limit was reached")

    def store(self, units: int) -> None:
        self.units -= units
        if self.units < 0:
            raise Stop(UNFINISHED, "the memory limit was reached")


# ---------------------------------------------------------------------------------------------------------------
# 1. The container: magic, version, compression, and a stream of bytes and varints (FORMAT.md 2)


class Reader:
    """The payload, byte by byte; never more than a chunk of it in memory."""

    def __init__(self, path: str, budget: Budget) -> None:
        self.file = Path(path).open("rb")  # noqa: SIM115 (closed here or in check)
        try:
            self.open()
            while self.refill():  # a whole pass first: a damaged container is malformed anyway
                budget.look()
            self.file.seek(0)
            self.open()
        except BaseException:
            self.file.close()
            raise

    def open(self) -> None:
        header = self.file.read(8)
        if len(header) < 8 or header[:5] != b"ZCERT" or header[7] != 0:
            raise malformed("this is not a certificate")
        if header[5] != 1:
            raise malformed(f"unknown format version {header[5]}")
        if header[6] > 1:
            raise malformed(f"unknown compression {header[6]}")
        self.inflate = zlib.decompressobj() if header[6] else None
        self.chunk = b""
        self.at = 0
        self.passed = 0

    def refill(self) -> bool:
        """Fetch the next chunk; False at the end of the payload."""
        self.passed += len(self.chunk)
        self.chunk, self.at = b"", 0
        while not self.chunk:
            if self.inflate is None:
                self.chunk = self.file.read(65536)
                return bool(self.chunk)
            if self.inflate.eof:
                if self.inflate.unused_data or self.file.read(1):
                    raise malformed("bytes follow the compressed payload")
                return False
            raw = self.inflate.unconsumed_tail or self.file.read(65536)
            if not raw:
                raise malformed("the compressed payload is truncated")
            try:
                self.chunk = self.inflate.decompress(raw, 65536)
            except zlib.error:
                raise malformed("the compressed payload is damaged") from None
        return True

    def byte(self) -> int:
        if self.at >= len(self.chunk) and not self.refill():
            raise malformed("the payload is truncated")
        value = self.chunk[self.at]
        self.at += 1
        return value

    def varint(self) -> int:
        """Seven bits a byte, lowest first; at most nine bytes, and no needless ones."""
        value = shift = 0
        while True:
            part = self.byte()
            value |= (part & 127) << shift
            if part < 128:
                if part == 0 and shift:
                    raise malformed("a number with needless bytes")
                return value
            shift += 7
            if shift > 56:
                raise malformed("a number that is too large")

    def number(self, below: int, what: str) -> int:
        value = self.varint()
        if value >= below:
            raise malformed(f"{what} {value} is out of range")
        return value

    def end(self) -> None:
        if self.at < len(self.chunk) or self.refill():
            raise malformed("bytes follow the proof")

    def offset(self) -> int:
        return self.passed + self.at


# ---------------------------------------------------------------------------------------------------------------
# 2. Values of small Domineering pieces (FORMAT.md 5): floors on a grid of 1/64, computed by plain recursion
#
# A shape is a connected set of free squares, (height, width, bits) with square row * width + column, cut to its
# bounding box and the least of its four mirror images. A game is a sorted tuple of shapes, none of them a number;
# its value is the sum. Everything that is a number has been moved into an integer count of 1/64.

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
            grown = (
                part
                | part << width
                | part >> width
                | (part & not_right) << 1
                | (part & not_left) >> 1
            ) & bits
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
                        options[1].append(
                            self.set(height, width, bits ^ (1 << square | 1 << right))
                        )
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
                found = (
                    (low, low, high, high)
                    if value is None
                    else (value, value - 1, value, value + 1)
                )
            else:
                found = (right_m, low, left_m, high)
            self.known[game] = found
            self.budget.store(3 + len(game))
        return found

    def switch(self, game: Game, heat: int) -> int:
        """F: the largest m with X >= {m + heat | m - heat} (FORMAT.md 5.3)."""
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


# ---------------------------------------------------------------------------------------------------------------
# 3. Domineering: the strategy, read in the order in which it is played (FORMAT.md 4)

ALL, KEEP, REF, STRIPS = range(4)
MAX_HEATS = 3
FIRST_MOVE = 8
TOPOLOGIES = ("", "hcylinder:", "vcylinder:", "torus:")


class Domineering:
    def __init__(self, reader: Reader, budget: Budget) -> None:
        self.reader = reader
        self.budget = budget
        self.values = Values(budget)
        self.known: dict[object, int] = {}
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
        grid = "/".join(
            "".join("#."[free >> (r * cols + c) & 1] for c in range(cols)) for r in range(rows)
        )
        board = f"{rows}x{cols}" if free == (1 << (rows * cols)) - 1 else grid
        self.claim = {
            "game": "domineering", "spec": TOPOLOGIES[topology] + board,
            "starter": "VH"[starter], "winner": "VH"[winner],
        }  # fmt: skip
        if winner == 1:
            free = sum(
                1 << (c * rows + r)
                for r in range(rows)
                for c in range(cols)
                if free >> (r * cols + c) & 1
            )
            rows, cols = cols, rows
            topology = (topology & 1) << 1 | topology >> 1
        self.rows, self.cols, self.free = rows, cols, free
        self.ring_rows = bool(topology & 1) and cols >= 3  # Horizontal's dominoes wrap around
        self.ring_cols = bool(topology & 2) and rows >= 3
        self.plain = topology == 0
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
        if tag <= KEEP:
            for domino in self.across:
                if free & domino == domino:
                    self.winner_moves(free ^ domino)
            if tag == KEEP:
                key, number = self.normal(free)
                self.known[key] = min(number, self.known.get(key, number))
                self.budget.store(4)
        elif tag == REF:
            key, number = self.normal(free)
            if self.known.get(key, INFINITE) > number:
                raise reject("a reference to a position that was not proved")
        elif tag <= STRIPS + MAX_HEATS:
            self.strips(free, tag - STRIPS, False)
        else:
            raise malformed(f"unknown tag {tag}")

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
        if STRIPS <= tag <= STRIPS + MAX_HEATS:
            self.strips(free, tag - STRIPS, True)
        else:
            raise malformed(f"unknown tag {tag}")

    def components(self, free: int) -> Iterator[int]:
        if self.plain:
            yield from connected(self.rows, self.cols, free)
            return
        while free:
            part = free & -free
            grown = True
            while grown:
                grown = False
                for domino in self.across + self.down:
                    if domino & free == domino and domino & part and domino & ~part:
                        part |= domino
                        grown = True
            yield part
            free &= ~part

    def normal(self, free: int) -> tuple[object, int]:
        """What a reference compares (FORMAT.md 4.3): shapes up to mirror images and place, and an integer."""
        rows, cols = self.rows, self.cols
        if not self.plain:
            lines = rows_of(rows, cols, free)
            flipped = [int(f"{line:0{cols}b}"[::-1], 2) for line in lines]
            images = (lines, lines[::-1], flipped, flipped[::-1])
            return min(from_rows(image, cols)[2] for image in images), 0
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

    def strips(self, free: int, temperatures: int, first: bool) -> None:
        """Cut into strips, add up what the pieces are worth at least, see whether that is enough (FORMAT.md 5)."""
        if not self.plain:
            raise reject("strips are for boards without rings")
        heats = [self.reader.byte() for _ in range(temperatures)]
        if any(hot <= cold for hot, cold in pairwise(heats)):
            raise malformed("the temperatures must fall")
        # best[parities of the switches, whether Vertical has moved first] = largest sum
        best: Sums = {((0,) * temperatures, False): 0}
        for part in self.components(free):
            lines = rows_of(self.rows, self.cols, part)
            occupied = [row for row, line in enumerate(lines) if line]
            top, bottom = occupied[0], occupied[-1]
            raw = bytes(self.reader.byte() for _ in range((bottom - top + 7) // 8))
            cuts = int.from_bytes(raw, "little")
            if cuts >> (bottom - top):
                raise malformed("a cut below the component")
            start = top
            for row in range(top, bottom + 1):
                if row == bottom or cuts >> (row - top) & 1:
                    best = self.add_strip(best, lines[start : row + 1], heats, first)
                    start = row + 1
        if not any(enough(heats, *state, total, first) for state, total in best.items()):
            raise reject("the strips are not worth enough")

    def add_strip(self, best: Sums, lines: list[int], heats: list[int], first: bool) -> Sums:
        """Every maximal run of columns that are not all blocked is a piece."""
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
            best = self.add(best, self.values.piece(*piece), heats, first)
        return best

    def add(self, best: Sums, worth: tuple[int, Game], heats: list[int], first: bool) -> Sums:
        number, game = worth
        floor, left_first, _, _ = self.values.floors(game)
        terms: list[tuple[int, bool, int]] = [(-1, False, number + floor)]
        if first:
            terms.append((-1, True, number + left_first))
        if game:  # a number plus a switch is never more than the number
            for which, heat in enumerate(heats):
                terms.append((which, False, number + self.values.switch(game, heat)))
        after: Sums = {}
        for (parities, moved), total in best.items():
            for which, moves, value in terms:
                if not (moved and moves):
                    flipped = tuple(bit ^ (i == which) for i, bit in enumerate(parities))
                    state = (flipped, moved or moves)
                    after[state] = max(total + value, after.get(state, -INFINITE))
        return after


Sums = dict[tuple[tuple[int, ...], bool], int]


def enough(
    heats: list[int], parities: tuple[int, ...], moved: bool, total: int, first: bool
) -> bool:
    """Does Vertical win  total + switches?  The switches are taken in turn, the hottest first (FORMAT.md 5.4)."""
    vertical_takes = first and not moved
    for heat, odd in zip(heats, parities, strict=True):
        if odd:
            total += heat if vertical_takes else -heat
            vertical_takes = not vertical_takes
    return total > 0 if vertical_takes else total >= 0


# ---------------------------------------------------------------------------------------------------------------
# 4. Positional games: claims about edges and zones, each derived from earlier ones (FORMAT.md 6)

END, PAIRS, EDGE, STEP, SUM, SWAP = range(6)
MAKER, BREAKER = 0, 1


class Positional:
    def __init__(self, reader: Reader, budget: Budget, game: int) -> None:
        self.reader = reader
        self.budget = budget
        self.nodes = 0
        self.maps: list[tuple[list[int], list[int]]] = []
        (self.read_mnk if game == 2 else self.read_hypergraph)()
        self.all_edges = (1 << len(self.edges)) - 1
        self.at = [0] * self.cells  # the edges through each cell
        for index, edge in enumerate(self.edges):
            for cell in range(self.cells):
                if edge >> cell & 1:
                    self.at[cell] |= 1 << index
        self.marks = []
        for _ in range(2):
            marked = 0
            for _ in range(reader.number(self.cells + 1, "number of marks")):
                cell = 1 << reader.number(self.cells, "cell")
                if marked & cell:
                    raise malformed("a cell is marked twice")
                marked |= cell
            self.marks.append(marked)
        if self.marks[MAKER] & self.marks[BREAKER]:
            raise malformed("a cell is marked by both players")
        self.starter, self.winner = reader.number(2, "starter"), reader.number(2, "winner")
        self.claim.update(
            maker=self.cell_list(self.marks[MAKER]), breaker=self.cell_list(self.marks[BREAKER]),
            starter=("maker", "breaker")[self.starter], winner=("maker", "breaker")[self.winner],
        )  # fmt: skip

    def cell_list(self, cells: int) -> list[int]:
        return [cell for cell in range(self.cells) if cells >> cell & 1]

    def read_mnk(self) -> None:
        """m columns, n rows, k in a row; the edges in the order of FORMAT.md 6.1, and the symmetries."""
        m, n, k = (
            self.reader.number(MAX_CELLS + 1, what) for what in ("columns", "rows", "length")
        )
        if not 1 <= m * n <= MAX_CELLS or not k:
            raise malformed("the board must have 1 to 256 cells and a line at least one")
        self.cells = m * n
        self.edges: list[int] = []
        for row in range(n):
            for col in range(m):
                for dc, dr in ((1, 0), (0, 1), (1, 1), (-1, 1)) if k > 1 else ((1, 0),):
                    if 0 <= col + (k - 1) * dc < m and row + (k - 1) * dr < n:
                        self.edges.append(
                            sum(1 << ((row + i * dr) * m + col + i * dc) for i in range(k))
                        )
        index = {edge: i for i, edge in enumerate(self.edges)}
        for image in range(8 if m == n else 4):
            cells = []
            for row in range(n):
                for col in range(m):
                    c, r = (row, col) if image & 4 else (col, row)
                    c, r = m - 1 - c if image & 1 else c, n - 1 - r if image & 2 else r
                    cells.append(r * m + c)
            lines = [
                index[sum(1 << cells[c] for c in range(m * n) if edge >> c & 1)]
                for edge in self.edges
            ]
            self.maps.append((cells, lines))
        self.claim: dict[str, object] = {"game": "mnk", "spec": f"{m},{n},{k}"}

    def read_hypergraph(self) -> None:
        self.cells = self.reader.number(MAX_CELLS + 1, "number of vertices")
        self.edges = []
        for _ in range(self.reader.number(MAX_EDGES + 1, "number of hyperedges")):
            edge = 0
            for _ in range(self.reader.number(self.cells + 1, "size of a hyperedge")):
                cell = 1 << self.reader.number(self.cells, "vertex")
                if edge & cell:
                    raise malformed("a vertex twice in a hyperedge")
                edge |= cell
            if not edge:
                raise malformed("an empty hyperedge")
            self.edges.append(edge)
        self.maps.append((list(range(self.cells)), list(range(len(self.edges)))))
        lines = [" ".join(map(str, self.cell_list(edge))) for edge in self.edges]
        self.claim = {"game": "hypergraph", "spec": "; ".join(lines)}

    def reference(self) -> tuple[int, int]:
        """An earlier claim, seen through a symmetry."""
        back = self.reader.varint()
        image = self.reader.number(len(self.maps), "symmetry")
        if not 1 <= back <= len(self.claims):
            raise malformed("a reference to a claim that does not come before")
        need, zone = self.claims[-back]
        if image:
            cells, edges = self.maps[image]
            zone = sum(1 << cells[c] for c in self.cell_list(zone))
            wide = edges if self.winner == BREAKER else cells
            need = sum(1 << wide[i] for i in range(need.bit_length()) if need >> i & 1)
        return need, zone

    def check(self) -> None:
        """Read claims until END; the last one must prove the certificate's claim (FORMAT.md 6.4)."""
        # For Breaker a claim is (edges left alone, zone); for Maker (cells already held, zone).
        self.claims: list[tuple[int, int]] = []
        while (tag := self.reader.byte()) != END:
            self.nodes += 1
            self.budget.tick()
            self.budget.store(2)
            self.claims.append(self.derive(tag))
        if not self.claims:
            raise malformed("a proof without claims")
        need, zone = self.claims[-1]
        if self.starter == self.winner:
            move = self.reader.number(self.cells, "cell")
            need, zone = self.after(need, zone, move)
        self.reader.end()
        if zone & (self.marks[MAKER] | self.marks[BREAKER]):
            raise reject("the zone holds a marked cell")
        held = self.marks[MAKER]
        if self.winner == BREAKER:
            held = 0
            for cell in self.cell_list(self.marks[BREAKER]):
                held |= self.at[cell]
        if need & ~held:
            raise reject("the last claim asks for more than the position has")

    def derive(self, tag: int) -> tuple[int, int]:
        reader = self.reader
        if tag == PAIRS and self.winner == BREAKER:
            zone, need = 0, self.all_edges
            for _ in range(reader.number(self.cells // 2 + 1, "number of pairs")):
                one, two = reader.number(self.cells, "cell"), reader.number(self.cells, "cell")
                if one == two or zone >> one & 1 or zone >> two & 1:
                    raise reject("the pairs overlap")
                zone |= 1 << one | 1 << two
                need &= ~(self.at[one] & self.at[two])
            return need, zone
        if tag == EDGE and self.winner == MAKER:
            return self.edges[reader.number(len(self.edges), "hyperedge")], 0
        if tag == STEP:
            need, union, common = 0, 0, -1
            for _ in range(reader.number(MAX_CELLS + 1, "number of replies")):
                move = reader.number(self.cells, "cell")
                more, zone = self.after(*self.reference(), move)
                need |= more
                union |= zone
                common &= zone
            if common:
                raise reject("the zones of a step have a cell in common")
            return self.consistent(need, union)
        if tag == SUM and self.winner == BREAKER:
            need, zone = self.all_edges, 0
            for _ in range(reader.number(MAX_CELLS + 1, "number of parts")):
                more, part = self.reference()
                if zone & part:
                    raise reject("the zones of a sum overlap")
                need &= more
                zone |= part
            return need, zone
        if tag == SWAP and self.winner == BREAKER:
            need, zone = self.reference()
            out, into = reader.number(self.cells, "cell"), reader.number(self.cells, "cell")
            if not zone >> out & 1 or zone >> into & 1:
                raise reject("a swap needs a cell of the zone and one outside")
            # An edge that `out` may have hit alone is lost, unless another edge is hit elsewhere inside it.
            others = [
                edge & zone
                for index, edge in enumerate(self.edges)
                if not (need >> index & 1 or edge >> out & 1)
            ]
            lost = self.at[out] & ~self.at[into] & ~need
            for index in range(lost.bit_length()):
                if lost >> index & 1 and all(part & ~self.edges[index] for part in others):
                    need |= 1 << index
            return need, zone ^ (1 << out | 1 << into)
        raise malformed(f"unknown tag {tag}")

    def after(self, need: int, zone: int, move: int) -> tuple[int, int]:
        """The claim before the winner's move, from the claim after it."""
        gained = self.at[move] if self.winner == BREAKER else 1 << move
        return need & ~gained, zone | 1 << move

    def consistent(self, need: int, zone: int) -> tuple[int, int]:
        if self.winner == MAKER and need & zone:
            raise reject("a cell is both held and free")
        return need, zone


# ---------------------------------------------------------------------------------------------------------------
# 5. Rectangles of any size: facts, each proved by a strategy or derived from earlier ones (FORMAT.md 7)

FINISH, PROOF, TURN, ROW, CUT, SPLIT, EDGE_SPLIT, DOUBLE = range(8)
V, H = 0, 1
MAX_SIDE = 10**9


class Rectangles:
    """A fact is (rows, cols, starter, winner)."""

    def __init__(self, reader: Reader, budget: Budget) -> None:
        self.reader = reader
        self.budget = budget
        self.nodes = 0
        self.wanted = (
            self.side(),
            self.side(),
            reader.number(2, "starter"),
            reader.number(2, "winner"),
        )
        rows, cols, starter, winner = self.wanted
        self.claim = {
            "game": "rectangle", "spec": f"{rows}x{cols}", "starter": "VH"[starter], "winner": "VH"[winner],
        }  # fmt: skip
        self.facts: list[tuple[int, int, int, int]] = []

    def side(self) -> int:
        value = self.reader.number(MAX_SIDE + 1, "side")
        if not value:
            raise malformed("a side must be at least 1")
        return value

    def reference(self) -> tuple[int, int, int, int]:
        back = self.reader.varint()
        if not 1 <= back <= len(self.facts):
            raise malformed("a reference to a fact that does not come before")
        return self.facts[-back]

    def check(self) -> None:
        while (tag := self.reader.byte()) != FINISH:
            self.nodes += 1
            self.budget.tick()
            self.budget.store(2)
            fact = self.derive(tag)
            if max(fact[:2]) > MAX_SIDE:
                raise reject("a board that is too large")
            self.facts.append(fact)
        self.reader.end()
        if not self.facts or self.facts[-1] != self.wanted:
            raise reject("the last fact is not the claim")

    def derive(self, tag: int) -> tuple[int, int, int, int]:
        if tag == PROOF:
            game = Domineering(self.reader, self.budget)
            if not game.plain or game.free != (1 << (game.rows * game.cols)) - 1:
                raise reject("a fact must be about an empty rectangle")
            game.prove()
            self.nodes += game.nodes
            rows, cols = map(int, str(game.claim["spec"]).split("x"))
            return (rows, cols, "VH".index(game.claim["starter"]), "VH".index(game.claim["winner"]))
        if tag == TURN:
            rows, cols, starter, winner = self.reference()
            return (cols, rows, 1 - starter, 1 - winner)
        if tag == ROW:
            cols, starter = self.side(), self.reader.number(2, "starter")
            if starter == H and cols < 2:
                raise reject("no room for a domino")
            return (1, cols, starter, H)
        if tag == CUT:
            one, two = self.reference(), self.reference()
            if one[0] != two[0] or one[3] != H or two[3] != H:
                raise reject("a cut needs two boards of one height that Horizontal wins")
            if one[2] == H and two[2] == H:
                raise reject("Horizontal cannot move first in both parts")
            return (one[0], one[1] + two[1], one[2] | two[2], H)
        if tag in (SPLIT, EDGE_SPLIT):
            parts = [self.reference() for _ in range(2 if tag == SPLIT else 1)]
            if any(part[0] != 2 or part[2:] != (H, V) for part in parts):
                raise reject("a split needs boards of two rows that Vertical wins moving second")
            return (2, sum(part[1] for part in parts) + 1, V, V)
        if tag == DOUBLE:
            rows = self.side()
            return (rows, 2 * rows, V, H)
        raise malformed(f"unknown tag {tag}")


# ---------------------------------------------------------------------------------------------------------------
# 6. One function owns verdict and exit code


def check(
    path: str, seconds: float = float("inf"), mebibytes: float = 8192
) -> tuple[int, dict[str, object]]:
    """Check one file: the exit code and what is to be said."""
    said: dict[str, object] = {}
    reader = game = None
    budget = Budget(seconds, mebibytes)
    try:
        reader = Reader(path, budget)
        kind = reader.byte()
        if kind == 1:
            game = Domineering(reader, budget)
        elif kind in (2, 3):
            game = Positional(reader, budget, kind)
        elif kind == 4:
            game = Rectangles(reader, budget)
        else:
            raise malformed(f"unknown game {kind}")
        game.check()
        verdict = VERIFIED
    except Stop as stop:
        verdict, said["reason"] = stop.verdict, stop.reason
    except OSError as error:
        verdict, said["reason"] = MALFORMED, f"the file cannot be read: {error.strerror}"
    except (MemoryError, RecursionError):
        verdict, said["reason"] = UNFINISHED, "the memory of this machine was exhausted"
    if reader is not None:
        reader.file.close()
        said["bytes"] = reader.offset()
    if game is not None:
        said.update(game.claim)
        said["nodes"] = game.nodes
    return verdict, {"verdict": WORDS[verdict].lower(), **said}


def main(arguments: list[str]) -> int:
    as_json, limits, files = False, {"--time": float("inf"), "--memory": 8192.0}, []
    words = iter(arguments)
    try:
        for word in words:
            if word == "--json":
                as_json = True
            elif word in limits:
                limits[word] = float(next(words))
            elif word.startswith("-"):
                raise ValueError
            else:
                files.append(word)
        (path,) = files
    except (ValueError, StopIteration):
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return MALFORMED
    verdict, said = check(path, limits["--time"], limits["--memory"])
    if as_json:
        print(json.dumps(said))
    else:
        claim = " ".join(
            f"{key} {said[key]}" for key in ("game", "spec", "starter", "winner") if key in said
        )
        tail = said.get("reason") or f"{said['nodes']} nodes"
        print(f"{WORDS[verdict]}: {claim + ': ' if claim else ''}{tail}")
    return verdict


if __name__ == "__main__":
    sys.setrecursionlimit(20000)
    sys.exit(main(sys.argv[1:]))
