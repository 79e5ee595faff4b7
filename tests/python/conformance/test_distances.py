"""How good moves are, compared with every line of play; a lost game lasts as long as it can."""

from __future__ import annotations

from functools import cache

import pytest
from cases import GAMES, opened, walk

from zermelo.game import DRAW, Game, Limits, Player, Position
from zermelo.game.distance import Distance, distances, longest
from zermelo.game.marking import choose_move


@cache
def brute(game: Game, position: Position, player: Player) -> tuple[Player, int]:
    """Return who wins and after how many moves, by trying every line; the winner hurries, the loser does not."""
    decided = position.decided(player)
    if decided is not None:
        return decided, 0
    other = game.other(player)
    options = [position.after(move) for move in position.moves(player)]
    found = [brute(game, after, after.player_after(player)) for after in options]
    for winner in (player, DRAW, other):
        lengths = [1 + moves for result, moves in found if result == winner]
        if lengths:
            return winner, min(lengths) if winner == player else max(lengths)
    raise AssertionError


@GAMES
def test_distances_are_those_of_every_line_of_play(name: str, spec: str) -> None:
    game, start = opened(name, spec)
    for seed in range(2):
        for position, player in walk(game, start, seed):
            moves = position.turn_of(player).moves(player)
            if len(moves) > 6 or not moves:
                continue
            position = position.turn_of(player)
            options = {move: position.after(move) for move in moves}
            truth = {move: brute(game, after, after.player_after(player)) for move, after in options.items()}
            winners = {move: winner for move, (winner, _) in truth.items()}
            found = distances(position, player, winners, Limits())
            assert found == {
                move: Distance(1 + moves, exact=True) for move, (winner, moves) in truth.items() if winner != DRAW
            }
            few = distances(position, player, winners, Limits(nodes=3))
            for move, distance in few.items():
                assert (distance.moves == found[move].moves) if distance.exact else distance.moves <= found[move].moves


@pytest.mark.parametrize(("name", "spec"), [("domineering", "4x4:V2,2"), ("mnk", "3,3,3:a1,b1,b2"), ("cram", "2x4")])
def test_a_lost_game_lasts_as_long_as_it_can(name: str, spec: str) -> None:
    game, position = opened(name, spec)
    player = position.to_move or game.players[len(position.history[1]) % 2]
    winner, most = brute(game, position.turn_of(player), player)
    assert winner == game.other(player)
    left = 0
    while position.decided(player) is None:
        choice = choose_move(position, player, game.chooser(Limits()), Limits())
        assert choice.move is not None
        if player != winner:
            _, now = brute(game, position.turn_of(player), player)
            _, then = brute(game, position.turn_of(player).after(choice.move), winner)
            assert then == now - 1
        position, player, left = position.turn_of(player).after(choice.move), game.other(player), left + 1
    assert left >= most


def test_bounds_are_longer_than_every_exact_distance() -> None:
    found = {"a": Distance(4, exact=True), "b": Distance(5, exact=False), "c": Distance(5, exact=False)}
    assert longest(found) == ["b", "c"]
