"""The knowledge of the rules about one board, and why: as text, as plain data, and as a tree for the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from zermelo.domineering.lattice import Lattice
from zermelo.domineering.position import Player
from zermelo.domineering.rules import outcomes
from zermelo.domineering.rules.derive import Derived
from zermelo.domineering.rules.facts import Fact
from zermelo.domineering.rules.long_boards import Eventual

if TYPE_CHECKING:
    from zermelo.domineering.rules.charts import Published


class AboutBoard:
    """A result about a board: the page shows the board beside it."""

    size: Lattice

    @property
    def board(self) -> str:
        return self.size.spec

    @property
    def rows(self) -> int:
        return self.size.rows

    @property
    def cols(self) -> int:
        return self.size.cols


@dataclass(frozen=True)
class Known(AboutBoard):
    """The set of outcomes that is left for a board, and its derivation.

    ``statement`` holds for all long boards of its width, if it covers this one. ``also`` are facts about the board
    that the derivation does not need.
    """

    size: Lattice
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
        from zermelo.domineering.rules.charts import published_here

        return list(published_here(self.size, self.outcomes))

    @cached_property
    def lines(self) -> tuple[dict[str, Any], ...]:
        """The derivation as one line with documented keys that holds its premises, or nothing.

        Each statement is unfolded once; ``again`` says that it was before.
        """
        shown = set[tuple[Lattice, int]]()

        def line(step: Derived) -> dict[str, Any]:
            size, rule, key = step.size, step.rule, (step.size, step.outcomes)
            again = key in shown and bool(step.premises)
            shown.add(key)
            found = {
                "board": size.spec,
                "rows": size.rows,
                "cols": size.cols,
                "outcomes": outcomes.possible(step.outcomes),
                "means": outcomes.WORDS.get(step.outcomes, ""),
                "claim": step.claim,
                "reason": "see above" if again else step.reason,
                "again": again,
            }
            if step.fact is not None:
                found["fact"] = step.fact.shown()
            else:
                found["rule"] = "both" if rule is None else rule.name
                found |= {} if rule is None else {"lemma": rule.statement(step.boards)}
            return found | {"premises": [] if again else [line(each) for each in dict.fromkeys(step.premises)]}

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
            result |= {"derivation": self.lines[0], "rules": self.rules}
        if self.statement is not None:
            result |= {"statement": str(self.statement), "proof": self.statement.proof()}
        if self.also:
            result["also"] = [fact.shown() for fact in self.also]
        return result


def _tree(root: Mapping[str, Any]) -> Iterator[str]:
    """Yield the tree of a derivation as indented lines."""
    waiting = [(root, "", "", "")]
    while waiting:
        line, prefix, branch, indent = waiting.pop()
        yield f"{prefix}{branch}{line['claim']}   {line['reason']}"
        for place, premise in enumerate(reversed(line["premises"])):
            waiting.append((premise, prefix + indent, "|- " if place else "`- ", "|  " if place else "   "))
