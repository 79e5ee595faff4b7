"""The commands of m,n,k games and of Maker-Breaker games on hypergraphs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from zermelo import __version__
from zermelo.cli import verbs
from zermelo.cli.output import LIMIT, print_json

if TYPE_CHECKING:
    from zermelo.positional import MnkResult

SPEC = typer.Argument(help="columns,rows,k and moves, as in 7,7,5 or 7,7,5:d4,c3.")
THREADS = typer.Option(1, "--threads", min=1, max=256, help="Threads of the search.")
TIME = typer.Option(None, "--time", min=0.001, help="Limit in seconds.")
NODES = typer.Option(None, "--nodes", min=1, help="Limit in nodes.")
MEMORY = typer.Option(1024, "--memory", min=1, help="Table size in MiB.")
WITHOUT = typer.Option(
    [], "--without", help="Switch an idea off (repeatable); a wrong name lists them."
)
PROOF = typer.Option(
    None, "--proof", metavar="FILE", help="Write a certificate of the draw to this file."
)
JSON = typer.Option(False, "--json", help="Print one JSON object.")


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


@verbs.solve.command("mnk")
def solve_mnk_command(
    spec: str = SPEC,
    threads: int = THREADS,
    time: float | None = TIME,
    nodes: int | None = NODES,
    memory: int = MEMORY,
    without: list[str] = WITHOUT,
    proof: Path | None = PROOF,
    json: bool = JSON,
) -> None:
    """Who wins an m,n,k game: first player or draw, and how that was proved."""
    from zermelo.positional import solve_mnk
    from zermelo.positional.mnk import pair_labels

    result = solve_mnk(
        spec, threads=threads, seconds=time, nodes=nodes, memory=memory << 20, without=without
    )
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
        print(f"{result.nodes} nodes, {result.seconds:.3f} s")
    if result.outcome == "unknown":
        raise typer.Exit(LIMIT)
    if proof is not None:
        from zermelo.cli.proof import print_written
        from zermelo.proof import write_positional

        written = write_positional(spec, proof, threads=threads, seconds=time, memory=memory << 20)
        if not json or written.path is None:
            print_written(written, as_json=False)


@verbs.solve.command("hypergraph")
def solve_hypergraph_command(
    file: Path = typer.Argument(help="A .hyp or .pg file."),
    threads: int = THREADS,
    time: float | None = TIME,
    nodes: int | None = NODES,
    memory: int = MEMORY,
    without: list[str] = WITHOUT,
    json: bool = JSON,
) -> None:
    """Who wins the Maker-Breaker game on a hypergraph, for either starter."""
    from zermelo.positional import read_hypergraph, solve_hypergraph

    result = solve_hypergraph(
        read_hypergraph(file),
        threads=threads,
        seconds=time,
        nodes=nodes,
        memory=memory << 20,
        without=without,
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
