"""What the command line and the web page do with campaigns: make, plan, run, estimate, export, report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from zermelo._core import CancelToken
from zermelo.campaign.estimate import Sample, fit, remaining, reservoir
from zermelo.campaign.executor import DaskExecutor, Executor, InlineExecutor, Tls
from zermelo.campaign.export import certificate_check
from zermelo.campaign.export import export_campaign as export_campaign
from zermelo.campaign.game_planner import GamePlanner
from zermelo.campaign.planner import Planner, Probe
from zermelo.campaign.runner import Runner, RunOptions
from zermelo.campaign.sampling import PlannedUnit, measure, random_runs, summary, write_sample
from zermelo.campaign.worker import DEFAULT_MEMORY, Task, campaign_task, campaign_tree, make_solver
from zermelo.game import Clock, Limits
from zermelo.game.units import Status, Tree
from zermelo.proof import Checker
from zermelo.running import cancelled_after
from zermelo.store import Campaign, Store, open_store

STATUS_WORDS = {Status.OPEN: "open", Status.PROVED: "proved", Status.REFUTED: "refuted", Status.GIVEN_UP: "given up"}
DEEPEST_CUT = 40
SAMPLE_SECONDS, SAMPLE_NODES = 20.0, 2_000_000
"""What a sample for the estimate may cost, and each of its units."""


@dataclass(frozen=True)
class PlanOptions:
    """How a claim is cut: at a ply, or deeper and deeper until a unit is expected to be small enough."""

    cut: int | None = None
    unit_nodes: int | None = None
    sample: int = 40
    probe: int = 0
    solver: str = "auto"


# Planning


def campaign_planner(store: Store, campaign: Campaign, cancel: CancelToken | None = None) -> Planner:
    """Return the campaign's planner; the token ends its searches."""
    tree, options = campaign_tree(campaign), campaign.options
    if tree.plans_itself:
        return GamePlanner(tree, store.plan(campaign), cut=int(options["cut"]), certificate=store.certificate)
    search = planner_search(tree, str(options.get("solver", "auto")), cancel)
    cut, probe = int(options["cut"]), int(options.get("probe", 0))
    return Planner(tree, store.plan(campaign), cut=cut, search=search, probe=probe)


def planner_search(tree: Tree, solver: str, cancel: CancelToken | None = None) -> Probe:
    """Return a search for the planner; it is made when it is first needed."""
    made = cache(lambda: make_solver(tree, solver))
    return lambda position, nodes: made().solve(position, nodes=nodes, cancel=cancel).status


def new_campaign(
    store: Store, name: str, tree: Tree, options: PlanOptions, *, on_sample: Callable[[Sample], None] | None = None
) -> Campaign:
    """Make a campaign of a claim and its plan, with an estimate for each unit.

    :raises ValueError: if the name is taken.
    """
    cut = options.cut if options.cut is not None else choose_cut(tree, options)
    about: dict[str, Any] = {"first": tree.first, "cut": cut, "probe": options.probe, "solver": options.solver}
    known = tree.known()
    if known is not None:
        about["known"] = {"winner": known.winner, "by": known.by, "why": known.why}
    campaign = store.create(name, game=tree.name, spec=tree.spec, winner=tree.winner, options=about)
    planner = campaign_planner(store, campaign)
    planner.grow()
    planner.repair()
    sample = write_estimates(planner, options)
    if on_sample:
        on_sample(sample)
    return campaign


