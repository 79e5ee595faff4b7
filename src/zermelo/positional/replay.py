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
from zermelo.game import Clock, Limits, Move, MoveView, Player, Square, Step, View
from zermelo.positional.position import BREAKER, MAKER, Board, HypergraphPosition, MnkPosition
from zermelo.positional.prove import MNK, read_claim
from zermelo.proof.container import Bytes
from zermelo.words import all_answered, counted

PASS = "-"
KINDS = ("end", "pairs", "edge", "step", "sum", "swap")
MOST_REFS = 256  # of one record
RECORD_BYTES = 200
"""About what one record takes in memory: its place and its zone."""
POLL = 1024
NAMES = {MAKER: "Maker", BREAKER: "Breaker"}


@dataclass(frozen=True)
class Record:
    """One record: ``kind`` is pairs, edge, step, sum or swap. A reference is a record and a symmetry."""

    kind: str
    pairs: tuple[tuple[int, int], ...] = ()
    edge: int = 0
    replies: tuple[int, ...] = ()
    refs: tuple[tuple[int, int], ...] = ()
    swap: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Part:
    """A record at work: ``place[c]`` is the cell of the board that its cell c means."""

    record: int
    place: tuple[int, ...]


@dataclass(frozen=True)
class Standing:
    """A position of the strategy with the loser to move: the marks, and the records that will answer."""

    loser: frozenset[int]
    winner: frozenset[int]
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class WalkedPosition(HypergraphPosition):
    """A Maker-Breaker position of a walk: the winner may pass, and an m,n,k board is and looks as it always does."""

    shape: MnkPosition | None = None

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


class RecordReader:
    """The records of one certificate, and the walk through them. Cells are numbers, as in the format."""

    def __init__(self, payload: bytes, limits: Limits = Limits()) -> None:
        """Read all records once, and work out their zones.

        :raises ValueError: if it is no such certificate, malformed, or larger than the limits allow.
        """
        self.bytes = Bytes(payload)
        self.claim = read_claim(self.bytes.varint(), self.bytes)
        self.loser = BREAKER if self.claim.winner == MAKER else MAKER
        self._clock = Clock(limits)
        self._read_board()
        self._images = [_byte_images(image) for image in self.symmetries]
        self.starts: list[int] = []
        self.counts = Counter[str]()
        self._zones: list[int] = []
        while (start := self.bytes.at) < len(payload) and payload[start] != 0:
            record = self._read(len(self.starts))
            self.counts[record.kind] += 1
            self._zones.append(self._zone(record))
            self.starts.append(start)
            if len(self.starts) % POLL == 0:
                self._poll()
        if self.bytes.byte() != 0 or not self.starts:
            raise ValueError("the certificate holds no proof")
        self.first_move = self._cell() if self.claim.starter == self.claim.winner else None

    def _read_board(self) -> None:
        """Set up cells, edges, symmetries, and the position before the first move."""
        if self.claim.code == MNK:
            columns, rows, k = map(int, self.claim.spec.split(","))
            shape = MnkPosition(columns, rows, k)
            board = shape.board
            self.edges, self.symmetries = board.format_edges, board.symmetries
            names = tuple(map(shape.name, range(board.vertices)))
            marks = self.claim.marks[MAKER], self.claim.marks[BREAKER]
            self.start_position = WalkedPosition(names, board.edges, *marks, shape=shape)
        else:
            from zermelo.positional.files import parse_hypergraph

            read = parse_hypergraph(self.claim.spec).numbered()
            self.edges, self.symmetries = read.edges, read.board.symmetries
            self.start_position = WalkedPosition(read.vertices, read.edges, read.maker, read.breaker)
        self.cells = len(self.start_position.vertices)

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
            cells = self._cells(2 * source.varint())
            return Record(kind, pairs=tuple(zip(cells[::2], cells[1::2], strict=True)))
        if kind == "edge":
            edge = source.varint()
            if edge >= len(self.edges):
                raise ValueError("the certificate names a line that is not on the board")
            return Record(kind, edge=edge)
        if kind == "step":
            found = [(self._cell(), self._ref(number)) for _ in range(self._count())]
            return Record(kind, replies=tuple(y for y, _ in found), refs=tuple(ref for _, ref in found))
        if kind == "sum":
            return Record(kind, refs=tuple(self._ref(number) for _ in range(self._count())))
        ref = self._ref(number)
        return Record(kind, refs=(ref,), swap=(self._cell(), self._cell()))

    def record(self, number: int) -> Record:
        """Read one record again."""
        self.bytes.at = self.starts[number]
        return self._read(number)

    def _zone(self, record: Record) -> int:
        """Return a record's zone as a bit set of its own cells (FORMAT.md 6.3, 6.5)."""
        zone = 0
        for one, two in record.pairs:
            zone |= 1 << one | 1 << two
        for number, symmetry in record.refs:
            images = self._images[symmetry]
            for index, byte in enumerate(self._zones[number].to_bytes(len(images), "little")):
                zone |= images[index][byte]
        for reply in record.replies:
            zone |= 1 << reply
        if record.kind == "swap":
            out, into = record.swap
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
                out, into = record.swap
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

    def start(self) -> Standing:
        """Return the position of the claim; where the winner starts, after her first move."""
        marks = {player: frozenset(self.start_position.marks(player)) for player in (MAKER, BREAKER)}
        winner = marks[self.claim.winner]
        if self.first_move is not None:
            winner |= {self.first_move}
        root = Part(len(self.starts) - 1, tuple(range(self.cells)))
        return Standing(marks[self.loser], winner, tuple(self.open(root)))

    def answer(self, standing: Standing, cell: int) -> tuple[int | None, Standing]:
        """Return the winner's answer to a move of the loser, None for a pass, and the position after both.

        :raises ValueError: if the cell is not free.
        """
        if not 0 <= cell < self.cells or cell in standing.loser | standing.winner:
            raise ValueError("that square is not free")
        loser = standing.loser | {cell}
        for index, part in enumerate(standing.parts):
            if cell not in self.zone(part):
                continue
            reply, after = self._answer_in(part, cell)
            if reply in loser | standing.winner:
                raise ValueError("the certificate answers on a square that is not free")
            parts = (*standing.parts[:index], *after, *standing.parts[index + 1 :])
            return reply, Standing(loser, standing.winner | {reply}, parts)
        # Moves outside all zones do not matter.
        return None, Standing(loser, standing.winner, standing.parts)

    def _answer_in(self, part: Part, cell: int) -> tuple[int, list[Part]]:
        record = self.record(part.record)
        for one, two in record.pairs:
            ends = part.place[one], part.place[two]
            if cell in ends:
                return ends[ends[0] == cell], [part]
        for reply, ref in zip(record.replies, record.refs, strict=True):
            below = self._below(part.place, ref)
            if cell != part.place[reply] and cell not in self.zone(below):
                return part.place[reply], self.open(below)
        raise ValueError("the certificate has no answer to that move")


