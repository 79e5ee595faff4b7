"""What solves a work unit. A worker keeps one solver, so that its tables live from unit to unit."""

from __future__ import annotations

import math
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from zermelo import _core
from zermelo.campaign.certificate import container, write_strategy
from zermelo.campaign.domineering import DomineeringGame
from zermelo.campaign.game import Game
from zermelo.campaign.mnk import MnkGame
from zermelo.domineering.engine import largest_strip_table
from zermelo.domineering.position import core_player, opponent
from zermelo.proof.writing import LARGEST_PROOF_TABLE, proof_memory, strips_version
from zermelo.running import run_cancellable
from zermelo.store.records import Status

DEFAULT_MEMORY = 1 << 30
"""As in a direct search: with less the larger strip tables are left out, and 8x8 takes 2.6 times the nodes."""


@dataclass(frozen=True)
class Answer:
    """What a solver found; OPEN if it reached its limit, or was interrupted."""

    status: Status
    nodes: int
    seconds: float
    certificate: bytes | None = field(default=None, repr=False)
    interrupted: bool = False


class UnitSolver(Protocol):
    """Answers whether the claimed winner wins a position."""

    def solve(
        self, position: str, *, nodes: int, certify: bool = False, cancel: _core.CancelToken | None = None
    ) -> Answer:
        """Search at most about ``nodes`` positions; with ``certify`` write a certificate of the answer."""


class _Limit(Exception):  # noqa: N818
    pass


class RulesSolver:
    """A plain search by the rules alone: slow, short, and independent of the fast solvers it may be checked with."""

    def __init__(self, game: Game, winner: str, *, entries: int = 100_000) -> None:
        self.game = game
        self.winner = winner
        self.entries = entries
        self._table: dict[str, bool] = {}
        self._left = 0
        self._cancel: _core.CancelToken | None = None

    def solve(
        self, position: str, *, nodes: int, certify: bool = False, cancel: _core.CancelToken | None = None
    ) -> Answer:
        begin = time.perf_counter()
        self._left = nodes
        self._cancel = cancel
        try:
            status = Status.PROVED if self._wins(position) else Status.REFUTED
        except _Limit:
            status = Status.OPEN
        used = nodes - max(self._left, 0)
        if cancel is not None and cancel.cancelled and status is Status.OPEN:
            return Answer(status, used, time.perf_counter() - begin, interrupted=True)
        self._cancel = None
        certificate = None
        if certify and status is not Status.OPEN and isinstance(self.game, DomineeringGame):
            certificate = self._certificate(self.game, position, status)
        return Answer(status, used, time.perf_counter() - begin, certificate)

    def _certificate(self, game: DomineeringGame, position: str, status: Status) -> bytes:
        self._left = 1 << 62
        if status is Status.PROVED:
            return write_strategy(game, position, self._wins)
        return write_strategy(game.for_winner(opponent(game.winner)), position, self._loses)

    def _loses(self, position: str) -> bool:
        return not self._wins(position)

    def _wins(self, position: str) -> bool:
        self._left -= 1
        if self._left < 0 or (self._cancel is not None and self._cancel.cancelled):
            raise _Limit
        key = self.game.key(position)
        known = self._table.get(key)
        if known is not None:
            return known
        decided = self.game.decided(position)
        if decided is not None:
            return decided == self.winner
        if self.game.mover(position) == self.winner:
            wins = any(self._wins(child) for child in self.game.ordered(position))
        else:
            wins = all(self._wins(child) for child in self.game.ordered(position))
        if len(self._table) >= self.entries:
            self._table.clear()
        self._table[key] = wins
        return wins


class ComponentSolver:
    """The component search of the core (strip bounds); its tables live from unit to unit.

    Several threads may ask at once and have the results in common.
    ``certify`` says that certificates will be asked for: then the strip tables are such as a checker can follow.
    """

    def __init__(self, game: DomineeringGame, winner: str, *, memory: int, certify: bool = False) -> None:
        self.game = game
        self.winner = winner
        options = _core.ComponentOptions()
        options.memory = memory
        options.table_squares = LARGEST_PROOF_TABLE if certify else largest_strip_table(memory)
        self._memory = memory
        self._search = _core.ComponentSearch(game.rows, game.cols, options)

    def solve(
        self, position: str, *, nodes: int, certify: bool = False, cancel: _core.CancelToken | None = None
    ) -> Answer:
        begin = time.perf_counter()
        mover, _ = self.game.parse(position)
        board = _core.parse_spec(self.game.describe(position)).board()
        result = run_cancellable(
            lambda token: self._search.solve_alone(board, core_player(mover), nodes, token), cancel
        )
        if result.verdict == _core.Verdict.UNKNOWN:
            cancelled = result.stopped == _core.StopReason.CANCELLED
            return Answer(Status.OPEN, result.nodes, result.seconds, interrupted=cancelled)
        wins = (result.verdict == _core.Verdict.WIN) == (mover == self.winner)
        status = Status.PROVED if wins else Status.REFUTED
        if not certify:
            return Answer(status, result.nodes, result.seconds)
        winner = self.game.winner if wins else opponent(self.game.winner)
        with tempfile.TemporaryDirectory() as folder:
            raw = Path(folder, "unit.raw")
            stats = run_cancellable(
                lambda token: _core.write_domineering_proof(
                    self._search,
                    board,
                    core_player(mover),
                    core_player(winner),
                    str(raw),
                    proof_memory(self._memory),
                    math.inf,
                    token,
                ),
                cancel,
            )
            if stats.stopped != _core.StopReason.FINISHED:
                seconds = time.perf_counter() - begin
                return Answer(Status.OPEN, result.nodes, seconds, interrupted=True)
            certificate = container(raw.read_bytes(), version=strips_version(stats))
        return Answer(status, result.nodes, time.perf_counter() - begin, certificate)


