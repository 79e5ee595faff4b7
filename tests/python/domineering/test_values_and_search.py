"""Sums of values, long boards by cuts, and the filler: all against searches."""

from __future__ import annotations

import random
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tiny import outcome as brute_force

from zermelo.cgt import Game, domineering_value
from zermelo.domineering.position import PLAYERS, Player
from zermelo.domineering.rules import berlekamp, long_search
from zermelo.domineering.rules.derive import Closure
from zermelo.domineering.rules.facts import SHIPPED, Fact, FactBook
from zermelo.domineering.rules.fill import Filler, candidates, certified, recheck, search
from zermelo.domineering.rules.knowledge import Knowledge
from zermelo.domineering.rules.outcomes import NAMES, OF_VALUES, SETS, from_winners, winner
from zermelo.domineering.rules.rulebook import RECTANGLE_RULES, Rule
from zermelo.domineering.rules.sizes import Size
from zermelo.domineering.rules.values import sum_steps
from zermelo.game import Answer
from zermelo.proof import check_file


def outcome(spec: str) -> int:
    return from_winners(search(spec, "V").winner, search(spec, "H").winner)


@pytest.fixture(scope="module")
def truth() -> dict[Size, int]:
    """Every rectangle up to 6 x 7 and its turned one, by search."""
    sizes = [Size(rows, cols) for rows in range(1, 7) for cols in range(1, 8)]
    found = {size: outcome(size.spec) for size in sizes} | {Size(2, 0): SETS["2"]}
    return found | {Size(7, n): outcome(f"7x{n}") for n in range(1, 7)}


@pytest.mark.parametrize("rule", RECTANGLE_RULES, ids=lambda rule: rule.name)
def test_rule_holds_on_all_boards_up_to_six_by_seven(rule: Rule, truth: dict[Size, int]) -> None:
    instances = list(rule.instances(truth))
    assert instances
    for boards in instances:
        assert rule.relation(*(truth[board] for board in boards)), rule.statement(boards)


def test_any_true_facts_derive_only_truth(truth: dict[Size, int]) -> None:
    rng = random.Random(5)
    for _ in range(20):
        facts = [
            Fact(size, mask, "search", "test", nodes=1)
            for size, mask in truth.items()
            if size.cols and rng.random() < 0.3
        ]
        closure = Closure(truth.keys(), facts)
        for size, mask in truth.items():
            assert closure.known(size) & mask, size


def values(rows: int) -> list[Fact]:
    facts = []
    for cols in range(2, 6):
        if rows * cols <= 20:
            game = domineering_value(f"{rows}x{cols}")
            text = game.text()
            facts.append(Fact(Size(rows, cols), OF_VALUES[game.outcome], "value", "test", value=text))
    return facts


