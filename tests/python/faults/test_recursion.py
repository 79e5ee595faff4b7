"""No function calls itself as deep as what is typed, read or played: a long input must not end a program.

A function that calls itself stands in the list below with the reason why its depth is small whatever comes in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import zermelo
from zermelo.domineering.rules.knowledge import shipped
from zermelo.domineering.rules.sizes import Size
from zermelo.game import Limits
from zermelo.game.search import LOSS, PlainSearch, Watch

SOURCES = Path(zermelo.__file__).parent
PLIES = "a step a ply, and positional boards have at most 256 squares"
DERIVATION = "as deep as a derivation: see test_derivations_are_shallow"
ONCE = "what it asks for names no move, and asks nothing further"
ONCE_MORE = "with a file of results it calls itself once, without the file"
FLAT = "written for running.unwound, which keeps a stack of its own"
SHALLOW = {
    "cgt/toolkit.py: _wins_first.wins": FLAT,
    "cgt/toolkit.py: atomic_weight.game_weight": FLAT,
    "cgt/toolkit.py: atomic_weight.weight": FLAT,
    "domineering/prove.py: merged.build": "four plies",
    "domineering/rules/berlekamp.py: blockbusting": "the lengths of the published charts",
    "domineering/rules/why.py: Line.to_json": DERIVATION,
    "domineering/solve.py: DomineeringChooser._by_only_move": ONCE,
    "domineering/solve.py: DomineeringChooser._by_search": ONCE,
    "domineering/solve.py: DomineeringChooser._winning_move": ONCE,
    "domineering/solve.py: DomineeringChooser.answer": ONCE,
    "domineering/strategy/plan.py: _cut": DERIVATION,
    "domineering/strategy/plan.py: _extend": DERIVATION,
    "domineering/strategy/plan.py: _repeat": DERIVATION,
    "domineering/rules/table.py: Table.to_json": "it calls that of each published chart, which is another class",
    "game/services.py: Game._resumed": ONCE_MORE,
    "game/services.py: Game.solve": ONCE_MORE,
    "web/description.py: cut": "as deep as our own answers",
    "positional/strong_proof.py: StrategyWriter._after_hero": PLIES,
    "positional/strong_proof.py: StrategyWriter._answer": PLIES,
    "positional/strong_proof.py: StrongReplay._read_hero": PLIES,
    "positional/strong_proof.py: StrongReplay._read_other": PLIES,
    "campaign/export.py: PlanProof.write.loser_moves": FLAT,
    "campaign/export.py: PlanProof.write.winner_moves": FLAT,
    "words.py: letters": "the digits of a number",
}


Function = ast.FunctionDef | ast.AsyncFunctionDef
Loop = ast.For | ast.comprehension


def functions(tree: ast.AST, around: str = "", in_class: bool = False) -> Iterator[tuple[str, Function, bool]]:
    """Every function with the names of what it stands in, and whether it is a method."""
    for node in ast.iter_child_nodes(tree):
        name = f"{around}{getattr(node, 'name', '')}"
        if isinstance(node, Function):
            yield name, node, in_class
            yield from functions(node, f"{name}.")
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{name}.", in_class=True)
        else:
            yield from functions(node, around, in_class)


def called(function: Function) -> Iterator[tuple[str, bool]]:
    """What a function calls: functions, methods of its own object, and its own name of what it loops over."""
    loops = {
        node.target.id for node in ast.walk(function) if isinstance(node, Loop) and isinstance(node.target, ast.Name)
    }
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(name)):
                yield name, False
            case ast.Attribute(value=ast.Name("self" | "cls"), attr=name):  # a property is called without brackets
                yield name, True
            case ast.Call(func=ast.Attribute(value=ast.Name(one), attr=name)) if name == function.name and one in loops:
                yield name, True


def recursive(source: str) -> set[str]:
    """The functions of a file that may call themselves, also through others of the file."""
    found = list(functions(ast.parse(source)))
    known: dict[tuple[str, bool], list[str]] = {}
    for name, _, in_class in found:
        known.setdefault((name.rpartition(".")[2], in_class), []).append(name)
    reach = {name: {one for call in called(node) for one in known.get(call, ())} for name, node, _ in found}
    guilty = set()
    for name in reach:
        seen, waiting = set[str](), [name]
        while waiting:
            for one in reach[waiting.pop()] - seen:
                seen.add(one)
                waiting.append(one)
        if name in seen:
            guilty.add(name)
    return guilty


def test_recursion_is_shallow() -> None:
    found = {
        f"{file.relative_to(SOURCES)}: {name}"
        for file in sorted(SOURCES.rglob("*.py"))
        for name in recursive(file.read_text())
    }
    assert not found - set(SHALLOW), "each calls itself: say why its depth is small, or write it for running.unwound"


def test_a_function_that_calls_itself_is_found() -> None:
    assert recursive("def deep(n):\n    return n and deep(n - 1)") == {"deep"}
    assert recursive("class A:\n    def a(self):\n        self.b()\n    def b(self):\n        self.a()") == {
        "A.a",
        "A.b",
    }
    assert recursive("def flat(n):\n    return other(n)\ndef other(n):\n    return n") == set()


@pytest.mark.parametrize("size", [(2, 97), (2, 270), (2, 1_000_000), (3, 99_999), (7, 1000), (100, 100), (13, 20_000)])
def test_derivations_are_shallow(size: tuple[int, int]) -> None:
    waiting, deepest = [(shipped().decide(Size(*size)).step, 1)], 0
    while waiting:
        step, depth = waiting.pop()
        deepest = max(deepest, depth)
        waiting += [(premise, depth + 1) for premise in step.premises] if step else []
    assert deepest < 30


def test_long_game_is_no_deep_stack() -> None:
    """A game of 50,000 plies with one move each."""
    search = PlainSearch[int](lambda here: [here - 1] if here else LOSS, lambda here: here, entries=60_000)
    assert search.value(50_000, Watch(Limits())) == LOSS
