"""Who wins, by whatever proves it soonest: the rules for boards of any size, else a search."""

from __future__ import annotations

from typing import Any, Literal

from zermelo import _core
from zermelo.domineering.position import Player
from zermelo.domineering.solve import Result, solve

Method = Literal["auto", "search", "rules"]
METHODS = ("auto", "search", "rules")
SMALL = 64
"""Boards of at most so many squares are searched: that takes a blink, and shows nodes and a winning move."""


def who_wins(spec: str, *, first: Player | Literal["both"] = "both", method: Method = "auto", **search: Any) -> Result:
    """Answer by the rules and the facts that ship, or by a search; ``search`` holds the options of :func:`solve`.

    ``auto`` asks the rules about empty boards that are more than small, and searches where they do not decide.

    >>> who_wins("3x1000").starts["V"].by
    'rules'
    >>> who_wins("4x4").starts["V"].by
    'search'

    :raises ValueError: if the spec is bad, or the method cannot answer it.
    """
    if method not in METHODS:
        raise ValueError(f"method {method!r} is not known: {', '.join(METHODS)}")
    parsed = _core.parse_spec(spec)
    by_size = parsed.is_size and not parsed.moves
    if method == "rules" and not by_size:
        raise ValueError("the rules know empty boards given by their size only, such as 3x1000")
    if method == "rules" or (method == "auto" and by_size and parsed.rows * parsed.cols > SMALL):
        from zermelo.domineering.strategy.result import result_by_rules

        result = result_by_rules(spec, first)
        if result is not None:
            return result
        if method == "rules":
            raise ValueError(f"the rules do not decide {spec}: zermelo why {spec} shows what is known")
    return solve(spec, first=first, **search)