class PositionalUnitSolver:
    """The Maker-Breaker search of the core; its tables live from unit to unit, unless certificates are written."""

    def __init__(self, game: MnkGame, winner: str, *, memory: int) -> None:
        self.game = game
        self.winner = winner
        self._graph = _core.Hypergraph.mnk(game.cols, game.rows, game.length)
        self._memory = memory
        self._search = _core.PositionalSolver(self._graph, _core.MakerBreakerOptions(), memory)

    def solve(
        self, position: str, *, nodes: int, certify: bool = False, cancel: _core.CancelToken | None = None
    ) -> Answer:
        begin = time.perf_counter()
        maker, breaker = (self._cells(stones) for stones in self.game.parse(position))
        to_move = _core.PositionalSide.MAKER
        if self.game.mover(position) == "breaker":
            to_move = _core.PositionalSide.BREAKER
        result: _core.MakerBreakerResult | _core.PositionalProofResult
        certificate = None
        if certify:
            with tempfile.TemporaryDirectory() as folder:
                raw = Path(folder, "unit.raw")
                result = run_cancellable(
                    lambda token: _core.write_positional_proof(
                        self._graph,
                        self.game.cols,
                        self.game.rows,
                        self.game.length,
                        maker,
                        breaker,
                        to_move,
                        _core.MakerBreakerOptions(),
                        str(raw),
                        self._memory,
                        nodes,
                        math.inf,
                        token,
                    ),
                    cancel,
                )
                if result.winner != _core.PositionalWinner.UNKNOWN:
                    certificate = container(raw.read_bytes())
        else:
            result = run_cancellable(
                lambda token: self._search.solve(
                    maker=maker, breaker=breaker, side=to_move, nodes=nodes, seconds=math.inf, cancel=token
                ),
                cancel,
            )
        found = result.winner.name.lower()
        seconds = time.perf_counter() - begin
        if found == "unknown":
            interrupted = cancel is not None and cancel.cancelled
            return Answer(Status.OPEN, result.nodes, seconds, interrupted=interrupted)
        status = Status.PROVED if found == self.winner else Status.REFUTED
        return Answer(status, result.nodes, seconds, certificate)

    def _cells(self, stones: int) -> list[int]:
        return [cell for cell in range(self.game.rows * self.game.cols) if stones >> cell & 1]


def make_game(name: str, spec: str, first: str, winner: str) -> Game:
    """Return the game a campaign is about.

    :raises ValueError: if there is no such game, or its spec is wrong.
    """
    if name == "domineering":
        for player in (first, winner):
            if player not in ("V", "H"):
                raise ValueError(f"player {player!r} is not V or H")
        return DomineeringGame(spec, "V" if first == "V" else "H", "V" if winner == "V" else "H")
    if name == "mnk":
        return MnkGame(spec)
    if name == "synthetic":
        from zermelo.campaign.synthetic import SyntheticGame

        return SyntheticGame(spec)
    raise ValueError(f"campaigns do not know the game {name!r}: domineering or mnk")


def serves_threads(game: str, name: str) -> bool:
    """Whether the solver of that name answers several threads at once, with one table for all."""
    return game == "domineering" and name in ("auto", "component")


def make_solver(
    game: Game, winner: str, *, name: str = "auto", memory: int = DEFAULT_MEMORY, certify: bool = False
) -> UnitSolver:
    """Return the solver of that name; ``auto`` is the fastest there is for the game.

    ``certify`` prepares it for questions with ``certify``.

    :raises ValueError: if there is none of that name.
    """
    if isinstance(game, DomineeringGame) and name in ("auto", "component"):
        return ComponentSolver(game, winner, memory=memory, certify=certify)
    if isinstance(game, MnkGame) and name in ("auto", "positional"):
        return PositionalUnitSolver(game, winner, memory=memory)
    if name in ("auto", "rules"):
        return RulesSolver(game, winner)
    raise ValueError(f"no unit solver {name!r} for {game.name}: auto or rules")
