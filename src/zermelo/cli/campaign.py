"""`zermelo campaign`: proofs too big for one sitting."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from zermelo.campaign.executor import Tls
from zermelo.campaign.export import export_campaign
from zermelo.campaign.runner import RunOptions
from zermelo.campaign.service import (
    campaign_report,
    estimate_campaign,
    executor_maker,
    known_answer,
    new_campaign,
    run_campaign,
    verdict_words,
)
from zermelo.campaign.turn import first_turn
from zermelo.campaign.view import LiveView, human, nodes, run_report, status_lines
from zermelo.cli.options import MOST_NODES, Json, memory_option, parse_memory, player_of, time_option
from zermelo.cli.output import ANSWERED, LIMIT, REJECTED, counted, table_lines, tell, terminal_line
from zermelo.game import find_game
from zermelo.store import Campaign, Status, Store, open_store

campaign = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

StoreUrl = Annotated[
    str, typer.Option("--store", envvar="ZERMELO_STORE", help="SQLite file, or postgresql://user@host/name.")
]
Name = Annotated[str | None, typer.Argument(help="The campaign's name. It may be left out if there is only one.")]
WorkerMemory = Annotated[str, memory_option("Memory for tables of each worker (those of one machine share)")]
Trust = Annotated[bool, typer.Option("--trust", help="Count answers without certificates.")]


@contextmanager
def existing_campaign(url: str, name: str | None, *, read_only: bool = False) -> Iterator[tuple[Store, Campaign]]:
    """Open a campaign of a store that must be there already; to read it needs no right to write."""
    if "://" not in url and not Path(url).exists():
        raise ValueError(f"store {url!r} does not exist; make one with: zermelo campaign new")
    with open_store(url, read_only=read_only) as store:
        yield store, store.campaign(name)


@campaign.command()
def new(
    game: Annotated[str, typer.Argument(help="The game, as in `zermelo solve GAME`.")],
    spec: Annotated[str, typer.Argument(help="The position, as in `zermelo solve GAME SPEC`.")],
    name: Annotated[str | None, typer.Option(help="The campaign's name. The spec if not given.")] = None,
    first: Annotated[str | None, typer.Option(help="Who begins, where the position leaves it open.")] = None,
    winner: Annotated[str | None, typer.Option(help="Who is claimed to win. Who begins if not given.")] = None,
    cut: Annotated[int | None, typer.Option(min=0, max=1000, help="Cut the proof at this ply.")] = None,
    unit_nodes: Annotated[
        int | None, typer.Option(min=1, max=MOST_NODES, help="Cut where a unit is expected to need this many nodes.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan and forget it.")] = False,
    store: StoreUrl = "campaigns.db",
    as_json: Json = False,
) -> None:
    """Plan a campaign: cut the proof of a claim into work units."""
    if cut is not None and unit_nodes is not None:
        raise ValueError("--cut and --unit-nodes exclude each other: one cut at a time")
    played = find_game(game)
    sides = {"first": player_of(played, "--first", first) or "", "winner": player_of(played, "--winner", winner) or ""}
    first_turn(played, spec, **sides)  # a claim that is refused makes no store
    with open_store(":memory:" if dry_run else store) as opened:
        made = new_campaign(opened, name or spec, played, spec, **sides, cut=cut, unit_nodes=unit_nodes or 5_000_000)
        report, known = campaign_report(opened, made), known_answer(made)
    report["known"] = None if known is None else {"winner": known.winner, "by": known.by, "why": known.why}
    tell(as_json, report, *plan_lines(report))


def plan_lines(report: dict[str, Any]) -> Iterator[str]:
    """Yield the plan ply by ply, as the thesis does in its figure 5.1."""
    yield f"{report['claim']}?"
    if known := report["known"]:
        yield f"already known: {known['winner']} wins, {known['why']}"
    lines = report["plies"]
    rows = []
    for line, below in zip(lines, [*lines[1:], None], strict=True):
        grows = f"{below['positions'] / line['positions']:.1f}" if below else "-"
        rows.append([str(line["ply"]), f"{line['positions']:,}", grows, f"{line['units']:,}"])
    yield from table_lines(["ply", "plan", "growth", "units"], rows)
    yield f"{counted(report['units'], 'unit')}; their cost: zermelo campaign estimate"


@campaign.command()
def run(
    name: Name = None,
    workers: Annotated[
        int | None, typer.Option(min=0, max=10_000, help="Workers. One for each core if not given; 0: no others.")
    ] = None,
    scheduler: Annotated[str | None, typer.Option(help="A Dask scheduler, tls://host:8786.")] = None,
    tls_ca: Annotated[Path | None, typer.Option(help="Certificate authority (PEM).", exists=True)] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="This client's certificate (PEM).", exists=True)] = None,
    tls_key: Annotated[Path | None, typer.Option(help="This client's key (PEM).", exists=True)] = None,
    trust: Trust = False,
    unit_nodes: Annotated[
        int, typer.Option(min=1, max=MOST_NODES, help="Split a unit that needs more nodes.")
    ] = 50_000_000,
    memory: WorkerMemory = "1G",
    time: Annotated[float | None, time_option("Stop after this many seconds. Call again to go on.")] = None,
    hang: Annotated[float, typer.Option(min=1, help="Seconds until a silent task is ended.")] = 600,
    retry: Annotated[bool, typer.Option("--retry", help="Try units again that were given up.")] = False,
    store: StoreUrl = "campaigns.db",
    as_json: Json = False,
) -> None:
    """Work on a campaign until it is decided. Exit code 0 if the claim is proved, 1 if refuted; call again to go on."""
    given = [file for file in (tls_ca, tls_cert, tls_key) if file is not None]
    if given and len(given) < 3:
        raise ValueError("--tls-ca, --tls-cert and --tls-key go together")
    if given and scheduler is None:
        raise ValueError("--tls-ca, --tls-cert and --tls-key belong to --scheduler")
    options = RunOptions(
        unit_nodes=unit_nodes,
        hang_seconds=hang,
        memory=parse_memory(memory),
        trust=trust,
        stop_seconds=time if time is not None else float("inf"),
    )
    with existing_campaign(store, name) as (opened, chosen):
        if retry:
            opened.retry_given_up(chosen)
        count = workers if workers is not None else (os.cpu_count() or 1)
        tls = Tls(*given) if given else None
        executor = executor_maker(chosen, workers=count, scheduler=scheduler, tls=tls)
        with terminal_line(quiet=as_json) as show:
            view = LiveView(show)
            status = run_campaign(opened, chosen, executor=executor, options=options, on_step=view.step)
        report = run_report(view.runner) if view.runner else campaign_report(opened, chosen)
    tell(as_json, report, verdict_words(report))
    raise typer.Exit({Status.PROVED: ANSWERED, Status.REFUTED: REJECTED}.get(status, LIMIT))


@campaign.command()
def status(name: Name = None, store: StoreUrl = "campaigns.db", as_json: Json = False) -> None:
    """Show where a campaign stands, and the work left."""
    with existing_campaign(store, name, read_only=True) as (opened, chosen):
        report = campaign_report(opened, chosen)
        report["latest_failures"] = [
            {"unit": node, "worker": worker, "reason": reason}
            for node, worker, reason in opened.failures(chosen, limit=5)
        ]
    failures = [f"unit {failure['unit']}: {failure['reason']}" for failure in report["latest_failures"]]
    tell(
        as_json,
        report,
        *(f"{name:<11}{words}" for name, words in status_lines(report)),
        *failures,
        verdict_words(report),
    )


@campaign.command()
def export(
    name: Name = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The certificate file to write.")] = ...,  # type: ignore[assignment]
    store: StoreUrl = "campaigns.db",
    as_json: Json = False,
) -> None:
    """Write one certificate for a finished campaign. Verify it with: zermelo check FILE."""
    if not output.parent.is_dir():
        raise ValueError(f"folder {str(output.parent)!r} does not exist")
    with existing_campaign(store, name, read_only=True) as (opened, chosen):
        again = export_campaign(opened, chosen, output)
    size = output.stat().st_size
    data = {"campaign": chosen.name, "file": str(output), "bytes": size, "proved_again": again}
    tell(as_json, data, f"{output}: {size:,} bytes, {counted(again, 'unit')} proved again")


@campaign.command()
def estimate(
    name: Name = None,
    units: Annotated[int, typer.Option(min=1, max=10_000_000, help="Units of the sample at most.")] = 1000,
    time: Annotated[
        float, time_option("Stop after this many seconds; the units under way count as unfinished.")
    ] = 60.0,
    unit_nodes: Annotated[
        int, typer.Option(min=1, max=MOST_NODES, help="Stop a unit at this many nodes.")
    ] = 20_000_000,
    workers: Annotated[int, typer.Option(min=0, max=10_000, help="Workers. 0: no others.")] = 0,
    memory: WorkerMemory = "1G",
    seed: Annotated[int, typer.Option(help="Which sample.")] = 1,
    trust: Trust = False,
    store: StoreUrl = "campaigns.db",
    as_json: Json = False,
) -> None:
    """Estimate the cost of all units from a random sample. Records nothing."""
    options = RunOptions(unit_nodes=unit_nodes, memory=parse_memory(memory), trust=trust, stop_seconds=time)
    with existing_campaign(store, name, read_only=True) as (opened, chosen):
        report = estimate_campaign(opened, chosen, options, units=units, workers=workers, seed=seed)
    tell(as_json, report, *estimate_lines(report))


def estimate_lines(report: dict[str, Any]) -> Iterator[str]:
    """Yield the distribution of a sample and the estimates for all units."""
    yield (
        f"{report['sampled']:,} of {counted(report['units'], 'unit')}, {counted(report['runs'], 'run')} of neighbours: "
        f"{report['proved']:,} proved, {report['refuted']:,} refuted, {report['unfinished']:,} stopped at the limit"
    )
    sizes = ", ".join(f"{p} %: {human(size)}" for p, size in report["percentiles"].items())
    yield f"nodes of a unit: {sizes}"
    yield f"the largest hundredth of the units hold {report['largest_hundredth']:.0%} of the work"
    more = "at least " if report["unfinished"] else ""
    low, high = human(report["nodes_low"]), human(report["nodes_high"])
    yield f"all units: {more}{nodes(report['nodes'])} (9 times in 10: {low} to {high})"
    low, high = report["core_hours_low"], report["core_hours_high"]
    yield f"all units: {more}{report['core_hours']:.3g} core-hours ({low:.3g} to {high:.3g})"
