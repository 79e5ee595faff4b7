"""Certificates of Maker-Breaker games (checker/FORMAT.md 6): claims, and proofs by the recording search of the core.

For an m,n,k game X is Maker. A Breaker win makes it a draw; a Maker win says nothing about the game by its real rules,
in which Maker would have to be first with her line.
"""

from __future__ import annotations

import math
from pathlib import Path

from zermelo import _core
from zermelo.files import scratch_name
from zermelo.game import Limits, Written
from zermelo.positional.position import BREAKER, MAKER, HypergraphPosition, MnkPosition, PositionalPosition
from zermelo.positional.solve import make_options
from zermelo.proof.container import Bytes, Claim, compress_payload, varint
from zermelo.running import run_cancellable

MNK, HYPERGRAPH = 2, 3  # game bytes
MOST_EDGES = 4096
UNLIMITED = (1 << 64) - 1


def side_of(position: PositionalPosition, player: str) -> str:
    """Return whether a player is Maker or Breaker: the first of the game's players is Maker.

    :raises ValueError: if the game is a strong one, which has no certificates; m,n,k games are seen as Maker-Breaker.
    """
    if position.strong and not isinstance(position, MnkPosition):
        raise ValueError("there are no certificates of strong games on hypergraphs: leave out 'strong:'")
    return MAKER if player in (MAKER, position.game.players[0]) else BREAKER


def claim_bytes(position: PositionalPosition, starter: str, winner: str) -> bytes:
    """Return the claim about a position as the format writes it."""
    board = position.board
    if board.size is not None:
        head = bytes([MNK]) + b"".join(map(varint, board.size))
    else:
        head = bytes([HYPERGRAPH]) + varint(board.vertices) + varint(len(board.edges))
        head += b"".join(varint(len(edge)) + b"".join(map(varint, edge)) for edge in board.edges)
    for player in position.game.players:
        marks = position.marks(player)
        head += varint(len(marks)) + b"".join(map(varint, marks))
    return head + bytes(side_of(position, player) == BREAKER for player in (starter, winner))


def read_claim(code: int, payload: Bytes) -> Claim:
    """Read a claim after its game byte."""
    if code == MNK:
        spec, edges, count = ",".join(map(str, payload.varints(3))), [], 0
    else:
        count, size = payload.varints(2)
        if size > MOST_EDGES:
            raise ValueError(f"the certificate has more than {MOST_EDGES:,} hyperedges")
        edges = [tuple(payload.varints(payload.varint())) for _ in range(size)]
    maker, breaker = (tuple(payload.varints(payload.varint())) for _ in range(2))
    starter, winner = ((MAKER, BREAKER)[player & 1] for player in payload.varints(2))
    if code == MNK:
        return Claim("mnk", spec, starter, winner, code, {MAKER: maker, BREAKER: breaker})
    spec = HypergraphPosition(tuple(map(str, range(count))), tuple(edges), maker, breaker).text
    return Claim("hypergraph", spec, starter, winner, code)


def prove(
    position: PositionalPosition, first: str, path: Path, limits: Limits, *, cancel: _core.CancelToken | None = None
) -> Written:
    """Solve a Maker-Breaker game, and write the certificate; the search that writes records what it finds.

    :raises ValueError: if the winner starts and has no cell left to play.
    """
    starter = getattr(_core.PositionalSide, side_of(position, first).upper())
    board = position.board
    maker, breaker = (list(position.marks(player)) for player in position.game.players)
    seconds = math.inf if limits.seconds is None else limits.seconds
    nodes = UNLIMITED if limits.nodes is None else limits.nodes

    def work(token: _core.CancelToken, raw: Path) -> _core.PositionalProofResult:
        return _core.write_positional_proof(
            board.graph,
            *(board.size or (0, 0, 0)),
            maker,
            breaker,
            starter,
            make_options((), limits.threads),
            str(raw),
            limits.memory,
            nodes,
            seconds,
            token,
        )

    with scratch_name(path) as raw:
        result = run_cancellable(lambda token: work(token, raw), cancel)
        if result.winner == _core.PositionalWinner.UNKNOWN:
            return Written(None, None, nodes=result.nodes, solving_seconds=result.solving_seconds)
        size = compress_payload(raw, path, threads=limits.threads)
    winner = MAKER if result.winner == _core.PositionalWinner.MAKER else BREAKER
    proof_seconds = result.seconds - result.solving_seconds
    return Written(winner, path, size, result.records, result.nodes, result.solving_seconds, proof_seconds)
