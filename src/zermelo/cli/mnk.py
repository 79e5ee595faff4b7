"""The commands of m,n,k games and of Maker-Breaker games on hypergraphs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from zermelo import __version__
from zermelo.cli import verbs
from zermelo.cli.options import Json, Memory, NodeLimit, Threads, TimeLimit, parse_memory
from zermelo.cli.output import LIMIT, REJECTED, print_json

if TYPE_CHECKING:
    from zermelo.positional import MnkResult

SPEC = typer.Argument(help="columns,rows,k and moves, as in 7,7,5 or 7,7,5:d4,c3.")
WITHOUT = typer.Option([], "--without", help="Switch an idea off (repeatable); a wrong name lists them.")
PROOF = typer.Option(
    None,
    "--proof",
    metavar="FILE",
    dir_okay=False,
    help="Write a certificate of who wins the Maker-Breaker game; a Breaker win is a draw.",
)

CERTIFIED = {
    "breaker": "certified: Breaker wins, so the game is a draw",
    "maker": "certified: Maker wins the Maker-Breaker game; this does not prove the outcome by the real rules",
}


def mnk_json(result: MnkResult) -> dict[str, Any]:
    """Return the documented JSON form of a result."""
    name = result.game.name
    return {
        "game": "mnk",
        "spec": result.game.text,
        "outcome": result.outcome,
        "maker_breaker": result.maker_breaker,
        "proved_by": result.proved_by or None,
        "move": None if result.move is None else name(result.move),
        "pairs": [[name(u), name(v)] for u, v in result.pairs],
        "nodes": result.nodes,
        "seconds": round(result.seconds, 6),
        "threads": result.threads,
        "version": __version__,
    }


def watched_solve(spec: str, *, json: bool, **options: Any) -> tuple[MnkResult, float]:
    """Solve, with a line on a terminal that says how far the search has come; return that share of the tree too."""
    from time import monotonic

    from zermelo._core import PositionalProgress
    from zermelo.cli.progress import polled_line
    from zermelo.positional import solve_mnk

    progress, begin = PositionalProgress(), monotonic()

    def line() -> str:
        seconds, share = monotonic() - begin, progress.fraction
        rate = progress.nodes / seconds if seconds else 0.0
        left = f"about {share:.2%} of the tree" if share else "first moves"
        if 0 < share < 1:
            left += f", at this pace {seconds / share - seconds:,.0f} s more"
        return f"{spec}: {progress.nodes:,} nodes, {rate:,.0f} a second, {left}, {seconds:.0f} s"

    with polled_line(line, quiet=json):
        result = solve_mnk(spec, progress=progress, **options)
    return result, progress.fraction


@verbs.solve.command("mnk")
def solve_mnk_command(
    spec: str = SPEC,
    threads: Threads = 1,
    time: TimeLimit = None,
    nodes: NodeLimit = None,
    memory: Memory = "1G",
    without: list[str] = WITHOUT,
    proof: Path | None = PROOF,
    json: Json = False,
) -> None:
    """Who wins an m,n,k game. First player or draw, and how that was proved."""
    from zermelo.positional.mnk import pair_labels

    result, share = watched_solve(
        spec, json=json, threads=threads, seconds=time, nodes=nodes, memory=parse_memory(memory),
        without=without,
    )  # fmt: skip
    if json:
        print_json(mnk_json(result))
    else:
        words = {
            "draw": "draw",
            "first": "the first player wins",
            "second": "the second player wins",
            "unknown": "unknown: a limit was reached",
        }
        print(f"{result.game.text}: {words[result.outcome]}")
        if result.proved_by:
            print(f"proved by: {result.proved_by}")
        print(f"Maker-Breaker: {result.maker_breaker}")
        if result.move is not None:
            print(f"move: {result.game.name(result.move)}")
        if result.pairs:
            game = result.game
            print("pairs: " + " ".join(f"{game.name(u)}-{game.name(v)}" for u, v in result.pairs))
            print(game.grid(pair_labels(result.pairs)))
        if result.outcome == result.maker_breaker == "unknown":
            print(f"about {100 * share:.2g} % of the tree is searched")
        print(f"{result.nodes} nodes, {result.seconds:.3f} s")
    if result.outcome == "unknown":
        raise typer.Exit(LIMIT)
    if proof is not None:
        from zermelo.cli.proof import print_written
        from zermelo.proof import write_positional

        if result.outcome in ("first", "second"):
            raise ValueError(
                "no certificate: a win by the real rules cannot be certified; that Maker wins would not prove it"
            )
        written = write_positional(spec, proof, threads=threads, seconds=time, memory=parse_memory(memory))
        if not json or written.path is None:
            print_written(written, as_json=False)
            print(CERTIFIED[str(written.winner)])


@verbs.solve.command("hypergraph")
def solve_hypergraph_command(
    file: Path = typer.Argument(help="A .hyp or .pg file."),
    threads: Threads = 1,
    time: TimeLimit = None,
    nodes: NodeLimit = None,
    memory: Memory = "1G",
    without: list[str] = WITHOUT,
    proof: Path | None = typer.Option(
        None,
        "--proof",
        metavar="FILE",
        dir_okay=False,
        help="Write a certificate per starter: NAME.maker.zc and NAME.breaker.zc.",
    ),
    json: Json = False,
) -> None:
    """Who wins the Maker-Breaker game on a hypergraph. For either starter."""
    from zermelo.positional import read_hypergraph, solve_hypergraph

    game = read_hypergraph(file)
    result = solve_hypergraph(
        game, threads=threads, seconds=time, nodes=nodes, memory=parse_memory(memory), without=without
    )
    names = result.game.vertices
    pairs = [[names[u], names[v]] for u, v in result.pairs]
    if json:
        print_json(
            {
                "game": "hypergraph",
                "spec": file.name,
                "vertices": len(names),
                "hyperedges": len(result.game.edges),
                "starts": {"maker": result.maker_first, "breaker": result.breaker_first},
                "pairs": pairs,
                "nodes": result.nodes,
                "seconds": round(result.seconds, 6),
                "threads": threads,
                "version": __version__,
            }
        )
    else:
        print(f"{file.name}: {len(names)} vertices, {len(result.game.edges)} hyperedges")
        print(f"Maker starts: {result.maker_first} wins".replace("unknown wins", "unknown"))
        print(f"Breaker starts: {result.breaker_first} wins".replace("unknown wins", "unknown"))
        if pairs:
            print("pairs: " + " ".join(f"{u}-{v}" for u, v in pairs))
        print(f"{result.nodes} nodes, {result.seconds:.3f} s")
    if "unknown" in (result.maker_first, result.breaker_first):
        raise typer.Exit(LIMIT)
    if proof is not None:
        from zermelo.cli.proof import print_written, proof_paths
        from zermelo.proof import write_positional

        for starter, path in proof_paths(proof, ["maker", "breaker"]).items():
            written = write_positional(
                game, path, starter=starter, threads=threads, seconds=time, memory=parse_memory(memory)
            )
            if not json or written.path is None:
                print_written(written, as_json=False)


@verbs.explain.command("mnk")
def explain_mnk_command(
    spec: str = SPEC,
    time: float = typer.Option(10.0, "--time", min=0.001, help="Limit of the search part in seconds."),
    svg: Path | None = typer.Option(None, "--svg", help="Write the picture to this .svg file."),
    png: Path | None = typer.Option(None, "--png", help="Write the picture to this .png file."),
    json: Json = False,
) -> None:
    """Why Breaker holds the position. Pairs, zone, dominated squares, potentials."""
    from zermelo.draw.files import write_picture
    from zermelo.positional.explain import explain_mnk

    told = explain_mnk(spec, seconds=time)
    for path in (svg, png):
        if path is not None:
            write_picture(path, told.svg())
    if not json:
        print(told.text())
        return
    name = told.game.name
    print_json(
        {
            "game": "mnk",
            "spec": told.game.text,
            "maker_breaker": told.winner,
            "lines": told.live,
            "beck": told.beck,
            "weights": {name(v): weight for v, weight in told.weights},
            "removed_pairs": [[name(u), name(v)] for u, v in told.removed],
            "dominated": {name(v): name(u) for v, u in told.dominated},
            "redundant": [name(v) for v in told.redundant],
            "pairing": [[name(u), name(v)] for u, v in told.pairing] if told.has_pairing else None,
            "zone": [name(v) for v in told.zone],
            "answers": [
                {
                    "move": name(a.move),
                    "reply": name(a.reply),
                    "zone": [name(v) for v in a.zone],
                    "pairs": [[name(u), name(v)] for u, v in a.pairs],
                }
                for a in told.answers
            ],
        }
    )


@verbs.bench.command("mnk")
def bench_mnk_command(
    time: float = typer.Option(600.0, "--time", min=0.01, help="Limit of each run in seconds."),
    long: bool = typer.Option(False, "--long", help="Also the rows that need minutes or hours."),
    threads: Threads = 1,
    memory: Memory = "1G",
    json: Json = False,
) -> None:
    """Published tables of m,n,k games beside ours. Tables 1 to 3 of Hsu et al. 2020, and a suite of boards."""
    from dataclasses import asdict

    from zermelo.positional.benchmark import Row, rows, speed_up

    done: list[Row] = []
    suite = ""
    for row in rows(seconds=time, long=long, threads=threads, memory=parse_memory(memory)):
        done.append(row)
        if json:
            continue
        if row.suite != suite:
            suite = row.suite
            print(f"\n{suite}")
            print(f"{'case':<8}{'setting':<46}{'answer':>9}{'nodes':>14}{'seconds':>11}{'paper s':>11}")
        there = "" if row.published is None else f"{row.published:,.1f}"
        there = there.replace("inf", ">72 h")
        mark = "  WRONG" if row.wrong else ""
        print(
            f"{row.case:<8}{row.setting:<46}{row.answer:>9}{row.nodes:>14,}{row.seconds:>11.3f}{there:>11}{mark}",
            flush=True,
        )
    if json:
        lines = [asdict(row) for row in done]
        for line in lines:
            if line["published"] == float("inf"):
                line["published"] = None
        print_json({"rows": lines, "speed_up_7_7_5": speed_up(done), "version": __version__})
    elif (factor := speed_up(done)) is not None:
        print(f"\n7,7,5 on one thread: the full method is {factor:.0f} times faster than the published search at N = 2")
    if any(row.wrong for row in done):
        raise typer.Exit(REJECTED)
