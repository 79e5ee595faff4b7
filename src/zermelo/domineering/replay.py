"""Reads the strategy in a Domineering certificate (checker/FORMAT.md 3 to 5 and 7), for people and for tools.

This is a reader, not a checker: it follows the file and trusts it. The work is bounded by the
number of bytes.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from zermelo._core import ProofIndex, StopReason
from zermelo.domineering.game import GAME
from zermelo.domineering.lattice import squares_of
from zermelo.domineering.position import PLAYER_NAMES, Move, Position, opponent
from zermelo.domineering.prove import RECTANGLE, STRATEGY
from zermelo.draw import Area, svg
from zermelo.game import Clock, Limits, Replay, Step
from zermelo.proof.container import Bytes, Claim
from zermelo.words import all_answered, counted, letters

ALL, KEEP, REF = range(3)
COVER, FIRST_MOVE = 7, 8
CUT, CUT_KEEP, CUT_WON, MAX_CUTS = 16, 24, 0, 7
TOO_LARGE = "the certificate is too large to walk within the limits"
LARGEST_SIDES = 100_000
"""Rows and columns together of the largest board of a derivation that is shown."""
MOST_FACTS = 500
"""Facts of a derivation that are listed."""
MOST_VALUES = 16
"""Pieces of a leaf whose values are worked out for a picture."""


@dataclass(frozen=True)
class Cut:
    """The strips of a cut, which are sets of squares, and the loser's moves after each of which it is enough."""

    strips: tuple[int, ...]
    cut: int = 0
    """How many of the strips begin at a cut."""
    answered: tuple[int, ...] = ()


@dataclass(frozen=True)
class Node:
    """One position of a strategy: ``kind`` is all, keep, ref, strips, cover or move.

    Sets of squares are of the turned board; ``areas`` are the protective areas and dominoes of a cover. ``cuts`` is the
    one of a strips leaf, or those that answer moves of the loser (FORMAT.md 4.4). The file has no place for such an
    answer; the node after it is a strips leaf that has the cut, and the ``start``, of the node before.
    """

    kind: str
    free: int
    loser_to_move: bool
    start: int
    depth: int
    move: int = 0
    cuts: tuple[Cut, ...] = ()
    areas: tuple[int, ...] = ()

    @property
    def answered(self) -> dict[int, Cut]:
        """The loser's moves that a cut answers."""
        return {move: cut for cut in self.cuts for move in cut.answered}


