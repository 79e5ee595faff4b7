"""`zermelo solve domineering` and `zermelo explain domineering`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from zermelo.cli import verbs
from zermelo.cli.options import Json, Memory, NodeLimit, Threads, TimeLimit, names, parse_memory, player_case
from zermelo.cli.output import LIMIT, counted, print_json
from zermelo.cli.progress import progress_line
from zermelo.cli.proof import print_written, proof_paths

if TYPE_CHECKING:
    from zermelo._core import ComponentSearch
    from zermelo.domineering.engine import SearchOptions
    from zermelo.domineering.solve import Result
    from zermelo.proof import Written

Spec = Annotated[str, typer.Argument(help="A board: 8x8, torus:4x6, ..#./...., 8x8:V1,2;H3,4", metavar="SPEC")]

LARGEST_SEARCHED = 256  # squares

WORDS = {
    "V": "Vertical wins, whoever starts",
    "H": "Horizontal wins, whoever starts",
    "1": "the first player wins",
    "2": "the second player wins",
    "unknown": "unknown: a limit was reached",
}


def describe(result: Result) -> str:
    """Say in words who wins, and how each half of the answer was found."""
    lines = []
    if result.outcome is not None:
        named = "" if result.outcome == "unknown" else f" (outcome {result.outcome})"
        lines.append(f"{result.spec}: {WORDS[result.outcome]}{named}")
    for player, start in result.starts.items():
        if start.winner is None:
            answer = "unknown"
        else:
            answer = f"{start.winner} wins" + (f" with {start.move}" if start.move else "")
        cost = f"{counted(start.nodes, 'node')}, {start.seconds:.3f} s"
        lines.append(f"  {player} starts: {answer} [{start.by}, {cost}]")
    return "\n".join(lines)


@verbs.solve.command("domineering")
def solve_command(
    spec: Spec,
    first: Annotated[str, typer.Option(help="Who starts: V, H or both.", callback=player_case)] = "both",
    threads: Threads = 1,
    time: TimeLimit = None,
    nodes: NodeLimit = None,
    memory: Memory = "1G",
    bounds: Annotated[
        str, typer.Option(help="Which bounds may decide, of real, cover, strip; without strip: the papers' search.")
    ] = "",
    without: Annotated[
        list[str] | None, typer.Option(help="Switch a feature off (repeatable); an unknown name lists them.")
    ] = None,
    added: Annotated[
        list[str] | None,
        typer.Option("--with", help="Switch on a feature that the papers lack (repeatable): real-cap, four-packings."),
    ] = None,
    replacement: Annotated[str, typer.Option(help="Replacement scheme of the papers' search.")] = "find-first",
    method: Annotated[
        str, typer.Option(help="auto (rules for boards over 64 squares, else search), search or rules.")
    ] = "auto",
    proof: Annotated[
        Path | None,
        typer.Option(
            help="Write a certificate per starter (NAME.V.zc and NAME.H.zc for both).", metavar="FILE", dir_okay=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Who wins Domineering on this board."""
    from zermelo.domineering.answer import who_wins
    from zermelo.domineering.engine import make_options

    if bounds or without or added or proof is not None:  # these speak of a search
        method = "search" if method == "auto" else method
    options = make_options(
        bounds=names(bounds) or None,
        without=tuple(without or ()),
        added=tuple(added or ()),
        replacement=replacement,
        memory=parse_memory(memory),
    )
    begin = monotonic()
    engine = None if proof is None else engine_for_proof(spec, method, proof, options, threads)
    with progress_line(quiet=as_json) as report:
        result = who_wins(
            spec,
            first=cast(Any, first),
            method=cast(Any, method),
            options=options,
            threads=threads,
            seconds=time,
            nodes=nodes,
            on_progress=report and (lambda player, progress: report(f"{spec}, {player} starts", progress)),
            engine=engine,
        )
        tell(result, spec, as_json=as_json)
        if proof is not None:
            left = None if time is None else time - (monotonic() - begin)
            for written in certificates(result, spec, proof, options, threads, left, engine, report):
                if written.path is None or not as_json:
                    print_written(written, as_json=False)


