"""Certificates of strong games (checker/FORMAT.md 9): m,n,k games and hypergraphs by their real rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from zermelo import _core
from zermelo.draw import Area, svg
from zermelo.draw.board import pair_areas
from zermelo.files import scratch_name
from zermelo.game import DRAW, Answer, Limits, Player, Position, Step, Written
from zermelo.game.plain import PlayReplay
from zermelo.positional.position import BREAKER, MAKER, Board, Key, PositionalPosition, masks_of, vertices_of
from zermelo.positional.prove import claim_bytes, read_claim
from zermelo.positional.replay import Part, PositionalReplay, RecordReader, WalkedPosition
from zermelo.positional.solve import FIRST_THREATS, Inquiry, PositionalChooser
from zermelo.positional.threat_replay import NoThreatsError, ThreatReplay
from zermelo.proof.container import Bytes, varint, write_payload
from zermelo.proof.play import REF, Chunk, write_strategy
from zermelo.running import run_cancellable
from zermelo.words import all_answered, counted

STRATEGY, BLOCKING, BASE = range(3)
PAIRS, BLOCK = 3, 4
Marks = tuple[int, int]
"""The hero's and the opponent's marks, as bit sets."""
Leaf = tuple[str, Sequence[tuple[int, ...]]]
"""The reason that settles a position: ``pairs``, or ``zone`` with the cells in which the hero blocks."""


class OutOfLimits(Exception):  # noqa: N818 (not an error: an answer)
    """A limit was reached before the strategy was whole."""


class StrategyWriter:
    """Writes one player's strategy; its searches share their tables with the one that solved the game.

    :param win: whether the hero wins; else she does not lose.
    """

    def __init__(self, board: Board, inquiry: Inquiry, win: bool) -> None:
        self.board, self.inquiry, self.win = board, inquiry, win
        self._blocks: list[tuple[bytearray, Marks]] = []  # leaves, to which a reference to the base is added in the end

    def blocking(self, own: int, other: int, *, hero_to_move: bool, path: Path) -> bytes | None:
        """Return the half that says that the hero need only block; None where that is not enough."""
        if self._blocked(own, other, hero_to_move=hero_to_move).winner == _core.PositionalWinner.MAKER:
            return None
        self._check_limits()
        with scratch_name(path) as raw:
            result = self.inquiry.record(vertices_of(other), vertices_of(own), not hero_to_move, raw)
            if result.winner == _core.PositionalWinner.UNKNOWN:
                raise OutOfLimits
            return bytes([BLOCKING]) + raw.read_bytes()

    def strategy(self, own: int, other: int, *, hero_to_move: bool, path: Path) -> tuple[bytes, int]:
        """Return the strategy, after the records of a draw's leaves, and how many positions it has."""
        if self.win:
            self._check_limits()
            found = self.inquiry.threatening(
                vertices_of(own), vertices_of(other), hero_to_move, self.inquiry.limits(FIRST_THREATS)
            )
            if found.won:
                return found.proof, found.positions
        text, root = (b"", (own, other)) if hero_to_move else self._after_hero(own, other)
        chunks, positions = list[Chunk](), 0
        if root is not None:
            chunks, positions = write_strategy(
                root, not hero_to_move,
                answer=self._answer, replies=self._replies, key=lambda marks: self.board.normal(*marks)[0],
                settle=self._pairs, keep_all=True,
            )  # fmt: skip
        base = b"" if self.win else self._base(path)
        return b"".join([base, text, *chunks]), positions

    def _base(self, path: Path) -> bytes:
        """Return the records to which blocking leaves refer, and complete these leaves."""
        if not self._blocks:
            return bytes([STRATEGY])
        self._check_limits()
        positions = [(vertices_of(other), vertices_of(own)) for _, (own, other) in self._blocks]
        with scratch_name(path) as raw:
            complete, claims, nodes = self.inquiry.prover.prove_all(positions, str(raw), self.inquiry.limits())
            self.inquiry.count(nodes)
            if not complete:
                raise OutOfLimits
            for (leaf, _), (record, symmetry) in zip(self._blocks, claims, strict=True):
                leaf += varint(record) + varint(symmetry)
            return bytes([BASE]) + raw.read_bytes()

    def _answer(self, marks: Marks) -> tuple[bytes, Marks | None]:
        """Return the hero's moves until the opponent has a choice, and the position then; None if the game ends."""
        own, other = marks
        if own | other == self.board.every:
            return b"", None
        completing = self.board.completions(own, other)
        if completing:
            return varint(completing[0]), None
        cell = self._move(own, other)
        text, after = self._after_hero(own | 1 << cell, other)
        return varint(cell) + text, after

    def _after_hero(self, own: int, other: int) -> tuple[bytes, Marks | None]:
        """Return the same for a position of the opponent, who must stop a single threat."""
        threats = self.board.completions(own, other)
        if own | other == self.board.every or len(threats) > 1:
            return b"", None
        return self._answer((own, other | 1 << threats[0])) if threats else (b"", (own, other))

    def _replies(self, marks: Marks) -> list[Marks] | bytearray:
        """Return the positions after the opponent's moves, or a leaf where the hero need only block."""
        own, other = marks
        if not self.win and self._blocked(own, other, hero_to_move=False).winner == _core.PositionalWinner.BREAKER:
            self._blocks.append((bytearray([BLOCK]), marks))
            return self._blocks[-1][0]
        return [(own, other | 1 << cell) for cell in self.board.moves(own, other)]

    def _pairs(self, marks: Marks) -> bytes | None:
        """Return a leaf of pairs that settles a position for a draw."""
        own, other = marks
        if self.win:
            return None
        facts = self.inquiry.solver.core.describe(maker=vertices_of(other), breaker=vertices_of(own))
        pairs = facts.pairing if facts.has_pairing else None
        if pairs is None or not self.board.holds(own, pairs):
            return None
        return bytes([PAIRS]) + varint(len(pairs)) + b"".join(varint(cell) for pair in pairs for cell in pair)

    def _move(self, own: int, other: int) -> int:
        """Find the hero's move by search: one that stops a threat, one that only blocks, or one of the strong game."""
        threats = self.board.completions(other, own)
        if threats:
            return threats[0]
        if not self.win:
            blocked = self._blocked(own, other, hero_to_move=True)
            if blocked.winner == _core.PositionalWinner.BREAKER:
                return blocked.reply.vertex if blocked.reply.vertex >= 0 else self.board.moves(own, other)[0]
        move, _ = self._strong(own, other, hero_to_move=True)
        if move >= 0:
            return move
        for cell in self.board.moves(own, other):
            if self._strong(own | 1 << cell, other, hero_to_move=False)[1]:
                return cell
        raise AssertionError("no move keeps the result that was proved")

    def _blocked(self, own: int, other: int, *, hero_to_move: bool) -> _core.MakerBreakerResult:
        """Ask whether the hero need only block."""
        self._check_limits()
        result = self.inquiry.blocking(vertices_of(other), vertices_of(own), not hero_to_move)
        if result.winner == _core.PositionalWinner.UNKNOWN:
            raise OutOfLimits
        return result

    def _strong(self, own: int, other: int, *, hero_to_move: bool) -> tuple[int, bool]:
        """Return a move of the hero and whether she reaches her goal."""
        attacker, defender = map(vertices_of, (own, other) if self.win else (other, own))
        self._check_limits()
        result = self.inquiry.racing(attacker, defender, hero_to_move == self.win)
        if result.answer == _core.StrongAnswer.UNKNOWN:
            raise OutOfLimits
        return result.move, (result.answer == _core.StrongAnswer.YES) == self.win

    def _check_limits(self) -> None:
        if self.inquiry.clock.over:
            raise OutOfLimits


