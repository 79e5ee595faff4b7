"""What every game must keep that is lost by the player who cannot move: values, parts, nimbers, negatives, sums."""

from __future__ import annotations

import pytest
from cases import CASES, NORMAL_PLAY, brute, opened, walk

from zermelo import Position as Domino
from zermelo.cgt import Value
from zermelo.game import Limits, find_game
from zermelo.game.normal_play import NormalPlayChooser
from zermelo.game.plain import PlainChooser
from zermelo.game.sums import SUM
from zermelo.game.values import PlainValues

OUTCOMES = {(True, True): "first", (True, False): "Left", (False, True): "Right", (False, False): "second"}
LIMITS = Limits(memory=1 << 28)


@NORMAL_PLAY
def test_who_cannot_move_loses_and_nobody_is_on_turn(name: str, spec: str) -> None:
    game, start = opened(name, spec)
    for seed in range(4):
        for position, player in walk(game, start, seed):
            assert position.to_move is None and position.turn_of(player) == position
            assert position.decided(player) == (None if position.moves(player) else game.other(player))
            if game.impartial:
                assert list(map(str, position.moves(player))) == list(map(str, position.moves(game.other(player))))


@NORMAL_PLAY
def test_values_are_those_of_the_rules(name: str, spec: str) -> None:
    game, start = opened(name, spec)
    assert game.values is not None
    plain = PlainValues(game)
    for seed in range(4):
        for position, player in walk(game, start, seed):
            value = position.value
            assert value == plain.value(position)
            assert value.outcome == OUTCOMES[tuple(brute(position, one) == one for one in game.players)]
            assert position.nimber == value.nimber and (not game.impartial or value == f"*{position.nimber}")
            assert (-position).value == -value
            left, right = ([after.value for after in position.options(one)] for one in game.players)
            assert Value.from_options(left, right) == value
            gains = position.incentives(player)
            assert len(gains) == len(position.moves(player))


@NORMAL_PLAY
def test_parts_add_up_and_have_no_parts(name: str, spec: str) -> None:
    game, start = opened(name, spec)
    assert game.values is not None
    for seed in range(4):
        for position, _ in walk(game, start, seed):
            parts, squares = position.components, position.component_squares()
            assert sum((part.value for part in parts), Value(0)) == position.value
            assert len(parts) == len(squares)
            assert all(len(part.components) <= 1 for part in parts)
            flat = [square for region in squares for square in region]
            assert len(flat) == len(set(flat))
            found = game.values.regions(position)
            assert found.sum_full is not None and Value(found.sum_full) == position.value
            assert len(found.regions) == len(parts)


@NORMAL_PLAY
def test_sums_with_another_game_are_sums_of_values(name: str, spec: str) -> None:
    game, start = opened(name, spec)
    for seed in range(2):
        for position, _ in walk(game, start, seed):
            for other in (Domino("2x3"), Domino("torus:2x2"), find_game("cram").parse("1x3")):
                whole = position + other
                assert whole.value == position.value + other.value
                assert whole.outcome == whole.game.solve(whole).outcome
                if whole.game.name == "plus":
                    assert whole.outcome == whole.value.outcome
                    assert SUM.parse(whole.text) == whole
            assert (position - position).value == 0
            assert (position + 1, 1 + position) == (position.value + 1, position.value + 1)


@NORMAL_PLAY
def test_search_by_parts_is_the_plain_search(name: str, spec: str) -> None:
    game, start = opened(name, spec)
    for position in (start, *start.options(game.players[0])[:3]):
        for player in game.players:
            by_parts = NormalPlayChooser(game, LIMITS).answer(position, player, LIMITS)
            plain = PlainChooser(game, LIMITS).answer(position, player, LIMITS)
            assert by_parts.winner == plain.winner
            if by_parts.move is not None:
                assert brute(position.after(by_parts.move), game.other(player)) == player
            assert (by_parts.move is None) == (by_parts.winner != player or by_parts.by == "over")


def test_other_games_say_in_a_line_that_they_have_no_values() -> None:
    for name, spec in CASES:
        game, start = opened(name, spec)
        if not game.normal_play:
            assert game.values is None
            for ask in (lambda: start.value, lambda: start.nimber, lambda: -start, lambda: start + start):  # noqa: B023
                with pytest.raises(ValueError, match="the player who cannot move") as caught:
                    ask()
                assert "\n" not in str(caught.value)