def tell(result: Result, spec: str, *, as_json: bool) -> None:
    """Print the answer; exit code 3 if a limit was reached."""
    hint = move_hint(result, spec)
    if as_json:
        print_json({**result.to_json(), "spec": spec, "hint": hint})
    else:
        print(describe(result))
        if hint is not None:
            print(f"  {hint}")
    if not result.known:
        raise typer.Exit(LIMIT)


def move_hint(result: Result, spec: str) -> str | None:
    """Return how to find a winning move where the rules only tell who wins; None where nothing is missing."""
    without = [p for p, start in result.starts.items() if start.winner == p and start.move is None]
    if not without or all(result.starts[player].by != "rules" for player in without):
        return None
    from zermelo.domineering.rules.sizes import Size

    if Size.parse(spec).area > LARGEST_SEARCHED:
        return "a winning move is not known: the rules tell who wins, but not how"
    command = f"zermelo solve domineering {spec} --first {without[0]} --method search"
    return f"a winning move takes a search (minutes, or far more): {command}"


def engine_for_proof(
    spec: str, method: str, proof: Path, options: SearchOptions, threads: int
) -> ComponentSearch | None:
    """Return the search that a certificate is then written from; None where the writing needs a search of its own."""
    from zermelo.domineering.engine import component_search_takes
    from zermelo.domineering.position import Position
    from zermelo.proof.writing import check_folder, proof_engine

    if method != "search":
        raise ValueError("--proof writes a certificate of a search; of what the rules tell: zermelo proof derive")
    check_folder(proof)
    board = Position.from_text(spec).board
    takes = component_search_takes(board) and "strip" in options.bounds
    return proof_engine(board, options.memory, threads) if takes else None


def certificates(
    result: Result,
    spec: str,
    proof: Path,
    options: SearchOptions,
    threads: int,
    seconds: float | None,
    engine: ComponentSearch | None,
    report: Callable[[str, Any], None] | None,
) -> Iterator[Written]:
    """Write a certificate per starter, with the search that has just solved the position."""
    from zermelo.proof.writing import Written, write_domineering, write_twin

    end = None if seconds is None else monotonic() + seconds
    made: Path | None = None
    for player, path in proof_paths(proof, list(result.starts)).items():
        start = result.starts[cast(Any, player)]
        if start.by == "symmetry" and made is not None and engine is not None:
            written = Written(start.winner, path, write_twin(made, path, threads=threads))
        else:
            written = write_domineering(
                spec,
                start.first,
                path,
                memory=options.memory,
                threads=threads,
                seconds=None if end is None else end - monotonic(),
                solved=None if engine is None else (engine, cast(Any, start.winner)),
                on_progress=report and partial(report, f"{spec}, {player} starts, proof"),
            )
        made = written.path
        yield written


@verbs.explain.command("domineering")
def explain_command(
    spec: Spec,
    player: Annotated[str, typer.Option(help="Whose bound: V or H.", callback=player_case)] = "V",
    to_move: Annotated[
        str, typer.Option(help="Who is to move: V or H; the opponent if not given.", callback=player_case)
    ] = "",
    bound: Annotated[str, typer.Option(help="Which bound: cover or strip.")] = "cover",
    without: Annotated[list[str] | None, typer.Option(help="Switch a feature off (repeatable).")] = None,
    svg: Annotated[Path | None, typer.Option(help="Write the picture to this .svg file.", metavar="FILE")] = None,
    png: Annotated[Path | None, typer.Option(help="Write the picture to this .png file.", metavar="FILE")] = None,
    as_json: Json = False,
) -> None:
    """Why a bound decides. The areas, the counts and the formulas."""
    from zermelo.domineering.explain import explain
    from zermelo.draw import write_picture

    explanation = explain(
        spec, player=cast(Any, player), to_move=cast(Any, to_move or None), bound=bound, without=tuple(without or ())
    )
    for path in (svg, png):
        if path is not None:
            write_picture(path, explanation.svg())
    if as_json:
        print_json(explanation.to_json())
    else:
        print(explanation.text())