@pytest.mark.parametrize("rows", range(2, 8))
def test_sums_of_values_are_confirmed_by_search(rows: int) -> None:
    steps = sum_steps(values(rows), rows, longest=60 // rows)
    assert steps or rows in (4, 6)
    for step in steps:
        assert step.outcomes & outcome(step.size.spec), str(step)


def test_berlekamps_formula_equals_every_value_of_our_own() -> None:
    shipped = {fact.size: fact for fact in FactBook.load() if fact.by == "value"}
    for cols in range(1, 22, 2):
        known = shipped.get(Size(2, cols))
        own = domineering_value(f"2x{cols}") if cols <= 15 else Game(known.value if known else "?")
        assert berlekamp.value(cols) == own, cols
    with pytest.raises(ValueError, match="odd number"):
        berlekamp.value(4)


def test_berlekamps_formula_agrees_with_what_the_rules_know_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.domineering.rules.knowledge.formula_steps", list)
    knowledge = Knowledge(FactBook.load())
    for step in berlekamp.formula_steps():
        assert knowledge.decide(step.size).outcomes == step.outcomes, step


@pytest.mark.parametrize("spec", ["2x9", "3x7", "3x8", "4x9", "4x10", "5x7", "2x13", "4x11"])
def test_long_search_claims_only_what_is_true(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_search, "WIDEST", 8)
    found = long_search.LongSearch(Size.parse(spec), 5).run()
    truth = search(spec, "V").winner
    assert found.winner in (None, truth)
    if spec in ("3x7", "3x8", "5x7"):
        assert found.winner == "H" and found.nodes > 0


def counting_search(calls: list[tuple[str, Player]]) -> object:
    def run(spec: str, first: Player, seconds: float) -> Answer:
        calls.append((spec, first))
        return search(spec, first, seconds)

    return run


def test_filler_is_resumable_and_searches_only_what_is_open(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    calls: list[tuple[str, Player]] = []
    said: list[str] = []
    sizes = candidates(36, 9)
    filler = Filler(path, seconds=60, search=counting_search(calls), tell=said.append)  # type: ignore[arg-type]
    filler.fill(sizes[:25])
    first_calls = len(calls)
    assert first_calls and len(FactBook.load(path)) == len(said)
    again = Filler(path, seconds=60, search=counting_search(calls), tell=said.append)  # type: ignore[arg-type]
    again.fill(sizes[:25])
    assert len(calls) == first_calls
    # 4x4 is a square: one search answers both starters
    assert [first for spec, first in calls if spec == "4x4"] == ["V"]
    Knowledge(again.book).table(9, 9)


def test_named_boards_are_searched_again_and_old_results_stay_when_time_is_short(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    old = Fact(Size(4, 5), SETS["V"], "search", "old", nodes=1, certificates=(("V", "ab"),))
    FactBook.of([old]).save(path)
    Filler(path, seconds=60, tell=lambda line: None).search_again([Size(4, 5), Size(3, 3)])
    book = FactBook.load(path)
    (again,) = [fact for fact in book if fact.size == old.size]
    assert again.outcomes == old.outcomes and again.nodes > 1 and again.certificates
    assert book.get(Size(3, 3)) == SETS["1"]
    late = Filler(path, seconds=1e-9, search=lambda *claim: Answer("V", None, "limit", nodes=9), tell=lambda line: None)
    late.search_again([Size(4, 5)])
    assert late.book.facts[Size(4, 5), "search"] == again


def test_certified_facts_name_files_that_the_checker_verifies(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    Filler(path, seconds=60, search=certified(tmp_path), tell=lambda line: None).search_again(
        [Size(3, 4, "hcylinder"), Size(4, 4, "torus"), Size(4, 6)]
    )
    book = FactBook.load(path)
    names = {
        f"{fact.size.spec.replace(':', '-')}-{first}": digest for fact in book for first, digest in fact.certificates
    }
    assert set(names) == {"hcylinder-3x4-V", "hcylinder-3x4-H", "torus-4x4-V", "4x6-V", "4x6-H"}
    for name, digest in names.items():
        file = tmp_path / f"{name}.zcert"
        assert check_file(file).verified and sha256(file.read_bytes()).hexdigest() == digest


def test_filler_stops_at_its_budget_and_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    filler = Filler(path, seconds=0.2, tell=lambda line: None)
    filler.evaluate()
    filler.fill(candidates(60, 12))
    assert len(FactBook.load(path)) == len(filler.book)
    assert filler.seconds_left <= 0


def test_sample_of_the_shipped_facts_is_proved_again() -> None:
    checked = [same for _, same in recheck(FactBook.load(SHIPPED), search, seconds=5)]
    assert len(checked) >= 30 and all(checked)


def test_shipped_facts_have_the_nodes_that_solve_counts() -> None:
    """`why` and `solve` tell the same; `zermelo facts search FILE --again` makes the file so."""
    quick = [fact for fact in FactBook.load(SHIPPED) if fact.by == "search" and 0 < fact.nodes < 2000]
    assert len(quick) > 60
    for fact in quick:
        square = fact.size == fact.size.transposed
        starts = [first for first in PLAYERS if winner(fact.outcomes, first) and not (square and first == "H")]
        assert fact.nodes == sum(search(fact.size.spec, first).nodes for first in starts), fact.size.spec


def test_facts_are_searched_again_as_far_as_they_go(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    half = Fact(Size(4, 8), SETS["1h"], "search", "old", nodes=1)
    FactBook.of([half]).save(path)
    Filler(path, seconds=60, tell=lambda line: None).search_all_again()
    (again,) = FactBook.load(path)
    assert again.outcomes == half.outcomes and again.version != "old"
    assert again.nodes == search("4x8", "H").nodes
    FactBook.of([replace(half, outcomes=SETS["2v"])]).save(path)
    with pytest.raises(ValueError, match="contradicts the file"):
        Filler(path, seconds=60, tell=lambda line: None).search_all_again()


def test_recheck_leaves_what_only_a_certificate_proves_to_the_checker() -> None:
    certified = Fact(Size(10, 10), SETS["1"], "search", "test", certificates=(("V", "ab"),))
    searched = Fact(Size(2, 4), SETS["H"], "search", "test", nodes=1)
    book = FactBook.of([certified, searched])
    assert [fact.size for fact, _ in recheck(book, search, seconds=5)] == [Size(2, 4)]


def test_recheck_finds_a_wrong_fact() -> None:
    wrong = FactBook.of([Fact(Size(2, 4), SETS["V"], "search", "test", nodes=1)])
    assert [same for _, same in recheck(wrong, search, seconds=5)] == [False]


def test_recheck_that_runs_out_of_time_rejects_nothing() -> None:
    """One starter's search ends and the other's does not: that is no disagreement."""

    def half(spec: str, first: str, seconds: float) -> Any:
        return SimpleNamespace(winner="H" if first == "V" else None)

    book = FactBook.of([Fact(Size(2, 4), SETS["H"], "search", "test", nodes=1)])
    assert list(recheck(book, half, seconds=5)) == []


@pytest.mark.parametrize("spec", ["torus:3x3", "torus:3x4", "torus:4x4", "torus:4x5", "torus:5x3"])
def test_torus_after_its_one_first_move_is_the_torus(spec: str, tmp_path: Path) -> None:
    filler = Filler(tmp_path / "facts.json", seconds=60, tell=lambda line: None)
    size = Size.parse(spec)
    filler.fill([size])
    assert NAMES[filler.book.get(size)] == brute_force(*size)
