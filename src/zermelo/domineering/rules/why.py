"""A derivation as text, as plain data, or as one line of its facts: a tree that a mathematician can read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zermelo.domineering.rules.outcomes import ANYTHING, NAMES, RELATIONS, WORDS, is_decided, possible, statement

if TYPE_CHECKING:
    from zermelo.domineering.rules.charts import Published
    from zermelo.domineering.rules.derive import Derived
    from zermelo.domineering.rules.knowledge import Known
    from zermelo.domineering.rules.sizes import Size


def claim(step: Derived) -> str:
    """Return the statement: name, and where more than one outcome is left the relation to zero.

    >>> from zermelo.domineering.rules.derive import Derived
    >>> from zermelo.domineering.rules.sizes import Size
    >>> claim(Derived(Size(6, 12), 4, 1))
    '[6x12] = H'
    >>> claim(Derived(Size(6, 12), 6, 1))
    '[6x12] is 2h (<= 0)'
    """
    relation = "" if is_decided(step.outcomes) else f" ({RELATIONS[step.outcomes]})"
    return f"{step.size} {statement(step.outcomes)}{relation}"


def reason(step: Derived) -> str:
    """Return why the statement holds, given its premises."""
    if step.fact is not None:
        return step.fact.evidence()
    if step.rule is None:
        return "both " + " and ".join(NAMES[premise.outcomes] for premise in step.premises)
    return f"{step.rule.name}: {step.rule.statement(step.boards)}"


def one_line(step: Derived) -> str:
    """Return the rule and the facts under a derivation, in one line."""
    facts = "; ".join(f"{claim(leaf)} {reason(leaf)}" for leaf in step.lines() if leaf.fact is not None)
    return reason(step) if step.fact is not None or not facts else f"{reason(step)}; from {facts}"


class AboutBoard:
    """Something that is said of a board: a page shows which."""

    size: Size

    @property
    def board(self) -> str:
        return self.size.spec

    @property
    def rows(self) -> int:
        return self.size.rows

    @property
    def cols(self) -> int:
        return self.size.cols


class Line(AboutBoard):
    """One line of a derivation, and the lines it rests on; ``again``: it was unfolded before."""

    def __init__(self, step: Derived, again: bool, premises: tuple[Line, ...]) -> None:
        self.size, self.step, self.again, self.premises = step.size, step, again, premises

    @property
    def claim(self) -> str:
        """The statement about the board."""
        return claim(self.step)

    @property
    def reason(self) -> str:
        """Why it holds, given the premises."""
        return "see above" if self.again else reason(self.step)

    def to_json(self) -> dict[str, Any]:
        """Return the line with documented keys, its premises inside."""
        step = self.step
        result: dict[str, Any] = {
            "board": self.board,
            "outcomes": possible(step.outcomes),
            "means": WORDS.get(step.outcomes, ""),
            "claim": self.claim,
            "reason": self.reason,
        }
        if step.fact is not None:
            result["fact"] = step.fact.shown()
        elif step.rule is not None:
            result |= {"rule": step.rule.name, "lemma": step.rule.statement(step.boards)}
        else:
            result["rule"] = "both"
        if self.premises:
            result["premises"] = [premise.to_json() for premise in self.premises]
        return result


class Derivation(AboutBoard):
    """Why a board has its outcome: everything there is to say, for the terminal, the page and programs."""

    def __init__(self, known: Known) -> None:
        self.size, self.known = known.size, known

    @property
    def name(self) -> str:
        """The short name of the outcomes that are left, ``.`` where nothing is known."""
        return self.known.name if self.known.outcomes != ANYTHING else "."

    @property
    def means(self) -> str:
        """The same in words."""
        return WORDS.get(self.known.outcomes, "the rules say nothing about this board yet")

    @property
    def remarks(self) -> list[str]:
        """The statement about all long boards of its width, facts that were not needed, and published results."""
        from zermelo.domineering.rules.derive import Derived

        said = self.known.statement
        remarks = [] if said is None else [f"{said}: {said.proof()}"]
        remarks += [f"also {claim(Derived.of(fact))}   {fact.evidence()}" for fact in self.known.also]
        return remarks + list(map(str, self.published))

    @cached_property
    def published(self) -> list[Published]:
        """Published results about the board that are not confirmed here."""
        from zermelo.domineering.rules.charts import published

        return list(published(self.size, self.known.outcomes))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The derivation, each statement unfolded once: one line that holds the others, or nothing."""
        shown: set[tuple[object, int]] = set()

        def line(step: Derived) -> Line:
            key = (step.size, step.outcomes)
            again = key in shown and bool(step.premises)
            shown.add(key)
            return Line(step, again, () if again else tuple(map(line, dict.fromkeys(step.premises))))

        return () if self.known.step is None else (line(self.known.step),)

    @property
    def rules(self) -> list[str]:
        """Each rule used, with the sentence that proves it."""
        steps = () if self.known.step is None else self.known.step.lines()
        used = {step.rule.name: step.rule.why for step in steps if step.rule is not None}
        return [f"{name}: {why}" for name, why in used.items()]

    @property
    def text(self) -> tuple[str, ...]:
        """The whole story as text: claim, remarks, tree, rules."""
        rules = ["where", *("   " + rule for rule in self.rules)] if self.rules else []
        tree = [text for line in self.lines for text in _drawn(line)]
        return (f"{self.size}: {self.means}", *("   " + text for text in (*self.remarks, *tree)), *rules)

    @property
    def data(self) -> dict[str, Any]:
        """The whole story with documented keys."""
        known, said = self.known, self.known.statement
        result: dict[str, Any] = {
            "game": "domineering",
            "spec": self.board,
            "outcome": known.outcome or "unknown",
            "outcomes": possible(known.outcomes),
            "means": self.means,
            "starts": {player: {"winner": known.winner(player)} for player in ("V", "H")},
        }
        if self.published:
            result["published"] = [each.to_json() for each in self.published]
        if self.lines:
            result |= {"derivation": self.lines[0].to_json(), "rules": self.rules}
        if said is not None:
            result |= {"statement": str(said), "proof": said.proof()}
        if known.also:
            result["also"] = [fact.shown() for fact in known.also]
        return result


def _drawn(root: Line) -> Iterator[str]:
    """Yield the tree as indented lines."""
    waiting = [(root, "", "", "")]
    while waiting:
        line, prefix, branch, indent = waiting.pop()
        yield f"{prefix}{branch}{line.claim}   {line.reason}"
        for place, premise in enumerate(reversed(line.premises)):
            waiting.append((premise, prefix + indent, "|- " if place else "`- ", "|  " if place else "   "))
