"""Reads the strategy in an m,n,k certificate: what the winner answers where (FORMAT.md 6).

This is a reader, not a checker: it follows the file and believes it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from zermelo.positional.mnk import MnkGame, pair_labels
from zermelo.proof._old import RECORDS
from zermelo.proof._old import old_claim as read_claim
from zermelo.proof.container import Bytes, Claim, read_payload

PASS = "-"
POLL = 4096


@dataclass(frozen=True)
class Ref:
    """A record seen through a symmetry."""

    record: int
    symmetry: int


@dataclass(frozen=True)
class Record:
    """One record: ``kind`` is pairs, edge, step, sum or swap."""

    kind: str
    pairs: tuple[tuple[int, int], ...] = ()
    edge: int = 0
    replies: tuple[int, ...] = ()
    refs: tuple[Ref, ...] = ()
    swap: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Part:
    """A record at work: ``place[c]`` is the square of the board that its cell c means."""

    record: int
    place: tuple[int, ...]


@dataclass(frozen=True)
class Standing:
    """A position of the strategy with the loser to move: who holds what, and the records that will answer."""

    loser: frozenset[int]
    winner: frozenset[int]
    parts: tuple[Part, ...]


class PositionalStrategy:
    """The proof of one m,n,k certificate; squares are numbers, row * columns + column, from the bottom."""

    def __init__(self, payload: bytes, *, seconds: float | None = None) -> None:
        """Read all records once, and work out their zones.

        :raises ValueError: if it is no such certificate, malformed, or larger than the time allows.
        """
        self.bytes = Bytes(payload)
        self.claim: Claim = read_claim(self.bytes)
        if self.claim.game != "mnk":
            raise ValueError("this certificate is not about an m,n,k game")
        self.columns, self.rows, self.k = map(int, self.claim.spec.split(","))
        self.cells = self.columns * self.rows
        if not 1 <= self.cells <= 256:
            raise ValueError("the certificate's board is not possible")
        self.symmetries = [self._symmetry(s) for s in range(8 if self.columns == self.rows else 4)]
        self._images = [_byte_images(image) for image in self.symmetries]
        self.edges = list(self._edges())
        self._starts: list[int] = []
        self._zones: list[int] = []
        deadline = None if seconds is None else time.monotonic() + seconds
        while (start := self.bytes.at) < len(payload) and payload[start] != 0:
            record = self._read()
            self._zones.append(self._zone(record))
            self._starts.append(start)
            if deadline and len(self._starts) % POLL == 0 and time.monotonic() > deadline:
                raise ValueError("the certificate is too large to walk within the limits")
        if self.bytes.byte() != 0 or not self._starts:
            raise ValueError("the certificate holds no proof")
        self.first_move = self._cell() if self.claim.starter == self.claim.winner else None

    # ---- reading

    def _symmetry(self, number: int) -> tuple[int, ...]:
        """Return where a symmetry takes each cell (FORMAT.md 6.1)."""
        image = []
        for cell in range(self.cells):
            row, col = divmod(cell, self.columns)
            if number & 4:
                row, col = col, row
            if number & 1:
                col = self.columns - 1 - col
            if number & 2:
                row = self.rows - 1 - row
            image.append(row * self.columns + col)
        return tuple(image)

    def _edges(self) -> Iterator[tuple[int, ...]]:
        for row in range(self.rows):
            for col in range(self.columns):
                for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1))[: 1 if self.k == 1 else 4]:
                    last_row, last_col = row + (self.k - 1) * up, col + (self.k - 1) * right
                    if last_row < self.rows and 0 <= last_col < self.columns:
                        yield tuple((row + i * up) * self.columns + col + i * right for i in range(self.k))

    def _cell(self) -> int:
        cell = self.bytes.varint()
        if cell >= self.cells:
            raise ValueError("the certificate names a square that is not on the board")
        return cell

    def _cells(self, count: int) -> Sequence[int]:
        """Read so many cells; nearly always each is one byte, and then they are taken at once."""
        at, data = self.bytes.at, self.bytes.data
        cells = data[at : at + count]
        if len(cells) == count and max(cells, default=0) < min(self.cells, 128):
            self.bytes.at = at + count
            return cells
        return [self._cell() for _ in range(count)]

    def _ref(self, number: int) -> Ref:
        back, symmetry = self.bytes.varint(), self.bytes.varint()
        if not 1 <= back <= number or symmetry >= len(self.symmetries):
            raise ValueError("the certificate refers to a record that does not come before")
        return Ref(number - back, symmetry)

    def _read(self, number: int | None = None) -> Record:
        """Read the record that begins here, which is the next one or the one with this number."""
        source = self.bytes
        number = len(self._starts) if number is None else number
        tag = source.byte()
        if not 1 <= tag < len(RECORDS):
            raise ValueError("the certificate holds an unknown record")
        kind = RECORDS[tag]
        if kind == "pairs":
            cells = self._cells(2 * source.varint())
            return Record(kind, pairs=tuple(zip(cells[::2], cells[1::2], strict=True)))
        if kind == "edge":
            edge = source.varint()
            if edge >= len(self.edges):
                raise ValueError("the certificate names a line that is not on the board")
            return Record(kind, edge=edge)
        if kind == "step":
            found = [(self._cell(), self._ref(number)) for _ in range(source.varint())]
            return Record(kind, replies=tuple(y for y, _ in found), refs=tuple(ref for _, ref in found))
        if kind == "sum":
            return Record(kind, refs=tuple(self._ref(number) for _ in range(source.varint())))
        ref = self._ref(number)
        return Record(kind, refs=(ref,), swap=(self._cell(), self._cell()))

    def record(self, number: int) -> Record:
        """Read one record again."""
        self.bytes.at = self._starts[number]
        return self._read(number)

    def _zone(self, record: Record) -> int:
        """Return a record's zone as a bit set of its own cells (FORMAT.md 6.3, 6.5)."""
        zone = 0
        for one, two in record.pairs:
            zone |= 1 << one | 1 << two
        for ref in record.refs:
            zone |= self._seen(ref)
        for reply in record.replies:
            zone |= 1 << reply
        if record.kind == "swap":
            out, into = record.swap
            zone = zone & ~(1 << out) | 1 << into
        return zone

    def _seen(self, ref: Ref) -> int:
        """Return the zone of a record, seen through the symmetry."""
        zone, seen, images = self._zones[ref.record], 0, self._images[ref.symmetry]
        for index, byte in enumerate(zone.to_bytes(len(images), "little")):
            seen |= images[index][byte]
        return seen

    # ---- walking

    def zone(self, part: Part) -> frozenset[int]:
        """Return the squares of the board on which a part depends."""
        zone = self._zones[part.record]
        return frozenset(part.place[c] for c in range(self.cells) if zone >> c & 1)

    def open(self, part: Part) -> list[Part]:
        """Unfold sums and swaps, until each part is a pairing, a completed line, or a step."""
        record = self.record(part.record)
        if record.kind == "sum":
            return [small for ref in record.refs for small in self.open(self._below(part.place, ref))]
        if record.kind == "swap":
            out, into = record.swap
            place = list(part.place)
            place[out], place[into] = place[into], place[out]
            return self.open(self._below(tuple(place), record.refs[0]))
        return [part]

    def _below(self, place: tuple[int, ...], ref: Ref) -> Part:
        image = self.symmetries[ref.symmetry]
        return Part(ref.record, tuple(place[image[c]] for c in range(self.cells)))

    def start(self) -> Standing:
        """Return the position of the claim; where the winner starts, after her first move."""
        marks = {"maker": self.claim.maker, "breaker": self.claim.breaker}
        loser = marks["maker" if self.claim.winner == "breaker" else "breaker"]
        winner = set(marks[self.claim.winner])
        if self.first_move is not None:
            winner.add(self.first_move)
        root = Part(len(self._starts) - 1, tuple(range(self.cells)))
        return Standing(frozenset(loser), frozenset(winner), tuple(self.open(root)))

    def answer(self, standing: Standing, square: int) -> tuple[int | None, Standing]:
        """Return the winner's answer to a move of the loser, None for a pass, and the position after both.

        :raises ValueError: if the square is not free.
        """
        if not 0 <= square < self.cells or square in standing.loser | standing.winner:
            raise ValueError("that square is not free")
        loser = standing.loser | {square}
        for index, part in enumerate(standing.parts):
            if square not in self.zone(part):
                continue
            reply, after = self._answer_in(part, square)
            if reply in loser | standing.winner:
                raise ValueError("the certificate answers on a square that is not free")
            parts = (*standing.parts[:index], *after, *standing.parts[index + 1 :])
            return reply, Standing(loser, standing.winner | {reply}, parts)
        # What happens outside all zones does not matter.
        return None, Standing(loser, standing.winner, standing.parts)

    def _answer_in(self, part: Part, square: int) -> tuple[int, list[Part]]:
        record = self.record(part.record)
        for one, two in record.pairs:
            ends = part.place[one], part.place[two]
            if square in ends:
                return ends[ends[0] == square], [part]
        for reply, ref in zip(record.replies, record.refs, strict=True):
            below = self._below(part.place, ref)
            if square != part.place[reply] and square not in self.zone(below):
                return part.place[reply], self.open(below)
        raise ValueError("the certificate has no answer to that move")

    def after(self, moves: Sequence[int | None]) -> tuple[Standing, int | None, bool]:
        """Return the position after moves in turn (None: a pass), and where the winner is to move her move.

        The first move is the winner's if she starts. The answer is (position, winner's move, whether it is her turn);
        in the position the loser's last move is made.

        :raises ValueError: if the strategy never plays that way.
        """
        standing, played = self.start(), list(moves)
        if self.first_move is not None:
            if not played:
                before = standing.winner - {self.first_move}
                return Standing(standing.loser, before, standing.parts), self.first_move, True
            if played.pop(0) != self.first_move:
                raise ValueError("the strategy starts with another move")
        while played:
            square = played.pop(0)
            if square is None:
                raise ValueError("only the winner may pass")
            reply, after = self.answer(standing, square)
            if not played:
                half = Standing(after.loser, standing.winner, standing.parts)
                return half, reply, True
            if played.pop(0) != reply:
                raise ValueError("the strategy plays another move there")
            standing = after
        return standing, None, False


