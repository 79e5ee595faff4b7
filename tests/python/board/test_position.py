"""Positions in Python: round trips, the rules against a separate few lines, and bad input."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.domineering import Move, Position
from zermelo.domineering.position import opponent

Squares = set[tuple[int, int]]


def dominoes(free: Squares, rows: int, cols: int, player: str, topology: str) -> set[frozenset[tuple[int, int]]]:
    """All places for a domino, by the definition and nothing else."""
    wrap_rows = topology in ("hcylinder", "torus")
    wrap_cols = topology in ("vcylinder", "torus")
    found = set()
    for row, col in free:
        after = (row + 1, col) if player == "V" else (row, col + 1)
        if wrap_cols:
            after = (after[0] % rows, after[1])
        if wrap_rows:
            after = (after[0], after[1] % cols)
        if after in free and after != (row, col):
            found.add(frozenset([(row, col), after]))
    return found


def count(free: Squares, rows: int, cols: int, player: str, topology: str, depth: int) -> int:
    if depth == 0:
        return 1
    places = dominoes(free, rows, cols, player, topology)
    other = "H" if player == "V" else "V"
    return sum(count(free - place, rows, cols, other, topology, depth - 1) for place in places)


@st.composite
def positions(draw: st.DrawFn) -> tuple[str, int, int, Squares, str]:
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    topology = draw(st.sampled_from(["rectangle", "hcylinder", "vcylinder", "torus"]))
    cells = [(r, c) for r in range(rows) for c in range(cols)]
    free = {cell for cell in cells if draw(st.booleans())}
    grid = "/".join("".join("." if (r, c) in free else "#" for c in range(cols)) for r in range(rows))
    prefix = "" if topology == "rectangle" else topology + ":"
    return prefix + grid, rows, cols, free, topology


@settings(max_examples=150, deadline=None)
@given(positions(), st.sampled_from(["V", "H"]))
def test_perft_equals_the_definition(example: tuple[str, int, int, Squares, str], first: str) -> None:
    spec, rows, cols, free, topology = example
    position = Position.from_text(spec)
    for depth in range(4):
        assert position.perft(first, depth) == count(free, rows, cols, first, topology, depth)  # type: ignore[arg-type]


@settings(max_examples=150, deadline=None)
@given(positions())
def test_spec_round_trips(example: tuple[str, int, int, Squares, str]) -> None:
    position = Position.from_text(example[0])
    assert Position.from_text(position.spec) == position
    assert position.mirrored(3).mirrored(3) == position
    assert position.transposed().transposed() == position


@settings(max_examples=100, deadline=None)
@given(positions(), st.randoms(use_true_random=False))
def test_push_and_pop_restore(example: tuple[str, int, int, Squares, str], random: object) -> None:
    position = Position.from_text(example[0])
    before = position.copy()
    player = "V"
    pushed = []
    while moves := position.legal_moves(player):  # type: ignore[arg-type]
        move = random.choice(moves)  # type: ignore[attr-defined]
        position.push(move)
        pushed.append(move)
        player = opponent(player)  # type: ignore[arg-type]
    while pushed:
        assert position.pop() == pushed.pop()
    assert position == before


@settings(max_examples=500, deadline=None)
@given(st.text(alphabet="0123456789x./#|:;,VHtorushcylinderv \n\0é", max_size=40))
def test_any_text_parses_or_raises_one_line(text: str) -> None:
    try:
        position = Position.from_text(text)
    except ValueError as error:
        assert "\n" not in str(error)
        assert str(error)
    else:
        assert Position.from_text(position.spec) == position


@pytest.mark.parametrize(
    ("spec", "part"),
    [
        ("8x", "rows x columns"),
        ("0x5", "at least 1"),
        ("300x300", "256 squares"),
        ("../.", "row 2 has 1 squares"),
        ("8x8:V1,1;H1,1", "taken"),
        ("8x8:V8,1", "does not fit"),
        ("8x8:Z1,1", "write V1,2"),
    ],
)
def test_bad_spec_says_what_is_wrong(spec: str, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        Position.from_text(spec)


def test_illegal_push_changes_nothing() -> None:
    position = Position.from_text("2x2")
    with pytest.raises(ValueError, match="does not fit"):
        position.push(Move("V", 2, 1))
    assert position == Position.from_text("2x2")
    with pytest.raises(IndexError):
        position.pop()


@pytest.mark.parametrize("text", ["", "V", "V1", "V1,", "v1,1", "V1,2 ", "V-1,2", "V1,2;H1,1"])
def test_move_parse_rejects(text: str) -> None:
    with pytest.raises(ValueError, match="not understood"):
        Move.parse(text)


@given(st.sampled_from(["V", "H"]), st.integers(1, 999), st.integers(1, 999))
def test_move_round_trips(player: str, row: int, col: int) -> None:
    move = Move(player, row, col)  # type: ignore[arg-type]
    assert Move.parse(str(move)) == move
    assert Move.from_core(move.to_core()) == move
