"""Positions in Python: round trips, the rules against a separate few lines, and bad input."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import TOPOLOGIES, Truth, grid

from zermelo import _core as core
from zermelo.domineering import Move, Position
from zermelo.domineering.position import PLAYERS, Player, opponent

Example = tuple[str, int, int, int, str]
"""A spec, rows, columns, the free squares as bits, and the topology."""


board = cache(Truth)


def places(free: int, rows: int, cols: int, player: str, topology: str) -> set[int]:
    """All places for a domino, by the definition."""
    return set(board(rows, cols, topology).moves(free, "VH".index(player)))


def spec_of(free: int, rows: int, cols: int, topology: str) -> str:
    return ("" if topology == "rectangle" else topology + ":") + grid(free, rows, cols)


def bits(squares: Iterable[tuple[int, int]], cols: int) -> int:
    """Squares counted from 1 as a set."""
    return sum(1 << ((row - 1) * cols + col - 1) for row, col in squares)


def same(board: core.Board, position: Position) -> bool:
    """Whether a board of the core is the position."""
    size, free = (board.rows, board.cols), sum(1 << square for square in board.free_squares())
    return (size, board.topology.name.lower(), free) == (position.size, position.topology, position.free)


@st.composite
def positions(draw: st.DrawFn) -> Example:
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    topology = draw(st.sampled_from(TOPOLOGIES))
    free = draw(st.integers(0, (1 << rows * cols) - 1))
    return spec_of(free, rows, cols, topology), rows, cols, free, topology


@settings(max_examples=150, deadline=None)
@given(positions(), st.sampled_from(PLAYERS))
def test_perft_equals_the_definition(example: Example, first: Player) -> None:
    spec, rows, cols, free, topology = example
    played, mover = [free], first
    for depth in range(4):
        assert Position(spec).perft(first, depth) == len(played)
        played = [each ^ place for each in played for place in places(each, rows, cols, mover, topology)]
        mover = opponent(mover)
    with pytest.raises(ValueError, match="0 moves or more"):
        Position(spec).perft(first, -1)


@settings(max_examples=150, deadline=None)
@given(positions(), st.randoms(use_true_random=False))
def test_moves_are_those_of_the_definition(example: Example, random: Random) -> None:
    """A random game: after() takes exactly the moves, text and pickle keep everything, keys are those of the images."""
    spec, rows, cols, free, topology = example
    position = Position(spec)
    while True:
        for player in PLAYERS:
            moves = position.moves(player)
            covered = {bits(position.squares(move), cols) for move in moves}
            assert covered == places(free, rows, cols, player, topology)
            assert position.can_move(player) == bool(moves) == (position.decided(player) is None)
            legal = {Move(player, row, col) for row in range(rows + 2) for col in range(cols + 2)}
            assert {move for move in legal if position.is_legal(move)} == set(moves)
        again = Position(position.text)
        assert position.transposed().transposed() == position == Position(position.spec)
        assert again == position and again.given == position.given and hash(again) == hash(position)
        restored = pickle.loads(pickle.dumps(position))
        assert restored == position and restored.text == position.text
        assert {position.mirrored(image).key() for image in range(4)} == {position.key()}
        assert same(position.board, position) and same(position.board.transposed(), position.transposed())
        moves = position.moves(random.choice(PLAYERS))
        if not moves:
            return
        move = random.choice(moves)
        free ^= bits(position.squares(move), cols)
        position = position.after(str(move))


@settings(max_examples=100, deadline=None)
@given(positions(), st.integers(0, 4), st.integers(0, 4))
def test_keys_know_the_turns_of_a_ring(example: Example, down: int, right: int) -> None:
    _, rows, cols, free, topology = example
    down = down if topology in ("vcylinder", "torus") and rows > 2 else 0
    right = right if topology in ("hcylinder", "torus") and cols > 2 else 0
    squares = [divmod(square, cols) for square in range(rows * cols) if free >> square & 1]
    turned = sum(1 << ((row + down) % rows * cols + (col + right) % cols) for row, col in squares)
    specs = [spec_of(each, rows, cols, topology) for each in (free, turned)]
    assert Position(specs[0]).key() == Position(specs[1]).key()


def test_a_position_of_any_size() -> None:
    position = Position("2x1000:V1,500;H2,998")
    assert position.text == "2x1000:V1,500;H2,998"
    assert Position(position.text) == position
    assert not position.is_free(1, 500) and position.free.bit_count() == 1996
    assert Move("H", 1, 499) not in position.moves("H") and position.can_move("V")
    with pytest.raises(ValueError, match="256 squares"):
        _ = position.board
    assert Position(position.spec) == position and position.spec.startswith("....")
    ring = Position("torus:20x20:V20,1")
    assert Position(ring.spec) == ring
    with pytest.raises(ValueError, match="as long as the first"):
        Position("." * 300 + "/..")
    huge = Position("1000000x1000000")
    assert huge.key() == "1000000x1000000:0" and huge.transposed() == huge
    with pytest.raises(ValueError, match="too many to move on"):
        huge.after("V1,1")


@settings(max_examples=500, deadline=None)
@given(st.text(alphabet="0123456789x./#|:;,VHtorushcylinderv \n\0é", max_size=40))
def test_any_text_parses_or_raises_one_line(text: str) -> None:
    try:
        position = Position(text)
    except ValueError as error:
        assert "\n" not in str(error)
        assert str(error)
    else:
        assert Position(position.spec) == position


@pytest.mark.parametrize(
    ("spec", "part"),
    [
        ("8x", "rows x columns"),
        ("0x5", "at least 1"),
        ("1000001x1", "rows x columns"),
        ("../.", "row 2 has 1 squares"),
        ("8x8:V1,1;H1,1", "taken"),
        ("", "for example 8x8"),
        ("8x8:", "no move follows"),
        ("8x8:V1,2;", "add a move"),
        ("8 x x 8", "rows x columns"),
        ("sphere:3x3", "torus, hcylinder or vcylinder"),
        ("torus:", "rows x columns"),
        ("..a/...", "'a' in it"),
        ("./", "row 2 is empty"),
        (" 8x8", "rows x columns"),
        ("8x8:V8,1", "does not fit"),
        ("8x8:Z1,1", "write V1,2"),
    ],
)
def test_bad_spec_says_what_is_wrong(spec: str, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        Position(spec)


@pytest.mark.parametrize("text", ["torus:4X6", "torus:4 x 6", "torus:4\u00d76", "torus:4  X 6"])
def test_a_size_may_be_written_with_blanks_and_another_sign(text: str) -> None:
    assert Position(text) == Position("torus:4x6")


@pytest.mark.parametrize("text", ["", "V", "V1", "V1,", "v1,1", "V1,2 ", "V-1,2", "V1,2;H1,1"])
def test_move_parse_rejects(text: str) -> None:
    with pytest.raises(ValueError, match="not understood"):
        Move.parse(text)
