"""Reads the strategy in a Maker-Breaker certificate: the winner's answers (checker/FORMAT.md 6).

This is a reader, not a checker: it follows the file and believes it. Whatever the bytes, the work is bounded: a record
is looked at once, the parts of a sum must lie on different cells, and limits and a cancel token are asked on the way.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from zermelo.draw import Area, svg
from zermelo.draw.board import pair_areas
from zermelo.game import Clock, Limits, Move, MoveView, Player, Position, Square, Step, View
from zermelo.game.plain import PlayReplay
from zermelo.positional.position import BREAKER, MAKER, Board, HypergraphPosition, MnkPosition, PositionalPosition, bits
from zermelo.positional.prove import read_claim
from zermelo.proof.container import Bytes, Claim
from zermelo.words import all_answered, counted

PASS = "-"
KINDS = ("end", "pairs", "edge", "step", "sum", "swap")
MOST_REFS = 256  # of one record
RECORD_BYTES = 200
"""Bytes of memory that one record takes, about: its place and its zone."""
POLL = 1024
NAMES = {MAKER: "Maker", BREAKER: "Breaker"}


@dataclass(frozen=True)
class Record:
    """One record. A reference is a record and a symmetry."""

    kind: str
    cells: Sequence[int] = ()
    """The pairs one after the other, the line of an edge, the replies of a step, or the two cells of a swap."""
    refs: Sequence[tuple[int, int]] = ()

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of a record of pairs."""
        return list(zip(self.cells[::2], self.cells[1::2], strict=True)) if self.kind == "pairs" else []


@dataclass(frozen=True)
class Part:
    """A record at work: ``place[c]`` is the cell of the board that its cell c means."""

    record: int
    place: tuple[int, ...]


@dataclass(frozen=True)
class WalkedPosition(HypergraphPosition):
    """A Maker-Breaker position of a walk: the winner may pass, and an m,n,k board is and looks as it always does."""

    shape: MnkPosition | None = None
    parts: tuple[Part, ...] = ()
    """The records that answer the loser's moves."""

    @classmethod
    def of(cls, position: PositionalPosition, marks: Sequence[Sequence[int]]) -> WalkedPosition:
        """Return a position with other marks, in which the first player is Maker."""
        maker, breaker = marks
        if isinstance(position, HypergraphPosition):
            return cls(position.vertices, position.edges, tuple(maker), tuple(breaker))
        assert isinstance(position, MnkPosition)
        names, shape = (
            tuple(map(position.name, range(position.board.vertices))),
            MnkPosition(position.columns, position.rows, position.k),
        )
        return cls(names, position.board.format_edges, tuple(maker), tuple(breaker), shape=shape)

    @property
    def board(self) -> Board:
        return super().board if self.shape is None else self.shape.board

    def vertex(self, name: str) -> int:
        return super().vertex(name) if self.shape is None else self.shape.vertex(name)

    def square(self, vertex: int) -> Square:
        return super().square(vertex) if self.shape is None else self.shape.square(vertex)

    def view(self) -> View:
        return super().view() if self.shape is None else replace(self.shape.view(), pieces=self.pieces())

    def move_view(self, move: Move) -> MoveView:
        return MoveView(PASS, ()) if str(move) == PASS else super().move_view(move)

    def after(self, move: Move | str) -> WalkedPosition:
        """Return the position after a move or a pass; the walk goes on where the game is decided."""
        if str(move) == PASS:
            return replace(self, to_move=BREAKER if self.to_move == MAKER else MAKER)
        return self._marked(*self._read_move(str(move)))


