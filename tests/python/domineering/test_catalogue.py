"""All small positions, against a generator and a calculator that share nothing with ours."""

from __future__ import annotations

import csv
import json
import os
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from calculators import Squares, value_of

from zermelo._core import ComponentDatabase
from zermelo.cgt import Value
from zermelo.cgt.value import ARENA
from zermelo.domineering import Position
from zermelo.domineering.catalogue import connected, subsets
from zermelo.domineering.values import build_database
from zermelo.game.catalogue import COLUMNS, Catalogue

FREE_POLYOMINOES = [1, 1, 2, 5, 12, 35, 108, 369]  # A000105, n = 1 .. 8


def images(squares: Squares) -> list[Squares]:
    """All eight images in the corner, the transposed ones last."""
    found = []
    for swap in (False, True):
        for a in (1, -1):
            for b in (1, -1):
                image = [(a * r, b * c) for r, c in squares]
                image = [(c, r) for r, c in image] if swap else image
                top, left = min(r for r, _ in image), min(c for _, c in image)
                found.append(frozenset((r - top, c - left) for r, c in image))
    return found


def polyominoes(size: int) -> set[Squares]:
    """Grow squares one by one; the least image stands for all."""
    level = {frozenset({(0, 0)})}
    for _ in range(size - 1):
        level = {
            min(images(shape | {(r + dr, c + dc)}), key=sorted)
            for shape in level
            for r, c in shape
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if (r + dr, c + dc) not in shape
        }
    return level


def squares_of(spec: str) -> Squares:
    return frozenset(
        (r, c) for r, row in enumerate(str(Position(spec)).splitlines()) for c, x in enumerate(row) if x == "."
    )


@pytest.mark.parametrize("size", range(1, 9))
def test_connected_positions_are_all_polyominoes_once(size: int) -> None:
    listed = connected(size)
    assert len(listed) == FREE_POLYOMINOES[size - 1]
    assert {min(images(squares_of(entry.position)), key=sorted) for entry in listed} == polyominoes(size)


def test_values_are_those_of_another_calculator() -> None:
    for entry in connected(6, at_most=True):
        assert entry.value == value_of(squares_of(entry.position)), entry.position


@pytest.mark.parametrize("shape", ["2x3", "3x3", "..#/.../#.."])
def test_parts_of_a_shape_are_all_subsets_once(shape: str) -> None:
    free = squares_of(shape)
    rows, cols = Position(shape).size
    mirrors = [lambda r, c: (r, c), lambda r, c: (rows - 1 - r, c), lambda r, c: (r, cols - 1 - c),
               lambda r, c: (rows - 1 - r, cols - 1 - c)]  # fmt: skip
    all_parts = [frozenset(part) for n in range(len(free) + 1) for part in combinations(sorted(free), n)]
    classes = {frozenset(frozenset(m(r, c) for r, c in part) for m in mirrors) for part in all_parts}
    listed = subsets(shape)
    assert len(listed) == len(classes)
    met = {frozenset(frozenset(m(r, c) for r, c in squares_of(e.position)) for m in mirrors) for e in listed}
    assert met == classes
    for entry in listed:
        assert entry.value == value_of(squares_of(entry.position))


def test_search_turns_positions_that_are_listed_the_other_way() -> None:
    every = connected(6, at_most=True)
    for wanted in ("*", "1/2", "-1/2", "+-1", "{2|-1/2}", "-{2|-1/2}"):
        found = every.worth(wanted)
        assert len(found) and all(entry.value == Value(wanted) for entry in found)
        assert all(value_of(squares_of(entry.position)) == Value(wanted) for entry in found)
    assert {e.position for e in every.worth("{2|-1/2}")} == {
        Position(e.position).transposed().spec for e in every.worth("-{2|-1/2}")
    }


def test_summary_counts_what_is_listed() -> None:
    """Counted once more by the other calculator, both ways of every position."""
    for line in connected(6, at_most=True).summary():
        shapes = polyominoes(line["squares"])
        values = {value_of(image) for shape in shapes for image in images(shape)}
        assert line["positions"] == len(shapes) and line["values"] == len(values)
        assert line["temperatures"] == len({game.temperature for game in values})
        assert Fraction(line["hottest"]) == max(game.temperature for game in values)


