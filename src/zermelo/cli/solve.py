"""`zermelo solve GAME SPEC` and `zermelo explain GAME SPEC`: one command of each kind for all games."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from zermelo import __version__
from zermelo.cli.options import (
    Json,
    Memory,
    NodeLimit,
    Png,
    Svg,
    Threads,
    TimeLimit,
    game_command,
    one_of,
    parse_memory,
    player_of,
    time_option,
)
from zermelo.cli.output import LIMIT, counted, print_json, search_progress, tell, won
from zermelo.cli.stopping import TimeIsOver, answered
from zermelo.draw import view_svg, write_picture
from zermelo.game import (
    Answer,
    Clock,
    Game,  # Typer reads the signatures
    Limits,
    Position,
    Result,
    Written,
)
from zermelo.words import capital

First = Annotated[str | None, typer.Option(help="Who starts, or 'both'. Both if the position leaves it open.")]
Kind = Annotated[
    str | None, typer.Option("--kind", "--bound", help="Which explanation. The first that shows who wins if not given.")
]


def add_solve(group: typer.Typer, game: Game) -> None:
    without = () if game.has_certificates else ("proof",)
    command = game_command(game, solve, game.solve_options, f"{capital(game.title)}: who wins. {game.rules}", without)
    group.command(game.name, epilog=examples("solve", game))(command)


def add_explain(group: typer.Typer, game: Game) -> None:
    kinds = "; ".join(f"{kind}: {title}" for kind, title in game.explanations.items())
    text = f"{capital(game.title)}: why somebody wins." + (f" Kinds: {kinds}." if kinds else "")
    group.command(game.name, epilog=examples("explain", game, game.explain_examples))(
        game_command(
            game, explain, [*(replace(one, default=None) for one in game.explain_options), *game.rule_options], text
        )
    )


def examples(verb: str, game: Game, specs: Sequence[str] = ()) -> str:
    """Return the line of examples below a help text; the game's own if no specs are given."""
    shown = specs or game.examples
    return "Examples: " + ", ".join(f"zermelo {verb} {game.name} {shlex.quote(spec)}" for spec in shown[:3])


def solve(
    game: Game,
    spec: str,
    first: First = None,
    threads: Threads = 1,
    time: TimeLimit = None,
    nodes: NodeLimit = None,
    memory: Memory = "1G",
    proof: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Also write a certificate. For two starters FILE gets each one's name: NAME.STARTER.zc.",
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Search; save the results in FILE every minute and at the end, and go on from there the next time.",
        ),
    ] = None,
    as_json: Json = False,
    options: Mapping[str, Any] = {},
) -> None:
    """Say who wins, with a winning move and how it was proved; write certificates on request."""
    limits = Limits(seconds=time, nodes=nodes, memory=parse_memory(memory), threads=threads)
    position = game.read(spec)
    starter = player_of(game, "--first", None if first in ("both", "either") else first)
    if proof is not None and not proof.parent.is_dir():
        raise ValueError(f"folder {str(proof.parent)!r} does not exist")
    clock = Clock(limits)
    # The search that has solved the position then writes its certificate.
    chooser = None if proof is None else game.proof_chooser(limits, options, proof.parent)
    written = list["Written"]()
    with search_progress(quiet=as_json) as report:
        try:
            result = game.solve(
                position,
                first=starter,
                limits=limits,
                options=options,
                chooser=chooser,
                on_progress=lambda player, progress: report(f"{spec}, {player} starts", progress),
                resume=resume,
            )
        except TimeIsOver as over:
            starts = {
                player: Answer(player, None, "limit", why=str(over), limit="time")
                for player in game.starters(position, starter)
            }
            result = Result(game.name, position.text, starts, game.outcome(starts), threads, __version__)
    proved = result.known
    if proof is not None and not proved:  # no certificate then, but the rules may know the answer
        answered()
        known = game.solve(position, first=starter, limits=clock.left().with_(nodes=1), options=options)
        result = known if known.known else result
    papers = None
    if not result.known and game.tables is not None:
        answered()
        papers = game.tables.published(position)
    if not as_json:
        print(
            "\n".join(
                [*describe(game, position, result, spec), *(f"  {line}" for line in (papers.lines if papers else ()))]
            )
        )
        if proof is not None and not proved:
            print("no certificate: a limit was reached")
    clock.nodes = result.nodes
    if proved and proof is not None:
        for player, path in proof_paths(proof, list(result.starts)).items():
            with search_progress(quiet=as_json) as report:
                try:
                    left = clock.left().with_(on_progress=partial(report, f"{spec}, writing the proof"))
                    ruled = game.apply_rules(position, options, player)
                    one = game.prove(ruled, player, path, left, chooser, result.starts[player])
                except TimeIsOver:
                    one = Written(None, None)
            written.append(one)
            if not as_json:
                print(written_line(one))
    if as_json:
        data = {**game.to_json(result), "spec": spec, "hint": move_hint(game, position, result)}
        data |= papers.data if papers else {}
        print_json({**data, "certificates": [written_json(one) for one in written]} if proof else data)
    if not result.known or (proof and not proved) or any(one.path is None for one in written):
        raise typer.Exit(LIMIT)


