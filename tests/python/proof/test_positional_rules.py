"""Every rule of FORMAT.md 6, against the meaning of a claim, by brute force.

A Breaker claim (X, R) says: Breaker, second, hits every edge outside X with cells of R, even if Maker holds all other
cells. A Maker claim (X, R): Maker, second, completes an edge if she holds X and Breaker holds all cells but X and R.
"""

from __future__ import annotations

import random
from pathlib import Path

import tiny
from tiny import zformat, zpositional

PAIRS, EDGE, STEP, SUM, SWAP = range(1, 6)


def holds(game: zpositional.Positional, edges: list[list[int]], claim: tuple[int, int]) -> bool:  # type: ignore[name-defined]
    need, zone = claim
    every = (1 << game.cells) - 1
    if game.winner == zpositional.BREAKER:
        wanted = [edge for index, edge in enumerate(edges) if not need >> index & 1]
        return not tiny.Oracle(game.cells, map(tiny.mask_of, wanted)).maker_wins(every & ~zone, 0, True)
    truth = tiny.Oracle(game.cells, map(tiny.mask_of, edges))
    return truth.maker_wins(need, every & ~(need | zone), False)


def random_record(rng: random.Random, cells: int, edges: int, images: int, earlier: int, winner: int) -> bytes:
    def reference() -> bytes:
        return bytes([rng.randint(1, min(earlier, 3)), rng.randrange(images)])

    leaf = bytes([EDGE, rng.randrange(edges)])
    if winner == zpositional.BREAKER:
        order = rng.sample(range(cells), cells)
        pairs = rng.randint(0, cells // 2)
        leaf = bytes([PAIRS, pairs, *order[: 2 * pairs]])
    if not earlier or rng.random() < 0.3:
        return leaf
    kind = rng.choice((STEP, SUM, SWAP, SWAP)) if winner == zpositional.BREAKER else STEP
    if kind == STEP:
        count = rng.randint(1, 3)
        steps = (bytes([rng.randrange(cells)]) + reference() for _ in range(count))
        return bytes([STEP, count]) + b"".join(steps)
    if kind == SUM:
        return bytes([SUM, 2]) + reference() + reference()
    return bytes([SWAP]) + reference() + bytes([rng.randrange(cells), rng.randrange(cells)])


def test_every_derived_claim_is_true(tmp_path: Path) -> None:
    """And a certificate of these records, about a position with random marks, has one verdict from both checkers."""
    rng = random.Random(13)
    derived = dict.fromkeys(range(1, 6), 0)
    kept_by_another_edge = verified = 0
    for number in range(6000):
        if rng.random() < 0.3:
            size = rng.choice([(2, 2, 2), (2, 3, 2), (3, 2, 3)])
            cells, edges, images = size[0] * size[1], tiny.mnk_edges(*size), 8 if size[0] == size[1] else 4
            board = tiny.mnk_head(*size)
        else:
            cells, images = rng.randint(2, 7), 1
            edges = [rng.sample(range(cells), rng.randint(1, 2)) for _ in range(rng.randint(1, 4))]
            for edge in list(edges):  # edges that contain another: what the swap's last clause is about
                edges.append(sorted({*edge, rng.randrange(cells), rng.randrange(cells)}))
            board = tiny.hypergraph_head(cells, edges)
        winner, records = rng.choice((0, 1, 1)), b""
        head = tiny.positional_claim(board, [], [], 1 - winner, winner)
        game = zpositional.Positional(tiny.FakeReader(head[1:]), zformat.Budget(1e9, 8192), head[0])
        game.claims = []
        for _ in range(8):
            record = random_record(rng, cells, len(edges), images, len(game.claims), winner)
            game.reader = tiny.FakeReader(record[1:])
            try:
                claim = game.derive(record[0])
            except zformat.Stop:
                continue
            assert holds(game, edges, claim), (edges, record, claim)
            if record[0] == SWAP and not record[2]:
                need, _ = game.claims[-record[1]]
                dropped = game.at[record[3]] & ~game.at[record[4]] & ~need
                kept_by_another_edge += claim[0] != need | dropped
            game.claims.append(claim)
            records += record
            derived[record[0]] += 1
        for _ in range(2 if records and number % 4 == 0 else 0):
            marks: tuple[list[int], ...] = ([], [], [])
            for cell in range(cells):
                marks[min(rng.randrange(6), 2)].append(cell)
            claim_bytes = tiny.positional_claim(board, marks[0], marks[1], 1 - winner, winner)
            verdict, _ = tiny.verdicts(tiny.container(claim_bytes + records + b"\0", False), tmp_path / "records.zc")
            assert verdict in (zformat.VERIFIED, zformat.REJECTED)
            verified += verdict == zformat.VERIFIED
    assert all(derived.values()), derived
    assert kept_by_another_edge > 5 and verified > 50
