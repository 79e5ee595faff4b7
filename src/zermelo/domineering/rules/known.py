"""What the rules know of one board, and why: as text, as plain data, and as a tree for the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from zermelo.domineering.position import Player
from zermelo.domineering.rules import outcomes
from zermelo.domineering.rules.derive import Derived
from zermelo.domineering.rules.facts import Fact
from zermelo.domineering.rules.long_boards import Eventual
from zermelo.domineering.rules.sizes import AboutBoard, Size

if TYPE_CHECKING:
    from zermelo.domineering.rules.charts import Published


class Line(AboutBoard):
    """One line of a derivation, and the lines it rests on; ``again``: it was unfolded before."""

    def __init__(self, step: Derived, again: bool, premises: tuple[Line, ...]) -> None:
        self.size, self.step, self.again, self.premises = step.size, step, again, premises
        self.claim, self.reason = step.claim, "see above" if again else step.reason

    def to_json(self) -> dict[str, Any]:
        """Return the line with documented keys, its premises inside."""
        step = self.step
        result: dict[str, Any] = {
            "board": self.board,
            "outcomes": outcomes.possible(step.outcomes),
            "means": outcomes.WORDS.get(step.outcomes, ""),
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


@dataclass(frozen=True)
class Known(AboutBoard):
    """The set of outcomes that is left for a board, and its derivation.

    ``statement`` holds for all long boards of its width, if it covers this one. ``also`` are facts about the board
    that the derivation does not need.
    """

    size: Size
    outcomes: int
    step: Derived | None = None
    statement: Eventual | None = None
    also: tuple[Fact, ...] = ()

    @property
    def outcome(self) -> str | None:
        """``V``, ``H``, ``first`` or ``second``; None where it is not decided."""
        return outcomes.OUTCOMES.get(self.outcomes)

    @property
    def name(self) -> str:
        """The set's short name, such as ``1h``; ``.`` where nothing is known."""
        return outcomes.short_name(self.outcomes)

    @property
    def means(self) -> str:
        """The same in words."""
        return outcomes.WORDS.get(self.outcomes, "the rules say nothing about this board yet")

    def winner(self, starter: str) -> Player | None:
        """Return who wins when ``starter`` moves first, or None where that is open."""
        return cast("Player | None", outcomes.winner(self.outcomes, starter))

    @property
    def remarks(self) -> list[str]:
        """The statement about all long boards of its width, facts that were not needed, and published results."""
        remarks = [] if self.statement is None else [f"{self.statement}: {self.statement.proof()}"]
        remarks += [f"also {Derived.of(fact).claim}   {fact.evidence()}" for fact in self.also]
        return remarks + list(map(str, self.published))

    @cached_property
    def published(self) -> list[Published]:
        """Published results about the board that are not confirmed here. Only people read them."""
        from zermelo.domineering.rules.charts import published

        return list(published(self.size, self.outcomes))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The derivation, each statement unfolded once: one line that holds the others, or nothing."""
        shown: set[tuple[object, int]] = set()

        def line(step: Derived) -> Line:
            key = (step.size, step.outcomes)
            again = key in shown and bool(step.premises)
            shown.add(key)
            return Line(step, again, () if again else tuple(map(line, dict.fromkeys(step.premises))))

        return () if self.step is None else (line(self.step),)

    @property
    def rules(self) -> list[str]:
        """Each rule used, with the sentence that proves it."""
        steps = () if self.step is None else self.step.lines()
        used = {step.rule.name: step.rule.why for step in steps if step.rule is not None}
        return [f"{name}: {why}" for name, why in used.items()]

    @property
    def text(self) -> tuple[str, ...]:
        """The whole story as text: claim, remarks, tree, rules."""
        rules = ["where", *("   " + rule for rule in self.rules)] if self.rules else []
        tree = [text for line in self.lines for text in _tree(line)]
        return (f"{self.size}: {self.means}", *("   " + text for text in (*self.remarks, *tree)), *rules)

    @property
    def data(self) -> dict[str, Any]:
        """The whole story with documented keys."""
        result: dict[str, Any] = {
            "game": "domineering",
            "spec": self.board,
            "outcome": self.outcome or "unknown",
            "outcomes": outcomes.possible(self.outcomes),
            "means": self.means,
            "starts": {player: {"winner": self.winner(player)} for player in ("V", "H")},
        }
        if self.published:
            result["published"] = [each.to_json() for each in self.published]
        if self.lines:
            result |= {"derivation": self.lines[0].to_json(), "rules": self.rules}
        if self.statement is not None:
            result |= {"statement": str(self.statement), "proof": self.statement.proof()}
        if self.also:
            result["also"] = [fact.shown() for fact in self.also]
        return result


def _tree(root: Line) -> Iterator[str]:
    """Yield the tree of a derivation as indented lines."""
    waiting = [(root, "", "", "")]
    while waiting:
        line, prefix, branch, indent = waiting.pop()
        yield f"{prefix}{branch}{line.claim}   {line.reason}"
        for place, premise in enumerate(reversed(line.premises)):
            waiting.append((premise, prefix + indent, "|- " if place else "`- ", "|  " if place else "   "))
