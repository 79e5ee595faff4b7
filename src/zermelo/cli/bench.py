"""`zermelo bench`: published tables beside ours, the number that commits quote, and the comparison of two runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from zermelo import __version__
from zermelo.bench.record import Measurement, commit, geometric_mean, machine, read_csv, write_csv
from zermelo.bench.record import compare as pairs_of
from zermelo.cli.options import Json, time_option
from zermelo.cli.output import REJECTED, print_error, print_json

bench = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

Csv = Annotated[Path | None, typer.Option("--csv", help="Also write the rows to this file.", metavar="FILE")]
Seconds = Annotated[float, time_option("Give up each board after this many seconds and mark its row.", "--seconds")]
CUT = "cut short by the limit"


def show(rows: Iterable[Measurement], width: int) -> Iterator[Measurement]:
    """Print each row as soon as it is measured; a run that a limit cut short says so and shows no ratio."""
    head = f"{'case':<26} {'setting':<{width}}{'answer':>8}{'nodes':>15}{'published':>16}{'ratio':>8}"
    head += f"{'seconds':>9}{'Mnodes/s':>9}"
    suite = ""
    for row in rows:
        if row.suite != suite:
            suite = row.suite
            print(f"\n{suite}\n{head}", flush=True)
        there = f"{row.published_nodes:,}" if row.published_nodes else ""
        if row.published_seconds is not None:
            there = f"{row.published_seconds:,.1f} s".replace("inf s", ">72 h")
        ratio = f"{row.nodes / row.published_nodes:.3f}" if row.published_nodes and not row.cut else ""
        rate = f"{row.nodes / row.seconds / 1e6:.2f}" if row.seconds > 0.005 else ""
        mark = " WRONG" if row.wrong else f"  {CUT}" if row.cut else ""
        print(
            f"{row.case:<26} {row.setting:<{width}}{row.answer:>8}{row.nodes:>15,}{there:>16}{ratio:>8}"
            f"{row.seconds:>9.3f}{rate:>9}{mark}",
            flush=True,
        )
        yield row


def finish(rows: Iterable[Measurement], csv: Path | None, as_json: bool, *, width: int = 26) -> list[Measurement]:
    """Measure, print, write and return the rows; a wrong answer makes the command fail."""
    done = list(rows if as_json else show(rows, width))
    if as_json:
        print_json({"commit": commit(), "machine": machine(), "rows": [row.to_json() for row in done]})
    if csv is not None:
        write_csv(csv, done)
    wrong = [row for row in done if row.wrong]
    if wrong:
        print_error(f"{wrong[0].case}: answered {wrong[0].answer}, published is {wrong[0].published_answer}")
        raise typer.Exit(REJECTED)
    return done


@bench.command("signature")
def signature_command(as_json: Json = False) -> None:
    """The number that commits quote. The nodes of a fixed list of questions, on one thread."""
    from zermelo.bench.signature import Counted, signature

    rows: list[Counted] = []
    for row in signature():
        rows.append(row)
        if not as_json:
            print(f"{row.game} {row.spec} {row.options}".rstrip() + f": {row.answer}, {row.nodes:,}", flush=True)
    total = sum(row.nodes for row in rows)
    if as_json:
        print_json({"signature": total, "rows": [row._asdict() for row in rows], "version": __version__})
    else:
        print(f"Bench: {total}")


@bench.command("papers")
def papers(
    figures: Annotated[list[str] | None, typer.Argument(help="Which tables; all if none is named.")] = None,
    seconds: Seconds = 20.0,
    csv: Csv = None,
    as_json: Json = False,
) -> None:
    """Regenerate the papers' tables with their settings. A table ends after two boards that reach the limit."""
    from zermelo.bench.papers import FIGURES

    wanted = figures or list(FIGURES)
    for name in wanted:
        if name not in FIGURES:
            raise ValueError(f"figure {name!r} is not known: {', '.join(FIGURES)}")
    finish((row for name in wanted for row in FIGURES[name](seconds)), csv, as_json)


@bench.command("pg")
def pg_command(
    folder: Annotated[Path, typer.Argument(help="A folder of .pg files; each folder below it is a family.")],
    seconds: Seconds = 10.0,
    csv: Csv = None,
    as_json: Json = False,
) -> None:
    """Answer published .pg files. A line for each family, then the files without an answer."""
    from zermelo.bench.pg import Family, find_files, measure

    files, lines, rows = find_files(folder), list[Family](), list[Measurement]()
    names = [file.parent.relative_to(folder.parent).as_posix() for file in files]
    head = f"{'files':>7}{'answered':>10}{'Black wins':>12}{'median s':>10}{'worst s':>9}  slowest"
    width = max(map(len, [*names, "family"]))
    if not as_json:
        print(f"{'family':<{width}}{head}", flush=True)
    for file, name in zip(files, names, strict=True):
        rows.append(measure(file, name, seconds))
    for line in Family.table(rows):
        lines.append(line)
        if not as_json:
            counts = f"{line.files:>7,}{line.answered:>10,}{line.black:>12,}"
            spent = f"{line.median:>10.3f}{line.worst:>9.3f}"
            print(f"{line.family:<{width}}{counts}{spent}  {line.slowest}", flush=True)
    for row in rows:
        if row.cut and not as_json:
            print(f"not answered: {row.suite}/{row.case}.pg: {row.answer}")
    if as_json:
        where = {"commit": commit(), "machine": machine()}
        print_json(where | {"families": [line._asdict() for line in lines], "rows": [row.to_json() for row in rows]})
    if csv is not None:
        write_csv(csv, rows)


@bench.command("compare")
def compare(old: Path, new: Path, as_json: Json = False) -> None:
    """Compare two files written with --csv. Ratios new over old: below 1 is better."""
    pairs = pairs_of(read_csv(old), read_csv(new))
    if not pairs:
        raise ValueError("the two files have no measurement in common")
    whole = [now.ratios(before) for before, now in pairs if not (before.cut or now.cut)]
    means = {
        name: geometric_mean(ratios[name] for ratios in whole) if whole else None
        for name in ("node_ratio", "time_ratio")
    }
    if as_json:
        print_json(means | {"rows": [now.to_json() | now.ratios(before) for before, now in pairs]})
        return
    print(f"{'case':<26} {'setting':<26}{'nodes':>14}{'ratio':>8}{'seconds':>10}{'ratio':>8}")
    for before, row in pairs:
        node_ratio, time_ratio = row.ratios(before).values()
        mark = f"  {CUT}" if before.cut or row.cut else ""
        print(
            f"{row.case:<26} {row.setting:<26}{row.nodes:>14,}{node_ratio:>8.3f}"
            f"{row.seconds:>10.3f}{time_ratio:>8.3f}{mark}"
        )
    if whole:
        print(f"geometric mean over {len(whole):,}: nodes {means['node_ratio']:.3f}, time {means['time_ratio']:.3f}")
