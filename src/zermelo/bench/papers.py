"""The tables of the papers, regenerated: our nodes and seconds beside the published ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from zermelo.bench import hsu
from zermelo.bench.record import Measurement, published
from zermelo.domineering import GAME
from zermelo.domineering.position import Player, Position
from zermelo.domineering.searcher import DOMI_OPTIONS, OBSEQUI_OPTIONS, SearchOptions, search, winner_of
from zermelo.domineering.solve import DomineeringChooser
from zermelo.game import Limits, Result

Rows = Iterator[Measurement]


def run(
    spec: Position | str,
    options: SearchOptions,
    seconds: float | None = None,
    *,
    first: Player | None = None,
    nodes: int | None = None,
) -> Result:
    """Solve one board by search; squares need one starter only, as the papers count."""
    limits = Limits(seconds, nodes, options.memory, options.threads)
    return GAME.solve(spec, first=first, limits=limits, chooser=DomineeringChooser(limits, search=options))


def measurement(
    suite: str,
    setting: str,
    result: Result,
    *,
    case: str | None = None,
    nodes: int | None = None,
    answer: str | None = None,
) -> Measurement:
    """Turn a result into a row, beside the published nodes and outcome."""
    known = result.outcome if result.outcome is not None else next(iter(result.starts.values())).winner
    return Measurement(
        suite=suite,
        case=case or result.spec,
        setting=setting,
        answer=known or "unknown",
        nodes=result.nodes,
        seconds=result.seconds,
        published_nodes=nodes,
        published_answer=answer if result.known else None,
        evaluations=sum(start.evaluations for start in result.starts.values()),
        cut=not result.known,
    )


def table(suite: str, key: str, setting: str, options: SearchOptions, seconds: float) -> Rows:
    """Regenerate one published table of boards, cheapest board first, until a board reaches the limit twice."""
    over = 0
    for row in sorted(published()[key]["rows"], key=lambda row: row["nodes"] or float("inf")):
        if over == 2:
            return
        result = run(row["board"], options, seconds)
        over += not result.known
        yield measurement(suite, setting, result, nodes=row["nodes"], answer=row["outcome"])


def domi(seconds: float) -> Rows:
    """DOMI's table: thesis figure 1.2, real and safe moves only."""
    return table("domi", "domi", "real/safe", DOMI_OPTIONS, seconds)


def obsequi(seconds: float) -> Rows:
    """Obsequi's table: article figures 12 and 13, thesis figures 6.1 and 6.2."""
    return table("obsequi", "obsequi", "cover", OBSEQUI_OPTIONS, seconds)


def growth(seconds: float) -> Rows:
    """Growth of the proof trees: thesis figures 8.2 to 8.8 (8.10, the squares, is part of `obsequi`)."""
    for width in (2, 4, 6, 8):
        yield from table(f"growth-{width}xn", f"obsequi_growth_{width}xn", "cover", OBSEQUI_OPTIONS, seconds)


def safe_moves(seconds: float) -> Rows:
    """Safe moves generated or not: article figure 9, thesis figure 4.7."""
    generated = OBSEQUI_OPTIONS.leaving_out("safe-move-dominance")
    for board, with_safe, without_safe in published()["safe_moves"]["rows"]:
        yield measurement("safe-moves", "generated", run(board, generated, seconds), nodes=with_safe)
        yield measurement("safe-moves", "not generated", run(board, OBSEQUI_OPTIONS, seconds), nodes=without_safe)


# The article's words for the switches of figure 15; "no enhancements" is DOMI's search.
ABLATIONS: dict[str, tuple[str, ...]] = {
    "all": (),
    "without protective areas": ("protective",),
    "without unavailable squares": ("unavailable",),
    "without protected squares in vulnerable areas": ("protected-squares",),
    "without type-1 vulnerable areas": ("type1",),
    "without option areas": ("options",),
}


def ablation(seconds: float) -> Rows:
    """What each part of the evaluation is worth on 8x8: article figure 15, thesis figure 6.4."""
    for name, nodes in published()["ablation_8x8"]["rows"]:
        options = DOMI_OPTIONS if name not in ABLATIONS else OBSEQUI_OPTIONS.leaving_out(*ABLATIONS[name])
        result = run("8x8", options, seconds, first="V")
        yield measurement("ablation", name, result, nodes=nodes, answer="V")


def plies(seconds: float) -> Rows:
    """Nodes per ply of 8x8, with and without the symmetry order: thesis figure 4.6."""
    rows = published()["nodes_per_ply_8x8"]["rows"]
    for column, setting, options in (
        (1, "primary", OBSEQUI_OPTIONS),
        (2, "primary and symmetry", OBSEQUI_OPTIONS.adding("symmetry-order")),
    ):
        begin = time.monotonic()
        found = search(Position("8x8").board, "V", options, Limits(seconds))
        counts, spent, cut = list(found.nodes_per_ply), time.monotonic() - begin, winner_of(found, "V") is None
        for row in rows:
            ours = counts[row[0] - 1] if row[0] <= len(counts) else 0
            # The counts of a search that was stopped are those of a part of its tree.
            yield Measurement("plies", f"ply {row[0]}", setting, "", ours, spent, row[column], cut=cut)


FIGURES: dict[str, Callable[[float], Rows]] = {
    "domi": domi,
    "obsequi": obsequi,
    "plies": plies,
    "safe-moves": safe_moves,
    "ablation": ablation,
    "growth": growth,
    "hsu": hsu.tables,
}
