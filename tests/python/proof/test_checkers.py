"""The two checkers: they share nothing with the rest, agree on everything, and believe nothing false."""

from __future__ import annotations

import ast
import os
import random
import re
import sys
from pathlib import Path

import pytest
import tiny
from proving import verified_by_both
from tiny import zcram, zdomineering, zformat, zvalues

from zermelo.proof import check_file

CHECKER = tiny.ROOT / "checker"
EXHAUSTIVE = bool(os.environ.get("ZERMELO_EXHAUSTIVE"))


@pytest.mark.parametrize("size", [(3, 4), (4, 3), (4, 4), (5, 3)])
def test_strips_and_answers_are_wins(tmp_path: Path, size: tuple[int, int]) -> None:
    """A certificate is one leaf, or one move that a cut answers and one that has a strategy."""
    rng, truth, squares = random.Random(9), tiny.Truth(*size), size[0] * size[1]
    accepted = dict.fromkeys(("leaf of the winner", "leaf of the loser", "answer"), 0)
    for _ in range(400 if EXHAUSTIVE else 80):
        free = rng.getrandbits(squares) | rng.getrandbits(squares)
        moves, cut = truth.moves(free, 1), tiny.random_cut(rng, *size, free)
        answered = (1 << len(moves)) - 1
        texts = {
            "leaf of the winner": (0, bytes([zdomineering.CUT_WON]) + cut),
            "leaf of the loser": (1, bytes([zdomineering.CUT]) + cut),
            "answer": (1, bytes([zdomineering.CUT + 1]) + cut + answered.to_bytes((len(moves) + 7) // 8, "little")),
        }
        for kind, (starter, text) in texts.items():
            claim = tiny.domineering_claim(*size, free, starter, 0)
            accepted[kind] += tiny.verdicts(tiny.container(claim + text), tmp_path / "leaf.zc")[0] == zformat.VERIFIED
    assert min(accepted.values()) > 5, accepted


def test_floors_of_small_boards_are_the_known_values() -> None:
    """Values from Winning Ways, in 1/64: 2x2 is {1|-1}, 2x3 is {2|-1/2}, 3x3 is {1|-1}, 2x1 is 1."""
    values = zvalues.Values(zformat.Budget(1e9, 8192))

    def floors(height: int, width: int) -> tuple[int, ...]:
        number, game = values.set(height, width, (1 << height * width) - 1)
        return tuple(number + value for value in values.floors(game))

    assert floors(2, 1) == (64, 63, 64, 65)
    assert floors(2, 2) == (-65, 64, 65, -64)
    assert floors(2, 3) == (-33, 128, 129, -32)
    assert floors(3, 3) == (-65, 64, 65, -64)


def test_zcheck_imports_itself_and_the_standard_library_only() -> None:
    scripts = sorted(CHECKER.glob("*.py"))
    names = set()
    for script in scripts:
        for node in ast.walk(ast.parse(script.read_text())):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names.add((node.module or "").split(".")[0])
    assert names <= set(sys.stdlib_module_names) | {script.stem for script in scripts}


def test_fast_checker_includes_only_itself_and_the_standard_library() -> None:
    sources = sorted([*CHECKER.glob("*.hpp"), *CHECKER.glob("*.cpp")])
    assert sources
    for source in sources:
        text = source.read_text()
        for name in re.findall(r'#\s*include\s+"([^"]+)"', text):
            assert "/" not in name and (CHECKER / name).exists(), (source, name)
        for name in re.findall(r"#\s*include\s+<([^>]+)>", text):
            assert re.fullmatch(r"[a-z_]+", name), (source, name)


@pytest.mark.parametrize("code", range(3))
def test_checkers_are_programs(tmp_path: Path, code: int) -> None:
    file = tmp_path / "example.zc"
    file.write_bytes(tiny.container(bytes([1, 0, 2, 2, 15, code == 1, 0, 0, 0, *[0] * (code == 2)])))
    for slow, name in ((False, "zcheck"), (True, "zcheck.py")):
        report = check_file(file, slow=slow)
        assert (report.exit_code, report.checker) == (code, name)


def test_missing_file_is_malformed(tmp_path: Path) -> None:
    for slow in (False, True):
        assert check_file(tmp_path / "none.zc", slow=slow).exit_code == 2


@pytest.mark.parametrize("sample", sorted(tiny.SAMPLES.glob("*.zc")), ids=lambda p: p.stem)
def test_samples_stay_valid(sample: Path) -> None:
    assert verified_by_both(sample)


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (2, 4), (4, 2), (1, 7)])
def test_references_in_cram_compare_images_of_useful_squares(rows: int, cols: int) -> None:
    rng, squares, same = random.Random(6), rows * cols, 0
    prover = tiny.TinyCram(rows, cols, (1 << squares) - 1, 0, rng)
    checker = zcram.Cram(tiny.FakeReader(bytes(prover.out)[1:]), zformat.Budget(1e9, 64))
    boards = [rng.getrandbits(squares) for _ in range(120)]
    images = [
        prover.images(frozenset(divmod(square, cols) for square in range(squares) if free >> square & 1))
        for free in boards
    ]
    for one, its_images in zip(boards, images, strict=True):
        for two, others in zip(boards, images, strict=True):
            equal = others[0] in its_images
            same += equal
            assert (checker.normal(one) == checker.normal(two)) == equal
    assert len(boards) < same < len(boards) ** 2