def choose_cut(tree: Tree, options: PlanOptions) -> int:
    """Return the shallowest cut, two plies at a time, whose units are expected to be small enough.

    A game that plans itself begins with one unit: heavy ones are split, and what was found of them is not lost.
    """
    if tree.plans_itself:
        if options.unit_nodes is not None:
            raise ValueError(f"{tree.name} begins with one unit, and splits it at `campaign run --unit-nodes`")
        return 0
    wanted = options.unit_nodes or 5_000_000
    # The other player moves at a unit: a certificate can refer to such a position.
    first = 1 if tree.mover(tree.root()) == tree.winner else 0
    with open_store(":memory:") as scratch:
        for cut in range(first, DEEPEST_CUT, 2):
            campaign = scratch.create(f"cut {cut}", game=tree.name, spec=tree.spec, winner=tree.winner, options={})
            search = planner_search(tree, options.solver)
            planner = Planner(tree, scratch.plan(campaign), cut=cut, search=search, probe=options.probe)
            planner.grow()
            sizes = [nodes for _, nodes in sampled(planner, options, nodes=10 * wanted).sizes]
            if not sizes or sum(sizes) / len(sizes) <= wanted:
                return cut
    return DEEPEST_CUT


def sampled(planner: Planner, options: PlanOptions, *, nodes: int) -> Sample:
    """Solve a random sample of the plan's units, each within so many nodes."""
    solver, clock = make_solver(planner.tree, options.solver), Clock(Limits(SAMPLE_SECONDS))
    chosen, _ = reservoir((node.position for node in planner.plan.units()), options.sample)
    sizes, unfinished = list[tuple[tuple[float, ...], int]](), 0
    for position in chosen:
        answer = solver.solve(position, nodes=nodes)
        unfinished += answer.status is Status.OPEN
        sizes.append((planner.tree.features(position), answer.nodes))
        if clock.over:
            break
    return Sample(sizes, unfinished)


def write_estimates(planner: Planner, options: PlanOptions) -> Sample:
    """Solve a sample of the units and write an estimate for every unit; return the sample."""
    if options.sample <= 0 or planner.tree.plans_itself:  # what one of its units finds shortens the next
        return Sample([], 0)
    sample = sampled(planner, options, nodes=SAMPLE_NODES)
    if not sample.sizes:
        return sample
    model = fit(sample.sizes)
    planner.estimate = lambda position: model(planner.tree.features(position))
    portion: list[tuple[int, float]] = []
    for unit in planner.plan.units():
        portion.append((unit.id, planner.estimate(unit.position)))
        if len(portion) >= 5000:
            planner.plan.set_estimates(portion)
            portion = []
    planner.plan.set_estimates(portion)
    return sample


# Running


def executor_maker(
    campaign: Campaign, *, workers: int, solver: str = "auto", scheduler: str | None = None, tls: Tls | None = None
) -> Callable[[], Executor]:
    """Return what makes an executor: this process for 0 workers, else Dask's, here or by a scheduler's address.

    The workers of a game that plans itself are threads of this process: its units are short, and Dask takes two seconds
    to start.
    """
    tree = campaign_tree(campaign)
    if scheduler is None and (workers == 0 or tree.plans_itself):
        return lambda: InlineExecutor(max(1, workers))
    together = solver == "auto" and tree.shares_tables
    return lambda: DaskExecutor(workers=workers, scheduler=scheduler, tls=tls, together=together)


def run_campaign(
    store: Store,
    campaign: Campaign,
    *,
    executor: Callable[[], Executor],
    options: RunOptions,
    trust: bool,
    on_step: Callable[[Runner], None] | None = None,
) -> Status:
    """Work on a campaign until it is proved or refuted, or a limit is reached."""
    over = CancelToken()
    planner = campaign_planner(store, campaign, over)
    with Checker() as checker, cancelled_after(over, options.stop_seconds):
        runner = Runner(
            store,
            campaign,
            planner,
            executor=executor,
            arbiter=lambda: make_solver(planner.tree, options.solver, memory=options.memory),
            accept=None if trust else certificate_check(planner.tree, checker),
            options=options,
            on_step=on_step,
        )
        return runner.run()


@dataclass(frozen=True)
class EstimateOptions:
    """Which sample of the units is solved, and how."""

    units: int = 1000
    run: int = 100
    seconds: float = 60.0
    unit_nodes: int = 20_000_000
    workers: int = 0
    memory: int = DEFAULT_MEMORY
    seed: int = 1
    solver: str = "auto"