def show_positional(path: str | Path, moves: Sequence[str] = ()) -> str:
    """Return the position after some moves (d4, c3, ...; - is a pass), and what the strategy does there, as text.

    :raises ValueError: if it is no m,n,k certificate, or its strategy never plays that way.
    """
    strategy = PositionalStrategy(read_payload(Path(path)))
    claim, board = strategy.claim, MnkGame(strategy.columns, strategy.rows, strategy.k)
    played = [None if name == PASS else board.square(name) for name in moves]
    standing, move, winner_to_move = strategy.after(played)
    marks = {"maker": "X", "breaker": "O"}
    loser = "maker" if claim.winner == "breaker" else "breaker"
    labels = dict.fromkeys(standing.loser, marks[loser])
    labels |= dict.fromkeys(standing.winner, marks[claim.winner])
    if winner_to_move:
        said = f"{claim.winner} " + ("passes" if move is None else f"plays {board.name(move)}")
    else:
        records = [(part, strategy.record(part.record)) for part in standing.parts]
        pairs = [
            (part.place[one], part.place[two])
            for part, record in records
            for one, two in record.pairs
            if part.place[one] not in labels and part.place[two] not in labels
        ]
        steps = any(record.kind == "step" for _, record in records)
        said = f"{loser} to move: each move is answered" if steps else f"{claim.winner} has won"
        if pairs:
            labels |= pair_labels(pairs)
            said += f"; {len(pairs)} pairs: a letter is answered by the same letter"
    head = f"{claim.spec}, {claim.starter} starts: {claim.winner} wins"
    return "\n".join([head, board.grid(labels), said])


def _byte_images(image: tuple[int, ...]) -> list[list[int]]:
    """For each byte of a bit set of cells, what its 256 values become under a symmetry."""
    tables = []
    for base in range(0, len(image), 8):
        cells = image[base : base + 8]
        table = [0] * 256
        for value in range(1, 1 << len(cells)):
            low = (value & -value).bit_length() - 1
            table[value] = table[value & (value - 1)] | 1 << cells[low]
        tables.append(table)
    return tables