class RecordReader:
    """The records of one certificate, and the strategy in them. Cells are numbers, as in the format."""

    def __init__(self, source: Bytes, start: WalkedPosition, claim: Claim, limits: Limits = Limits()) -> None:
        """Read all records once, and work out their zones.

        :param start: the position before the first move.
        :param claim: who begins and who wins, as Maker or Breaker.
        :raises ValueError: if the records are malformed, or more than the limits allow.
        """
        self.bytes, self.start, self.claim, self._clock = source, start, claim, Clock(limits)
        self.edges, self.symmetries, self.cells = start.edges, start.board.symmetries, len(start.vertices)
        self._images = [_byte_images(image) for image in self.symmetries]
        self._lock = threading.Lock()  # there is one cursor
        self.starts: list[int] = []
        self.counts = Counter[str]()
        self._zones: list[int] = []
        while (at := source.at) < len(source.data) and source.data[at] != 0:
            record = self._read(len(self.starts))
            self.counts[record.kind] += 1
            self._zones.append(self._zone(record))
            self.starts.append(at)
            if len(self.starts) % POLL == 0:
                self._poll()
        if source.byte() != 0 or not self.starts:
            raise ValueError("the certificate holds no proof")
        self.first_move = self._cell() if claim.starter == claim.winner else None
        self.bytes = Bytes(source.data)  # records are read again with a cursor of its own

    @classmethod
    def of(cls, payload: bytes, limits: Limits = Limits()) -> RecordReader:
        """Read a Maker-Breaker certificate.

        :raises ValueError: if it is no such certificate, malformed, or larger than the limits allow.
        """
        source = Bytes(payload)
        claim, position, marks = read_claim(source.varint(), source)
        return cls(source, WalkedPosition.of(position, marks), claim, limits)

    def _poll(self) -> None:
        if self._clock.over or len(self.starts) * RECORD_BYTES > self._clock.limits.memory:
            raise ValueError("the certificate is too large to walk within the limits")

    # Reading

    def _cell(self) -> int:
        cell = self.bytes.varint()
        if cell >= self.cells:
            raise ValueError("the certificate names a cell that is not on the board")
        return cell

    def _cells(self, count: int) -> Sequence[int]:
        """Read so many cells; nearly always each is one byte, and then they are taken at once."""
        at, data = self.bytes.at, self.bytes.data
        if count > self.cells:
            raise ValueError("the certificate names a cell twice")
        cells = data[at : at + count]
        if len(cells) == count and max(cells, default=0) < min(self.cells, 128):
            self.bytes.at = at + count
            return cells
        return [self._cell() for _ in range(count)]

    def _ref(self, number: int) -> tuple[int, int]:
        back, symmetry = self.bytes.varint(), self.bytes.varint()
        if not 1 <= back <= number or symmetry >= len(self.symmetries):
            raise ValueError("the certificate refers to a record that does not come before")
        return number - back, symmetry

    def _count(self) -> int:
        count = self.bytes.varint()
        if count > MOST_REFS:
            raise ValueError(f"the certificate has a record with more than {MOST_REFS} references")
        return count

    def _read(self, number: int) -> Record:
        """Read the record with this number, which begins here."""
        source = self.bytes
        tag = source.byte()
        if not 1 <= tag < len(KINDS):
            raise ValueError("the certificate holds an unknown record")
        kind = KINDS[tag]
        if kind == "pairs":
            return Record(kind, self._cells(2 * source.varint()))
        if kind == "edge":
            edge = source.varint()
            if edge >= len(self.edges):
                raise ValueError("the certificate names a line that is not on the board")
            return Record(kind, self.edges[edge])
        if kind == "step":
            found = [(self._cell(), self._ref(number)) for _ in range(self._count())]
            return Record(kind, [reply for reply, _ in found], [ref for _, ref in found])
        if kind == "sum":
            return Record(kind, refs=[self._ref(number) for _ in range(self._count())])
        ref = self._ref(number)
        return Record(kind, (self._cell(), self._cell()), [ref])

    def record(self, number: int) -> Record:
        """Read one record again."""
        with self._lock:
            self.bytes.at = self.starts[number]
            return self._read(number)

    def _zone(self, record: Record) -> int:
        """Return a record's zone as a bit set of its own cells (FORMAT.md 6.3, 6.5)."""
        zone = bits({*record.cells}) if record.kind in ("pairs", "step") else 0
        for number, symmetry in record.refs:
            images = self._images[symmetry]
            for index, byte in enumerate(self._zones[number].to_bytes(len(images), "little")):
                zone |= images[index][byte]
        if record.kind == "swap":
            out, into = record.cells
            zone = zone & ~(1 << out) | 1 << into
        return zone

    # Walking

    def zone(self, part: Part) -> frozenset[int]:
        """Return the cells of the board on which a part depends."""
        zone = self._zones[part.record]
        return frozenset(part.place[c] for c in range(self.cells) if zone >> c & 1)

    def open(self, whole: Part) -> list[Part]:
        """Unfold sums and swaps, until each part is a pairing, a completed line, or a step.

        A part of a sum without a cell answers nothing and is left out. The others lie on different cells, so that
        there are never more parts than cells, however often the file refers to a record.
        """
        found, todo, looked = [], [whole], 0
        while todo:
            part = todo.pop()
            looked += 1
            if looked % POLL == 0:
                self._poll()
            record = self.record(part.record)
            if record.kind == "swap":
                out, into = record.cells
                place = list(part.place)
                place[out], place[into] = place[into], place[out]
                todo.append(self._below(tuple(place), record.refs[0]))
            elif record.kind == "sum":
                parts = [self._below(part.place, ref) for ref in record.refs if self._zones[ref[0]]]
                zones = [self.zone(small) for small in parts]
                if sum(map(len, zones)) != len(frozenset().union(*zones)):
                    raise ValueError("the zones of a sum overlap: the certificate proves nothing")
                todo += reversed(parts)
            else:
                found.append(part)
        return found

    def _below(self, place: tuple[int, ...], ref: tuple[int, int]) -> Part:
        image = self.symmetries[ref[1]]
        return Part(ref[0], tuple(place[image[c]] for c in range(self.cells)))

    def parts(self) -> tuple[Part, ...]:
        """Return the records that answer the loser's first move."""
        return tuple(self.open(Part(len(self.starts) - 1, tuple(range(self.cells)))))

    def answer(self, parts: tuple[Part, ...], cell: int) -> tuple[int | None, tuple[Part, ...]]:
        """Return the winner's answer to a move of the loser, None for a pass, and the records that answer from then."""
        for index, part in enumerate(parts):
            if cell in self.zone(part):
                reply, after = self._answer_in(part, cell)
                return reply, (*parts[:index], *after, *parts[index + 1 :])
        return None, parts  # moves outside all zones do not matter

    def _answer_in(self, part: Part, cell: int) -> tuple[int, list[Part]]:
        record = self.record(part.record)
        for pair in record.pairs:
            ends = [part.place[end] for end in pair]
            if cell in ends:
                return ends[ends[0] == cell], [part]
        for reply, ref in zip(record.cells, record.refs, strict=False):
            below = self._below(part.place, ref)
            if cell != part.place[reply] and cell not in self.zone(below):
                return part.place[reply], self.open(below)
        raise ValueError("the certificate has no answer to that move")


