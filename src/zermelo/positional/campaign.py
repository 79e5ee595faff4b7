"""m,n,k games as Maker-Breaker games for campaigns: stones as two integers.

A claim names ``maker`` (the first player gets k in a row) or ``breaker`` (the second prevents that, so that the
m,n,k game is a draw). A position's text is ``maker/breaker`` in hexadecimal; bit 0 is a1, then b1. Units may have more
marks of Breaker than turns allow, where cells do not matter any more; then who is to move follows, ``1/2c/maker``.

The core plans: its own search ends at the units, so that the reply it would choose is planned, and a finished unit
answers every move outside its zone.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from zermelo import _core
from zermelo.game import Limits
from zermelo.game.units import KnownUnit, Pieces, PlannedUnits, Put, Tree, UnitResult
from zermelo.positional.position import MnkPosition, bits, vertices_of
from zermelo.positional.prove import maker_breaker_claim, record_proof
from zermelo.positional.solve import BoardSolver, make_options, make_prover, weights
from zermelo.proof.container import packed, payload_of
from zermelo.running import run_cancellable

WINNERS = {"maker": _core.PositionalWinner.MAKER, "breaker": _core.PositionalWinner.BREAKER}
NAMES = {winner: name for name, winner in WINNERS.items()}
EVERY_PLY = 1 << 20


class MnkTree(Tree):
    """Maker moves first and wants k in a row on m columns and n rows."""

    name = "mnk"
    winners = ("maker", "breaker")
    rules = " where O only blocks"
    first = ""
    shares_tables = True
    plans_itself = True
    joined = "breaker"

    def __init__(self, spec: str, first: str = "", winner: str = "") -> None:
        """Take ``m,n,k``, or ``m,n,k:moves`` with moves in turn; Maker is claimed to win if nobody is named.

        :raises ValueError: if the spec or a player is wrong.
        """
        position = MnkPosition(spec)
        position.game.starters(position, first or None)
        self.spec = spec
        self.winner = winner or "maker"
        if self.winner not in self.winners:
            raise ValueError(f"winner {winner!r} is not maker or breaker")
        self.board, self.every = position.board, (1 << position.board.vertices) - 1
        self.size = (position.columns, position.rows, position.k)
        self._name = position.name
        self._start = (bits(position.marks("X")), bits(position.marks("O")))
        self._mover = "maker" if position.to_move == "X" else "breaker"

    def for_winner(self, winner: str) -> MnkTree:
        return MnkTree(self.spec, winner=winner)

    # Positions as text

    def key(self, position: str) -> str:
        sides = self.cells(position)
        maker, breaker = min([bits(to[square] for square in side) for side in sides] for to in self.board.symmetries)
        return self.text(maker, breaker, self.mover(position))

    @staticmethod
    def parse(position: str) -> tuple[int, int]:
        """Return the first and the second player's stones."""
        first, second = position.split("/")[:2]
        return int(first, 16), int(second, 16)

    def cells(self, position: str) -> tuple[list[int], list[int]]:
        """Return the same as lists of squares."""
        maker, breaker = map(vertices_of, self.parse(position))
        return maker, breaker

    @staticmethod
    def text(maker: int, breaker: int, mover: str) -> str:
        """Return a position's text.

        >>> MnkTree.text(1, 0, "breaker"), MnkTree.text(1, 44, "maker")
        ('1/0', '1/2c/maker')
        """
        by_count = "maker" if maker.bit_count() == breaker.bit_count() else "breaker"
        return f"{maker:x}/{breaker:x}" + ("" if mover == by_count else f"/{mover}")

    def root(self) -> str:
        return self.text(*self._start, self._mover)

    def mover(self, position: str) -> str:
        first, second, *told = position.split("/")
        if told:
            return told[0]
        return "maker" if int(first, 16).bit_count() == int(second, 16).bit_count() else "breaker"

    def describe(self, position: str) -> str:
        sides, size = self.cells(position), ",".join(map(str, self.size))
        if not 0 <= len(sides[0]) - len(sides[1]) <= 1:
            names = [" ".join(map(self._name, side)) for side in sides]
            return f"{size} with X {names[0]}, O {names[1]}"
        moves = [self._name(sides[i % 2][i // 2]) for i in range(len(sides[0]) + len(sides[1]))]
        return size + (":" + ",".join(moves) if moves else "")

    # Rules

    def decided(self, position: str) -> str | None:
        maker, breaker = self.parse(position)
        if self.board.owns_edge(maker):
            return "maker"
        return None if any(not line & breaker for line in self.board.masks) else "breaker"

    def children(self, position: str) -> list[str]:
        maker, breaker = self.parse(position)
        return self._after(position, vertices_of(self.every & ~(maker | breaker)))

    def ordered(self, position: str) -> list[str]:
        maker, breaker = self.parse(position)
        sides = (maker, breaker) if self.mover(position) == "maker" else (breaker, maker)
        value = weights(self.board, *sides)
        return self._after(position, sorted(value, key=lambda square: -value[square]))

    def _after(self, position: str, squares: Iterable[int]) -> list[str]:
        """Return the position after the mover's stone on each of some squares."""
        maker, breaker = self.parse(position)
        if self.mover(position) == "maker":
            return [self.text(maker | 1 << square, breaker, "breaker") for square in squares]
        return [self.text(maker, breaker | 1 << square, "maker") for square in squares]

    # Units and certificates

    def unit_solver(self, *, memory: int, certify: bool, threads: int) -> MnkSolver:
        return MnkSolver(self, memory=memory, threads=threads)

    def plan(self, cut: int, split: Sequence[str], known: Sequence[KnownUnit]) -> PlannedUnits:
        units = [(*self.cells(unit.position), WINNERS[unit.winner], list(unit.region), b"") for unit in known]
        winner, wanted = self._planned(cut, [self.cells(position) for position in split], units, "")
        texts = [(self.text(bits(maker), bits(breaker), "maker"), ply) for maker, breaker, ply in wanted]
        return PlannedUnits(winner, texts)

    def _planned(
        self,
        cut: int,
        split: list[tuple[list[int], list[int]]],
        known: list[tuple[list[int], list[int], _core.PositionalWinner, list[int], bytes]],
        joined: str,
    ) -> tuple[str | None, list[tuple[list[int], list[int], int]]]:
        side = _core.PositionalSide.MAKER if self._mover == "maker" else _core.PositionalSide.BREAKER
        winner, units, _ = run_cancellable(
            lambda token: _core.plan_proof(
                self.board.graph, self.size, *self.cells(self.root()), side, cut, split, known, joined, token
            )
        )
        return NAMES.get(winner), units

    def region(self, position: str, certificate: bytes) -> tuple[int, ...]:
        """Return Breaker's zone; nothing for a win of Maker."""
        payload, claim = payload_of(certificate), self.for_winner("breaker").claim(position)
        if not payload.startswith(claim):
            return ()
        return tuple(_core.zone_of_proof(self.board.graph, self.size, payload[len(claim) :]))

    def claim(self, position: str) -> bytes:
        return maker_breaker_claim(self.board, self.cells(position), self.mover(position), self.winner)

    def join(self, pieces: Pieces, put: Put) -> None:
        """Search down to the units again, which is what the plan did, and write that with their records."""
        if pieces.is_unit(self.root()):
            put(pieces.unit(self.root()))
            return
        units = []
        for position, proof in pieces.units():
            zone = _core.zone_of_proof(self.board.graph, self.size, proof)
            units.append((*self.cells(position), WINNERS[self.joined], zone, proof))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "joined.raw")
            winner, _ = self._planned(EVERY_PLY, [], units, str(path))
            if winner != self.winner:
                raise ValueError(f"the units do not prove that {self.winner} wins")
            put(path.read_bytes())


class MnkSolver:
    """The Maker-Breaker search of the core; its table lives from unit to unit, and threads share it.

    So they do what is recorded for certificates: a unit's is written from it, and may use what others found. The whole
    claim as one unit is searched by all threads.
    """

    def __init__(self, tree: MnkTree, *, memory: int, threads: int) -> None:
        self.tree = tree
        self._memory = memory
        self._threads = threads
        self._making = threading.Lock()
        self._prover: _core.PositionalProver | None = None
        self._search: BoardSolver | None = None

    def _recording(self) -> _core.PositionalProver:
        with self._making:
            if self._prover is None:
                # Two threads at least: so the search tells the others what it is at.
                self._prover = make_prover(self.tree.board, make_options((), max(2, self._threads)), self._memory)
            return self._prover

    def _plain(self) -> BoardSolver:
        with self._making:
            if self._search is None:
                core = _core.PositionalSolver(self.tree.board.graph, make_options(), self._memory)
                self._search = BoardSolver(self.tree.board, core, self._memory)
            return self._search

    def solve(
        self, position: str, *, nodes: int, certify: bool = False, cancel: _core.CancelToken | None = None
    ) -> UnitResult:
        begin = time.perf_counter()
        tree, limits = self.tree, Limits(nodes=nodes, memory=self._memory)
        maker, breaker = tree.cells(position)
        maker_moves = tree.mover(position) == "maker"
        result: _core.MakerBreakerResult | _core.PositionalProofResult
        certificate = None
        if certify:
            with tempfile.TemporaryDirectory() as folder:
                raw = Path(folder, "unit.raw")
                by = self._recording()
                alone = self._threads < 2 or position != tree.root()
                result = run_cancellable(
                    lambda token: record_proof(
                        tree.board, maker, breaker, maker_moves, raw, limits, token, by, alone=alone
                    ),
                    cancel,
                )
                if result.winner != _core.PositionalWinner.UNKNOWN:
                    claim = tree.for_winner(NAMES[result.winner]).claim(position)
                    certificate = packed(claim + raw.read_bytes())
        else:
            search = self._plain()
            result = run_cancellable(
                lambda token: search.maker_breaker(maker, breaker, maker_moves, limits, token), cancel
            )
        winner = NAMES.get(result.winner)
        interrupted = winner is None and cancel is not None and cancel.cancelled
        return UnitResult(tree.verdict(winner), result.nodes, time.perf_counter() - begin, certificate, interrupted)
