"""Tables 1, 2 and 3 of Hsu et al. 2020 and a suite of boards: our nodes and seconds beside the published seconds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from zermelo import _core
from zermelo.bench.papers import published
from zermelo.bench.record import Measurement
from zermelo.game import Limits, Result
from zermelo.positional.game import MNK
from zermelo.positional.position import MnkPosition
from zermelo.positional.solve import UNLIMITED, make_options, winner_name
from zermelo.running import run_cancellable
from zermelo.words import counted

DEFAULT_MEMORY = Limits().memory

#: Boards of the suite: spec and, where known, who wins the Maker-Breaker game.
BOARDS = (
    ("5,5,4", "maker"), ("6,6,4", None), ("6,6,5", "breaker"), ("7,6,5", "breaker"),
    ("7,7,5", "breaker"), ("8,7,5", "breaker"),
)  # fmt: skip
#: With ``long`` also these. Beyond 8,8,5 no published result exists; what a run leaves open it says so.
LONG_BOARDS = (
    ("8,8,5", "breaker"), ("9,7,5", None), ("10,7,5", None), ("11,7,5", None), ("9,8,5", None),
    ("9,9,5", None),
)  # fmt: skip
SPEED_UP = "7,7,5 on one thread: the full method is {:.0f} times faster than the published search at N = 2"


def as_published(
    spec: str,
    seconds: float,
    branching: int,
    *,
    partial_pairing: bool = True,
    domination: bool = True,
    zones: bool = True,
) -> _core.HsuResult:
    """Run the published search on an empty board."""
    solver = _core.PositionalSolver(MnkPosition(spec).board.graph, make_options(), 1 << 20)
    return run_cancellable(
        lambda token: solver.solve_as_published(
            maker=[],
            breaker=[],
            side=_core.PositionalSide.MAKER,
            partial_pairing=partial_pairing,
            domination=domination,
            zones=zones,
            branching=branching,
            nodes=UNLIMITED,
            seconds=seconds,
            memory=DEFAULT_MEMORY,
            cancel=token,
        )
    )


def speed_up(done: Sequence[Measurement]) -> float | None:
    """Return how many times faster the full method settles 7,7,5 than the published search at N = 2, both in this run.

    >>> speed_up([])
    """
    seconds = {
        row.setting.split(";")[0]: row.seconds for row in done if row.case == "7,7,5" and row.answer == "breaker"
    }
    there, here = seconds.get("N = 2"), seconds.get("full, 1 thread")
    return None if there is None or here is None else there / here


def full_row(spec: str, expected: str | None, seconds: float, threads: int, memory: int) -> Measurement:
    """Solve one board by the full method; a limit leaves it open, with the nodes and the share of the tree done."""
    limits = Limits(seconds=seconds, memory=memory, threads=threads)
    result = MNK.solve(spec, limits=limits)
    (mine,) = result.starts.values()
    outcome = mine.why if result.outcome == "unknown" else result.outcome
    there = {"7,7,5": 2.5, "8,8,5": 62634.3}.get(spec)
    setting = f"full, {counted(threads, 'thread')}; {outcome}"
    return _row("full method", spec, setting, mine.details["maker_breaker"], result, there, expected)


def rows(*, seconds: float, long: bool, threads: int, memory: int = DEFAULT_MEMORY) -> Iterator[Measurement]:
    """Measure everything; rows that need hours only with ``long``, each run at most ``seconds``."""
    paper = published()["mnk"]
    suite = "Table 2: 7,7,5, the published search by N"
    for n, there in paper["N_7_7_5"].items():
        if int(n) in (1, 2, 3) or long:
            result = as_published("7,7,5", seconds, int(n))
            yield _row(suite, "7,7,5", f"N = {n}", winner_name(result.winner), result, there)
    if threads > 1:
        yield full_row("7,7,5", "breaker", seconds, 1, memory)
    for spec, expected in BOARDS + (LONG_BOARDS if long else ()):
        yield full_row(spec, expected, seconds, threads, memory)
    if not long:
        return
    suite = "Table 1: 7,7,5, the three reductions without pairing strategies"
    for there in paper["pruning_7_7_5"]:
        switches = {
            "partial_pairing": there["partial_pairing"],
            "domination": there["domination"],
            "zones": there["rzone"],
        }
        result = as_published("7,7,5", seconds, -1, **switches)
        words = ", ".join(name.replace("_", " ") for name, on in switches.items() if on)
        yield _row(suite, "7,7,5", words, winner_name(result.winner), result, there["seconds"])
    suite = "Table 3: 8,8,5, the published search by N"
    for n, there in paper["N_8_8_5"].items():
        result = as_published("8,8,5", seconds, int(n))
        spent = math.inf if there is None else there
        yield _row(suite, "8,8,5", f"N = {n}", winner_name(result.winner), result, spent)


def _row(
    suite: str,
    case: str,
    setting: str,
    answer: str,
    cost: _core.HsuResult | Result,
    there: float | None,
    expected: str | None = "breaker",
) -> Measurement:
    cut = answer == "unknown"
    known = None if cut else expected
    return Measurement(suite, case, setting, answer, cost.nodes, cost.seconds, None, known, 0, cut, there)