class PositionalReplay(PlayReplay):
    """Walks through a Maker-Breaker strategy; ``-`` is a pass of the winner."""

    def __init__(self, reader: RecordReader) -> None:
        self._reader, self.claim, self.counts = reader, reader.claim, reader.counts
        self.walker = self.claim.winner
        self.root = replace(reader.start, parts=reader.parts(), to_move=self.claim.starter)

    def place(self, position: Position, player: Player) -> Step:
        assert isinstance(position, WalkedPosition)
        reader, loser = self._reader, BREAKER if self.walker == MAKER else MAKER
        if player == loser:
            return self._losers_turn(position, loser)
        reply, parts = reader.first_move, position.parts
        if position != self.root:
            reply, parts = reader.answer(parts, position.marks(loser)[-1])
        if reply is not None and reply not in position.free:
            raise ValueError("the certificate answers on a square that is not free")
        name = PASS if reply is None else position.name(reply)
        does = "passes: that move does not matter" if reply is None else f"plays {name}"
        return Step(replace(position, parts=parts), player, f"{NAMES[player]} {does}", (name,))

    def _losers_turn(self, position: WalkedPosition, player: Player) -> Step:
        reader, winner, loser = self._reader, NAMES[self.walker], NAMES[player]
        records = [(part, reader.record(part.record)) for part in position.parts]
        free = position.free
        pairs = [[part.place[end] for end in pair] for part, record in records for pair in record.pairs]
        pairs = [pair for pair in pairs if set(pair) <= set(free)]
        lines = [[part.place[cell] for cell in record.cells] for part, record in records if record.kind == "edge"]
        leaf = not any(record.kind == "step" for _, record in records)
        moves = () if lines else tuple(map(position.name, free))
        shown = pair_areas([position.square(end) for end in pair] for pair in pairs)
        if lines:
            text = f"{winner} has completed a line"
            areas = [Area(list(map(position.square, line)), "", svg.VERMILION) for line in lines]
            caption = [f"{winner} holds all squares of the line: the game is won."]
        elif leaf:
            text, areas = f"{winner} wins by {counted(len(pairs), 'pair')}", shown
            caption = [
                f"Whenever {loser} takes a square with a letter, {winner} takes the other one with the same "
                "letter; every line that is still open holds such a pair. Squares without a letter do not matter."
            ]
        else:
            zone = sorted({cell for part in position.parts for cell in reader.zone(part)} & set(free))
            text = all_answered(loser, len(moves))
            areas = [Area(list(map(position.square, zone)), "", svg.GREEN), *shown]
            caption = [f"{winner} answers on the shaded squares, the zone of the strategy."]
            if len(zone) < len(moves):
                caption.append(f"Moves elsewhere do not matter: {winner} passes.")
        return Step(position, player, text, moves, tuple(areas), tuple(caption), leaf)


def _byte_images(image: Sequence[int]) -> list[list[int]]:
    """For each byte of a bit set of cells, the images of its 256 values under a symmetry."""
    tables = []
    for base in range(0, len(image), 8):
        cells = image[base : base + 8]
        table = [0] * 256
        for value in range(1, 1 << len(cells)):
            low = (value & -value).bit_length() - 1
            table[value] = table[value & (value - 1)] | 1 << cells[low]
        tables.append(table)
    return tables
