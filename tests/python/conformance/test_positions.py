"""What every game must keep: texts, keys, moves, and positions that never change."""

from __future__ import annotations

import os
import pickle
import random
from itertools import pairwise

import pytest
from cases import CASES, GAMES, brute, opened, walk

from zermelo.cgt import Value
from zermelo.game import Move, Player, Position, find_game, game_names, games


@GAMES
def test_texts_are_read_back(name: str, spec: str) -> None:
    game, start = opened(name, spec)
    for seed in range(5):
        for position, _ in walk(game, start, seed):
            again = game.parse(position.text)
            assert (again, again.text, again.key()) == (position, position.text, position.key())
            first, moves = position.history
            for move in moves:
                first = game.parse(first).after(move).text
            assert game.parse(first) == position


TEXTS = int(os.environ.get("ZERMELO_TEXTS", "150"))


@pytest.mark.parametrize("name", game_names())
def test_random_text_is_read_or_refused_in_one_line(name: str) -> None:
    """Examples with letters changed, left out and put in, and pieces of other games' examples."""
    game, rng = find_game(name), random.Random(name)
    scraps = [*"xo.#TFERBRG0123456789:;,-+=/| abcv\n\t\0~()*{}äﬀ", *(text for one in games() for text in one.examples)]
    for _ in range(TEXTS):
        letters = list(rng.choice(game.examples))
        for _ in range(rng.randint(1, 5)):
            at = rng.randint(0, len(letters))
            letters[at : at + rng.randint(0, 2)] = rng.choice(scraps) * rng.choice((1, 1, 1, 20))
        try:
            position = game.parse(text := "".join(letters))
        except ValueError as error:
            assert str(error) and "\n" not in str(error) and len(str(error)) < 600, text
            continue
        again = game.parse(position.text)
        assert (again.text, again.key()) == (position.text, position.key()), text
        for move in position.turn_of(game.players[0]).moves(game.players[0])[:3]:
            after = position.turn_of(game.players[0]).after(str(move))
            assert game.parse(after.text).key() == after.key(), (text, move)


@GAMES
def test_positions_are_values(name: str, spec: str) -> None:
    game, start = opened(name, spec)
    before = (start.text, hash(start), start.key())
    for position, _ in walk(game, start, 1):
        copy = pickle.loads(pickle.dumps(position))
        assert copy == position and hash(copy) == hash(position) and copy.text == position.text
        assert len({position, copy, game.parse(position.text)}) == 1
        with pytest.raises(AttributeError):
            position.text = "another"  # type: ignore[misc]
        view = position.view()
        squares = [square for piece in view.pieces for square in piece.squares] + list(view.blocked)
        assert len(squares) == len(set(squares))
        assert all(1 <= row <= view.rows and 1 <= col <= view.cols for row, col in squares)
        assert (len(view.row_labels), len(view.col_labels)) == (view.rows, view.cols) == position.size
        assert str(position) and position._repr_svg_().startswith("<svg")
    assert (start.text, hash(start), start.key()) == before


@GAMES
def test_moves_are_legal_exactly_when_after_takes_them(name: str, spec: str) -> None:
    game, start = opened(name, spec)
    for seed in range(3):
        seen = set[str]()
        for position, player in walk(game, start, seed):
            turn = position.turn_of(player)
            moves = {str(move): move for move in turn.moves(player)}
            assert bool(moves) == (turn.decided(player) is None)
            either = moves.keys() | {str(move) for one in game.players for move in turn.moves(one)}
            for text, move in moves.items():
                assert turn.after(text) == turn.after(move) != turn
                shown = turn.move_view(move)
                assert shown.id == text
                taken = {square for piece in turn.view().pieces for square in piece.squares}
                rows, cols = turn.size
                assert shown.squares and all(1 <= row <= rows and 1 <= col <= cols for row, col in shown.squares)
                assert not game.claim_codes or not taken & set(shown.squares)
            for text in [*sorted(seen - either), "", "nonsense", "V0,0", "-", "1" * 100]:
                with pytest.raises(ValueError):
                    turn.after(text)
            seen |= either


def mirrored(start: Position, moves: list[tuple[Player, Move]]) -> Position:
    """Return the mirror image of a position, played from a board that is its own mirror image."""
    width, here, there = start.view().cols, start, start
    for player, move in moves:
        here, there = here.turn_of(player), there.turn_of(player)
        wanted = {(row, width + 1 - col) for row, col in here.move_view(move).squares}
        (image,) = (one for one in there.moves(player) if set(there.move_view(one).squares) == wanted)
        here, there = here.after(move), there.after(image)
    return there


@pytest.mark.parametrize(("name", "spec"), [("domineering", "3x4"), ("domineering", "torus:3x4"), ("mnk", "4,3,3"),
                                            ("mnk", "3,3,3"), ("cram", "3x4"), ("cram", "4x4")])  # fmt: skip
def test_mirror_images_have_one_key(name: str, spec: str) -> None:
    game, start = opened(name, spec)
    images = 0
    for seed in range(8):
        way = list(walk(game, start, seed))
        moves = list[tuple[Player, Move]]()
        for (position, player), (after, _) in pairwise(way):
            turn = position.turn_of(player)
            moves.append((player, next(move for move in turn.moves(player) if turn.after(move) == after)))
            image = mirrored(start, moves)
            assert image.key() == after.key()
            images += image != after
    assert images > 20


@pytest.mark.parametrize("name", game_names())
def test_equal_keys_have_equal_results_and_values(name: str) -> None:
    """Whatever the key leaves out does not matter: positions with one key have one winner, whoever is to move."""
    results, values = dict[tuple[str, Player], str](), dict[str, Value]()
    shared = 0
    for own, spec in CASES:
        if own != name:
            continue
        game, start = opened(name, spec)
        for seed in range(30):
            for position, player in walk(game, start, seed):
                if game.normal_play and seed < 12:
                    assert values.setdefault(position.key(), position.value) == position.value, position.text
                if len(position.moves(player)) > 10:
                    continue
                entry = (position.key(), player)
                shared += entry in results
                winner = brute(position, player)
                assert results.setdefault(entry, winner) == winner, position.text
    assert shared > 50
