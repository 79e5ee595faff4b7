"""Values and moves of random positions against brute force that shares no code."""

from __future__ import annotations

import os
import random

import pytest
from tiny import Oracle, lines_of

from zermelo.game import DRAW, Chooser, Limits, Player
from zermelo.game.marking import mark_moves
from zermelo.positional import HYPERGRAPH, MNK, HypergraphPosition, MnkPosition
from zermelo.positional.position import PositionalPosition, bits

POSITIONS = int(os.environ.get("ZERMELO_POSITIONS", "2000"))
"""Random positions of m,n,k boards, and half as many hypergraphs by each of the two rules; the full test has 40,000."""
BOARDS = [
    (m, n, k) for m in range(1, 7) for n in range(1, 5) for k in range(1, 5)
    if m * n <= 16 or (m, n) == (6, 3)
]  # fmt: skip
MOST_FREE = 9 if POSITIONS <= 2000 else 12
"""Free squares of a random position at most: brute force must end."""
LIMITS = Limits(memory=1 << 20)
MARKS = {1: "win", 0: "draw", -1: "loss"}


def value_of(oracle: Oracle, position: PositionalPosition, player: Player) -> int:
    """By definition: 1 if the player to move wins."""
    one, two = position.game.players
    own, other = bits(position.marks(player)), bits(position.marks(position.game.other(player)))
    if position.strong:
        return oracle.strong(own, other)
    made = oracle.maker_wins(bits(position.marks(one)), bits(position.marks(two)), player == one)
    return 1 if made == (player == one) else -1


def check(oracle: Oracle, position: PositionalPosition, player: Player, chooser: Chooser, all_moves: bool) -> None:
    truth = value_of(oracle, position, player)
    answer = chooser.answer(position, player, LIMITS)
    assert answer.mark == MARKS[truth], (position.text, player)
    other = position.game.other(player)
    if truth >= 0 and answer.by != "over":
        assert answer.move in position.moves(player), (position.text, player)
        assert value_of(oracle, position.after(answer.move), other) == -truth, (position.text, player, answer.move)
    if all_moves:
        for found in mark_moves(position, player, chooser, LIMITS):
            for move in found.moves:
                after = position.turn_of(player).after(str(move))
                assert found.mark == MARKS[-value_of(oracle, after, other)], (position.text, move)


@pytest.mark.parametrize("part", range(4))
def test_values_and_moves_of_boards_equal_brute_force(part: int) -> None:
    rng = random.Random(part)
    oracles = {size: Oracle(size[0] * size[1], lines_of(*size)) for size in BOARDS}
    chooser = MNK.chooser(LIMITS)
    seen, number = set(), 0
    while number < POSITIONS // 4:
        m, n, k = rng.choice(BOARDS)
        squares = rng.sample(range(m * n), m * n)
        fewest = max(0, m * n - MOST_FREE)
        for count in range(rng.randint(fewest, m * n), -1, -1):  # take moves back to where the game was not over
            try:
                position = MnkPosition(m, n, k, tuple(squares[:count]))
            except ValueError:
                continue
            break
        if len(position.free) > MOST_FREE:
            continue
        number += 1
        check(oracles[m, n, k], position, position.to_move, chooser, all_moves=number % 8 == 0)
        seen.add(position.key())
    assert len(seen) > POSITIONS // 20


@pytest.mark.parametrize("strong", [False, True])
def test_values_and_moves_of_hypergraphs_equal_brute_force(strong: bool) -> None:
    rng = random.Random(7 + strong)
    winners, number = set(), 0
    while number < POSITIONS // 2:
        vertices = rng.randint(1, 12)
        sizes = [min(vertices, rng.randint(1, 4) if number % 4 == 0 else rng.randint(2, 4)) for _ in range(12)]
        edges = [tuple(rng.sample(range(vertices), size)) for size in sizes[: rng.randint(1, 12)]]
        order = rng.sample(range(vertices), vertices)
        marked = rng.randint(max(0, vertices - MOST_FREE), vertices)
        cut = marked // 2 + (marked % 2) * rng.randint(0, 1) if strong else rng.randint(0, marked)
        try:
            position = HypergraphPosition(
                tuple(f"v{v}" for v in range(vertices)), tuple(edges), tuple(order[:cut]), tuple(order[cut:marked]),
                strong=strong,
            )  # fmt: skip
        except ValueError as error:
            assert "both players own" in str(error)
            continue
        number += 1
        oracle = Oracle(vertices, [sum(1 << v for v in set(edge)) for edge in edges])
        chooser = HYPERGRAPH.chooser(LIMITS)
        for player in HYPERGRAPH.starters(position, None):
            if position.decided(player) is None:
                check(oracle, position, player, chooser, all_moves=number % 8 == 0)
            winners.add(chooser.answer(position, player, LIMITS).winner)
    assert winners == {"maker", "breaker", DRAW} if strong else {"maker", "breaker"}
