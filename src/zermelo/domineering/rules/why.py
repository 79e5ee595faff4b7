"""A derivation as text: a tree that a mathematician can read, or one line of its facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from zermelo.domineering.rules.outcomes import ANYTHING, NAMES, RELATIONS, WORDS

if TYPE_CHECKING:
    from zermelo.domineering.rules.derive import Step
    from zermelo.domineering.rules.knowledge import Answer


def facts_under(step: Step) -> list[Step]:
    """Return the distinct facts a derivation rests on, in reading order."""
    found: dict[tuple[object, int], Step] = {}
    for each in walk(step):
        if each.fact is not None:
            found.setdefault((each.size, each.outcomes), each)
    return list(found.values())


def walk(step: Step) -> Iterator[Step]:
    """Yield the lines of a derivation, each distinct statement once, premises after conclusions."""
    seen: set[tuple[object, int]] = set()
    stack = [step]
    while stack:
        each = stack.pop()
        if (each.size, each.outcomes) not in seen:
            seen.add((each.size, each.outcomes))
            yield each
            stack.extend(reversed(each.premises))


def claim(step: Step) -> str:
    """Return the statement: name, relation to zero and words.

    >>> from zermelo.domineering.rules.derive import Step
    >>> from zermelo.domineering.rules.sizes import Size
    >>> claim(Step(Size(6, 12), 4, 1))
    '[6x12] = H'
    >>> claim(Step(Size(6, 12), 6, 1))
    '[6x12] is 2h (<= 0)'
    """
    name = NAMES[step.outcomes]
    if step.fact is not None and step.fact.bonus:
        bonus, outcomes = step.fact.bonus, step.fact.outcomes
        return f"{step.size} {'+' if bonus > 0 else '-'} {abs(bonus)} {RELATIONS[outcomes]}"
    if len(name) == 1:
        return f"{step.size} = {name}"
    return f"{step.size} is {name} ({RELATIONS[step.outcomes]})"


def reason(step: Step) -> str:
    """Return why the statement holds, given its premises."""
    if step.fact is not None:
        return step.fact.evidence()
    if step.rule is None:
        return "both " + " and ".join(NAMES[premise.outcomes] for premise in step.premises)
    return f"{step.rule.name}: {step.rule.statement(step.boards)}"


def one_line(step: Step) -> str:
    """Return the rule and the facts under a derivation, in one line."""
    facts = "; ".join(f"{claim(leaf)} {reason(leaf)}" for leaf in facts_under(step))
    if step.fact is not None or not facts:
        return reason(step)
    return f"{reason(step)}; from {facts}"


def tree(step: Step) -> list[str]:
    """Return the derivation as indented lines; a statement that was shown before is not unfolded again."""
    lines: list[str] = []
    shown: set[tuple[object, int]] = set()

    def visit(each: Step, prefix: str, branch: str, indent: str) -> None:
        key = (each.size, each.outcomes)
        again = key in shown and bool(each.premises)
        shown.add(key)
        lines.append(f"{prefix}{branch}{claim(each)}   {'see above' if again else reason(each)}")
        if again:
            return
        premises = list(dict.fromkeys(each.premises))
        for index, premise in enumerate(premises):
            last = index == len(premises) - 1
            visit(premise, prefix + indent, "`- " if last else "|- ", "   " if last else "|  ")

    visit(step, "", "", "")
    return lines


def legend(steps: Iterable[Step]) -> list[str]:
    """Return one line for each rule used, with the sentence that proves it."""
    used: dict[str, str] = {}
    for step in steps:
        for each in walk(step):
            if each.rule is not None:
                used.setdefault(each.rule.name, each.rule.why)
    return [f"{name}: {why}" for name, why in used.items()]


def explanation(answer: Answer) -> Iterator[str]:
    """Yield everything there is to say about an answer: claim, statement about long boards, tree, rules."""
    from zermelo.domineering.rules.derive import Step

    size, known = answer.size, answer.outcomes
    if known == ANYTHING:
        yield f"{size}: the rules say nothing about this board yet"
        return
    yield f"{size} {'=' if answer.outcome else 'is'} {answer.name}: {WORDS[known]}"
    if answer.mirrored:
        size = size.transposed
        yield f"   mirror: {answer.size} = -{size}: turning the board exchanges the players"
    if answer.opened:
        yield f"   open a row: {size} <= [{size.rows}x{size.cols}]: cutting a ring open can only hurt H"
    steps = [answer.step] if answer.step else []
    if answer.eventual is not None:
        ground, period = answer.eventual.ground(size.cols), answer.eventual.period
        times = (size.cols - ground.size.cols) // period.size.cols
        yield f"   {answer.eventual}: {answer.eventual.proof()}"
        yield f"   {size.cols} = {ground.size.cols} + {times} * {period.size.cols}"
        steps = [ground, period]
    for step in steps:
        yield from ("   " + line for line in tree(step))
    for fact in answer.also:
        yield f"also {claim(Step(fact.size, fact.outcomes, fact.weight, fact=fact))}   {fact.evidence()}"
    rules = legend(steps)
    if rules:
        yield "where"
        yield from ("   " + line for line in rules)


def to_json(step: Step) -> dict[str, Any]:
    """Return the derivation as nested objects."""
    result: dict[str, Any] = {
        "board": step.size.spec,
        "outcomes": NAMES[step.outcomes],
        "means": WORDS.get(step.outcomes, ""),
        "reason": reason(step),
    }
    if step.fact is not None:
        result["fact"] = step.fact.to_json()
    elif step.rule is not None:
        result["rule"] = step.rule.name
        result["lemma"] = step.rule.statement(step.boards)
    else:
        result["rule"] = "both"
    if step.premises:
        result["premises"] = [to_json(premise) for premise in step.premises]
    return result