def test_csv_and_parquet_hold_every_row(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    every = connected(5)
    every.write(tmp_path / "five.csv")
    rows = list(csv.DictReader((tmp_path / "five.csv").read_text().splitlines()))
    assert tuple(rows[0]) == COLUMNS and [row["position"] for row in rows] == [entry.position for entry in every]
    every.write(tmp_path / "five.parquet")
    frame = pandas.read_parquet(tmp_path / "five.parquet")
    assert frame.equals(every.frame()) and list(frame["value"]) == [str(entry.value) for entry in every]
    with pytest.raises(ValueError, match="must end in"):
        every.write(tmp_path / "five.xlsx")


@pytest.mark.parametrize("bad", [0, 16])
def test_too_many_squares_are_refused(bad: int) -> None:
    with pytest.raises(ValueError, match="between 1 and"):
        connected(bad)
    with pytest.raises(ValueError, match="at most"):
        subsets("5x5")


def test_command_lists_counts_and_says_what_is_missing(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = partial(run, "value", "list")
    said = listed("--squares", "4", "--worth", "*", "--json")
    assert said.code == 0 and {row["value"] for row in json.loads(said.out)["rows"]} == {"*"}
    assert listed("--squares", "4", "--count").out.split()[:3] == ["squares", "positions", "values"]
    assert "2x2" in listed("--within", "2x2", "--hottest", "--rows", "1").out
    refused = listed("--squares", "16")
    assert refused.code == 2 and "64 bits" in refused.err

    def no_pandas(self: Catalogue) -> None:
        raise ModuleNotFoundError("No module named 'pandas'", name="pandas")

    monkeypatch.setattr(Catalogue, "frame", no_pandas)
    monkeypatch.chdir(tmp_path)
    assert listed("--squares", "3", "-o", "x.parquet").code == 2
    assert not Path("x.parquet").exists()


SMALLEST = {
    "*2": ("###.##/###.../##..##/...###/#.####/#.####",),
    "*3": (
        "###.##.#/###...../##..####/...#####/#.######/#.######",
        "###.####/###...../##..##.#/...#####/#.######/#.######",
        "####.###/####.#.#/###...../##..####/...#####/##.#####",
        "####.###/####.###/###...../##..##.#/...#####/##.#####",
    ),
    "+-(2*)": ("##.#./##.../....#/#...#/..###",),
}
"""The smallest connected positions of these values."""


def test_smallest_positions_worth_star_two_and_three_and_the_hottest() -> None:
    for value, specs in SMALLEST.items():
        for spec in specs:
            assert Position(spec).value == Value(value) == Value(str(value_of(squares_of(spec)))), spec
    assert [entry.position for entry in connected(11, at_most=True).worth("*2")] == list(SMALLEST["*2"])
    assert len(connected(12, at_most=True).worth("*3")) == 0


@pytest.mark.skipif("ZERMELO_BOARDS" not in os.environ, reason="a minute: ZERMELO_BOARDS=1")
def test_all_positions_of_fifteen_squares_are_as_published(tmp_path: Path) -> None:
    build_database(15, tmp_path / "all.zdb")
    every = ARENA.shapes(ComponentDatabase.open(str(tmp_path / "all.zdb")), 1, 15, None)
    sizes = Counter[Value]()
    smallest = dict[Value, int]()
    for cells, _, number in every:
        value = Value.from_id(number)
        sizes[value] += 1
        smallest[value] = min(smallest.get(value, 99), cells.bit_count())
    assert len(every) == 4_654_283
    found = {n: (sizes[Value(f"*{n}")], smallest.get(Value(f"*{n}"))) for n in range(1, 5)}
    assert found == {1: (44_493, 3), 2: (10, 11), 3: (6, 14), 4: (0, None)}
    assert all(sizes[Value(text)] == 0 for text in ("^3", "v3", "^4", "v4"))
    assert sizes[Value("^^")] + sizes[Value("vv")] == 540 and sizes[Value("v3*")] == 7
    hottest = max(value.temperature for value in sizes)
    assert hottest == 2 and [sizes[value] for value in sizes if value.temperature == 2] == [1]
    small = (str(value) for value in sizes if value.is_infinitesimal and len(value.left_options) == 1)
    assert len({text[5:] for text in small if re.fullmatch(r"(tiny|miny)\(.*\)", text)}) == 11
