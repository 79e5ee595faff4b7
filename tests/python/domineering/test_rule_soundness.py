"""Every rule holds on every board that brute force can solve, and derives nothing that brute force contradicts."""

from __future__ import annotations

import random
from itertools import product

import pytest
from tiny import outcome

from zermelo.domineering.lattice import TOPOLOGIES, Lattice
from zermelo.domineering.rules import relations
from zermelo.domineering.rules.derive import Closure, ContradictionError
from zermelo.domineering.rules.facts import Fact
from zermelo.domineering.rules.knowledge import boards_up_to
from zermelo.domineering.rules.outcomes import NAMES, SETS
from zermelo.domineering.rules.rulebook import ALL_RULES, Rule

BOARDS = {Lattice(2, 0)} | {
    size for size in boards_up_to(24, 24, TOPOLOGIES) if size.area <= (24 if size.topology == "rectangle" else 20)
}


def truth(size: Lattice) -> int:
    return SETS["2"] if size.cols == 0 else SETS[outcome(*size)]


def fact(size: Lattice, name: str) -> Fact:
    return Fact(size, SETS[name], "search", "test", nodes=1)


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.name)
def test_rule_holds_on_every_small_board(rule: Rule) -> None:
    instances = list(rule.instances(BOARDS))
    assert instances
    for boards in instances:
        assert rule.relation(*(truth(board) for board in boards)), rule.statement(boards)


def test_rules_without_facts_derive_only_truth() -> None:
    closure = Closure(BOARDS, (), rules=ALL_RULES)
    for size in BOARDS:
        assert truth(size) & closure.known(size), size
    assert closure.known(Lattice(2, 4)) & ~SETS["2h"] == 0


def test_any_true_facts_derive_only_truth() -> None:
    rng = random.Random(5)
    small = [fact(size, outcome(*size)) for size in BOARDS if 2 <= size.area <= 12]
    some = [[fact(size, outcome(*size)) for size in BOARDS if size.cols and rng.random() < 0.3] for _ in range(5)]
    for facts in (small, *some):
        closure = Closure(BOARDS, facts, rules=ALL_RULES)
        assert all(truth(size) & closure.known(size) for size in BOARDS)
        assert sum(closure.known(size) == truth(size) for size in BOARDS) > len(BOARDS) * 0.5


@pytest.mark.parametrize("wrong", ["V", "1", "2"])
def test_wrong_fact_is_found_and_both_derivations_are_named(wrong: str) -> None:
    domain = {Lattice(3, cols) for cols in range(1, 12)} | {Lattice(cols, 3) for cols in range(1, 12)}
    facts = [fact(Lattice(3, cols), "H") for cols in (4, 5, 6, 7)]
    Closure(domain, facts)
    with pytest.raises(ContradictionError) as caught:
        Closure(domain, [*facts, fact(Lattice(3, 11), wrong)])
    message = str(caught.value)
    assert "searched: 1 node" in message and "cut: " in message and "[3x" in message
    assert caught.value.first.outcomes & caught.value.second.outcomes == 0


def consequence(relation: relations.Relation, target: int, known: dict[int, int]) -> int:
    """The outcomes of one slot that a relation leaves, given sets for the other slots."""
    possible = (each for each in product((1, 2, 4, 8), repeat=3) if relation(*each))
    return sum({each[target] for each in possible if all(each[slot] & mask for slot, mask in known.items())})


@pytest.mark.parametrize(
    "relation", [relations.at_most_sum, relations.moves_to_sum], ids=lambda relation: relation.__name__
)
def test_clauses_say_exactly_what_the_relation_says(relation: relations.Relation) -> None:
    clauses = relations.clauses(relation, 3)
    for target in range(3):
        others = [slot for slot in range(3) if slot != target]
        for first in range(1, 16):
            for second in range(1, 16):
                known = {others[0]: first, others[1]: second}
                exact = consequence(relation, target, known)
                drawn = 15
                for clause in clauses:
                    if clause.target == target and all(known[slot] & ~mask == 0 for slot, mask in clause.premises):
                        drawn &= clause.conclusion
                assert drawn == exact


def test_backward_rule_of_the_paper() -> None:
    # Equation (8): if [m x n] is 2 or V and m < n, then [(n - m) x n] is not V. Here on 13 x 13 with [4 x 13] >= 0.
    domain = {Lattice(rows, 13) for rows in (4, 9, 13)} | {Lattice(13, cols) for cols in (4, 9, 13)}
    closure = Closure(domain, [fact(Lattice(4, 13), "2v")])
    assert NAMES[closure.known(Lattice(9, 13))] == "-v"
