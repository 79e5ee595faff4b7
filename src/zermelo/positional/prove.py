"""Certificates of Maker-Breaker games (checker/FORMAT.md 6): claims, and proofs by the recording search of the core.

For an m,n,k game X is Maker. A Breaker win makes it a draw; a Maker win says nothing about the game by its real rules,
in which Maker would have to be first with her line.
"""

from __future__ import annotations

from pathlib import Path

from zermelo import _core
from zermelo.files import scratch_name
from zermelo.game import DRAW, Limits, Written
from zermelo.positional.position import (
    BREAKER,
    MAKER,
    MAX_EDGES,
    MAX_VERTICES,
    HypergraphPosition,
    MnkPosition,
    PositionalPosition,
)
from zermelo.positional.solve import PositionalChooser
from zermelo.proof.container import Bytes, Claim, compress_proof, varint
from zermelo.running import run_cancellable

MNK, HYPERGRAPH = 2, 3  # game bytes
STRONG = 4  # more for the same game by the real rules (FORMAT.md 9)


def claim_bytes(position: PositionalPosition, starter: str, winner: str, *, strong: bool) -> bytes:
    """Return the claim as the format writes it: by the real rules, or about the Maker-Breaker game."""
    board, (one, two) = position.board, position.game.players
    if board.size is not None:
        head = bytes([MNK + STRONG * strong]) + b"".join(map(varint, board.size))
    else:
        head = bytes([HYPERGRAPH + STRONG * strong]) + varint(board.vertices) + varint(len(board.edges))
    lists = (*(() if board.size else board.edges), *map(position.marks, (one, two)))
    numbers = {one: 0, MAKER: 0, two: 1, BREAKER: 1, DRAW: 2}
    content = b"".join(varint(len(cells)) + b"".join(map(varint, cells)) for cells in lists)
    return head + content + bytes([numbers[starter], numbers[winner]])


def read_claim(code: int, payload: Bytes) -> tuple[Claim, PositionalPosition, tuple[tuple[int, ...], ...]]:
    """Read a claim after its game byte; return it, its position, and both players' marks, numbered as in the file.

    By the real rules the position has the marks; in a Maker-Breaker claim about an m,n,k board they need not fit turns,
    and stand beside an empty board.
    """
    strong, board = code > HYPERGRAPH, (code - MNK) % STRONG + MNK
    if board == MNK:
        columns, rows, k = payload.varints(3)
    else:
        count, size = payload.varints(2)
        if count > MAX_VERTICES or size > MAX_EDGES:
            raise ValueError(f"the certificate has more than {MAX_VERTICES} vertices or {MAX_EDGES:,} hyperedges")
        edges = tuple(tuple(payload.varints(payload.varint())) for _ in range(size))
    maker, breaker = marks = tuple(tuple(payload.varints(payload.varint())) for _ in range(2))
    first, outcome = payload.varints(2)
    if first > 1 or outcome > 1 + strong:
        raise ValueError("the certificate's claim is not possible")
    players = ("X", "O", DRAW) if strong and board == MNK else (MAKER, BREAKER, DRAW)
    starter, winner = players[first], players[outcome]
    position: PositionalPosition
    if board == HYPERGRAPH:
        names = tuple(map(str, range(count)))
        position = HypergraphPosition(names, edges, maker, breaker, starter if strong else None, strong)
    elif strong and len(maker) - len(breaker) != first:
        raise ValueError("the marks of the certificate do not fit turns taken one by one")
    else:
        played = [marks[ply % 2][ply // 2] for ply in range(len(maker) + len(breaker))] if strong else ()
        position = MnkPosition(columns, rows, k, played)
    beside = {MAKER: maker, BREAKER: breaker} if code == MNK else {}
    return Claim(position.game.name, position.text, starter, winner, code, beside), position, marks


def prove(
    position: PositionalPosition, first: str, path: Path, limits: Limits, chooser: PositionalChooser | None = None
) -> Written:
    """Solve a Maker-Breaker game, and write the certificate; the results that a chooser has recorded are used."""
    if not position.free and position.decided(first) == first:  # nobody moves any more (FORMAT.md 6.4)
        first = position.game.other(first)
    maker, breaker = map(position.marks, position.game.players)
    maker_begins = first in (MAKER, position.game.players[0])
    chooser = chooser or PositionalChooser(limits, recording=path.parent)
    with scratch_name(path) as raw, chooser.inquiry(position.board, limits) as inquiry:
        result = run_cancellable(lambda _: inquiry.record(maker, breaker, maker_begins, raw), inquiry.token)
        if result.winner == _core.PositionalWinner.UNKNOWN:
            return Written(None, None, nodes=result.nodes)
        winner = MAKER if result.winner == _core.PositionalWinner.MAKER else BREAKER
        size = compress_proof(claim_bytes(position, first, winner, strong=False), raw, path, threads=limits.threads)
    return Written(winner, path, size, result.records, result.nodes)
