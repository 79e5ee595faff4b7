"""Certificates of Maker-Breaker games (checker/FORMAT.md 6): claims, and proofs by the recording search of the core.

For an m,n,k game X is Maker. A Breaker win makes it a draw; a Maker win says nothing about the game by its real rules,
in which Maker would have to be first with her line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from zermelo import _core
from zermelo.files import scratch_name
from zermelo.game import DRAW, Limits, Written
from zermelo.positional.position import (
    BREAKER,
    MAKER,
    MAX_EDGES,
    Board,
    HypergraphPosition,
    MnkPosition,
    PositionalPosition,
)
from zermelo.positional.solve import PositionalChooser
from zermelo.proof.container import Bytes, Claim, compress_proof, varint
from zermelo.running import run_cancellable

MNK, HYPERGRAPH = 2, 3  # game bytes
STRONG = 4  # more for the same game by the real rules (FORMAT.md 9)


def side_of(position: PositionalPosition, player: str) -> str:
    """Return whether a player is Maker or Breaker: the first of the game's players is Maker."""
    return MAKER if player in (MAKER, position.game.players[0]) else BREAKER


def claim_bytes(position: PositionalPosition, starter: str, winner: str) -> bytes:
    """Return the Maker-Breaker claim about a position as the format writes it."""
    marks = [position.marks(player) for player in position.game.players]
    return maker_breaker_claim(position.board, marks, side_of(position, starter), side_of(position, winner))


def maker_breaker_claim(board: Board, marks: Iterable[Sequence[int]], starter: str, winner: str) -> bytes:
    """Return a claim about Maker's and Breaker's marks."""
    return board_bytes(board, marks, 0) + bytes([starter == BREAKER, winner == BREAKER])


def strong_claim_bytes(position: PositionalPosition, starter: str, winner: str) -> bytes:
    """Return the claim by the real rules; the winner may be a draw."""
    players = position.game.players
    outcomes, marks = (*players, DRAW), map(position.marks, players)
    return board_bytes(position.board, marks, STRONG) + bytes(map(outcomes.index, (starter, winner)))


def board_bytes(board: Board, marks: Iterable[Sequence[int]], rules: int) -> bytes:
    """Return the first part of a claim: the game byte, the board and both players' marks."""
    if board.size is not None:
        head = bytes([MNK + rules]) + b"".join(map(varint, board.size))
    else:
        head = bytes([HYPERGRAPH + rules]) + varint(board.vertices) + varint(len(board.edges))
        head += b"".join(varint(len(edge)) + b"".join(map(varint, edge)) for edge in board.edges)
    return head + b"".join(varint(len(cells)) + b"".join(map(varint, cells)) for cells in marks)


def read_claim(code: int, payload: Bytes) -> Claim:
    """Read a claim after its game byte.

    By the real rules the spec is of a position that the game can read; a Maker-Breaker claim about an m,n,k board
    names the marks beside it, because they need not fit turns.
    """
    strong, board = code > HYPERGRAPH, (code - MNK) % STRONG + MNK
    if board == MNK:
        columns, rows, k = payload.varints(3)
    else:
        count, size = payload.varints(2)
        if size > MAX_EDGES:
            raise ValueError(f"the certificate has more than {MAX_EDGES:,} hyperedges")
        edges = tuple(tuple(payload.varints(payload.varint())) for _ in range(size))
        names = tuple(map(str, range(count)))
    maker, breaker = marks = tuple(tuple(payload.varints(payload.varint())) for _ in range(2))
    first, outcome = payload.varints(2)
    if first > 1 or outcome > 1 + strong:
        raise ValueError("the certificate's claim is not possible")
    players = ("X", "O", DRAW) if strong and board == MNK else (MAKER, BREAKER, DRAW)
    starter, winner = players[first], players[outcome]
    if board == HYPERGRAPH:
        turn = starter if strong else None
        text = HypergraphPosition(names, edges, maker, breaker, turn, strong).text
        return Claim("hypergraph", text, starter, winner, code)
    if not strong:
        return Claim("mnk", f"{columns},{rows},{k}", starter, winner, code, {MAKER: maker, BREAKER: breaker})
    if len(maker) - len(breaker) != first:
        raise ValueError("the marks of the certificate do not fit turns taken one by one")
    played = tuple(marks[ply % 2][ply // 2] for ply in range(len(maker) + len(breaker)))
    return Claim("mnk", MnkPosition(columns, rows, k, played).text, starter, winner, code)


def prove(
    position: PositionalPosition, first: str, path: Path, limits: Limits, chooser: PositionalChooser | None = None
) -> Written:
    """Solve a Maker-Breaker game, and write the certificate; the results that a chooser has recorded are used."""
    if not position.free and position.decided(first) == first:  # nobody moves any more (FORMAT.md 6.4)
        first = position.game.other(first)
    maker_begins = side_of(position, first) == MAKER
    maker, breaker = map(position.marks, position.game.players)
    chooser = chooser or PositionalChooser(limits, recording=path.parent)
    with scratch_name(path) as raw, chooser.inquiry(position.board, limits) as inquiry:
        result = run_cancellable(lambda _: inquiry.record(maker, breaker, maker_begins, raw), inquiry.token)
        if result.winner == _core.PositionalWinner.UNKNOWN:
            return Written(None, None, nodes=result.nodes)
        winner = MAKER if result.winner == _core.PositionalWinner.MAKER else BREAKER
        size = compress_proof(claim_bytes(position, first, winner), raw, path, threads=limits.threads)
    return Written(winner, path, size, result.records, result.nodes)
