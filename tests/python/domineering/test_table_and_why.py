"""Tables and derivations from the shipped facts: what the papers say, and what a user sees."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zermelo.domineering import GAME
from zermelo.domineering.lattice import TOPOLOGIES, Lattice
from zermelo.domineering.rules.facts import Fact, FactBook
from zermelo.domineering.rules.knowledge import Knowledge, shipped
from zermelo.domineering.rules.outcomes import SETS, is_decided, possible
from zermelo.domineering.rules.table import chart

Run = Callable[..., Any]


@pytest.mark.parametrize("rows", range(1, 13))
def test_long_boards_and_rings_say_what_the_table_says(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With smaller tables the same boards are long: they are reached by repeating parts, and nothing is untrue."""
    kinds = TOPOLOGIES if rows in (3, 5, 7) else ("rectangle",)
    sizes = [Lattice(rows, cols, kind) for kind in kinds for cols in range(1, 34)]
    tables = {kind: shipped().table(33, 33, "rectangle" if kind == "rectangle" else "torus") for kind in kinds}
    truth = {
        each: tables[size.topology].known(each)
        for size in sizes
        for each in (size, size._replace(rows=size.cols, cols=size.rows))
    }
    monkeypatch.setattr("zermelo.domineering.rules.knowledge.FULL", 8)
    monkeypatch.setattr("zermelo.domineering.rules.knowledge.LONG", 16)
    short = Knowledge(FactBook.of(fact for fact in FactBook.load() if fact.size.cols <= 16))
    known = {size: short.decide(size).outcomes for size in truth}
    assert all(known[size] & truth[size] for size in truth)
    decided = sum(map(is_decided, known.values()))
    assert decided > 0.5 * sum(map(is_decided, truth.values())) or rows > 5


@pytest.mark.parametrize(
    ("spec", "name", "rule"),
    [("61x61", "12", "square"), ("100x100", "12", "square"), ("1000000x1000000", "12", "square"),
     ("60x120", "2h", "double square"), ("120x60", "2v", "double square"), ("50x500", "2h", "repeat"),
     ("500000x1000000", "2h", "double square"), ("1x1000000", "H", "single row"), ("3x1000000", "H", "repeat"),
     ("torus:2x999999", "H", "no seam"), ("hcylinder:60x120", "2h", "open a row"),
     ("vcylinder:120x60", "2v", "paste columns"), ("vcylinder:5x1000000", "H", "repeat"),
     ("torus:1000x5", "V", "mirror")],
)  # fmt: skip
def test_rules_hold_at_any_size(spec: str, name: str, rule: str) -> None:
    derivation = GAME.tables.derive(spec)
    assert derivation.name == name
    assert any(line.startswith(f"{rule}: ") for line in derivation.rules)
    assert derivation.text[0].startswith(f"[{spec}]") and derivation.data["outcomes"] == possible(SETS[name])


def test_table_text_csv_and_json_agree() -> None:
    table = chart(6, 9)
    assert len(table.text().splitlines()) == 7
    lines = table.csv().splitlines()
    assert len(lines) == 1 + 54 and {"2,4,H,decided,searched", "1,1,second,decided,derived"} <= set(lines)
    data = table.to_json()
    assert data["outcomes"][1][3] == ["H"] and sum(data["counts"].values()) == 54


def test_machine_answers_beside_the_move_on_a_thousand_columns(run: Run) -> None:
    result = run("play", "domineering", "2x1000", "--you", "V", "--json", typed="1,500\n1,7\n")
    events = [json.loads(line) for line in result.out.splitlines()]
    moves = [event["move"] for event in events if "move" in event]
    assert result.code == 0 and len(moves) == 2
    for move, col in zip(moves, (500, 7), strict=True):
        assert abs(int(move.split(",")[1]) - col) <= 4


def test_facts_round_trip_and_bad_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    book = FactBook.of(
        [
            Fact(Lattice(4, 6), SETS["1"], "search", "0.1.0", nodes=583, seconds=0.1),
            Fact(Lattice(2, 9), SETS["V"], "value", "0.1.0", value="{1|0}"),
            Fact(Lattice(6, 8), SETS["2h"], "search", "0.1.0", nodes=7, certificates=(("V", "ab12"),)),
        ]
    )
    book.save(path)
    assert FactBook.load(path).facts == book.facts
    path.write_text(path.read_text().replace('"1"', '"9"'))
    with pytest.raises(ValueError, match="not a fact"):
        FactBook.load(path)
    path.write_text("{}")
    with pytest.raises(ValueError, match="not a file of facts"):
        FactBook.load(path)


def test_stronger_fact_replaces_weaker_one_only() -> None:
    weak, strong = (Fact(Lattice(6, 8), SETS[name], "search", "0.1.0", nodes=1) for name in ("2h", "H"))
    for book in (FactBook.of([weak, strong]), FactBook.of([strong, weak])):
        assert list(book) == [strong]


def test_knowledge_of_nothing_is_still_something() -> None:
    knowledge = Knowledge(FactBook())
    assert knowledge.decide(Lattice(1, 50)).outcome == "H"
    assert knowledge.decide(Lattice(6, 12)).name == "2h"
    assert knowledge.decide(Lattice(8, 200)).outcome is None