class StrategyReader:
    """The proof of one certificate, turned so that the winner plays vertically (FORMAT.md 3)."""

    def __init__(self, payload: bytes, at: int = 0, limits: Limits = Limits()) -> None:
        """Read the claim; ``at`` is where it begins, after a game byte, where a strategy is part of a derivation."""
        self.limits = limits
        self.bytes = Bytes(payload)
        self.bytes.at = at
        if not at and self.bytes.varint() != STRATEGY:
            raise ValueError("this certificate holds no strategy of Domineering")
        self.claim: Claim = GAME.read_claim(STRATEGY, self.bytes)
        self.proof_at = self.bytes.at
        self.position = Position(self.claim.spec)
        self.turned = self.claim.winner == "H"
        self.loser_starts = self.claim.starter != self.claim.winner
        self.lattice = self.position.lattice.transposed if self.turned else self.position.lattice
        self.free = self.position.lattice.transpose(self.position.free) if self.turned else self.position.free
        self.cols, self.rows = self.lattice.cols, self.lattice.rows

    def unturned(self, squares: int) -> int:
        """Return squares of the turned board as squares of the claim's board."""
        return self.lattice.transpose(squares) if self.turned else squares

    @cached_property
    def index(self) -> ProofIndex:
        """The whole proof, read once within the limits, so that every later step is short.

        :raises ValueError: if a limit is reached, or the proof is malformed.
        """
        board, limits = self.position.board.transposed() if self.turned else self.position.board, self.limits
        index = ProofIndex(self.bytes.data, board, self.proof_at, self.loser_starts)
        if index.build(limits.with_(nodes=None, on_progress=None).of_core(limits.cancel)) != StopReason.FINISHED:
            raise ValueError(TOO_LARGE)
        return index

    def lines(self, free: int) -> list[int]:
        """Return the rows of a position as bit sets."""
        return [free >> (row * self.cols) & ((1 << self.cols) - 1) for row in range(self.rows)]

    def moves(self, free: int, loser: bool) -> list[int]:
        """Return the legal dominoes in the order of the format."""
        player = "H" if loser else "V"
        return [self.lattice.domino(player, square) for square in squares_of(self.lattice.sites(player, free))]

    def name(self, domino: int, loser: bool) -> str:
        """Return a move as people write it, on the board of the claim."""
        player = "H" if loser else "V"
        square = next(s for s in squares_of(domino) if self.lattice.domino(player, s) == domino)
        row, col = divmod(square, self.cols)
        if self.turned:
            return str(Move(opponent(player), col + 1, row + 1))
        return str(Move("H" if loser else "V", row + 1, col + 1))

    def shown(self, free: int) -> Position:
        """Return a position of the turned board as one of the claim's board."""
        return Position.of(self.position.lattice, self.position.lattice.full & ~self.unturned(free))

    # Reading

    def node_at(self, free: int, loser_to_move: bool, depth: int) -> Node:
        """Read one node; the bytes then stand at its first child or behind it."""
        source, start = self.bytes, self.bytes.at
        tag = source.byte() if loser_to_move else source.varint()
        if not loser_to_move and tag >= FIRST_MOVE:
            moves = self.moves(free, loser=False)
            if tag - FIRST_MOVE >= len(moves):
                raise ValueError("the certificate plays a move that is not legal")
            return Node("move", free, False, start, depth, move=moves[tag - FIRST_MOVE])
        if loser_to_move and tag <= REF:
            return Node(("all", "keep", "ref")[tag], free, True, start, depth)
        if tag == COVER:
            corners, dominoes = self._corners_at(), self._chosen_at(self.moves(free, loser=False))
            return Node("cover", free, loser_to_move, start, depth, areas=(*corners, *dominoes))
        if tag == (CUT if loser_to_move else CUT_WON):
            return Node("strips", free, loser_to_move, start, depth, cuts=(self._cut_at(free),))
        # A winner's tag of a move was seen above, so this is the loser's.
        if not loser_to_move or not CUT < tag <= CUT_KEEP + MAX_CUTS or tag == CUT_KEEP:
            raise ValueError("the certificate holds an unknown tag")
        left, cuts = self.moves(free, loser=True), list[Cut]()
        for _ in range(tag % (MAX_CUTS + 1)):
            cut = self._cut_at(free)
            cuts.append(replace(cut, answered=self._chosen_at(left)))
            left = [move for move in left if move not in cuts[-1].answered]
        kind = "keep" if tag > CUT_KEEP else "all"
        return Node(kind, free, True, start, depth, cuts=tuple(cuts))

    def _corners_at(self) -> tuple[int, ...]:
        areas = []
        for _ in range(self.bytes.varint()):
            row, col = divmod(self.bytes.varint(), self.cols)
            places = [(r % self.rows, c % self.cols) for r in (row, row + 1) for c in (col, col + 1)]
            areas.append(sum(1 << (r * self.cols + c) for r, c in places))
        return tuple(areas)

    def _chosen_at(self, moves: list[int]) -> tuple[int, ...]:
        """Read a bit for each move; return those that have it set."""
        chosen = self.bytes.bits(len(moves))
        return tuple(move for index, move in enumerate(moves) if chosen >> index & 1)

    def _cut_at(self, free: int) -> Cut:
        """Read a cut, which may step between runs of squares (FORMAT.md 5.6)."""
        runs = list[list[list[int]]]()
        for squares in Position.of(self.lattice, self.lattice.full & ~free).board.components():
            lines = enumerate(self.lines(sum(1 << square for square in squares)))
            runs.append([list(_runs(line << row * self.cols)) for row, line in lines if line])
        bits = self.bytes.bits(sum(len(line) for part in runs for line in part[1:]))
        strips = list[int]()
        for part in runs:
            strips.append(sum(part[0]))
            for line in part[1:]:
                here = [strips.pop(), 0]
                for run in line:
                    here[bits & 1] |= run
                    bits >>= 1
                strips += here if here[1] else here[:1]
        return Cut(tuple(strips), len(strips) - len(runs))

    def answered_node(self, node: Node, move: int) -> Node:
        """Return the leaf after a move of the loser that a cut answers."""
        cut = node.answered[move]
        strips = tuple(strip & ~move for strip in cut.strips if strip & ~move)
        after = Cut(strips, cut.cut)
        return Node("strips", node.free ^ move, False, node.start, node.depth + 1, cuts=(after,))

    def nodes(self) -> Iterator[Node]:
        """Yield every node in the order of play, which is that of the file; answers by a cut come as leaves.

        Nothing else may read before the last node has been taken.
        """
        self.bytes.at = self.proof_at
        todo: list[Node | tuple[int, bool, int]] = [(self.free, self.loser_starts, 0)]
        while todo:
            entry = todo.pop()
            node = entry if isinstance(entry, Node) else self.node_at(*entry)
            yield node
            if node.kind == "move":
                todo.append((node.free ^ node.move, True, node.depth + 1))
            elif node.kind in ("all", "keep"):
                answered = node.answered
                for move in reversed(self.moves(node.free, loser=True)):
                    after = (node.free ^ move, False, node.depth + 1)
                    todo.append(self.answered_node(node, move) if move in answered else after)

    def root(self) -> Node:
        """Read the first node."""
        self.bytes.at = self.proof_at
        return self.node_at(self.free, self.loser_starts, 0)

    def child(self, node: Node, move: int) -> Node:
        """Return the node after a legal move; ``node`` must have been read last, and be no reference."""
        if node.kind == "move":
            return self.node_at(node.free ^ move, True, node.depth + 1)
        if move in node.answered:
            return self.answered_node(node, move)
        answered = node.answered
        for earlier in self.moves(node.free, loser=True):
            if earlier == move:
                break
            if earlier not in answered:
                self.bytes.at = self.index.end_of(self.bytes.at, self.lines(node.free ^ earlier), False)
        return self.node_at(node.free ^ move, False, node.depth + 1)

    def referred(self, node: Node) -> Node:
        """Return the remembered position that a reference means; the bytes stand at its answers."""
        found = self.index.referred(node.start, self.lines(node.free))
        if found is None:
            raise ValueError("the certificate refers to a position that it does not prove")
        self.bytes.at, lines = found
        free = sum(line << (row * self.cols) for row, line in enumerate(lines))
        return self.node_at(free, True, node.depth)

    def words(self, node: Node) -> str:
        """Describe a node of the certificate in one line."""
        winner, loser = self.claim.winner, opponent(self.claim.winner)
        mover = loser if node.loser_to_move else winner
        if node.kind == "move":
            return f"{winner} to move plays {self.name(node.move, loser=False)}"
        if node.kind == "ref":
            return f"{loser} to move: like a position proved before"
        if node.kind == "cover":
            return f"{mover} to move: {winner} wins by a cover of {counted(len(node.areas), 'area')}"
        if node.kind == "strips":
            return f"{mover} to move: {winner} wins by {_strips_words(node.cuts[0])}"
        count = len(self.moves(node.free, loser=True))
        if not count:
            return f"{loser} has no move left and loses"
        by = [f", {len(cut.answered)} of them by {_strips_words(cut)}" for cut in node.cuts if cut.answered]
        return all_answered(loser, count) + "".join(by)


