"""m,n,k games as Maker-Breaker games for campaigns: stones as two integers.

A claim names ``maker`` (the first player gets k in a row) or ``breaker`` (the second prevents that, so that the
m,n,k game is a draw). A position's text is ``maker/breaker`` in hexadecimal; bit 0 is a1, then b1.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from zermelo import _core
from zermelo.game import Limits
from zermelo.positional.position import MnkPosition, bits, vertices_of
from zermelo.positional.prove import record_proof
from zermelo.positional.solve import BoardSolver, make_options
from zermelo.proof.container import Bytes, varint
from zermelo.running import run_cancellable
from zermelo.units import Pieces, Put, Status, Tree, UnitResult, packed

END, PAIRS, EDGE, STEP, SUM, SWAP = range(6)
"""Records of a positional proof (checker/FORMAT.md 6)."""


class MnkTree(Tree):
    """Maker moves first and wants k in a row on m columns and n rows."""

    name = "mnk"
    winners = ("maker", "breaker")
    first = ""

    def __init__(self, spec: str, first: str = "", winner: str = "") -> None:
        """Take ``m,n,k``, or ``m,n,k:moves`` with moves in turn; Maker is claimed to win if nobody is named.

        :raises ValueError: if the spec or a player is wrong.
        """
        position = MnkPosition.from_text(spec)
        position.game.starters(position, first or None)
        self.spec = spec
        self.winner = winner or "maker"
        if self.winner not in self.winners:
            raise ValueError(f"winner {winner!r} is not maker or breaker")
        self.board, self.every = position.board, (1 << position.board.vertices) - 1
        self.size = (position.columns, position.rows, position.k)
        self._name = position.name
        self._start = (bits(position.marks("X")), bits(position.marks("O")))

    def for_winner(self, winner: str) -> MnkTree:
        return MnkTree(self.spec, winner=winner)

    # Positions as text

    def key(self, position: str) -> str:
        sides = self.parse(position)
        maker, breaker = min(tuple(self._turned(side, image) for side in sides) for image in self.board.symmetries)
        return f"{maker:x}/{breaker:x}"

    def _turned(self, stones: int, image: list[int]) -> int:
        return bits(image[square] for square in vertices_of(stones))

    def symmetry(self, here: str, there: str) -> int:
        """Return the number of a symmetry that turns one position into another."""
        sides, wanted = self.parse(here), self.parse(there)
        for number, image in enumerate(self.board.symmetries):
            if tuple(self._turned(side, image) for side in sides) == wanted:
                return number
        raise ValueError("two positions of one key are no mirror images")

    @staticmethod
    def parse(position: str) -> tuple[int, int]:
        """Return the first and the second player's stones."""
        first, second = position.split("/")
        return int(first, 16), int(second, 16)

    def root(self) -> str:
        return f"{self._start[0]:x}/{self._start[1]:x}"

    def mover(self, position: str) -> str:
        first, second = self.parse(position)
        return "maker" if first.bit_count() == second.bit_count() else "breaker"

    def describe(self, position: str) -> str:
        squares = [vertices_of(side) for side in self.parse(position)]
        moves = [self._name(squares[i % 2][i // 2]) for i in range(len(squares[0]) + len(squares[1]))]
        return ",".join(map(str, self.size)) + (":" + ",".join(moves) if moves else "")

    # Rules

    def decided(self, position: str) -> str | None:
        maker, breaker = self.parse(position)
        if self.board.owns_edge(maker):
            return "maker"
        return None if any(not line & breaker for line in self.board.masks) else "breaker"

    def after(self, position: str, square: int) -> str:
        """Return the position after the mover's stone on a square."""
        first, second = self.parse(position)
        if self.mover(position) == "maker":
            return f"{first | 1 << square:x}/{second:x}"
        return f"{first:x}/{second | 1 << square:x}"

    def moves(self, position: str) -> list[tuple[int, str]]:
        """Return every free square and the position after the mover's stone on it."""
        first, second = self.parse(position)
        return [(square, self.after(position, square)) for square in vertices_of(self.every & ~(first | second))]

    def children(self, position: str) -> list[str]:
        return [child for _, child in self.moves(position)]

    def ordered(self, position: str) -> list[str]:
        first, second = self.parse(position)
        children = {child: square for square, child in self.moves(position)}

        def value(square: int) -> int:
            """Lines still open to one side count more the more stones they hold."""
            total = 0
            for line in self.board.through[square]:
                mine, theirs = (line & first).bit_count(), (line & second).bit_count()
                if not (mine and theirs):
                    total += 8 ** (mine + theirs)
            return total

        return sorted(children, key=lambda text: (-value(children[text]), text))

    def features(self, position: str) -> tuple[float, ...]:
        first, second = self.parse(position)
        free = self.board.vertices - (first | second).bit_count()
        alive = sum(not line & second for line in self.board.masks)
        return (float(free), float(alive), float(self.mover(position) == self.winner))

    # Units and certificates

    def unit_solver(self, *, memory: int, certify: bool) -> MnkSolver:
        return MnkSolver(self, memory=memory)

    def claim(self, position: str) -> bytes:
        out = b"\x02" + b"".join(map(varint, self.size))
        for cells in map(vertices_of, self.parse(position)):
            out += varint(len(cells)) + b"".join(map(varint, cells))
        return out + bytes([self.winners.index(self.mover(position)), self.winners.index(self.winner)])

    def join(self, pieces: Pieces, put: Put) -> None:
        _Joined(self, pieces, put).write()


class MnkSolver:
    """The Maker-Breaker search of the core; its tables live from unit to unit, unless certificates are written."""

    def __init__(self, tree: MnkTree, *, memory: int) -> None:
        self.tree = tree
        self._memory = memory
        core = _core.PositionalSolver(tree.board.graph, make_options(), memory)
        self._search = BoardSolver(tree.board, core, memory)

    def solve(
        self, position: str, *, nodes: int, certify: bool = False, cancel: _core.CancelToken | None = None
    ) -> UnitResult:
        begin = time.perf_counter()
        tree, limits = self.tree, Limits(nodes=nodes, memory=self._memory)
        maker, breaker = map(vertices_of, tree.parse(position))
        maker_moves = tree.mover(position) == "maker"
        result: _core.MakerBreakerResult | _core.PositionalProofResult
        certificate = None
        if certify:
            with tempfile.TemporaryDirectory() as folder:
                raw = Path(folder, "unit.raw")
                result = run_cancellable(
                    lambda token: record_proof(tree.board, maker, breaker, maker_moves, raw, limits, token), cancel
                )
                if result.winner != _core.PositionalWinner.UNKNOWN:
                    certificate = packed(raw.read_bytes())
        else:
            result = run_cancellable(
                lambda token: self._search.maker_breaker(maker, breaker, maker_moves, limits, token), cancel
            )
        found = result.winner.name.lower()
        seconds = time.perf_counter() - begin
        if found == "unknown":
            interrupted = cancel is not None and cancel.cancelled
            return UnitResult(Status.OPEN, result.nodes, seconds, interrupted=interrupted)
        status = Status.PROVED if found == tree.winner else Status.REFUTED
        return UnitResult(status, result.nodes, seconds, certificate)


class _Proved(NamedTuple):
    """A record that proves a position with the loser to move."""

    record: int
    position: str


class _Reply(NamedTuple):
    """The winner's move in a position, and what proves the position after it."""

    position: str
    cell: int
    proved: _Proved


class _Joined:
    """One proof of a whole campaign: the units' records one after the other, and a step for each position above.

    A record may be referred to through a symmetry of the board, so that a unit's certificate serves all its images,
    and nothing is proved twice.
    """

    def __init__(self, tree: MnkTree, pieces: Pieces, put: Put) -> None:
        self.tree = tree
        self.pieces = pieces
        self._put = put
        self._records = 0
        self._lost_by_key: dict[str, _Proved] = {}
        self._won_by_key: dict[str, _Reply] = {}

    def write(self) -> None:
        root = self.tree.root()
        if self.tree.mover(root) == self.tree.winner:
            reply = self._won(root)
            self._state(reply.proved, self.tree.after(root, reply.cell))
            self._put(bytes([END]) + varint(reply.cell))
        else:
            self._state(self._lost(root), root)
            self._put(bytes([END]))

    def _state(self, last: _Proved, position: str) -> None:
        """Make what is proved the last record, as it stands."""
        if last.record != self._records - 1 or last.position != position:
            if self.tree.winner == "maker":
                raise ValueError("the plan's last position is a mirror image of an earlier one")
            self._record(bytes([SUM, 1]) + self._reference(last, position), position)

    def _record(self, data: bytes, position: str) -> _Proved:
        self._put(data)
        self._records += 1
        return _Proved(self._records - 1, position)

    def _reference(self, to: _Proved, position: str) -> bytes:
        return varint(self._records - to.record) + varint(self.tree.symmetry(to.position, position))

    def _lost(self, position: str) -> _Proved:
        """Return what proves a position where the loser moves."""
        key = self.tree.key(position)
        if key not in self._lost_by_key:
            if self.pieces.is_unit(position):
                found, _ = self._unit(position)
            elif self.tree.decided(position) == self.tree.winner:
                found = self._ended(position)
            else:
                found = self._step(position)
            self._lost_by_key[key] = found
        return self._lost_by_key[key]

    def _ended(self, position: str) -> _Proved:
        if self.tree.winner == "breaker":
            return self._record(bytes([PAIRS, 0]), position)
        maker, _ = self.tree.parse(position)
        lines = self.tree.board.format_edges
        number = next(number for number, line in enumerate(lines) if not bits(line) & ~maker)
        return self._record(bytes([EDGE]) + varint(number), position)

    def _step(self, position: str) -> _Proved:
        replies = []
        for child in self.tree.children(position):
            found = self._won(child)
            cell = self.tree.board.symmetries[self.tree.symmetry(found.position, child)][found.cell]
            replies.append((cell, found.proved, self.tree.after(child, cell)))
        out = b"".join(varint(cell) + self._reference(to, there) for cell, to, there in replies)
        return self._record(bytes([STEP]) + varint(len(replies)) + out, position)

    def _won(self, position: str) -> _Reply:
        """Return the winner's move in a position, and what proves it."""
        key = self.tree.key(position)
        if key not in self._won_by_key:
            if self.pieces.is_unit(position):
                after, reply = self._unit(position)
                assert reply is not None
                self._won_by_key[key] = _Reply(*reply, after)
            else:
                self._won_by_key[key] = self._chosen(position)
        return self._won_by_key[key]

    def _chosen(self, position: str) -> _Reply:
        wanted = self.pieces.chosen(position)
        keys = {self.tree.key(child) for child in wanted}
        moves = self.tree.moves(position)
        exact = [move for move in moves if move[1] in wanted]
        for cell, child in exact or moves:
            if self.tree.key(child) in keys:
                return _Reply(position, cell, self._lost(child))
        raise ValueError(f"no move from {self.tree.describe(position)} to the planned position")

    def _unit(self, position: str) -> tuple[_Proved, tuple[str, int] | None]:
        """Write a unit's records; return the last one, and the winner's move (where and which) if she is to move."""
        stored, proof = self.pieces.unit(position, any_copy=True)
        count, end = count_records(proof)
        self._put(proof[:end])
        self._records += count
        reply, after = None, stored
        if self.tree.mover(stored) == self.tree.winner:
            reader = Bytes(proof)
            reader.at = end + 1
            reply = (stored, reader.varint())
            after = self.tree.after(*reply)
        return _Proved(self._records - 1, after), reply


def count_records(proof: bytes) -> tuple[int, int]:
    """Return how many records a proof has, and where its END is.

    :raises ValueError: if a record is not understood.
    """
    reader, count = Bytes(proof), 0
    while (tag := reader.byte()) != END:
        count += 1
        if tag in (PAIRS, STEP, SUM):
            reader.varints(reader.varint() * (3 if tag == STEP else 2))
        elif tag in (EDGE, SWAP):
            reader.varints(1 if tag == EDGE else 4)
        else:
            raise ValueError(f"a record of an unknown kind {tag}")
    return count, reader.at - 1
