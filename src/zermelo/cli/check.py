"""`zermelo check FILE`: verify a certificate with the independent checker."""

from __future__ import annotations

from typing import Annotated

import typer

from zermelo.cli.options import Json, memory_option, parse_memory, time_option
from zermelo.cli.output import counted, tell
from zermelo.proof import Claim, check_file


def check(
    file: Annotated[str, typer.Argument(help="A certificate.")],
    slow: Annotated[bool, typer.Option("--slow", help="Use zcheck.py, the checker that is made for reading.")] = False,
    formal: Annotated[
        bool, typer.Option("--formal", help="Use zverify, the checker that is proved; ./dev formal builds it.")
    ] = False,
    threads: Annotated[
        int | None, typer.Option(help="Threads of the fast checker; all cores if not given.", min=1, max=256)
    ] = None,
    time: Annotated[float | None, time_option("Give up after this many seconds.")] = None,
    memory: Annotated[str | None, memory_option("Give up beyond this much memory")] = None,
    as_json: Json = False,
) -> None:
    if slow and formal:
        raise ValueError("--slow and --formal name two checkers: leave one out")
    if (slow or formal) and threads is not None:
        raise ValueError(f"--threads belongs to the fast checker: leave --{'slow' if slow else 'formal'} out")
    mebibytes = None if memory is None else parse_memory(memory) / 2**20
    report = check_file(file, slow=slow, formal=formal, threads=threads, seconds=time, mebibytes=mebibytes)
    said = report.said
    claim = ""
    if "spec" in said:
        marks = {player: tuple(cells) for player, cells in said.items() if isinstance(cells, list)}
        claimed = Claim(said["game"], said["spec"], said["starter"], said["winner"], marks=marks)
        claim = f"{claimed.game} {claimed.line}; "
    done = "by the proved checker" if formal else f"{counted(said.get('nodes', 0), 'node')} checked"
    rest = said.get("reason") or done
    tell(as_json, {**said, "file": file, "checker": report.checker}, f"{said['verdict']}: {claim}{rest}")
    raise typer.Exit(report.exit_code)
