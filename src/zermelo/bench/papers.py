"""The tables of the papers, regenerated: our nodes and seconds beside the published ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from zermelo.bench import hsu
from zermelo.bench.record import Measurement, published
from zermelo.domineering import GAME
from zermelo.domineering.position import Player, Position
from zermelo.domineering.searcher import search, winner_of
from zermelo.domineering.solve import DomineeringChooser
from zermelo.game import Limits, Result

Rows = Iterator[Measurement]
Options = dict[str, Any]
OBSEQUI: Options = {"bounds": ("real", "cover")}
DOMI: Options = {"bounds": ("real",)}


def chooser(options: Options) -> DomineeringChooser:
    """Return a chooser with a table of the papers' size."""
    return DomineeringChooser(Limits(memory=2**23 * 16), OBSEQUI | options)


def run(spec: Position | str, options: Options, seconds: float | None = None, *, first: Player | None = None) -> Result:
    """Solve one board by search; squares need one starter only, as the papers count."""
    return GAME.solve(spec, first=first, limits=Limits(seconds), chooser=chooser(options))


def measurement(
    suite: str, setting: str, result: Result, *, nodes: int | None = None, answer: str | None = None
) -> Measurement:
    """Turn a result into a row, beside the published nodes and outcome."""
    known = result.outcome if result.outcome is not None else next(iter(result.starts.values())).winner
    return Measurement(
        suite=suite,
        case=result.spec,
        setting=setting,
        answer=known or "unknown",
        nodes=result.nodes,
        seconds=result.seconds,
        published_nodes=nodes,
        published_answer=answer if result.known else None,
        evaluations=sum(start.evaluations for start in result.starts.values()),
        cut=not result.known,
    )


def table(suite: str, key: str, setting: str, options: Options, seconds: float) -> Rows:
    """Regenerate one published table of boards, cheapest board first, until a board reaches the limit twice."""
    over = 0
    for row in sorted(published()[key]["rows"], key=lambda row: row["nodes"] or float("inf")):
        if over == 2:
            return
        result = run(row["board"], options, seconds)
        over += not result.known
        yield measurement(suite, setting, result, nodes=row["nodes"], answer=row["outcome"])


def growth(seconds: float) -> Rows:
    """Growth of the proof trees: thesis figures 8.2 to 8.8 (8.10, the squares, is part of `obsequi`)."""
    for width in (2, 4, 6, 8):
        yield from table(f"growth-{width}xn", f"obsequi_growth_{width}xn", "cover", {}, seconds)


def safe_moves(seconds: float) -> Rows:
    """Safe moves generated or not: article figure 9, thesis figure 4.7."""
    generated = {"without": ("safe-move-dominance",)}
    for board, with_safe, without_safe in published()["safe_moves"]["rows"]:
        yield measurement("safe-moves", "generated", run(board, generated, seconds), nodes=with_safe)
        yield measurement("safe-moves", "not generated", run(board, {}, seconds), nodes=without_safe)


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
    """The worth of each part of the evaluation on 8x8: article figure 15, thesis figure 6.4."""
    for name, nodes in published()["ablation_8x8"]["rows"]:
        options = {"without": ABLATIONS[name]} if name in ABLATIONS else DOMI
        result = run("8x8", options, seconds, first="V")
        yield measurement("ablation", name, result, nodes=nodes, answer="V")


def plies(seconds: float) -> Rows:
    """Nodes per ply of 8x8, with and without the symmetry order: thesis figure 4.6."""
    rows = published()["nodes_per_ply_8x8"]["rows"]
    for column, setting, options in ((1, "primary", {}), (2, "primary and symmetry", {"with": ("symmetry-order",)})):
        begin, position = time.monotonic(), Position("8x8")
        way = chooser(options).papers_settings(position)
        assert way is not None
        found = search(position.board, "V", way, Limits(seconds))
        counts, spent, cut = list(found.nodes_per_ply), time.monotonic() - begin, winner_of(found, "V") is None
        for row in rows:
            ours = counts[row[0] - 1] if row[0] <= len(counts) else 0
            # The counts of a search that was stopped are those of a part of its tree.
            yield Measurement("plies", f"ply {row[0]}", setting, "", ours, spent, row[column], cut=cut)


FIGURES: dict[str, Callable[[float], Rows]] = {
    # Thesis figure 1.2, real and safe moves only; article figures 12 and 13, thesis figures 6.1 and 6.2.
    "domi": partial(table, "domi", "domi", "real/safe", DOMI),
    "obsequi": partial(table, "obsequi", "obsequi", "cover", {}),
    "plies": plies,
    "safe-moves": safe_moves,
    "ablation": ablation,
    "growth": growth,
    "hsu": hsu.tables,
}
