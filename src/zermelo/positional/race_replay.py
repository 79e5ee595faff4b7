"""Walks through the strategy of a race's certificate (checker/FORMAT.md 10): a reader that believes the file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Self

from zermelo.draw import Area, svg
from zermelo.game import DRAW, Clock, Limits, Player, Position, Step
from zermelo.game.plain import PlayReplay
from zermelo.positional.position import BREAKER, MAKER, bits, vertices_of
from zermelo.positional.race import RacePosition
from zermelo.positional.race_proof import read_claim
from zermelo.proof.container import Bytes
from zermelo.words import all_answered

END, GOAL, HOLD, STEP, GUARDED_STEP, FIRST = range(6)
KINDS = ("ends", "goals", "holds", "steps", "steps", "ends")
POLL = 1024
RECORD_BYTES = 400
"""Bytes of memory that one record takes, about."""


@dataclass(frozen=True)
class Reply:
    """The hero's next moves, None for a pass, and the record after them."""

    moves: tuple[int | None, ...]
    record: int
    need: int
    """The vertices on which the opponent must have no mark."""


@dataclass(frozen=True)
class Record:
    """The claim of one record: the hero's marks, the vertices that must not be the opponent's, and the replies."""

    held: int
    need: int
    replies: tuple[Reply, ...] = ()


class RaceReader:
    """The records of the first part of a proof."""

    def __init__(self, source: Bytes, vertices: int, *, joins: bool, limits: Limits) -> None:
        """Read them.

        :param joins: whether the first byte says how a graph's ends are joined.
        :raises ValueError: if they are malformed, or more than the limits allow.
        """
        self.source, self.vertices, self.counts = source, vertices, Counter[str]()
        self.records: list[Record] = []
        clock = Clock(limits)
        if joins:
            source.varint()
        while True:
            tag = source.byte()
            if tag > FIRST:
                raise ValueError(f"the certificate has an unknown tag {tag}")
            self.counts[KINDS[tag]] += 1
            if tag in (END, FIRST):
                replies = (self._reply(),) if tag == END else self._replies()
                self.end: Reply | None = replies[0] if tag == END else None
                self.records.append(Record(0, 0, replies))
                return
            self.records.append(self._record(tag))
            if len(self.records) % POLL == 0 and (clock.over or len(self.records) * RECORD_BYTES > limits.memory):
                raise ValueError("the certificate is too large to walk within the limits")

    def _record(self, tag: int) -> Record:
        if tag == GOAL:
            return Record(self._cells(), 0)
        if tag == HOLD:
            self.source.varints(2)
            return Record(self._cells(), self._cells())
        self.source.varint()
        replies = self._replies()
        held = need = 0
        for reply in replies:
            held |= self.records[reply.record].held & ~bits(v for v in reply.moves if v is not None)
            need |= reply.need
        if tag == GUARDED_STEP:
            held |= self._cells()
            need |= self._cells()
        return Record(held, need & ~held, replies)

    def _cells(self) -> int:
        return bits(self._below(self.vertices) for _ in range(self._below(self.vertices + 1)))

    def _below(self, most: int) -> int:
        number = self.source.varint()
        if number >= most:
            raise ValueError("the certificate names a vertex that is not on the board")
        return number

    def _replies(self) -> tuple[Reply, ...]:
        return tuple(self._reply() for _ in range(self._below(self.vertices + 2)))

    def _reply(self) -> Reply:
        back = self.source.varint()
        if not 1 <= back <= len(self.records):
            raise ValueError("the certificate refers to a record that does not come before")
        codes = [self._below(self.vertices + 1) for _ in range(self._below(self.vertices + 1))]
        after = self.records[-back]
        marked = bits(code - 1 for code in codes if code)
        moves = tuple(code - 1 if code else None for code in codes)
        return Reply(moves, len(self.records) - back, after.held | after.need | marked)


@dataclass(frozen=True)
class WalkedRace(RacePosition):
    """A position of a walk: the record that holds after the hero's next moves; None if the file has no answer."""

    reader: RaceReader | None = field(default=None, compare=False)
    hero: Player = MAKER
    record: int | None = None
    coming: tuple[int | None, ...] = ()

    def _marked(self, player: Player, vertex: int) -> Self:
        after = super()._marked(player, vertex)
        if player == self.hero:
            vars(after)["coming"] = self.coming[1:]
            return after
        assert self.reader is not None
        replies = self.reader.records[self.record].replies if self.record is not None else ()
        reply = next((reply for reply in replies if not reply.need >> vertex & 1), None)
        vars(after).update(record=reply and reply.record, coming=reply.moves if reply else ())
        return after


class RaceReplay(PlayReplay):
    """Walks through a win, or through the moves of a player who holds out; of a draw, those of Breaker."""

    def __init__(self, payload: bytes, limits: Limits = Limits()) -> None:
        source = Bytes(payload)
        source.varint()
        self.claim, position = read_claim(source)
        self.walker = MAKER if self.claim.winner == MAKER else BREAKER
        self.wins = self.claim.winner == MAKER or (self.claim.winner == BREAKER and position.strong)
        joins = position.goals[0].joins and not self.wins
        reader = RaceReader(source, len(position.vertices), joins=joins, limits=limits)
        self.counts = reader.counts
        values = {one.name: getattr(position, one.name) for one in fields(position)}
        end = reader.end
        record, coming = (len(reader.records) - 1, ()) if end is None else (end.record, end.moves)
        self.root = WalkedRace(**values, reader=reader, hero=self.walker, record=record, coming=coming)

    def place(self, position: Position, player: Player) -> Step:
        assert isinstance(position, WalkedRace)
        assert position.reader is not None
        names = position.game.player_names
        hero, opponent = names[self.walker], names[position.game.other(self.walker)]
        goal = f"{hero} wins" if self.claim.winner != DRAW else f"{opponent} does not win"
        if position.decided(player) is not None:
            text = position.game.ending(position, player)
            return Step(position, player, text, caption=(f"{text} {goal}.",), leaf=True)
        moves = tuple(position.moves(player))
        if player == self.walker and position.coming:
            cell = position.coming[0]
            name = position.name(cell) if cell is not None else ""
            reply = name if name in moves else moves[0]  # any move will do
            return Step(position, player, f"{hero} plays {reply}", (reply,))
        if position.record is None:
            raise ValueError("the certificate has no answer to that move")
        record = position.reader.records[position.record]
        squares = [position.square(v) for v in vertices_of(record.need) if v in position.free]
        areas = (Area(squares, "", svg.GREEN),) if squares else ()
        if not record.replies:
            text = f"{opponent} cannot complete a goal in the moves that are left"
            return Step(position, player, text, (), areas, (f"{text}: {goal}.",), leaf=True)
        caption = f"{goal}: moves outside the shaded squares change nothing."
        return Step(position, player, all_answered(names[player], len(moves)), moves, areas, (caption,))
