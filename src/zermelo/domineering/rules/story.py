"""A derivation as plain data, each statement unfolded once: what a page shows as a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.domineering.rules.outcomes import ANYTHING, NAMES, WORDS
from zermelo.domineering.rules.why import claim, legend, reason

if TYPE_CHECKING:
    from zermelo.domineering.rules.derive import Step
    from zermelo.domineering.rules.knowledge import Answer


@dataclass(frozen=True)
class Line:
    """One line of a derivation, and the lines it rests on."""

    board: str
    rows: int
    cols: int
    claim: str
    reason: str
    again: bool
    """Whether the line was unfolded before."""
    premises: tuple[Line, ...]


@dataclass(frozen=True)
class Story:
    """Why a board's outcome is what it is."""

    board: str
    rows: int
    cols: int
    name: str
    """The outcome's code, or ``.`` where the rules say nothing."""
    means: str
    remarks: tuple[str, ...]
    lines: tuple[Line, ...]
    rules: tuple[str, ...]
    """Each rule used, with the sentence that proves it."""


def tell(answer: Answer) -> Story:
    """Write an answer as a tree of lines."""
    seen: set[tuple[object, int]] = set()

    def line(step: Step) -> Line:
        key = (step.size, step.outcomes)
        again = key in seen and bool(step.premises)
        seen.add(key)
        premises = [] if again else list(dict.fromkeys(step.premises))
        under = tuple(map(line, premises))
        return Line(step.size.spec, step.size.rows, step.size.cols, claim(step), reason(step), again, under)

    size, remarks = answer.size, []
    if answer.mirrored:
        size = size.transposed
        remarks.append(f"{answer.size} = -{size}: turning the board exchanges the players.")
    if answer.opened:
        remarks.append(f"{size} <= [{size.rows}x{size.cols}]: cutting a ring open can only hurt H.")
    steps = [answer.step] if answer.step else []
    if answer.eventual is not None:
        ground, period = answer.eventual.ground(size.cols), answer.eventual.period
        times = (size.cols - ground.size.cols) // period.size.cols
        remarks.append(f"{answer.eventual}: {answer.eventual.proof()}.")
        remarks.append(f"{size.cols} = {ground.size.cols} + {times} * {period.size.cols}")
        steps = [ground, period]
    known = answer.outcomes != ANYTHING
    return Story(
        board=answer.size.spec,
        rows=answer.size.rows,
        cols=answer.size.cols,
        name=NAMES[answer.outcomes] if known else ".",
        means=WORDS.get(answer.outcomes, "") if known else "the rules say nothing about it yet",
        remarks=tuple(remarks),
        lines=tuple(map(line, steps)),
        rules=tuple(legend(steps)),
    )