class PositionalReplay:
    """Walks through a Maker-Breaker strategy; ``-`` is a pass of the winner."""

    def __init__(self, reader: RecordReader) -> None:
        self._reader, self.claim = reader, reader.claim
        self._lock = threading.Lock()  # The reader has one cursor.

    def step(self, moves: Sequence[str]) -> Step:
        """Return the place after some moves, both players' in turn.

        :raises ValueError: if the strategy never plays that way.
        """
        with self._lock:
            return self._step(list(moves))

    def _step(self, played: list[str]) -> Step:
        reader, names = self._reader, self._reader.start_position.name
        standing, last = reader.start(), None
        reply: int | None = reader.first_move
        winners_turn = reply is not None
        before = replace(standing, winner=standing.winner - {-1 if reply is None else reply})
        for number, text in enumerate(played, 1):
            if winners_turn:
                wanted = PASS if reply is None else names(reply)
                if text != wanted:
                    raise ValueError(f"the strategy plays another move than {text[:20]} there: {wanted}")
                last = reply
            elif self._lines(standing):
                raise ValueError(f"before move {number} {NAMES[self.claim.winner]} has completed a line")
            else:
                last = reader.start_position.vertex(text)
                reply, after = reader.answer(standing, last)
                before, standing = replace(standing, loser=after.loser), after
            winners_turn = not winners_turn
        if winners_turn:
            name = PASS if reply is None else names(reply)
            does = "passes: that move does not matter" if reply is None else f"plays {name}"
            position = self._position(before, self.claim.winner, last)
            return Step(position, self.claim.winner, f"{NAMES[self.claim.winner]} {does}", (name,))
        return self._losers_turn(standing, last)

    def _lines(self, standing: Standing) -> list[list[int]]:
        """Return the edges that Maker's records say are completed."""
        records = [(part, self._reader.record(part.record)) for part in standing.parts]
        return [[p.place[c] for c in self._reader.edges[r.edge]] for p, r in records if r.kind == "edge"]

    def _losers_turn(self, standing: Standing, last: int | None) -> Step:
        reader, claim = self._reader, self.claim
        records = [(part, reader.record(part.record)) for part in standing.parts]
        taken = standing.loser | standing.winner
        pairs = [(p.place[one], p.place[two]) for p, r in records for one, two in r.pairs]
        pairs = [pair for pair in pairs if not taken & set(pair)]
        lines = self._lines(standing)
        winner, loser = NAMES[claim.winner], NAMES[reader.loser]
        position = self._position(standing, reader.loser, last)
        free = [] if lines else [c for c in range(reader.cells) if c not in taken]
        at = [position.square(c) for c in range(reader.cells)]
        shown = pair_areas([at[one], at[two]] for one, two in pairs)
        if lines:
            text = f"{winner} has completed a line"
            areas = [Area([at[c] for c in line], "", svg.VERMILION) for line in lines]
            caption = [f"{winner} holds all squares of the line: the game is won."]
        elif all(record.kind != "step" for _, record in records):
            text, areas = f"{winner} wins by {counted(len(pairs), 'pair')}", shown
            caption = [
                f"Whenever {loser} takes a square with a letter, {winner} takes the other one with the same "
                "letter; every line that is still open holds such a pair. Squares without a letter do not matter."
            ]
        else:
            zone = sorted({c for part in standing.parts for c in reader.zone(part)} - taken)
            text = all_answered(loser, len(free))
            areas = [Area([at[c] for c in zone], "", svg.GREEN), *shown]
            caption = [f"{winner} answers on the shaded squares, the zone of the strategy."]
            if len(zone) < len(free):
                caption.append(f"Moves elsewhere do not matter: {winner} passes.")
        leaf = not any(record.kind == "step" for _, record in records)
        moves = tuple(position.name(c) for c in free)
        return Step(position, reader.loser, text, moves, tuple(areas), tuple(caption), leaf)

    def _position(self, standing: Standing, to_move: Player, last: int | None) -> WalkedPosition:
        marks = {self._reader.loser: standing.loser, self.claim.winner: standing.winner}
        # The last one taken comes last, as in a game that was played.
        maker, breaker = (tuple(sorted(marks[p], key=lambda c: (c == last, c))) for p in (MAKER, BREAKER))
        return replace(self._reader.start_position, maker=maker, breaker=breaker, to_move=to_move)


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
