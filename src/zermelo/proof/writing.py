"""Solve, and write a certificate of the answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from zermelo import _core
from zermelo.domineering.position import Player, Position, core_player, opponent
from zermelo.positional.files import HypergraphGame
from zermelo.positional.mnk import MnkGame
from zermelo.positional.solving import UNLIMITED, make_options, winner_name
from zermelo.proof.container import compress_payload
from zermelo.running import run_cancellable

DEFAULT_MEMORY = 1 << 30
COVER_VERSION = 2  # covers came with version 2 of the format
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


def write_domineering(
    position: Position | str,
    first: Player,
    path: str | Path,
    *,
    memory: int = DEFAULT_MEMORY,
    threads: int = 1,
    seconds: float | None = None,
    cancel: _core.CancelToken | None = None,
) -> Written:
    """Find who wins when ``first`` starts, and write the certificate.

    Cylinders, tori and boards with a side over 16 are solved and proved by covers, others by strips.

    :raises ValueError: if the position is bad.
    """
    if isinstance(position, str):
        position = Position.from_text(position)
    size = position.board
    if size.topology != _core.Topology.RECTANGLE or max(size.rows, size.cols) > STRIP_SIDE:
        return _write_by_covers(position, first, Path(path), memory, threads, seconds, cancel)
    board, target = position.board, Path(path)
    limit = math.inf if seconds is None else seconds
    settings = _core.ComponentOptions()
    settings.memory, settings.threads = memory, threads
    raw = target.with_name(target.name + ".raw")

    def work(token: _core.CancelToken) -> Written:
        search = _core.ComponentSearch(board.rows, board.cols, settings)
        found = search.solve(board, core_player(first), seconds=limit, cancel=token)
        if found.verdict == _core.Verdict.UNKNOWN:
            return Written(None, None, nodes=found.nodes, solving_seconds=found.seconds)
        winner = first if found.verdict == _core.Verdict.WIN else opponent(first)
        stats = _core.write_domineering_proof(
            search,
            board,
            core_player(first),
            core_player(winner),
            str(raw),
            memory,
            limit - found.seconds,
            token,
        )
        if stats.stopped != _core.StopReason.FINISHED:
            return Written(None, None, nodes=found.nodes, solving_seconds=found.seconds)
        size = compress_payload(raw, target)
        return Written(
            winner,
            target,
            size,
            stats.positions,
            found.nodes,
            found.seconds,
            stats.seconds,
            stats.searched,
        )

    try:
        return run_cancellable(work, cancel)
    finally:
        raw.unlink(missing_ok=True)


def _write_by_covers(
    position: Position,
    first: Player,
    target: Path,
    memory: int,
    threads: int,
    seconds: float | None,
    cancel: _core.CancelToken | None,
) -> Written:
    """Do the same where there are no strips: solve by the papers' search, prove by covers."""
    settings = _core.PaperSettings()
    settings.table_bytes, settings.threads = memory // 2, threads
    limit = math.inf if seconds is None else seconds
    raw = target.with_name(target.name + ".raw")
    board, starter = position.board, core_player(first)

    def work(token: _core.CancelToken) -> Written:
        found = _core.paper_solve(board, starter, settings, seconds=limit, cancel=token)
        unknown = Written(None, None, nodes=found.nodes, solving_seconds=found.seconds)
        if found.verdict == _core.Verdict.UNKNOWN:
            return unknown
        winner = first if found.verdict == _core.Verdict.WIN else opponent(first)
        rest = limit - found.seconds
        stats = _core.write_cover_proof(
            board, starter, core_player(winner), str(raw), memory // 2, rest, token
        )
        if stats.stopped != _core.StopReason.FINISHED:
            return unknown
        size = compress_payload(raw, target, version=COVER_VERSION)
        return Written(
            winner,
            target,
            size,
            stats.positions,
            found.nodes,
            found.seconds,
            stats.seconds,
            stats.searched,
        )

    try:
        return run_cancellable(work, cancel)
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
    return Written(
        name, target, written, result.records, result.nodes, result.solving_seconds, proof_seconds
    )
