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


def test_valid_certificates_are_verified_by_both(tmp_path: Path) -> None:
    rng = random.Random(1)
    for number in range(104):
        data = tiny.container(tiny.random_payload(rng, tiny.KINDS[number % len(tiny.KINDS)]), rng.random() < 0.5)
        assert tiny.verdicts(data, tmp_path / "valid.zc")[0] == zformat.VERIFIED


def test_checkers_agree_on_mutants(tmp_path: Path) -> None:
    """Mutants of the payload and of the compressed file: the same verdict from both, no crash, nothing false."""
    rng = random.Random(2)
    verdicts = dict.fromkeys(range(4), 0)
    for number in range(4000 if EXHAUSTIVE else 70):
        payload = tiny.random_payload(rng, tiny.KINDS[number % len(tiny.KINDS)])
        for _ in range(25):
            if rng.random() < 0.85:
                data = tiny.container(tiny.mutated(payload, rng), rng.random() < 0.3)
            else:
                data = tiny.mutated(tiny.container(payload), rng)
            verdicts[tiny.verdicts(data, tmp_path / "mutant.zc")[0]] += 1
    assert verdicts[zformat.REJECTED] and verdicts[zformat.MALFORMED]
    assert verdicts[zformat.UNFINISHED] == 0


@pytest.mark.parametrize("size", [(3, 4), (4, 3), (4, 4), (5, 3)])
def test_leaves_and_answers_of_the_slow_checker_are_wins(size: tuple[int, int]) -> None:
    """zcheck.py alone against brute force: what it accepts is won, whichever way the cut goes."""
    rng, truth, squares = random.Random(9), tiny.Truth(*size), size[0] * size[1]
    head = tiny.domineering_claim(*size, (1 << squares) - 1, 1, 0)
    checker = zdomineering.Domineering(tiny.FakeReader(head[1:]), zformat.Budget(1e9, 8192))
    accepted = {"leaf of the winner": 0, "leaf of the loser": 0, "answer": 0}

    def judge(text: bytes, free: int, moves: list[int], first: bool) -> bool:
        checker.reader = tiny.FakeReader(text)
        try:
            cut = checker.cut(free)
            checker.moves_left(moves, cut) if moves else checker.strips(cut, first)
        except zformat.Stop:
            return False
        return True

    for _ in range(400 if EXHAUSTIVE else 120):
        free = rng.getrandbits(squares) | rng.getrandbits(squares)
        moves = truth.moves(free, 1)
        cut = tiny.random_cut(rng, *size, free)
        if judge(cut, free, [], True):
            accepted["leaf of the winner"] += 1
            assert truth.mover_wins(free, 0)
        if judge(cut, free, [], False):
            accepted["leaf of the loser"] += 1
            assert not truth.mover_wins(free, 1)
        for number, domino in enumerate(moves):
            if judge(cut + (1 << number).to_bytes((len(moves) + 7) // 8, "little"), free, moves, True):
                accepted["answer"] += 1
                assert truth.mover_wins(free ^ domino, 0)
    assert min(accepted.values()) > 10, accepted


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


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", 2),
        (tiny.container(bytes([5, 2, 2, 15, 0, 1, 0, 8, 1, 8, 2, 8, 2, 8, 2])), 0),
        (tiny.container(bytes([1, 0, 2, 1, 3, 0, 0, 7, 0, 1])), 0),
        (tiny.container(bytes([1, 0, 3, 2, 0x17, 1, 0, 0x11, 0x00, 0x01])), 0),
        (b"ZCERT\x01\x01\x00not zlib", 2),
        (tiny.container(bytes([1, 0, 2, 2, 15, 0, 0, 8, 0])), 0),
        (tiny.container(bytes([1, 0, 2, 2, 15, 0, 0, 9, 0])), 0),
        (tiny.container(bytes([1, 0, 2, 2, 15, 0, 0, 0, 0])), 0),
        (tiny.container(bytes([2, 2, 1, 3, 0, 0, 0, 1, 1, 0, 0])), 0),
        (tiny.container(bytes([6, 2, 2, 2, 0, 0, 0, 0, 0])), 0),
    ],
)
def test_worked_examples(tmp_path: Path, data: bytes, code: int) -> None:
    """Those of FORMAT.md 10. Samples that break a rule are in test_format_rules."""
    assert tiny.verdicts(data, tmp_path / "example.zc")[0] == code


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


def test_references_compare_shapes_and_integer() -> None:
    """A 2x2 square and a column of four is S + 2; only what was proved with an integer of at most 2 will do."""
    free = sum(1 << square for square in (0, 1, 4, 5, 3, 7, 11, 15))
    head = tiny.domineering_claim(4, 4, free, 1, 0)
    for least, verdict in ((1, True), (2, True), (3, False), (None, False)):
        game = zdomineering.Domineering(tiny.FakeReader(head[1:]), zformat.Budget(1e9, 64))
        key, number = game.normal(free)
        assert number == 2
        if least is not None:
            game.known[key] = least
        game.reader = tiny.FakeReader(bytes([zdomineering.REF]))
        if verdict:
            game.loser_moves(free)
        else:
            with pytest.raises(zformat.Stop, match="not proved"):
                game.loser_moves(free)