def heroes(position: PositionalPosition, first: Player, winner: Player) -> list[Player]:
    """Return whose strategies a certificate holds: the winner's, or both players' but for who begins an empty board."""
    if winner != DRAW:
        return [winner]
    players = position.game.players
    marked = any(position.marks(player) for player in players)
    return [player for player in players if marked or player != first]


def prove(
    position: PositionalPosition, answer: Answer, path: Path, limits: Limits, chooser: PositionalChooser
) -> Written:
    """Write the certificate of a strong game that is solved."""
    first, winner = answer.first, str(answer.winner)
    payload, positions = bytearray(claim_bytes(position, first, winner, strong=True)), 0

    def work(inquiry: Inquiry) -> None:
        nonlocal positions
        for player in heroes(position, first, winner):
            own, other = masks_of(position, player)
            writer = StrategyWriter(position.board, inquiry, winner != DRAW)
            half = None
            if winner == DRAW and position.free:
                half = writer.blocking(own, other, hero_to_move=player == first, path=path)
            if half is None:
                half, count = writer.strategy(own, other, hero_to_move=player == first, path=path)
                positions += count
            payload.extend(half)

    with chooser.inquiry(position.board, limits) as inquiry:
        try:
            run_cancellable(lambda _: work(inquiry), inquiry.token)
        except OutOfLimits:
            return Written(None, None, nodes=inquiry.clock.nodes)
    size = write_payload(bytes(payload), path)
    return Written(winner, path, size, positions, inquiry.clock.nodes)


