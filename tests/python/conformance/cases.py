"""The games under test: all that are installed, ours and the example of a game in one file."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from zermelo.game import DRAW, Game, Player, Position, find_game, game_names

ROOT = Path(__file__).resolve().parents[3]

# Positions that brute force finishes in a moment. A game that is not listed is tested on its own examples.
SMALL = {
    "domineering": ["3x3", "4x4:V1,1", "2x5", "torus:3x3", "hcylinder:3x4", "..#./..../#...", "1x1", "3x4:H1,1;V2,3"],
    "mnk": ["3,3,3:b2", "3,3,3:a1,b2", "2,3,2", "4,2,3", "1,1,1", "4,3,3:b2,c2,c3", "3,3,2"],
    "hypergraph": [
        "a b / b c / c d / d a",
        "a b c / c d : maker a",
        "a b / a c / b c d : maker a, breaker b",
        "strong: a b / b c / c d",
        "a / b c",
        "a b : free c",
    ],
    "cram": ["2x2", "3x3", "2x4", "3x4:h2,2", "#../.../..#", "1x1", "1x6"],
}
MOST_MOVES = 12


assert "cram" in game_names(), "examples/cram is not installed: ./dev setup all does it"


def specs(name: str) -> list[str]:
    """Return small positions of a game."""
    game = find_game(name)
    fallback = [spec for spec in game.examples if len(game.parse(spec).moves(game.players[0])) <= MOST_MOVES]
    return SMALL.get(name, fallback)


CASES = [(name, spec) for name in game_names() for spec in specs(name)]
GAMES = pytest.mark.parametrize(("name", "spec"), CASES, ids=str)


def opened(name: str, spec: str) -> tuple[Game, Position]:
    game = find_game(name)
    return game, game.parse(spec)


def walk(game: Game, start: Position, seed: int) -> Iterator[tuple[Position, Player]]:
    """Yield the positions of a random game, each with the player to move."""
    rng = random.Random(seed)
    position = start
    player = start.to_move or rng.choice(game.players)
    while True:
        yield position, player
        moves = position.turn_of(player).moves(player)
        if not moves:
            return
        position, player = position.turn_of(player).after(rng.choice(moves)), game.other(player)


@cache
def brute(position: Position, player: Player) -> Player:
    """Return the winner, or a draw, by the rules alone: no keys, no bounds, no memory but of equal positions."""
    position = position.turn_of(player)
    decided = position.decided(player)
    if decided is not None:
        return decided
    game, found = position.game, set[Player]()
    for move in position.moves(player):
        found.add(brute(position.after(move), game.other(player)))
        if player in found:
            return player
    assert found, f"{position.text} is not over, and {player} has no move"
    return DRAW if DRAW in found else game.other(player)
