"""Derivations by rules: true, verified by both checkers, and not verified when a step does not follow."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiny
from proving import verified_by_both

from zermelo.domineering.lattice import Lattice
from zermelo.domineering.position import Player
from zermelo.domineering.rules.knowledge import shipped
from zermelo.game import Limits, find_game

STARTERS: tuple[Player, ...] = ("V", "H")
CHAINS = {(4, 5): 10, (2, 6): 4, (2, 7): 6, (5, 4): 10, (6, 3): 9, (3, 6): 9, (2, 8): 8}


def write_rectangle(rows: int, cols: int, starter: Player, file: Path, *, leaf_squares: int = 42) -> str | None:
    """Write the certificate; None also where the format has no rule for what the rules know."""
    try:
        game = find_game("domineering")
        winner: str | None = game.tables.write_derivation(f"{rows}x{cols}", starter, file, squares=leaf_squares).winner
        return winner
    except ValueError as error:
        assert "certificate format" in str(error) or "be searched" in str(error)
        return None


def truth(rows: int, cols: int, starter: Player) -> str:
    board = tiny.Truth(rows, cols)
    return "VH"[board.winner((1 << rows * cols) - 1, "VH".index(starter))]


@pytest.mark.parametrize("size", CHAINS)
def test_small_derivations_are_true(tmp_path: Path, size: tuple[int, int]) -> None:
    """Boards small enough for brute force, derived from boards that are smaller still."""
    written = 0
    for starter in STARTERS:
        file = tmp_path / f"{starter}.zc"
        winner = write_rectangle(*size, starter, file, leaf_squares=CHAINS[size])
        if winner is not None:
            assert winner == truth(*size, starter)
            assert verified_by_both(file)
            written += 1
    assert written


@pytest.mark.parametrize(
    ("rows", "cols", "starter", "winner"),
    [
        (2, 200, "V", "H"),
        (200, 2, "H", "V"),
        (3, 101, "V", "H"),
        (2, 27, "V", "V"),
        (5, 60, "H", "H"),
        (2, 270, "H", "H"),
        (2, 20_000, "H", "H"),
        (3, 1000, "V", "H"),
        (1_000_000, 3, "H", "V"),
        (60, 120, "V", "H"),
        (50, 500, "V", "H"),
    ],
)
def test_large_boards_are_derived(tmp_path: Path, rows: int, cols: int, starter: Player, winner: str) -> None:
    """The winners are those of Lachmann, Moore and Rapaport."""
    file = tmp_path / "large.zc"
    assert write_rectangle(rows, cols, starter, file, leaf_squares=26) == winner
    assert verified_by_both(file)


def test_every_derived_board_up_to_twelve_is_what_the_table_says(tmp_path: Path) -> None:
    """From boards of at most 12 squares; both checkers verify every one."""
    file, written = tmp_path / "derived.zc", 0
    for rows in range(1, 13):
        for cols in range(1, 13):
            for starter in STARTERS:
                winner = write_rectangle(rows, cols, starter, file, leaf_squares=12)
                if winner is not None:
                    assert winner == shipped().decide(Lattice(rows, cols)).winner(starter)
                    assert verified_by_both(file)
                    written += 1
    assert written > 130


def test_what_the_format_cannot_say_is_named(tmp_path: Path) -> None:
    game, file = find_game("domineering"), tmp_path / "none.zc"
    with pytest.raises(ValueError, match="rectangles only"):
        game.tables.write_derivation("torus:2x90", "V", file)
    with pytest.raises(ValueError, match=r"Berlekamp's formula|sum of values|be searched"):
        game.tables.write_derivation("2x31", "H", file, squares=4)
    assert game.tables.write_derivation("24x25", "V", file).winner is None
    assert not file.exists()


def test_a_derivation_is_told_in_words_within_limits() -> None:
    replay = find_game("domineering").replay
    claim = bytes([4, 1, 8, 1, 1])
    step = replay(claim + bytes([3, 4, 0, 3, 4, 1, 4, 1, 2, 0])).step([])
    assert step.leaf and step.text == "derived by rules in 3 steps"
    assert step.caption[-1] == "3. 1x8, H starts: H wins (H never plays across the line: 2, 1)"
    with pytest.raises(ValueError, match="no moves to walk"):
        replay(claim + bytes([3, 8, 1, 0])).step(["V1,1"])
    with pytest.raises(ValueError, match="too large a board"):
        replay(bytes([4, 1]) + tiny.varint(10**9) + bytes([1, 1, 0]))
    with pytest.raises(ValueError, match="too large to walk"):
        replay(claim + bytes([3, 4, 0]) * 100_000 + b"\0", limits=Limits(seconds=0.001))
    many = replay(claim + bytes([3, 4, 0]) * 1000 + b"\0").step([])
    assert len(many.caption) == 501 and "and 500 more" in many.caption[-2]
