"""Reads the strategy in a Domineering certificate: what it answers where, for people and for tools.

This is a reader, not a checker: it follows the file and believes it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from zermelo._core import CancelToken, ProofIndex, StopReason
from zermelo.proof._old import old_claim as read_claim
from zermelo.proof.container import Bytes, Claim

ALL, KEEP, REF, STRIPS = range(4)
COVER, FIRST_MOVE = 7, 8
ANSWERS, ANSWERS_KEEP, MAX_HEATS = 8, 12, 3
LEAVES = ("strips", "cover")
INDEX_MEMORY = 1 << 30


def forgotten(tag: int) -> int:
    """Return the tag of the same node that is not remembered.

    >>> forgotten(KEEP) == ALL, forgotten(ANSWERS_KEEP + 2) == ANSWERS + 2
    (True, True)
    """
    return ALL if tag == KEEP else tag - (ANSWERS_KEEP - ANSWERS)


@dataclass(frozen=True)
class Node:
    """One position of a strategy: ``kind`` is all, keep, ref, strips, cover or move.

    Squares are of the turned board; ``areas`` are the protective areas and dominoes of a cover. ``cuts`` are the
    components with the gaps between rows at which they are cut: those of a strips leaf, or those that are enough after
    each of the loser's moves in ``answered`` (FORMAT.md 4.4). The file has no place for such an answer; the node after
    it is a strips leaf that has the cuts, and the ``start``, of the node before.
    """

    kind: str
    free: int
    loser_to_move: bool
    start: int
    depth: int
    move: int = 0
    heats: tuple[int, ...] = ()
    cuts: tuple[tuple[int, int], ...] = ()
    areas: tuple[int, ...] = ()
    answered: tuple[int, ...] = ()


class DomineeringStrategy:
    """The proof of one certificate, turned so that the winner plays vertically (FORMAT.md 3)."""

    def __init__(self, payload: bytes) -> None:
        self.bytes = Bytes(payload)
        self.claim: Claim = read_claim(self.bytes)
        if self.claim.game != "domineering":
            raise ValueError("this certificate is not about Domineering")
        self.turned = self.claim.winner == "H"
        rows, cols, free = self.claim.rows, self.claim.cols, self.claim.free
        # Rings of fewer than three squares do not close.
        wraps_rows = self.claim.topology in ("vcylinder", "torus") and rows > 2
        wraps_cols = self.claim.topology in ("hcylinder", "torus") and cols > 2
        if self.turned:
            free = sum(
                1 << (col * rows + row) for row in range(rows) for col in range(cols) if free >> (row * cols + col) & 1
            )
            rows, cols, wraps_rows, wraps_cols = cols, rows, wraps_cols, wraps_rows
        self.rows, self.cols, self.free = rows, cols, free
        self.rings_across, self.rings_down = wraps_cols, wraps_rows
        self.proof_at = self.bytes.at
        self._index: ProofIndex | None = None
        # Each domino of the loser and of the winner with its left or upper square, in the order of the format.
        squares = range(rows * cols)
        self.across = {
            1 << s | 1 << (s + 1 if (s + 1) % cols else s + 1 - cols): s
            for s in squares
            if (s + 1) % cols or wraps_cols
        }
        self.down = {
            1 << s | 1 << (s + cols) % (rows * cols): s for s in squares if s + cols < rows * cols or wraps_rows
        }

    def build_index(
        self, *, memory: int = INDEX_MEMORY, seconds: float = math.inf, cancel: CancelToken | None = None
    ) -> None:
        """Read the proof once, so that every later step is short.

        :raises ValueError: if a limit is reached, or the proof is malformed.
        """
        index = ProofIndex(
            self.bytes.data,
            self.proof_at,
            self.lines(self.free),
            self.cols,
            self.rings_across,
            self.rings_down,
            self.claim.starter != self.claim.winner,
        )
        stopped = index.build(memory, seconds, cancel)
        if stopped != StopReason.FINISHED:
            raise ValueError("the certificate is too large to walk within the limits")
        self._index = index

    @property
    def index(self) -> ProofIndex:
        """The index, built when it is first needed."""
        if self._index is None:
            self.build_index()
        assert self._index
        return self._index

    def lines(self, free: int) -> list[int]:
        """Return the rows of a position as bit sets."""
        return [free >> (row * self.cols) & ((1 << self.cols) - 1) for row in range(self.rows)]

    def moves(self, free: int, loser: bool) -> list[int]:
        """Return the legal dominoes in the order of the format."""
        return [d for d in (self.across if loser else self.down) if free & d == d]

    def components(self, free: int) -> Iterator[int]:
        """Yield the connected components, smallest square first."""
        left = sum(1 << (row * self.cols) for row in range(self.rows))
        right = left << (self.cols - 1)
        while free:
            part, grown = 0, free & -free
            while grown != part:
                part = grown
                sideways = (part & ~right) << 1 | (part & ~left) >> 1
                grown = (part | part << self.cols | part >> self.cols | sideways) & free
            yield part
            free &= ~part

    def normal(self, free: int) -> tuple[tuple[tuple[int, ...], ...], int]:
        """Return what references compare (FORMAT.md 4.3)."""
        if self.rings_across or self.rings_down:
            return (self.least_turn(free),), 0
        number, shapes = 0, []
        for part in self.components(free):
            lines = [part >> (row * self.cols) & ((1 << self.cols) - 1) for row in range(self.rows)]
            lines = [line for line in lines if line]
            every = 0
            for line in lines:
                every |= line
            low = (every & -every).bit_length() - 1
            width = every.bit_length() - low
            if width == 1:
                number += len(lines) // 2
            elif len(lines) == 1:
                number -= width // 2
            else:
                lines = [line >> low for line in lines]
                back = [int(f"{line:0{width}b}"[::-1], 2) for line in lines]
                images = (lines, lines[::-1], back, back[::-1])
                shapes.append((width, *min(tuple(image) for image in images)))
        return tuple(sorted(shapes)), number

    def least_turn(self, free: int) -> tuple[int, ...]:
        """Return the least image of a position on a ring under mirror images and turns."""
        mask, images = (1 << self.cols) - 1, []
        lines = self.lines(free)
        for side in (lines, [int(f"{line:0{self.cols}b}"[::-1], 2) for line in lines]):
            for along in range(self.cols if self.rings_across else 1):
                image = [(line << along | line >> (self.cols - along)) & mask for line in side]
                for way in (image, image[::-1]):
                    for down in range(self.rows if self.rings_down else 1):
                        images.append((*way[down:], *way[:down]))
        return min(images)

    def cover_at(self) -> tuple[int, ...]:
        """Read the protective areas of a cover; the bytes then stand at its dominoes."""
        areas = []
        for _ in range(self.bytes.varint()):
            row, col = divmod(self.bytes.varint(), self.cols)
            areas.append(
                sum(1 << (r % self.rows * self.cols + c % self.cols) for r in (row, row + 1) for c in (col, col + 1))
            )
        return tuple(areas)

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
            corners, dominoes = self.cover_at(), self.chosen_at(self.moves(free, loser=False))
            return Node("cover", free, loser_to_move, start, depth, areas=(*corners, *dominoes))
        if STRIPS <= tag <= STRIPS + MAX_HEATS:
            heats, cuts = self.cuts_at(free, tag - STRIPS)
            return Node("strips", free, loser_to_move, start, depth, heats=heats, cuts=cuts)
        # A winner's tag of a move was seen above, so this is the loser's.
        if not ANSWERS <= tag <= ANSWERS_KEEP + MAX_HEATS:
            raise ValueError("the certificate holds an unknown tag")
        heats, cuts = self.cuts_at(free, tag % (MAX_HEATS + 1))
        answered = self.chosen_at(self.moves(free, loser=True))
        kind = "keep" if tag >= ANSWERS_KEEP else "all"
        return Node(kind, free, True, start, depth, heats=heats, cuts=cuts, answered=answered)

    def chosen_at(self, moves: list[int]) -> tuple[int, ...]:
        """Read a bit for each move; return those that have it set."""
        raw = bytes(self.bytes.byte() for _ in range((len(moves) + 7) // 8))
        chosen = int.from_bytes(raw, "little")
        return tuple(move for index, move in enumerate(moves) if chosen >> index & 1)

    def cuts_at(self, free: int, count: int) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        """Read so many heats, and the cuts of all components."""
        source, cuts = self.bytes, []
        heats = tuple(source.byte() for _ in range(count))
        for part in self.components(free):
            top = ((part & -part).bit_length() - 1) // self.cols
            bottom = (part.bit_length() - 1) // self.cols
            gaps = int.from_bytes(bytes(source.byte() for _ in range((bottom - top + 7) // 8)), "little")
            cuts.append((part, gaps << top))
        return heats, tuple(cuts)

    def answered_node(self, node: Node, move: int) -> Node:
        """Return the leaf after a move of the loser that a cut answers."""
        cuts = tuple((part & ~move, gaps) for part, gaps in node.cuts if part & ~move)
        free, depth = node.free ^ move, node.depth + 1
        return Node("strips", free, False, node.start, depth, heats=node.heats, cuts=cuts)

    def scan(
        self, visit: Callable[[Node], bool], free: int | None = None, loser_to_move: bool | None = None, depth: int = 0
    ) -> None:
        """Visit every node in the order of play, until a visit returns True (raises StopIteration).

        That is the order of the file, in which answers by a cut have no place: they are visited as leaves.
        """
        if free is None or loser_to_move is None:
            self.bytes.at = self.proof_at
            free, loser_to_move = self.free, self.claim.starter != self.claim.winner
        node = self.node_at(free, loser_to_move, depth)
        if visit(node):
            raise StopIteration
        if node.kind == "move":
            self.scan(visit, free ^ node.move, True, depth + 1)
        elif node.kind in ("all", "keep"):
            answered = set(node.answered)
            for move in self.moves(free, loser=True):
                if move not in answered:
                    self.scan(visit, free ^ move, False, depth + 1)
                elif visit(self.answered_node(node, move)):
                    raise StopIteration

    def nodes(self, limit: int | None = None) -> list[Node]:
        """Return the nodes in the order of play, at most ``limit`` plies deep if given."""
        found: list[Node] = []

        def keep(node: Node) -> bool:
            if limit is None or node.depth <= limit:
                found.append(node)
            return False

        self.scan(keep)
        return found

    def after(self, moves: list[int]) -> Node:
        """Return the node after these dominoes of the turned board, following references.

        :raises ValueError: if the strategy never plays that way.
        """
        self.bytes.at = self.proof_at
        node = self.node_at(self.free, self.claim.starter != self.claim.winner, 0)
        for number, move in enumerate(moves, 1):
            if node.kind == "ref":
                node = self.referred(node)
            if node.kind in LEAVES:
                raise ValueError(f"before move {number} the certificate already ends in a leaf")
            if node.kind == "move":
                if move != node.move:
                    raise ValueError(f"the strategy plays another move than move {number}")
                node = self.node_at(node.free ^ move, True, number)
                continue
            answers = self.moves(node.free, loser=True)
            if move not in answers:
                raise ValueError(f"move {number} is not legal")
            if move in node.answered:
                node = self.answered_node(node, move)
                continue
            for answer in answers[: answers.index(move)]:
                if answer in node.answered:
                    continue
                self.bytes.at = self.index.end_of(self.bytes.at, self.lines(node.free ^ answer), False)
            node = self.node_at(node.free ^ move, False, number)
        return node

    def referred(self, node: Node) -> Node:
        """Return the remembered position that a reference means; the bytes stand at its answers."""
        found = self.index.referred(node.start, self.lines(node.free))
        if found is None:
            raise ValueError("the certificate refers to a position that it does not prove")
        self.bytes.at, lines = found
        free = sum(line << (row * self.cols) for row, line in enumerate(lines))
        return self.node_at(free, True, node.depth)

    def domino_name(self, domino: int) -> str:
        """Return a move as people write it, on the board of the claim."""
        # On a board of one row or column a domino can belong to one player only.
        vertical = domino in self.down
        row, col = divmod(self.down[domino] if vertical else self.across[domino], self.cols)
        player = "V" if vertical != self.turned else "H"
        return f"{player}{col + 1},{row + 1}" if self.turned else f"{player}{row + 1},{col + 1}"

    def domino_of(self, player: str, row: int, col: int) -> int:
        """Return the domino of the turned board for a move of the claim's board, counted from 0.

        :raises ValueError: if the board has no such domino.
        """
        turned_row, turned_col = (col, row) if self.turned else (row, col)
        vertical = (player == "V") != self.turned
        if 0 <= turned_row < self.rows and 0 <= turned_col < self.cols:
            square = turned_row * self.cols + turned_col
            for domino, start in (self.down if vertical else self.across).items():
                if start == square:
                    return domino
        raise ValueError(f"{player}{row + 1},{col + 1} is not legal on this board")

    def picture(self, free: int) -> str:
        """Return the position as rows of text, on the board of the claim."""
        rows, cols = (self.cols, self.rows) if self.turned else (self.rows, self.cols)

        def square(row: int, col: int) -> int:
            return col * self.cols + row if self.turned else row * self.cols + col

        return "\n".join("".join("#."[free >> square(row, col) & 1] for col in range(cols)) for row in range(rows))
