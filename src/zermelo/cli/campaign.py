"""`zermelo campaign`: proofs too big for one sitting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.options import memory_option, parse_memory, player_case
from zermelo.cli.output import ANSWERED, LIMIT, REJECTED, counted, print_json

if TYPE_CHECKING:
    from zermelo.campaign.estimate import Sample
    from zermelo.campaign.runner import Runner
    from zermelo.store import Campaign, Store

campaign = typer.Typer(
    no_args_is_help=True,
    help="Prove a claim in work units, here or on a cluster. Stop and go on at any time.",
    rich_markup_mode=None,
)

STORE = typer.Option(
    "campaigns.db", "--store", envvar="ZERMELO_STORE", help="SQLite file, or postgresql://user@host/name."
)
JSON = typer.Option(False, "--json", help="Print JSON.")
NAME = typer.Argument(None, help="The campaign's name; may be left out if there is only one.")


WorkerMemory = Annotated[str, memory_option("Memory for tables of each worker (those of one machine share)")]
UnitSolverName = Annotated[str, typer.Option("--solver", help="What solves a unit.")]


@contextmanager
def existing_campaign(url: str, name: str, *, read_only: bool = False) -> Iterator[tuple[Store, Campaign]]:
    """Open a campaign of a store that must be there already; to read it needs no right to write."""
    from zermelo.store import open_store

    if "://" not in url and not Path(url).exists():
        raise ValueError(f"store {url!r} does not exist; make one with: zermelo campaign new")
    with open_store(url, read_only=read_only) as store:
        yield store, store.campaign(name)


@campaign.command()
def new(
    game: str = typer.Argument(help="domineering or mnk."),
    spec: str = typer.Argument(help="The position, such as 8x8 or 5,5,4."),
    name: str = typer.Option(None, "--name", help="The campaign's name; the spec if left out."),
    first: str = typer.Option("", "--first", callback=player_case, help="Who begins."),
    winner: str = typer.Option("", "--winner", callback=player_case, help="Who is claimed to win."),
    cut: int = typer.Option(None, "--cut", min=0, help="Cut the proof at this ply."),
    unit_nodes: int = typer.Option(
        None, "--unit-nodes", min=1, help="Cut where a unit is expected to need so many nodes."
    ),
    sample: int = typer.Option(40, "--sample", min=0, help="Units solved for the estimate."),
    probe: int = typer.Option(100, "--probe", min=0, help="Positions that so many nodes decide are not cut further."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Show the plan and forget it."),
    store: str = STORE,
    json: bool = JSON,
) -> None:
    """Plan a campaign: cut the proof of a claim into work units."""
    from zermelo.campaign.growth import tree_growth
    from zermelo.campaign.service import PlanOptions, campaign_report, campaign_tree, new_campaign
    from zermelo.store import open_store

    if cut is not None and unit_nodes is not None:
        raise ValueError("--cut and --unit-nodes exclude each other: one cut at a time")
    samples: list[Sample] = []
    with open_store(":memory:" if dry_run else store) as opened:
        made = new_campaign(
            opened,
            name or spec,
            game=game,
            spec=spec,
            first=first,
            winner=winner,
            options=PlanOptions(cut=cut, unit_nodes=unit_nodes, sample=sample, probe=probe),
            on_sample=samples.append,
        )
        report = campaign_report(opened, made)
        report["sampled"] = len(samples[0].sizes)
        report["unfinished"] = samples[0].unfinished
        growth = tree_growth(campaign_tree(made)) if dry_run else []
    if growth:
        report["growth"] = [{"ply": g.ply, "positions": g.positions, "children": g.children} for g in growth]
    if json:
        print_json(report)
        return
    show_plan(report)


def show_plan(report: dict[str, Any]) -> None:
    """Print the plan ply by ply, as the thesis does in its figure 5.1."""
    from rich.console import Console
    from rich.table import Table

    from zermelo.campaign.view import human

    growth = {line["ply"]: line for line in report.get("growth", [])}
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("ply", "plan", "growth", "units", "expected nodes"):
        table.add_column(title, justify="right")
    if growth:
        table.add_column("all positions", justify="right")
        table.add_column("moves", justify="right")
    lines = report["plies"]
    for line, below in zip(lines, [*lines[1:], None], strict=True):
        grows = f"{below['positions'] / line['positions']:.1f}" if below else "-"
        row = [str(line["ply"]), f"{line['positions']:,}", grows]
        row += [f"{line['units']:,}", human(line["estimate"]) if line["units"] else "-"]
        if growth:
            whole = growth.get(line["ply"])
            row.append(f"{whole['positions']:,}" if whole else "")
            row.append(f"{whole['children']:.0f}" if whole and whole["children"] else "")
        table.add_row(*row)
    console = Console()
    console.print(f"{report['claim']}?", highlight=False)
    if report["known"]:
        console.print(f"already known: {report['known']['winner']} wins, {report['known']['why']}", highlight=False)
    console.print(table)
    total = sum(line["estimate"] for line in lines)
    if report["unfinished"]:
        console.print(
            f"{report['unfinished']} of {report['sampled']} sampled units reached the limit: it is more than this",
            highlight=False,
        )
    console.print(
        f"{counted(report['units'], 'unit')}, about {human(total)} nodes together if each is searched on its own; "
        "neighbours share much: campaign estimate"
        if total
        else f"{counted(report['units'], 'unit')}, no estimate",
        highlight=False,
    )


@campaign.command()
def run(
    name: str = NAME,
    workers: int = typer.Option(None, "--workers", min=0, help="Worker processes; 0 works in this process."),
    scheduler: str = typer.Option(None, "--scheduler", help="A Dask scheduler, tls://host:8786."),
    tls_ca: Path = typer.Option(None, "--tls-ca", help="Certificate authority (PEM)."),
    tls_cert: Path = typer.Option(None, "--tls-cert", help="This client's certificate (PEM)."),
    tls_key: Path = typer.Option(None, "--tls-key", help="This client's key (PEM)."),
    trust: bool = typer.Option(False, "--trust", help="Count answers without a certificate."),
    certify: bool = typer.Option(False, "--certify", help="Do again, with certificates, what was only trusted so far."),
    recheck: float = typer.Option(
        0.02, "--recheck", min=0, max=1, help="Share of trusted answers found a second time."
    ),
    solver: UnitSolverName = "auto",
    unit_nodes: int = typer.Option(50_000_000, "--unit-nodes", min=1, help="Split a unit that needs more nodes."),
    memory: WorkerMemory = "1G",
    time: float = typer.Option(None, "--time", min=0, help="Stop after so many seconds."),
    hang: float = typer.Option(600, "--hang", min=1, help="Seconds until a silent task is ended."),
    retry: bool = typer.Option(False, "--retry", help="Try units again that were given up."),
    store: str = STORE,
    json: bool = JSON,
) -> None:
    """Work on a campaign until it is decided. Exit code 0 if the claim is proved, 1 if refuted; call again to go on."""
    import os

    from zermelo.campaign.executor import Tls
    from zermelo.campaign.runner import RunOptions
    from zermelo.campaign.service import executor_maker, run_campaign
    from zermelo.campaign.view import LiveView
    from zermelo.store import Status

    given = [file for file in (tls_ca, tls_cert, tls_key) if file is not None]
    if given and len(given) < 3:
        raise ValueError("--tls-ca, --tls-cert and --tls-key go together")
    for file in given:
        if not file.is_file():
            raise ValueError(f"file {str(file)!r} does not exist")
    if certify and trust:
        raise ValueError("--certify and --trust exclude each other")
    tls = Tls(tls_ca, tls_cert, tls_key) if given else None
    count = workers if workers is not None else (os.cpu_count() or 1)
    each = parse_memory(memory)

    options = RunOptions(
        unit_nodes=unit_nodes,
        hang_seconds=hang,
        recheck=recheck,
        memory=each,
        solver=solver,
        stop_seconds=time if time is not None else float("inf"),
    )
    view = LiveView()
    with existing_campaign(store, name) as (opened, chosen):
        if retry:
            opened.retry_given_up(chosen)
        if certify:
            opened.forget_uncertified(chosen)
        executor = executor_maker(chosen, workers=count, solver=solver, scheduler=scheduler, tls=tls)
        last: list[Runner] = []
        status = with_live_view(
            view,
            last,
            not json,
            lambda on_step: run_campaign(
                opened, chosen, executor=executor, options=options, trust=trust, on_step=on_step
            ),
        )
        from zermelo.campaign.service import campaign_report, verdict_words

        report = view.report(last[0], fresh=True) if last else campaign_report(opened, chosen)
    if json:
        print_json(report)
    else:
        print(verdict_words(report))
    raise typer.Exit({Status.PROVED: ANSWERED, Status.REFUTED: REJECTED}.get(status, LIMIT))


def with_live_view(view: Any, last: list[Runner], shown: bool, work: Any) -> Any:
    """Call ``work(on_step)``, with the picture in the terminal where there is one."""
    import sys

    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)

    def remember(runner: Runner) -> None:
        last[:] = [runner]

    if not shown or not sys.stderr.isatty():
        return work(remember)
    with Live(console=console, refresh_per_second=2, transient=False) as live:

        def step(runner: Runner) -> None:
            remember(runner)
            live.update(view.render(view.report(runner)))

        return work(step)


@campaign.command()
def status(
    name: str = NAME,
    plot: Path = typer.Option(None, "--plot", help="Write plots to this .png or .svg file."),
    store: str = STORE,
    json: bool = JSON,
) -> None:
    """Show where a campaign stands, and the work left."""
    from zermelo.campaign.service import campaign_report, verdict_words

    with existing_campaign(store, name, read_only=True) as (opened, chosen):
        report = campaign_report(opened, chosen)
        report["latest_failures"] = [
            {"unit": node, "worker": worker, "reason": reason}
            for node, worker, reason in opened.failures(chosen, limit=5)
        ]
        if plot is not None:
            from zermelo.campaign.plots import plot_campaign

            plot_campaign(opened, chosen, plot)
    if json:
        print_json(report)
        return
    from rich.console import Console

    from zermelo.campaign.view import LiveView

    console = Console()
    console.print(LiveView().render(report), highlight=False)
    for failure in report["latest_failures"]:
        console.print(f"unit {failure['unit']}: {failure['reason']}", highlight=False)
    console.print(verdict_words(report), highlight=False)


@campaign.command()
def export(
    name: str = NAME,
    output: Path = typer.Option(..., "--output", "-o", help="The certificate file to write."),
    solver: UnitSolverName = "auto",
    store: str = STORE,
    json: bool = JSON,
) -> None:
    """Write one certificate for a finished campaign. Verify it with: zermelo check FILE."""
    from zermelo.campaign.service import export_campaign

    if not output.parent.is_dir():
        raise ValueError(f"folder {str(output.parent)!r} does not exist")
    with existing_campaign(store, name, read_only=True) as (opened, chosen):
        again = export_campaign(opened, chosen, output, solver=solver)
    size = output.stat().st_size
    if json:
        print_json({"campaign": chosen.name, "file": str(output), "bytes": size, "proved_again": again})
    else:
        print(f"{output}: {size:,} bytes, {counted(again, 'unit')} proved again")


@campaign.command()
def estimate(
    name: str = NAME,
    units: int = typer.Option(1000, "--units", min=1, help="Units of the sample at most."),
    run: int = typer.Option(
        100, "--run", min=1, help="Neighbouring units solved one after the other, as a worker does."
    ),
    time: float = typer.Option(60.0, "--time", min=0, help="Begin no run after so many seconds."),
    unit_nodes: int = typer.Option(20_000_000, "--unit-nodes", min=1, help="Stop a unit at so many nodes."),
    workers: int = typer.Option(0, "--workers", min=0, help="Worker processes; 0 works in this process."),
    memory: WorkerMemory = "1G",
    seed: int = typer.Option(1, "--seed", help="Which sample."),
    output: Path = typer.Option(None, "--output", "-o", help="Write the sizes to this file, for simulate --sizes."),
    solver: UnitSolverName = "auto",
    store: str = STORE,
    json: bool = JSON,
) -> None:
    """Tell what all units would cost, from a random sample. Records nothing."""
    from zermelo.campaign.service import EstimateOptions, estimate_campaign

    options = EstimateOptions(units, run, time, unit_nodes, workers, parse_memory(memory), seed, solver)
    with existing_campaign(store, name, read_only=True) as (opened, chosen):
        report = estimate_campaign(opened, chosen, options, output=output)
    if json:
        print_json(report)
    else:
        show_estimate(report)


def show_estimate(report: dict[str, Any]) -> None:
    """Print the distribution of a sample and what it says of all units."""
    from zermelo.campaign.view import human

    print(
        f"{report['sampled']:,} of {report['units']:,} units, {report['runs']:,} runs of neighbours: "
        f"{report['proved']:,} proved, "
        f"{report['refuted']:,} refuted, {report['unfinished']:,} stopped at the limit"
    )
    sizes = ", ".join(f"{p} %: {human(size)}" for p, size in report["percentiles"].items())
    print(f"nodes of a unit: {sizes}")
    print(f"the largest hundredth of the units hold {report['largest_hundredth']:.0%} of the work")
    more = "at least " if report["unfinished"] else ""
    low, high = human(report["nodes_low"]), human(report["nodes_high"])
    print(f"all units: {more}{human(report['nodes'])} nodes (9 times in 10: {low} to {high})")
    print(
        f"all units: {more}{report['core_hours']:.3g} core-hours "
        f"({report['core_hours_low']:.3g} to {report['core_hours_high']:.3g})"
    )


@campaign.command()
def simulate(
    name: str = NAME,
    sizes_file: Path = typer.Option(
        None, "--sizes", help="Sizes that campaign estimate --output wrote; else finished units."
    ),
    workers: str = typer.Option("10,1000,100000", "--workers", help="Numbers of workers."),
    units: int = typer.Option(None, "--units", min=1, help="Units; as planned if left out."),
    scale: float = typer.Option(1.0, "--scale", min=0, help="How many times more a unit costs than those measured."),
    cap: float = typer.Option(60.0, "--cap", min=0.001, help="Units above this are split (s)."),
    store: str = STORE,
    json: bool = JSON,
) -> None:
    """Predict times on a cluster from the sizes of finished units. Makespan and efficiency."""
    from dataclasses import asdict

    from rich.console import Console
    from rich.table import Table

    from zermelo.campaign.sampling import read_sample
    from zermelo.campaign.simulate import Costs, predict, resample
    from zermelo.campaign.view import duration

    counts = [int(word) for word in workers.split(",") if word.strip().isdigit()]
    if not counts or min(counts) < 1:
        raise ValueError(f"--workers {workers[:40]!r} is not a list such as 10,1000")
    with existing_campaign(store, name, read_only=True) as (opened, chosen):
        if sizes_file is not None:
            measured = [one.seconds * scale for one in read_sample(sizes_file)]
        else:
            measured = [seconds * scale for seconds, _, _ in opened.sizes(chosen)][:1_000_000]
        planned = units or opened.progress(chosen).units
    if not measured:
        raise ValueError("no unit is finished yet: run the campaign for a while first")
    sizes = measured if len(measured) == planned else resample(measured, planned)
    found = [predict(sizes, count, Costs(cap_seconds=cap)) for count in counts]
    if json:
        print_json({"campaign": chosen.name, "predictions": [asdict(one) for one in found]})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("workers", "units", "tasks", "time", "efficiency", "results/s", "limited by"):
        table.add_column(title, justify="right")
    for one in found:
        table.add_row(
            f"{one.workers:,}",
            f"{one.units:,}",
            f"{one.tasks:,}",
            duration(one.makespan),
            f"{one.efficiency:.1%}",
            f"{one.results_per_second:,.0f}",
            one.limited_by,
        )
    Console().print(table, highlight=False)
