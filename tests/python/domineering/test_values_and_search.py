"""Sums of values, and the shipped facts, against searches."""

from __future__ import annotations

import pytest
from facts import Filler, search

from zermelo.cgt import Value
from zermelo.domineering.lattice import Lattice
from zermelo.domineering.position import PLAYERS
from zermelo.domineering.rules import berlekamp
from zermelo.domineering.rules.facts import SHIPPED, Fact, FactBook
from zermelo.domineering.rules.knowledge import Knowledge
from zermelo.domineering.rules.outcomes import OF_VALUES, from_winners, winner
from zermelo.domineering.rules.sums import sum_steps
from zermelo.domineering.values import domineering_value


def outcome(spec: str) -> int:
    return from_winners(search(spec, "V").winner, search(spec, "H").winner)


def values(rows: int) -> list[Fact]:
    facts = []
    for cols in range(2, 6):
        if rows * cols <= 20:
            game = domineering_value(f"{rows}x{cols}")
            text = game.text()
            facts.append(Fact(Lattice(rows, cols), OF_VALUES[game.outcome], "value", "test", value=text))
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
        known = shipped.get(Lattice(2, cols))
        own = domineering_value(f"2x{cols}") if cols <= 15 else Value(known.value if known else "?")
        assert berlekamp.value(cols) == own, cols
    with pytest.raises(ValueError, match="odd number"):
        berlekamp.value(4)


def test_berlekamps_formula_agrees_with_what_the_rules_know_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.domineering.rules.knowledge.formula_steps", list)
    knowledge = Knowledge(FactBook.load())
    for step in berlekamp.formula_steps():
        assert knowledge.decide(step.size).outcomes == step.outcomes, step


def test_sample_of_the_shipped_facts_is_proved_again() -> None:
    assert Filler(SHIPPED, seconds=5, save=False).search_all_again() >= 30


def test_shipped_facts_have_the_nodes_that_solve_counts() -> None:
    """`why` and `solve` tell the same; `python tools/facts.py search FILE --again` makes the file so."""
    quick = [fact for fact in FactBook.load(SHIPPED) if fact.by == "search" and 0 < fact.nodes < 2000]
    assert len(quick) > 60
    for fact in quick:
        square = fact.size == fact.size.transposed
        starts = [first for first in PLAYERS if winner(fact.outcomes, first) and not (square and first == "H")]
        assert fact.nodes == sum(search(fact.size.spec, first).nodes for first in starts), fact.size.spec
