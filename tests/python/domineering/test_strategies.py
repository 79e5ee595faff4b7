"""A winning strategy never loses, on boards of any length, against random and greedy opponents, and answers at once."""

from __future__ import annotations

import os
import random
import time

import pytest

from zermelo._core import LimitReached
from zermelo.domineering.by_rules import RegionSearch
from zermelo.domineering.lattice import Lattice
from zermelo.domineering.position import PLAYERS, Move, Player, Position, opponent
from zermelo.domineering.rules.knowledge import shipped
from zermelo.domineering.strategy import Strategy, strategies
from zermelo.game import Chooser, Clock, Limits, find_game

EXHAUSTIVE = bool(os.environ.get("ZERMELO_EXHAUSTIVE"))
RANDOM_GAMES, GREEDY_GAMES = (110, 5) if EXHAUSTIVE else (5, 1)


@pytest.fixture(scope="module")
def chooser() -> Chooser:
    return find_game("domineering").chooser(Limits())


def touched(position: Position, move: Move, player: Player) -> int:
    """Count the player's legal moves that share a square with a domino."""
    found = set()
    for row, col in position.squares(move):
        before = ((row - 2) % position.rows + 1, col) if player == "V" else (row, (col - 2) % position.cols + 1)
        found.update({(row, col), before})
    return sum(position.is_legal(Move(player, *square)) for square in found)


def greedy_move(position: Position, player: Player, rng: random.Random) -> Move:
    """Return the move that costs the opponent most and the player least; ties are drawn by lot."""
    moves = list(position.moves(player))
    rng.shuffle(moves)
    return max(moves, key=lambda move: touched(position, move, opponent(player)) - touched(position, move, player))


def play(chooser: Chooser, spec: str, player: Player, first: bool, rng: random.Random, greedy: bool) -> list[float]:
    """Play one game from nothing but the position; return the seconds of each answer. Fails if the player loses."""
    position, other, taken = Position(spec), opponent(player), list[float]()
    mine = first
    while position.decided(player if mine else other) is None:
        if mine:
            begin = time.process_time()
            answer = chooser.answer(position, player, Limits())
            taken.append(time.process_time() - begin)
            assert answer.winner == player and answer.move is not None, position.text
            assert answer.move.player == player
            position = position.after(answer.move)
        else:
            move = greedy_move(position, other, rng) if greedy else rng.choice(position.moves(other))
            position = position.after(move)
        mine = not mine
    assert not mine
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
    ("hcylinder:4x5", "H", False), ("20x40", "H", False),
]  # fmt: skip


@pytest.mark.parametrize("greedy", [False, True], ids=["random", "greedy"])
@pytest.mark.parametrize(("spec", "player", "first"), BOARDS)
def test_won_game_is_never_lost(chooser: Chooser, spec: str, player: Player, first: bool, greedy: bool) -> None:
    rng = random.Random(f"{spec}{player}{first}{greedy}")
    taken: list[float] = []
    for _ in range(GREEDY_GAMES if greedy else RANDOM_GAMES):
        taken += play(chooser, spec, player, first, rng, greedy)
    taken.sort()
    median = taken[len(taken) // 2]
    assert median < 0.02, f"a move takes {median:.3f} s"


@pytest.mark.parametrize("spec", ["4x9", "3x12", "2x14", "5x10", "4x12", "10x5", "6x12", "hcylinder:3x9"])
def test_regions_say_only_what_a_search_confirms(chooser: Chooser, spec: str) -> None:
    """Random positions, also such as no strategy would have led to: whatever a strategy says of them is true."""
    rng, said = random.Random(spec), 0
    position = Position(spec)
    search = find_game("domineering").chooser(Limits(memory=1 << 27), {"method": "search"})

    def look(region: Position, first: Player, want_move: bool) -> tuple[str | None, Move | None]:
        answer = search.answer(region, first, Limits())
        return answer.winner, answer.move

    for _ in range(30):
        position = Position(spec)
        for _ in range(rng.randint(1, 8)):
            moves = [move for player in PLAYERS for move in position.moves(player)]
            position = position.after(rng.choice(moves)) if moves else position
        for each in strategies(Lattice(*position.size, position.topology)):
            other = opponent(each.player)
            if each.holds(position, look):
                assert search.answer(position, other, Limits()).winner == each.player, (position, each.step)
                said += 1
            move = each.move(position, look)
            if move is not None:
                assert search.answer(position.after(move), other, Limits()).winner == each.player, (position, move)
                said += 1
    assert said


def test_strategy_of_a_thousand_columns_has_few_kinds_of_regions() -> None:
    position, plan = Position("2x1000"), Strategy(Lattice(2, 1000), "H", first=False)
    assert len(list(plan.regions(position))) <= 3
    for col in range(1, 1000, 2):
        position = position.after(Move("H", 1, col))
    regions = list(plan.regions(position))
    assert sum(board.area for region in regions for board in region.boards) == 2000
    assert sum(len(region.blocked) for region in regions) == 1000
    assert len({(region.boards, region.kind) for region in regions}) <= 3


def test_strategy_is_refused_to_the_loser() -> None:
    with pytest.raises(ValueError, match="no way is known for V"):
        Strategy(Lattice(2, 1000), "V", first=True)


def test_strategy_is_refused_where_only_a_certificate_knows_the_winner() -> None:
    """V wins 10x10, but to find her moves again by search would take hours."""
    with pytest.raises(ValueError, match="no way is known for V"):
        Strategy(Lattice(10, 10), "V", first=True)


@pytest.mark.parametrize("rows", range(2, 8))
def test_every_decided_board_too_large_for_a_quick_search_has_its_strategies(rows: int) -> None:
    for cols in range(1, 41):
        answer = shipped().decide(Lattice(rows, cols))
        for player in PLAYERS:
            for first in (True, False):
                starter = player if first else opponent(player)
                if rows * cols > 64 and answer.winner(starter) == player:
                    Strategy(Lattice(rows, cols), player, first)


def test_strategy_that_adds_values_keeps_to_the_clock() -> None:
    """One sum of values held all values, and with them every worker of the page, for minutes."""
    size = Lattice(9, 17, "rectangle")
    adding = [
        each for each in strategies(size) if any(region.kind == "sum" for region in each.regions(Position("9x17")))
    ]
    position = Position("9x17:V1,1;H2,2")
    assert adding
    for seconds, late in ((1e-9, True), (60.0, False)):
        search = RegionSearch(Clock(Limits(seconds=seconds)))
        if late:
            with pytest.raises(LimitReached), search.valuing():
                pass
            assert all(each.move(position, search) is None for each in adding)
        else:
            with search.valuing():
                assert search.value(Position("2x2")) == search.value(Position("2x2"))