def _strips_words(cut: Cut) -> str:
    return f"strips ({counted(cut.cut, 'cut')})"


def _runs(squares: int) -> Iterator[int]:
    """Yield the runs of neighbouring squares of a row."""
    while squares:
        run = squares & ~(squares + (squares & -squares))
        yield run
        squares ^= run


# Walking


def replay(payload: bytes, *, limits: Limits = Limits()) -> Replay:
    """Return a walk through a strategy, or the story of a derivation.

    :raises ValueError: if it is malformed, or too large for the limits.
    """
    if payload[:1] == bytes([RECTANGLE]):
        return DerivationReplay(payload, limits)
    return DomineeringReplay(payload, limits)


class DomineeringReplay:
    """Walks on the board of the claim. Where the file refers to a position, the walk goes on from that one."""

    def __init__(self, payload: bytes, limits: Limits) -> None:
        self._reader = StrategyReader(payload, limits=limits)
        self.claim = self._reader.claim
        self.walker = self.claim.winner
        self._lock = threading.Lock()  # The reader has one cursor.
        _ = self._reader.index  # raises where a limit is reached

    def step(self, moves: Sequence[str]) -> Step:
        """Return the place after some moves, both players' in turn.

        :raises ValueError: if the strategy never plays that way.
        """
        reader = self._reader
        with self._lock:
            node, shown = reader.root(), reader.position
            for number, move in enumerate([*moves, None], 1):
                text = reader.words(node)
                if node.kind == "ref":
                    text += ", shown here"
                    node = reader.referred(node)
                    shown = reader.shown(node.free)
                if move is None:
                    break
                legal = self._followed(node)
                if not legal:
                    raise ValueError(f"before move {number} the certificate already ends in a leaf")
                if move not in legal:
                    its = f"is not the strategy's: it plays {next(iter(legal))}"
                    raise ValueError(f"move {number}, {move[:20]}, {'is not legal' if node.loser_to_move else its}")
                shown = shown.after(move)
                node = reader.child(node, legal[move])
        to_move = opponent(self.claim.winner) if node.loser_to_move else self.claim.winner
        followed = tuple(self._followed(node))
        areas, words, caption = _overlay(reader, node)
        return Step(shown, to_move, text, followed, areas, caption, not followed, words)

    def _followed(self, node: Node) -> dict[str, int]:
        """Return the moves that can be followed, by name."""
        if node.kind in ("strips", "cover"):
            return {}
        moves = [node.move] if node.kind == "move" else self._reader.moves(node.free, loser=True)
        return {self._reader.name(move, node.loser_to_move): move for move in moves}


