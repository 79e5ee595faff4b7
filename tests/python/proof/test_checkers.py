"""The two checkers: they share nothing with the rest, agree on everything, and believe nothing false."""

from __future__ import annotations

import ast
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
import tiny
from proving import verified_by_both
from tiny import zdomineering, zformat, zvalues

from zermelo.proof.checking import checker_folder

CHECKER = tiny.ROOT / "checker"
FAST, SLOW = [str(checker_folder() / "zcheck")], [sys.executable, str(checker_folder() / "zcheck.py")]
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


@pytest.mark.parametrize("checker", [FAST, SLOW], ids=["zcheck", "zcheck.py"])
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("good.zc", 0), ("rejected.zc", 1), ("malformed.zc", 2), ("none.zc", 2), ("/dev/stdin", 0),
        ("good.zc --memory inf", 0), ("good.zc --time inf", 0), ("good.zc --time 1e3 --memory 64", 0),
        ("good.zc --time -1", 2), ("good.zc --memory -1", 2), ("good.zc --memory nan", 2), ("good.zc --time nan", 2),
        ("good.zc --time 0x10", 2), ("good.zc --time 1_0", 2), ("good.zc --time", 2),
    ],
)  # fmt: skip
def test_files_and_limits_mean_the_same_in_both_checkers(
    checker: list[str], words: str, code: int, tmp_path: Path
) -> None:
    files = {name: tiny.container(bytes([1, 0, 2, 2, 15, name[0] == "r", 0, 0, 0])) for name in ("good", "rejected")}
    files["malformed"] = files["good"][:-1]
    for name, data in files.items():
        (tmp_path / f"{name}.zc").write_bytes(data)
    command = [*checker, *words.split()]
    run = subprocess.run(command, input=files["good"], capture_output=True, cwd=tmp_path)
    assert (run.returncode, b"Traceback" in run.stderr) == (code, False), run.stderr


def test_few_bytes_have_little_time_and_memory(tmp_path: Path) -> None:
    """The default limits grow with the size of the file."""
    code = (
        "import sys, zcheck, zformat\n"
        "class Told(zformat.Budget):\n"
        "    def __init__(self, *limits): print(*limits); super().__init__(*limits)\n"
        "zcheck.Budget = Told\n"
        "zcheck.check(sys.argv[1])\n"
    )
    file = tmp_path / "a.zc"
    for size, told in ((24, "60.12 1024.024"), (10_000_000, "50060.0 8192")):
        file.write_bytes(bytes(size))
        run = subprocess.run(
            [sys.executable, "-c", code, str(file)], capture_output=True, text=True, cwd=checker_folder()
        )
        assert run.stdout.strip() == told


@pytest.mark.parametrize("sample", sorted(tiny.SAMPLES.glob("*.zc")), ids=lambda p: p.stem)
def test_samples_stay_valid(sample: Path) -> None:
    assert verified_by_both(sample)


def images_of(free: int, rows: int, cols: int) -> set[frozenset[tuple[int, int]]]:
    """All images of the squares that a domino can still cover."""
    squares = {divmod(square, cols) for square in range(rows * cols) if free >> square & 1}
    useful = [(r, c) for r, c in squares if {(r, c + 1), (r, c - 1), (r + 1, c), (r - 1, c)} & squares]
    turned = [[(c, r) for r, c in useful]] if rows == cols else []
    return {
        frozenset((rows - 1 - r if down else r, cols - 1 - c if back else c) for r, c in places)
        for places in [useful, *turned]
        for down in (False, True)
        for back in (False, True)
    }


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (2, 4), (4, 2), (1, 7)])
def test_references_in_cram_compare_images_of_useful_squares(rows: int, cols: int) -> None:
    rng, squares, same = random.Random(6), rows * cols, 0
    checker = tiny.TinyCram(rows, cols, (1 << squares) - 1, 0, rng).checker
    boards = [rng.getrandbits(squares) for _ in range(120)]
    images = [images_of(free, rows, cols) for free in boards]
    for one, its_images in zip(boards, images, strict=True):
        for two, others in zip(boards, images, strict=True):
            equal = its_images == others
            same += equal
            assert (checker.normal(one) == checker.normal(two)) == equal
    assert len(boards) < same < len(boards) ** 2