# Walking


def replay(payload: bytes, limits: Limits = Limits()) -> AnyReplay:
    """Return a walk through a certificate, which may be a win by threats."""
    reader = Bytes(payload)
    if read_claim(reader.varint(), reader)[0].winner != DRAW:
        with suppress(NoThreatsError):
            return ThreatReplay(payload, limits)
    return StrongReplay(payload, limits)


class StrongReplay(PlayReplay):
    """Walks through the strategy of a certificate: the hero moves to where the file proves something.

    For a draw with two strategies it is the second one, Breaker's or O's.
    """

    root: PositionalPosition

    def __init__(self, payload: bytes, limits: Limits = Limits()) -> None:
        self._blocking: PositionalReplay | None = None
        self._base: RecordReader | None = None
        self._source = Bytes(payload)
        self.claim, self.root, _ = read_claim(self._source.varint(), self._source)
        first, winner = self.claim.starter, self.claim.winner
        self.board, self.counts = self.root.board, Counter[str]()
        for player in heroes(self.root, first, winner):
            self.hero = self.walker = player
            self._blocking = self._base = None
            kind = self._source.byte() if winner == DRAW else STRATEGY
            if kind == BLOCKING:
                # The proof that this player need only block is one of the Maker-Breaker game.
                self._blocking = PositionalReplay(self._read_records(player == first, limits))
                self.counts["blocking"] += 1
                self.walker = BREAKER
                continue
            if kind == BASE:
                self._base = self._read_records(False, limits)
                self.counts["records"] += len(self._base.starts)
            self._proved: dict[Key, Leaf | None] = {}
            (self._read_hero if player == first else self._read_other)(*masks_of(self.root, player))

    def _read_records(self, breaker_begins: bool, limits: Limits) -> RecordReader:
        """Read the records of a proof that the hero need only block, as Breaker."""
        marks = [self.root.marks(player) for player in (self.root.game.other(self.hero), self.hero)]
        claim = replace(self.claim, starter=BREAKER if breaker_begins else MAKER, winner=BREAKER)
        return RecordReader(self._source, WalkedPosition.of(self.root, marks), claim, limits)

    def _read_hero(self, own: int, other: int) -> None:
        if own | other == self.board.every:
            return
        cell = self._source.varint()
        self.counts["moves"] += 1
        if cell >= self.board.vertices or (own | other) >> cell & 1:
            raise ValueError("the certificate marks a cell that is not free")
        if cell not in self.board.completions(own, other):
            self._read_other(own | 1 << cell, other)

    def _read_other(self, own: int, other: int) -> None:
        key, symmetry = self.board.normal(own, other)
        threats, leaf = self.board.completions(own, other), None
        if own | other == self.board.every or len(threats) > 1:
            self.counts["ends"] += 1
        elif threats:
            self.counts["threats"] += 1
            self._read_hero(own, other | 1 << threats[0])
        else:
            tag = self._source.byte()
            if tag > (BLOCK if self._base else PAIRS):
                raise ValueError(f"the certificate has an unknown tag {tag}")
            self.counts[("all", "keep", "references", "pairings", "blocked")[tag]] += 1
            symmetries = self.board.symmetries
            to = symmetries[symmetry]
            if tag == BLOCK:
                assert self._base is not None
                record, turned = self._source.varints(2)
                if not 1 <= record <= len(self._base.starts) or turned >= len(symmetries):
                    raise ValueError("the certificate refers to a record that is not there")
                zone = self._base.zone(Part(record - 1, tuple(symmetries[turned])))
                leaf = "zone", [tuple(to[cell] for cell in zone)]
            elif tag == PAIRS:
                cells = self._source.varints(2 * self._source.varint())
                if any(cell >= len(to) for cell in cells):
                    raise ValueError("the certificate pairs a cell that is not on the board")
                leaf = "pairs", [(to[one], to[two]) for one, two in zip(cells[::2], cells[1::2], strict=True)]
            elif tag != REF:
                for cell in self.board.moves(own, other):
                    self._read_hero(own, other | 1 << cell)
        self._proved.setdefault(key, leaf)

    def step(self, moves: Sequence[str]) -> Step:
        return super().step(moves) if self._blocking is None else self._blocking.step(moves)

    def _leaf(self, position: PositionalPosition) -> Leaf | None:
        """Return the leaf that settles a position of the opponent, in its own cells."""
        key, symmetry = self.board.normal(*masks_of(position, self.hero))
        leaf = self._proved.get(key)
        if leaf is None:
            return None
        back = {image: cell for cell, image in enumerate(self.board.symmetries[symmetry])}
        return leaf[0], [tuple(back[cell] for cell in cells) for cells in leaf[1]]

    def _reply(self, position: PositionalPosition) -> str:
        own, other = masks_of(position, self.hero)
        board = self.board
        urgent: Iterable[int] = board.completions(own, other) or board.completions(other, own) or position.free
        for cell in urgent:
            if cell in board.completions(own, other) or self.board.normal(own | 1 << cell, other)[0] in self._proved:
                return position.name(cell)
        raise ValueError("the certificate has no answer here")

    def place(self, position: Position, to_move: Player) -> Step:
        assert isinstance(position, PositionalPosition)
        names = position.game.player_names
        hero, over = names[self.hero], position.decided(to_move)
        goal = f"{hero} wins" if self.claim.winner == self.hero else f"{hero} does not lose"
        if over is not None:
            text = position.game.ending(position, to_move)
            return Step(position, to_move, text, caption=(f"{text} {goal}.",), leaf=True)
        if to_move == self.hero:
            reply = self._reply(position)
            return Step(position, to_move, f"{hero} plays {reply}", (reply,))
        own, other = masks_of(position, self.hero)
        threats = self.board.completions(own, other)
        leaf = self._leaf(position)
        kind, groups = leaf or ("", ())
        places = [[position.square(v) for v in cells] for cells in groups]
        moves = tuple(map(str, position.moves(to_move)))
        areas = [Area(places[0], "", svg.GREEN)] if kind == "zone" else list[Area](pair_areas(places))
        text = all_answered(names[to_move], len(moves))
        caption = f"{goal}: every move has its answer."
        if kind == "zone":
            text = f"{goal} by blocking alone from here on"
            caption = f"{text}, in the shaded squares."
        elif kind == "pairs":
            text = f"{goal} by {counted(len(groups), 'pair')}"
            caption = f"Whenever {names[to_move]} takes one of a pair, {hero} takes the other: {goal}."
        elif threats:
            text = f"{hero} threatens to complete a line at {', '.join(map(position.name, threats))}"
            caption = f"{text}: {'only that move stops it' if len(threats) == 1 else 'one of them cannot be stopped'}."
        return Step(position, to_move, text, () if leaf else moves, tuple(areas), (caption,), leaf is not None)


AnyReplay = StrongReplay | ThreatReplay
