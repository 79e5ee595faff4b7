"""m,n,k boards too large to search, and hypergraphs of many hyperedges, against definitions and known games."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest
from tiny import lines_of

from zermelo.game import DRAW, Limits
from zermelo.positional import HYPERGRAPH, MNK, HypergraphPosition, MnkPosition
from zermelo.positional.any_size import WideBoard
from zermelo.positional.position import mnk_board


@pytest.mark.parametrize("size", [(17, 17, 9), (16, 17, 10), (9, 40, 9), (300, 1, 9), (5, 60, 61), (33, 20, 12)])
def test_large_boards_are_draws_by_pairs_that_serve_every_line(size: tuple[int, int, int]) -> None:
    board = mnk_board(*size)
    assert isinstance(board, WideBoard)
    pairs = board.pairs(0, 0)
    squares = [square for pair in pairs for square in pair]
    assert len(squares) == len(set(squares))
    masks = [1 << u | 1 << v for u, v in pairs]
    assert all(any(pair & line == pair for pair in masks) for line in lines_of(*size))
    (answer,) = MNK.solve(MnkPosition(*size)).starts.values()
    assert (answer.winner, answer.by, answer.details["maker_breaker"]) == (DRAW, "rules", "breaker")


@pytest.mark.parametrize("size", [(7, 6, 4), (10, 9, 9), (12, 11, 9), (5, 5, 1), (3, 9, 9)])
def test_lines_are_looked_at_as_they_are_defined(size: tuple[int, int, int]) -> None:
    dice = random.Random(1)
    wide, lines = WideBoard(*size), lines_of(*size)
    usual = mnk_board(*size)
    for _ in range(200):
        marks = dice.sample(range(wide.vertices), dice.randrange(1, wide.vertices + 1))
        own = sum(1 << v for v in marks[::2])
        other = sum(1 << v for v in marks[1::2]) if dice.random() < 0.7 else 0
        pairs = [1 << u | 1 << v for u, v in wide.pairs(own, other)]
        assert not any(pair & (own | other) for pair in pairs)
        open_lines = [line for line in lines if not line & other]
        assert wide.live(other) == len(open_lines)
        assert wide.blocked(own, other) == all(any(pair & line == pair for pair in pairs) for line in open_lines)
        assert wide.owns_edge(own) == usual.owns_edge(own)
        assert wide.completions(own, other) == usual.completions(own, other)


@pytest.mark.parametrize("seed", range(3))
def test_a_player_who_blocks_by_pairs_never_loses(seed: int) -> None:
    dice, position = random.Random(seed), MnkPosition(17, 17, 9)
    chooser = MNK.chooser(Limits())
    while position.decided(position.to_move) is None and len(position.played) < 60:
        if position.to_move == "X":
            position = position.after(dice.choice(position.moves("X")))
            continue
        answer = chooser.answer(position, "O", Limits())
        assert answer.winner == DRAW
        assert answer.move is not None
        position = position.after(answer.move)
    assert position.decided(position.to_move) is None


def test_what_is_too_large_says_so_in_one_line(tmp_path: Path) -> None:
    (answer,) = MNK.solve("19,19,5").starts.values()
    assert (answer.winner, answer.limit) == (None, "size")
    assert "over 256 squares nothing is searched" in answer.why
    (answer,) = MNK.solve("20,20,2:a1,t20").starts.values()
    assert (answer.winner, answer.by) == ("X", "rules")
    position = MNK.parse("20,20,9")
    with pytest.raises(ValueError, match="too many to search or to certify"):
        MNK.prove(position, "X", tmp_path / "proof.zc")
    with pytest.raises(ValueError, match="only a pairing is explained"):
        MNK.explain(position, "zone")
    assert "187 pairs" in MNK.explain(position, "pairing").lines[1]
    with pytest.raises(ValueError, match="at most 250,000 squares"):
        MNK.parse("1000,1000,9")


@pytest.mark.parametrize(("vertices", "size", "outcome"), [(13, 8, "breaker"), (14, 8, "breaker"), (13, 5, "maker")])
def test_hypergraphs_may_have_many_hyperedges(vertices: int, size: int, outcome: str) -> None:
    """Maker gets half of the vertices, rounded up if she begins: at least 6 of 13, at most 7 of 14."""
    every = [[f"v{v}" for v in edge] for edge in combinations(range(vertices), size)]
    position = HypergraphPosition.from_edges(every)
    assert len(position.edges) > 1024
    assert HYPERGRAPH.solve(position, limits=Limits(memory=1 << 26)).outcome == outcome
