"""A winning strategy never loses, on boards of any length, against random and greedy opponents, and answers at once."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator

import pytest

from zermelo.domineering.position import Move, Player, opponent
from zermelo.domineering.rules.knowledge import decide
from zermelo.domineering.rules.sizes import Size
from zermelo.domineering.strategy import find_plan, strategy
from zermelo.domineering.strategy.long_board import LongBoard
from zermelo.domineering.strategy.result import result_by_rules

EXHAUSTIVE = bool(os.environ.get("ZERMELO_EXHAUSTIVE"))
RANDOM_GAMES, GREEDY_GAMES = (110, 5) if EXHAUSTIVE else (5, 1)


def shuffled_moves(board: LongBoard, player: Player, rng: random.Random) -> Iterator[Move]:
    """Yield legal moves, each drawn by lot: moves only ever become illegal, so one shuffled list is enough."""
    moves = list(board.legal_moves(player))
    rng.shuffle(moves)
    yield from (move for move in moves if board.is_legal(move))


def greedy_moves(board: LongBoard, player: Player, rng: random.Random) -> Iterator[Move]:
    """Yield the greediest legal move again and again."""
    while (move := board.greedy_move(player, rng)) is not None:
        yield move


def play(spec: str, player: Player, first: bool, rng: random.Random, greedy: bool) -> list[float]:
    """Play one game; return the seconds of each answer. Fails if the strategy makes an illegal move or loses."""
    size = Size.parse(spec)
    board, mine, other = LongBoard(size), strategy(size, player, first=first), opponent(player)
    taken: list[float] = []
    if first:
        board.play(mine.open())
    for move in (greedy_moves if greedy else shuffled_moves)(board, other, rng):
        board.play(move)
        begin = time.perf_counter()
        answer = mine.reply(move)
        taken.append(time.perf_counter() - begin)
        assert answer.player == player
        board.play(answer)
    assert not board.can_move(other)
    return taken


BOARDS: list[tuple[str, Player, bool]] = [
    ("2x200", "H", False), ("2x200", "H", True), ("200x2", "V", False), ("2x27", "H", True), ("2x27", "V", True),
    ("3x101", "H", False), ("3x101", "H", True),
    ("4x60", "H", False), ("4x60", "H", True), ("60x4", "V", False),
    ("5x75", "H", False), ("5x75", "H", True),
    ("7x40", "H", False), ("7x40", "H", True), ("40x7", "V", True),
    ("9x31", "H", False), ("11x57", "H", False), ("4x5", "V", False), ("6x9", "V", True),
    ("torus:2x60", "H", False), ("torus:60x2", "V", True), ("torus:2x10", "V", True), ("torus:4x4", "V", True),
    ("torus:3x5", "V", False), ("hcylinder:3x50", "H", False), ("vcylinder:50x3", "V", True),
    ("hcylinder:4x5", "H", False),
]  # fmt: skip


@pytest.mark.parametrize("greedy", [False, True], ids=["random", "greedy"])
@pytest.mark.parametrize(("spec", "player", "first"), BOARDS)
def test_strategy_never_loses_a_won_game(spec: str, player: Player, first: bool, greedy: bool) -> None:
    rng = random.Random(f"{spec}{player}{first}{greedy}")
    taken: list[float] = []
    for _ in range(GREEDY_GAMES if greedy else RANDOM_GAMES):
        taken += play(spec, player, first, rng, greedy)
    taken.sort()
    median = taken[len(taken) // 2]
    assert median < 0.02, f"a move takes {median:.3f} s"


def test_strategy_of_a_thousand_columns_has_few_kinds_of_regions() -> None:
    plan = find_plan(Size(2, 1000), "H", first=False)
    assert sum(region.size.area for region in plan.regions) == 2000
    assert len({(region.size, region.kind) for region in plan.regions}) <= 3


def test_strategy_is_refused_to_the_loser() -> None:
    with pytest.raises(ValueError, match="no way is known for V"):
        strategy("2x1000", "V", first=True)
    with pytest.raises(ValueError, match="no way is known for V"):
        strategy("torus:4x4", "V", first=False)


def test_strategy_is_refused_where_only_a_certificate_knows_the_winner() -> None:
    """V wins 10x10, but to find her moves again by search would take hours."""
    with pytest.raises(ValueError, match="no way is known for V"):
        strategy("10x10", "V", first=True)


def test_illegal_moves_are_refused() -> None:
    mine = strategy("2x8", "H", first=False)
    with pytest.raises(ValueError, match="not a move of V"):
        mine.reply(Move("H", 1, 1))
    with pytest.raises(ValueError, match="does not fit"):
        mine.reply(Move("V", 3, 1))


@pytest.mark.parametrize("rows", range(1, 8))
def test_every_decided_board_up_to_twenty_columns_has_its_strategies(rows: int) -> None:
    for cols in range(1, 21):
        answer = decide(rows, cols)
        for player in ("V", "H"):
            for first in (True, False):
                starter = player if first else opponent(player)
                if answer is not None and answer.winner(starter) == player:
                    assert find_plan(Size(rows, cols), player, first).regions is not None


def test_rules_answer_in_the_form_of_a_search() -> None:
    result = result_by_rules("3x1000")
    assert result is not None and result.outcome == "H" and result.nodes == 0
    assert result.starts["H"].by == "rules" and result.starts["H"].move is not None
    assert result.starts["V"].winner == "H" and result.starts["V"].move is None
    turned = result_by_rules("1000x3", "H")
    assert turned is not None and turned.outcome is None and turned.starts["H"].winner == "V"
    assert result_by_rules("24x25") is None
    with pytest.raises(ValueError, match="not an empty board"):
        result_by_rules("..#/...")
