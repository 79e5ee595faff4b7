"""Solve, and write a certificate of the answer."""

from __future__ import annotations

import math
import os
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from zermelo import _core
from zermelo.domineering.engine import SearchOptions, component_engine, winner_of
from zermelo.domineering.position import Player, Position, core_player
from zermelo.positional.files import HypergraphGame
from zermelo.positional.mnk import MnkGame
from zermelo.positional.solving import UNLIMITED, make_options, winner_name
from zermelo.proof.container import Bytes, compress_payload, header, read_claim, read_version
from zermelo.running import run_cancellable

DEFAULT_MEMORY = 1 << 30
LARGEST_PROOF_TABLE = 24
"""Squares of the largest strip patterns in a proof. The checker values every pattern for itself, with all that can
become of it: with 3x9 there would be eight times as many."""
COVER_VERSION, ANSWERS_VERSION = 2, 3  # of the format
STRIP_SIDE = 16


@dataclass(frozen=True)
class Written:
    """A certificate that was written, or why none was: ``winner`` is None when a limit was reached."""

    winner: str | None
    path: Path | None
    size: int = 0
    positions: int = 0
    nodes: int = 0
    solving_seconds: float = 0.0
    proof_seconds: float = 0.0
    searched_again: int = 0


def check_folder(path: Path) -> None:
    """Make sure that a certificate can be written there, before anything is searched.

    :raises ValueError: if it cannot.
    """
    folder = path.absolute().parent
    if not folder.is_dir():
        raise ValueError(f"the certificate cannot be written: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"the certificate cannot be written: the folder {folder} is read-only")


def proof_engine(board: _core.Board, memory: int, threads: int) -> _core.ComponentSearch:
    """Return a search whose results a certificate can be made of; it leaves memory for writing it."""
    share = max(2**20, memory - proof_memory(memory))
    options = SearchOptions(memory=share)
    return component_engine(board, options, threads, largest_table=LARGEST_PROOF_TABLE)


def proof_memory(memory: int) -> int:
    """Return how much of the memory is for the positions of the certificate; the search has the rest."""
    return memory // 4


def strips_version(stats: _core.DomineeringProofStats) -> int:
    """Return the lowest version of the format that has what a proof by strips holds."""
    # Every position whose moves are answered has a cut. Without one there is a leaf, perhaps after the winner's move.
    return ANSWERS_VERSION if stats.positions else 1


def write_domineering(
    position: Position | str,
    first: Player,
    path: str | Path,
    *,
    memory: int = DEFAULT_MEMORY,
    threads: int = 1,
    seconds: float | None = None,
    cancel: _core.CancelToken | None = None,
    solved: tuple[_core.ComponentSearch, Player] | None = None,
    on_progress: Callable[[_core.Progress], None] | None = None,
) -> Written:
    """Find who wins when ``first`` starts, and write the certificate.

    Cylinders, tori and boards with a side over 16 are solved and proved by covers, others by strips. ``solved`` is a
    :func:`proof_engine` that has solved the position, and the winner: then nothing is searched but what its table has
    forgotten. Progress is told of the writing, in positions.

    :raises ValueError: if the position is bad.
    """
    if isinstance(position, str):
        position = Position.from_text(position)
    board, target = position.board, Path(path)
    check_folder(target)
    way: _ByStrips | _ByCovers
    if board.topology != _core.Topology.RECTANGLE or max(board.rows, board.cols) > STRIP_SIDE:
        way = _ByCovers(board, first, memory, threads)
    else:
        way = _ByStrips(board, first, memory, threads, solved, on_progress)
    end = time.monotonic() + (math.inf if seconds is None else seconds)
    raw = target.with_name(target.name + ".raw")

    def work(token: _core.CancelToken) -> Written:
        winner, nodes, solving_seconds = way.solve(end - time.monotonic(), token)
        unknown = Written(None, None, nodes=nodes, solving_seconds=solving_seconds)
        if winner is None:
            return unknown
        stats = way.prove(core_player(winner), raw, end - time.monotonic(), token)
        if stats.stopped != _core.StopReason.FINISHED:
            return unknown
        size = compress_payload(
            raw, target, version=way.version(stats), threads=threads, cancelled=lambda: token.cancelled
        )
        if size == 0:
            return unknown
        return Written(winner, target, size, stats.positions, nodes, solving_seconds, stats.seconds, stats.searched)

    try:
        return run_cancellable(work, cancel)
    finally:
        raw.unlink(missing_ok=True)


class _ByStrips:
    """Solves by the component search, and writes from its table what its strip bounds decide."""

    def version(self, stats: _core.DomineeringProofStats) -> int:
        return strips_version(stats)

    def __init__(
        self,
        board: _core.Board,
        first: Player,
        memory: int,
        threads: int,
        solved: tuple[_core.ComponentSearch, Player] | None,
        on_progress: Callable[[_core.Progress], None] | None,
    ) -> None:
        self._board, self._first, self._memory, self._threads = board, first, memory, threads
        self._solved, self._on_progress = solved, on_progress

    def solve(self, seconds: float, token: _core.CancelToken) -> tuple[Player | None, int, float]:
        if self._solved is not None:
            return self._solved[1], 0, 0.0
        search = proof_engine(self._board, self._memory, self._threads)
        found = search.solve(self._board, core_player(self._first), seconds=seconds, cancel=token)
        winner = winner_of(found, self._first)
        if winner is not None:
            self._solved = search, winner
        return winner, found.nodes, found.seconds

    def prove(
        self, winner: _core.Player, raw: Path, seconds: float, token: _core.CancelToken
    ) -> _core.DomineeringProofStats:
        assert self._solved is not None, "solve comes first"
        return _core.write_domineering_proof(
            self._solved[0],
            self._board,
            core_player(self._first),
            winner,
            str(raw),
            proof_memory(self._memory),
            seconds,
            token,
            self._threads,
            self._on_progress,
        )


class _ByCovers:
    """Does the same where there are no strips: solves by the papers' search, proves by covers."""

    def version(self, _: _core.DomineeringProofStats) -> int:
        return COVER_VERSION

    def __init__(self, board: _core.Board, first: Player, memory: int, threads: int) -> None:
        self._board, self._first, self._memory = board, first, memory // 2
        self._settings = _core.ObsequiSettings()
        self._settings.table_bytes, self._settings.threads = self._memory, threads

    def solve(self, seconds: float, token: _core.CancelToken) -> tuple[Player | None, int, float]:
        starter = core_player(self._first)
        found = _core.obsequi_solve(self._board, starter, self._settings, seconds=seconds, cancel=token)
        return winner_of(found, self._first), found.nodes, found.seconds

    def prove(
        self, winner: _core.Player, raw: Path, seconds: float, token: _core.CancelToken
    ) -> _core.DomineeringProofStats:
        starter = core_player(self._first)
        return _core.write_cover_proof(self._board, starter, winner, str(raw), self._memory, seconds, token)


def write_twin(source: Path, target: Path, *, threads: int = 1) -> int:
    """Write what a certificate of a position that equals its own transpose says with the players exchanged.

    Both prove the same strategy on the turned board (checker/FORMAT.md 3); only the claim differs. Return the size.
    """
    raw = target.with_name(target.name + ".raw")
    try:
        with source.open("rb") as packed, raw.open("wb") as out:
            packed.seek(len(header()))
            stream = zlib.decompressobj()
            while chunk := packed.read(2**20):
                out.write(stream.decompress(chunk))
        with raw.open("r+b") as payload:
            head = Bytes(payload.read(64))
            read_claim(head)
            payload.seek(head.at - 2)
            payload.write(bytes(1 - player for player in head.data[head.at - 2 : head.at]))
        return compress_payload(raw, target, version=read_version(source), threads=threads)
    finally:
        raw.unlink(missing_ok=True)


def write_positional(
    game: MnkGame | HypergraphGame | str,
    path: str | Path,
    *,
    starter: str | None = None,
    memory: int = DEFAULT_MEMORY,
    threads: int = 1,
    seconds: float | None = None,
    cancel: _core.CancelToken | None = None,
) -> Written:
    """Solve a Maker-Breaker game, and write the certificate.

    For an m,n,k game the starter is whoever is to move. A Breaker win makes it a draw; a Maker win says nothing about
    the game by its real rules, in which Maker would have to be first with her line.

    :raises ValueError: if the winner starts and has no cell left to play.
    """
    if isinstance(game, str):
        game = MnkGame.from_text(game)
    if isinstance(game, MnkGame):
        graph = _core.Hypergraph.mnk(game.columns, game.rows, game.k)
        size, maker, breaker = (game.columns, game.rows, game.k), game.first, game.second
        starter = starter or ("maker" if game.first_to_move else "breaker")
    else:
        graph = _core.Hypergraph.from_edges(len(game.vertices), [list(edge) for edge in game.edges])
        size, maker, breaker = (0, 0, 0), game.maker, game.breaker
        starter = starter or "maker"
    target = Path(path)
    raw = target.with_name(target.name + ".raw")
    side = getattr(_core.PositionalSide, starter.upper())

    def work(token: _core.CancelToken) -> _core.PositionalProofResult:
        return _core.write_positional_proof(
            graph,
            *size,
            list(maker),
            list(breaker),
            side,
            make_options((), threads),
            str(raw),
            memory,
            UNLIMITED,
            math.inf if seconds is None else seconds,
            token,
        )

    try:
        result = run_cancellable(work, cancel)
        name = winner_name(result.winner)
        if name == "unknown":
            return Written(None, None, nodes=result.nodes, solving_seconds=result.solving_seconds)
        written = compress_payload(raw, target)
    finally:
        raw.unlink(missing_ok=True)
    proof_seconds = result.seconds - result.solving_seconds
    return Written(name, target, written, result.records, result.nodes, result.solving_seconds, proof_seconds)