def _overlay(reader: StrategyReader, node: Node) -> tuple[tuple[Area, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the areas of a cover or the pieces of a cut, with words and formulas for them."""
    winner = PLAYER_NAMES[reader.claim.winner]
    if node.kind == "cover":
        found = [_squares(reader, area) for area in node.areas]
        colours = [svg.BLUE if len(squares) == 4 else svg.GREEN for squares in found]
        areas = [Area(s, letters(i), colours[i]) for i, s in enumerate(found)]
        words = (
            f"{winner} covers the board with areas that the loser cannot all spoil: of the blue ones {winner} is sure "
            "of two moves for every two, of the green ones of one for every two or three, and the loser runs out of "
            "squares first."
        )
        return tuple(areas), (words,), ()
    if node.kind != "strips" or not node.cuts[0].strips:
        return (), (), ()
    areas, lines = list[Area](), list[str]()
    for number, piece in enumerate(_pieces(reader, node)):
        letter = letters(number)
        areas.append(Area(_squares(reader, piece), letter, svg.CYCLE[number % len(svg.CYCLE)]))
        if piece.bit_count() > 1 and len(lines) < MOST_VALUES:
            value = reader.position.game.values.small_text(reader.position.part(reader.unturned(piece))[0])
            if value is not None:
                lines.append(f"{letter} = {value}")
    promise = f"{winner} promises never to cross the cuts; the pieces together are already enough for {winner}."
    return tuple(areas), (promise,), ("The worth of the pieces to V:", *lines) if lines else ()


def _squares(reader: StrategyReader, squares: int) -> list[tuple[int, int]]:
    """Return a set of the turned board as rows and columns of the claim's board."""
    return reader.position.lattice.places(squares_of(reader.unturned(squares)))


def _pieces(reader: StrategyReader, node: Node) -> Iterator[int]:
    """Yield the pieces of a cut: the strips of a component, and in a strip every run of columns (FORMAT.md 5.1)."""
    column = reader.lattice.first_col
    for strip in node.cuts[0].strips:
        run = 0
        for col in range(reader.cols + 1):
            squares = strip & column << col if col < reader.cols else 0
            run |= squares
            if run and not squares:
                yield run
                run = 0


# Derivations by rules


class DerivationReplay:
    """Lists the facts of a derivation (FORMAT.md 7). It has no moves."""

    def __init__(self, payload: bytes, limits: Limits) -> None:
        source = Bytes(payload)
        self.claim = GAME.read_claim(source.varint(), source)
        self.walker = self.claim.winner
        if sum(map(int, self.claim.spec.split("x"))) > LARGEST_SIDES:
            raise ValueError(f"{self.claim.spec} is too large a board to show")
        self.facts = list(_facts(source, Clock(limits)))

    def step(self, moves: Sequence[str]) -> Step:
        """Return the list of facts.

        :raises ValueError: if moves are given.
        """
        if moves:
            raise ValueError(f"this certificate derives {self.claim.spec} by rules; it has no moves to walk")
        lines = [f"{number}. {fact}" for number, fact in enumerate(self.facts, 1)]
        if len(lines) > MOST_FACTS:
            lines = [*lines[: MOST_FACTS - 1], f"and {len(lines) - MOST_FACTS:,} more, up to", lines[-1]]
        text = f"derived by rules in {counted(len(self.facts), 'step')}"
        return Step(Position(self.claim.spec), self.claim.starter, text, caption=tuple(lines), leaf=True)


def _facts(source: Bytes, clock: Clock) -> Iterator[str]:
    """Yield each fact in words, with its reason.

    :raises ValueError: if the derivation is malformed, or a limit is reached.
    """
    facts: list[tuple[int, int, str, str]] = []

    def ref() -> int:
        back = source.varint()
        if not 1 <= back <= len(facts):
            raise ValueError("the certificate refers to a fact that does not come before")
        return len(facts) - back

    while (tag := source.byte()) != 0:
        if tag == 1:
            reader = StrategyReader(source.data, source.at, clock.left())
            claim, index = reader.claim, reader.index
            source.at = index.end_of(reader.proof_at, reader.lines(reader.free), reader.loser_starts)
            fact = reader.position.rows, reader.position.cols, claim.starter, claim.winner
            why = f"by a strategy of {index.nodes:,} positions"
        elif tag == 2:
            one = ref()
            rows, cols, starter, winner = facts[one]
            fact, why = (cols, rows, opponent(starter), opponent(winner)), f"turned: {one + 1}"
        elif tag == 3:
            cols, starter = source.varint(), "VH"[source.varint() & 1]
            fact, why = (1, cols, starter, "H"), "V has no move in one row"
        elif tag in (4, 5):
            one, two = ref(), ref()
            wide = facts[one][1] + facts[two][1]
            starter = "H" if "H" in (facts[one][2], facts[two][2]) else "V"
            fact = (facts[one][0], wide, starter, "H") if tag == 4 else (2, wide + 1, "V", "V")
            why = f"H never plays across the line: {one + 1}, {two + 1}"
            if tag == 5:
                why = f"V's domino leaves two parts: {one + 1}, {two + 1}"
        elif tag == 6:
            one = ref()
            fact, why = (2, facts[one][1] + 1, "V", "V"), f"V's domino at the edge leaves {one + 1}"
        elif tag == 7:
            rows = source.varint()
            fact, why = (rows, 2 * rows, "V", "H"), "two squares side by side, each its own negative"
        else:
            raise ValueError("the certificate holds an unknown fact")
        if clock.over:
            raise ValueError(TOO_LARGE)
        facts.append(fact)
        yield f"{fact[0]}x{fact[1]}, {fact[2]} starts: {fact[3]} wins ({why})"


# Tools


def counts(payload: bytes) -> Counter[str]:
    """Count the nodes of a certificate by kind."""
    if payload[:1] == bytes([RECTANGLE]):
        return Counter(facts=len(DerivationReplay(payload, Limits()).facts))
    return Counter(node.kind for node in StrategyReader(payload).nodes())


def trimmed(payload: bytes) -> bytes:
    """Return the payload without marks of remembered positions to which nothing refers: checking takes less memory.

    :raises ValueError: if there is nothing to leave out.
    """
    if payload[:1] == bytes([RECTANGLE]):
        raise ValueError("derivations are written without anything superfluous; nothing to trim")
    reader = StrategyReader(payload)
    index, remembered, needed = reader.index, list[int](), set[int]()
    for node in reader.nodes():
        if node.kind == "keep":
            remembered.append(node.start)
        elif node.kind == "ref":
            found = index.referred(node.start, reader.lines(node.free))
            needed.add(-1 if found is None else found[0])
    out = bytearray(payload)
    for start in remembered:
        if start not in needed:
            out[start] = ALL if out[start] < CUT else out[start] & ~(CUT_KEEP - CUT)
    return bytes(out)


def kept_tag(tag: int) -> int | None:
    """Return the tag with which a node of the loser is remembered; None if it is a leaf.

    >>> [kept_tag(tag) for tag in (0, 1, 2, 7, 16, 17, 31)]
    [1, 1, 2, None, None, 25, 31]
    """
    if tag < CUT:
        return {ALL: KEEP, KEEP: KEEP, REF: REF}.get(tag)
    return None if tag == CUT else tag | (CUT_KEEP - CUT)
