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
        "race: a b / b c / c d | a d / b c : turns m(bbmm), within 4",
        "join: a-b b-c a-d d-c / a d / c b : within 3",
        "race: a b / c d | same : first a d",
    ],
    "plus": ["domineering 2x2 + -domineering 2x3", "-domineering torus:2x2 + domineering 3x2", "domineering 1x1"],
    "hex": ["2x2", "3x3:b2", "2x3", "1x1", "3x2:a1"],
    "amazons": ["2x2", "x./.o", "x..#", "..o/x#."],
    "arckayles": ["2x3", ".#../....", "2x4:1,2-2,2", "a-b b-c c-a c-d"],
    "cannibal": ["2x3", "xxo.x/o.xox", "a=x-b=o b-c a-c"],
    "clobber": ["2x3", "xxo.x/o.xox", "1x6:x1,1-1,2", "a=x-b=o b-c=o a-c"],
    "col": ["2x3", "x.o/.#.", "1x5:x1,1", "a-b b-c c-a=x"],
    "dawson": ["1x7", "..../.##."],
    "elephants": ["E..R.E", "E.R/.ER", "E...R"],
    "fission": ["3x4", "...../.x.#./....."],
    "hackenbush": ["BRB GR", "0Ba aRb bG0 aBc", "BRG:B1"],
    "kayles": ["1x6", "..../.##."],
    "konane": [".ox.", "xo.o.x", ".ox./xo.o/...x"],
    "nogo": ["2x3", "x..o/..#.", "1x5:x1,1", "a-b b-c c-a"],
    "snort": ["2x3", "x.o/.#.", "1x5:x1,1", "a-b b-c c-a=x"],
    "toads": ["1x6", "T.F/TTF", "T.TF.F"],
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
PROVED = [(name, spec) for name, spec in CASES if find_game(name).claim_codes]
PROOFS = pytest.mark.parametrize(("name", "spec"), PROVED, ids=str)
"""Games with certificates."""
NORMAL = [(name, spec) for name, spec in CASES if find_game(name).normal_play]
NORMAL_PLAY = pytest.mark.parametrize(("name", "spec"), NORMAL, ids=str)
"""Games that are lost by the player who cannot move."""


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
        position = position.turn_of(player).after(rng.choice(moves))
        player = position.player_after(player)


@cache
def brute(position: Position, player: Player) -> Player:
    """Return the winner, or a draw, by the rules alone: no keys, no bounds, no memory but of equal positions."""
    position = position.turn_of(player)
    decided = position.decided(player)
    if decided is not None:
        return decided
    game, found = position.game, set[Player]()
    for move in position.moves(player):
        after = position.after(move)
        found.add(brute(after, after.player_after(player)))
        if player in found:
            return player
    assert found, f"{position.text} is not over, and {player} has no move"
    return DRAW if DRAW in found else game.other(player)
