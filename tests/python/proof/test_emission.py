"""Certificates from the solvers: both checkers verify them, and the tools keep them valid."""

from __future__ import annotations

import os
import random
from math import prod
from pathlib import Path

import pytest
import tiny
from proving import prove, verified_by_both

from zermelo import solve
from zermelo.domineering.position import Player, Position
from zermelo.game import Limits, find_game
from zermelo.positional import MNK
from zermelo.positional.prove import prove as prove_maker_breaker
from zermelo.proof import check_file
from zermelo.proof.container import read_payload
from zermelo.proof.tools import extract, info, merge, opened, show, show_html, trim

EXHAUSTIVE = bool(os.environ.get("ZERMELO_EXHAUSTIVE"))
STARTERS: tuple[Player, ...] = ("V", "H")


FIGURE_12 = [f"{r}x{c}" for r in range(2, 10) for c in range(r, 10) if (r, c) != (9, 9)]
CHEAP = [spec for spec in FIGURE_12 if prod(map(int, spec.split("x"))) <= 42]
"""The boards of the article's figure 12. Cheap ones are proved in every run, the others with ZERMELO_EXHAUSTIVE=1."""
RINGS = ["1x40", "torus:3x3", "torus:4x4", "hcylinder:4x5", "vcylinder:4x5", "torus:4x6", "torus:5x5"]
"""Boards without strips: rings, and sides over 32."""
LONG = ["1x20", "2x17", "20x2", "2x32"]
DEEP = [*FIGURE_12, "torus:6x6", "torus:5x7"] if EXHAUSTIVE else CHEAP


@pytest.mark.parametrize("spec", [*DEEP, *RINGS, *LONG])
def test_boards_are_certified_with_the_winner_of_the_search(tmp_path: Path, spec: str) -> None:
    for first in STARTERS:
        file = tmp_path / f"{first}.zc"
        written = prove(spec, first, file)
        claim = info(file)
        assert (claim["starter"], claim["winner"]) == (first, written.winner)
        assert written.winner == solve(spec, first=first).starts[first].winner
        small = Position(spec).free.bit_count() <= 20 or spec in RINGS or EXHAUSTIVE
        assert verified_by_both(file) if small else tiny.FAST.check(file).verified


def test_random_positions_are_certified_with_the_true_winner(tmp_path: Path) -> None:
    """With one thread and with several."""
    rng, file = random.Random(7), tmp_path / "position.zc"
    for _ in range(60):
        rows, cols = rng.choice([(4, 4), (3, 5), (5, 3), (4, 5), (5, 4), (3, 6), (6, 3), (2, 8)])
        free = rng.getrandbits(rows * cols) | rng.getrandbits(rows * cols)
        for number, first in enumerate(STARTERS):
            threads = rng.choice((1, 1, 2, 3, 8))
            written = prove(tiny.grid(free, rows, cols), first, file, memory=1 << 24, threads=threads)
            assert written.winner == "VH"[tiny.Truth(rows, cols).winner(free, number)]
            assert verified_by_both(file)


@pytest.mark.parametrize("spec", ["4,4,4", "5,5,5", "6,6,5", "7,7,5", "5,6,5"])
def test_draws_are_certified(tmp_path: Path, spec: str) -> None:
    file = tmp_path / "draw.zc"
    assert prove(find_game("mnk").parse(spec), "X", file).winner == "breaker"
    assert verified_by_both(file)


@pytest.mark.parametrize("spec", ["3,3,3", "4,3,3", "5,4,3:b2,c2", "5,5,4" if EXHAUSTIVE else "6,4,3"])
def test_maker_wins_are_certified(tmp_path: Path, spec: str) -> None:
    """The Maker-Breaker claim, on request: by itself it says nothing about the real game."""
    file, position = tmp_path / "maker.zc", MNK.parse(spec)
    assert prove_maker_breaker(position, position.to_move, file, Limits()).winner == "maker"
    assert info(file)["winner"] == "maker"
    assert verified_by_both(file)


def test_tools_know_rings(tmp_path: Path) -> None:
    file, trimmed, part = (tmp_path / name for name in ("ring.zc", "trimmed.zc", "part.zc"))
    assert prove("torus:5x5", "V", file).winner == "H"
    trim(file, trimmed)
    assert verified_by_both(trimmed)
    assert "each of 25 moves is answered" in show(file)
    assert extract(file, ["V5,5"], part).winner == "H"
    assert info(part)["spec"].startswith("torus:")
    assert check_file(part).verified
    assert prove("torus:4x4", "V", part).winner == "V"
    assert "by a cover of" in show_html(part, 6)


def test_merge_joins_the_answers_to_all_moves(tmp_path: Path) -> None:
    """5x5 is a second player's win: certificates after each first move of V make one of 5x5."""
    parts = []
    for row in range(4):
        for col in range(5):
            part = tmp_path / f"{row}{col}.zc"
            assert prove(f"5x5:V{row + 1},{col + 1}", "H", part).winner == "H"
            parts.append(part)
    whole = tmp_path / "whole.zc"
    merge(parts, whole, "5x5", "V", "H")
    assert verified_by_both(whole)
    root = Position("5x5")
    assert root.game.merged_proof([*map(read_payload, parts)], root, "V", "H") == read_payload(whole)
    with pytest.raises(ValueError, match="every move"):
        merge(parts[:-1], whole, "5x5", "V", "H")


def test_show_labels_the_squares_of_each_piece(tmp_path: Path) -> None:
    """The root of 3x4 is a leaf: one piece, which is the whole board. 32 dominoes of V are more than the letters."""
    prove("3x4", "V", tmp_path / "3x4.zc")
    assert "1 a a a a\n2 a a a a\n3 a a a a\n" in show(tmp_path / "3x4.zc")
    columns = "#".join("." * 8)
    prove(f"/{'#' * 15}/".join([f"{columns}/{columns}"] * 4), "V", tmp_path / "many.zc")
    labels = [area.label for area in opened(tmp_path / "many.zc")[1].step([]).areas]
    assert labels[25:28] == ["z", "aa", "ab"] and len(set(labels)) == len(labels) == 32
