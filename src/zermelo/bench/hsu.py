"""Tables 1, 2 and 3 of Hsu et al. 2020: the published search and ours, beside the published seconds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from zermelo import _core
from zermelo.bench.record import Measurement, published
from zermelo.game import Limits, Result
from zermelo.positional.game import MNK
from zermelo.positional.position import MnkPosition
from zermelo.positional.solve import make_options, winner_name
from zermelo.running import run_cancellable


def as_published(spec: str, seconds: float, *, branching: int = -1, **switches: bool) -> _core.HsuResult:
    """Run the published search on an empty board; a switch turns one of its reductions off."""
    solver = _core.PositionalSolver(MnkPosition(spec).board.graph, make_options(), 1 << 20)
    question: dict[str, Any] = {"maker": [], "breaker": [], "side": _core.PositionalSide.MAKER, "branching": branching}
    question |= {**dict.fromkeys(SWITCHES, True), **switches}
    return run_cancellable(lambda token: solver.solve_as_published(**question, limits=Limits(seconds).of_core(token)))


def tables(seconds: float) -> Iterator[Measurement]:
    """Measure both searches; a table ends after two rows that reach the limit."""
    paper = published()["mnk"]
    for spec, number, times in (("7,7,5", 2, paper["N_7_7_5"]), ("8,8,5", 3, paper["N_8_8_5"])):
        suite, over = f"Hsu et al., table {number}: {spec}, the published search by N, and ours", 0
        result = MNK.solve(spec, limits=Limits(seconds))
        (ours,) = result.starts.values()
        yield row(suite, spec, "ours, 1 thread", ours.details["maker_breaker"], result, times["2"])
        for n, there in times.items():
            if over < 2:
                found = as_published(spec, seconds, branching=int(n))
                yield row(
                    suite, spec, f"N = {n}", winner_name(found.winner), found, math.inf if there is None else there
                )
                over += found.winner == _core.PositionalWinner.UNKNOWN
    suite = "Hsu et al., table 1: 7,7,5, the three reductions without pairing strategies"
    for there in paper["pruning_7_7_5"]:
        switches = {name: there[key] for name, key in SWITCHES.items()}
        found = as_published("7,7,5", seconds, **switches)
        setting = ", ".join(name.replace("_", " ") for name, on in switches.items() if on)
        yield row(suite, "7,7,5", setting, winner_name(found.winner), found, there["seconds"])


SWITCHES = {"partial_pairing": "partial_pairing", "domination": "domination", "zones": "rzone"}


def row(suite: str, case: str, setting: str, answer: str, cost: _core.HsuResult | Result, there: float) -> Measurement:
    """Return a measurement of a game that Breaker wins."""
    cut = answer == "unknown"
    known = None if cut else "breaker"
    return Measurement(suite, case, setting, answer, cost.nodes, cost.seconds, None, known, 0, cut, there)