def describe(game: Game, position: Position, result: Result, spec: str) -> Iterable[str]:
    """Yield in words who wins, and how each half of the answer was found."""
    if result.outcome is not None:
        yield f"{spec}: {game.outcomes[result.outcome]}"
    turn = "starts" if position.to_move is None else "is to move"
    for player, answer in result.starts.items():
        yield f"  {player} {turn}: {answer_line(game, answer)}"
        for name, value in answer.details.items():
            if answer.by != "over" and (text := detail_text(value)) and text not in answer.why:
                yield f"    {game.detail_line(name, text)}"
    if hint := move_hint(game, position, result):
        yield f"  {hint}"
    if file := result.resume:
        before = f"{counted(file.earlier_nodes, 'node')} in {counted(file.runs, 'earlier run')}"
        yield f"  {file.path}: {counted(file.loaded, 'result')} loaded, {before}; {counted(result.nodes, 'node')} now"
        yield f"  {file.path}: " + (f"not saved: {file.error}" if file.error else f"{file.size / 1e6:.1f} MB saved")


def answer_line(game: Game, answer: Answer) -> str:
    """Return the winner, a move, the source and the cost in one line."""
    move = f" with {answer.move}" if answer.move else ""
    cost = f"{counted(answer.nodes, 'node')}, {answer.seconds:.3f} s"
    result = "" if answer.winner is None else f"{won(answer.winner)}{move}; "  # else the reason begins with "unknown"
    return f"{result}{answer.why or answer.by} [{cost}]"


def detail_text(value: Any) -> str:
    """Return a detail of an answer as one line if it is a word, a list of words or pairs; else an empty text.

    >>> detail_text("maker"), detail_text([["a1", "b1"], ["c1", "d1"]]), detail_text({"a": 1})
    ('maker', 'a1-b1 c1-d1', '')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    if isinstance(value, list | tuple) and all(isinstance(one, list | tuple) for one in value):
        return " ".join("-".join(map(str, one)) for one in value)
    return ""


def move_hint(game: Game, position: Position, result: Result) -> str | None:
    """Return how to find a winning move where the rules only tell who wins; None where nothing is missing."""
    without = [p for p, answer in result.starts.items() if answer.winner == p and answer.move is None]
    if not without or position.decided(without[0]) is not None:
        return None
    if not any("search" in option.choices for option in game.solve_options if option.name == "method"):
        return None
    if not result.starts[without[0]].details.get("searchable", True):
        return "a winning move is not known: the rules tell who wins, but not how"
    command = f"zermelo solve {game.name} {shlex.quote(position.text)} --first {without[0]} --method search"
    return f"a winning move takes a search (minutes, or far more): {command}"


# Certificates


def proof_paths(path: Path, starters: list[str]) -> dict[str, Path]:
    """Return one file per starter: the path itself, or for two starters NAME.V.zc and NAME.H.zc.

    >>> [str(p) for p in proof_paths(Path("8x8.zc"), ["V", "H"]).values()]
    ['8x8.V.zc', '8x8.H.zc']
    """
    if len(starters) == 1:
        return {starters[0]: path}
    return {starter: path.with_suffix(f".{starter}{path.suffix}") for starter in starters}


def written_line(written: Written) -> str:
    """Return the file that was written, or that a limit came first."""
    if written.path is None:
        return "no certificate: a limit was reached"
    return f"{written.path}: {won(written.winner)}, {written.size:,} bytes"


def written_json(written: Written) -> dict[str, Any]:
    """Return the same as plain data."""
    return {"file": written.path and str(written.path), "winner": written.winner, "bytes": written.size}


# Explanations


def explain(
    game: Game,
    spec: str,
    kind: Kind = None,
    time: Annotated[
        float | None, time_option("Give up after this many seconds and answer 'unknown'. 10 if not given.")
    ] = None,
    nodes: NodeLimit = None,
    memory: Memory = "1G",
    svg: Svg = None,
    png: Png = None,
    as_json: Json = False,
    options: Mapping[str, Any] = {},
) -> None:
    """Say who wins and why, in words, and in a picture on request."""
    position = game.apply_rules(game.read(spec), options)
    options = {name: value for name, value in options.items() if name not in {rule.name for rule in game.rule_options}}
    kinds = [one_of("--kind", kind, list(game.explanations))] if kind else list(game.explanations)
    clock, lines, data = Clock(Limits(seconds=time or 10.0, nodes=nodes, memory=parse_memory(memory))), list[str](), {}
    known = True
    with search_progress(quiet=as_json) as report:
        if type(game).explain is not Game.explain:  # the plain explanation says itself who wins
            result = game.solve(
                position,
                limits=clock.left(2),
                on_progress=lambda player, progress: report(f"{spec}, {player} starts", progress),
            )
            clock.nodes, known = result.nodes, result.known
            lines += describe(game, position, result, spec)
            data = {key: game.to_json(result)[key] for key in ("outcome", "starts")}
        # The first kind that shows who wins, or else the first of all.
        chosen = kinds[0]
        why = game.explain(position, chosen, limits=clock.left(), options=options)
        for other in kinds[1:] if why.winner is None else ():
            with contextlib.suppress(ValueError):  # it says nothing of such positions, or an option is not for it
                found = game.explain(position, other, limits=clock.left(), options=options)
                if found.winner is not None:
                    chosen, why = other, found
                    break
    if svg is not None or png is not None:
        title = f"{game.title}: {spec}, {game.explanations[chosen]}"
        view = why.view or position.view()
        picture = view_svg(view, players=game.players, areas=why.areas, caption=why.caption, title=title)
        for path in filter(None, (svg, png)):
            write_picture(path, picture)
    lines += why.lines
    if data and known and why.winner is None:
        lines.append("this alone does not decide who wins; the first lines name the proof")
    tell(as_json, {**data, **why.data, "game": game.name, "spec": spec, "kind": chosen}, *lines)
    if why.limited or not known:
        raise typer.Exit(LIMIT)