def estimate_campaign(
    store: Store, campaign: Campaign, options: EstimateOptions, *, output: Path | None = None
) -> dict[str, Any]:
    """Solve a random sample of all units, record nothing, and return what it says of all, ready for JSON.

    :raises ValueError: if nothing was solved in the time, or units share so much that a sample says nothing of all.
    """
    if campaign_tree(campaign).plans_itself:
        raise ValueError(
            f"units of {campaign.game} share what they find, so a sample tells nothing of all; how far a search comes: "
            f"zermelo solve {campaign.game} {campaign.spec} --time 60"
        )
    planned = [(unit.id, unit.position) for unit in store.plan(campaign).units()]

    def task_of(neighbours: Sequence[PlannedUnit]) -> Task:
        limits = {"nodes": options.unit_nodes, "seconds": float("inf"), "certify": False}
        return campaign_task(campaign, neighbours, solver=options.solver, memory=options.memory, **limits)

    executor = executor_maker(campaign, workers=options.workers, solver=options.solver)()
    try:
        runs = random_runs(planned, options.run, options.seed)
        number = max(1, options.units // len(runs[0])) if runs else 0
        sample = measure(executor, task_of, runs[:number], seconds=options.seconds)
    finally:
        executor.close()
    if output is not None:
        write_sample(output, sample)
    return {"campaign": campaign.name, **summary(sample, len(planned))}


# Reporting


def known_winner(campaign: Campaign, status: Status) -> str | None:
    """Return who wins by what is proved or refuted, None while that is open."""
    if status is Status.REFUTED:
        return campaign_tree(campaign).loser
    return campaign.winner if status is Status.PROVED else None


def claim_words(campaign: Campaign) -> str:
    starts = f" if {campaign.first} starts" if campaign.first else ""
    try:
        rules = campaign_tree(campaign).rules
    except ValueError:  # a game that is not installed here; its stores can be looked at all the same
        rules = ""
    return f"{campaign.winner} wins {campaign.game} {campaign.spec}{starts}{rules}"


def verdict_words(report: Mapping[str, Any]) -> str:
    """Return what came out, in one line."""
    if report["status"] == "refuted":
        return f"{report['claim']}: the claim is false, {report['wins']} wins"
    return f"{report['claim']}: {report['status']}"


def campaign_report(store: Store, campaign: Campaign) -> dict[str, Any]:
    """Return where a campaign stands, ready for JSON: keys are documented in docs/howto-cluster.md."""
    progress = store.progress(campaign)
    status = store.campaign(campaign.name).status
    decided = status in (Status.PROVED, Status.REFUTED)
    # What is decided has no work left, though units may be open that nobody needs any more.
    open_units = 0 if decided else progress.open + progress.given_up
    left = remaining(store.sizes(campaign), open_units, store.open_estimate(campaign))
    rate = progress.nodes / progress.seconds if progress.seconds else None
    return {
        "campaign": campaign.name,
        "game": campaign.game,
        "spec": campaign.spec,
        "first": campaign.first or None,
        "winner": campaign.winner,
        "claim": claim_words(campaign),
        "known": campaign.options.get("known"),
        "status": STATUS_WORDS[status],
        "wins": known_winner(campaign, status),
        "cut": campaign.options.get("cut"),
        **asdict(progress),
        "seconds": round(progress.seconds, 3),
        "nodes_per_second": round(rate) if rate else None,
        "remaining_nodes": _finite(left.value) if left.finished or not open_units else None,
        "remaining_low": _finite(left.low),
        "remaining_high": _finite(left.high),
        "rough": left.rough and not decided,
        "plies": [ply._asdict() for ply in store.plan(campaign).by_ply()],
    }


def _finite(value: float) -> int | None:
    return round(value) if value < 1e300 else None
