"""The services of campaigns for the command line and the web page: plan, run, estimate, report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from functools import cache, partial
from typing import Any

from zermelo._core import CancelToken
from zermelo.campaign.estimate import measure, random_runs, summary, total
from zermelo.campaign.executor import DaskExecutor, Executor, Tls
from zermelo.campaign.export import certificate_check, winner_by
from zermelo.campaign.planner import Planner, Search
from zermelo.campaign.runner import Runner, RunOptions
from zermelo.campaign.turn import first_turn
from zermelo.campaign.worker import DEFAULT_MEMORY, UnitSolver
from zermelo.game import Answer, Game, Limits, find_game
from zermelo.proof import Checker
from zermelo.running import cancelled_after
from zermelo.store import Campaign, Status, Store, open_store
from zermelo.words import counted

DEEPEST_CUT = 40
SAMPLE_UNITS, SAMPLE_SECONDS = 40, 20.0
"""Units of a plan that are solved to see how large they are, and for how long at most."""

# Planning


def planner_search(campaign: Campaign, cancel: CancelToken | None = None) -> Search:
    """Return a search for the planner; its tables are made when it is first needed."""
    solver = cache(lambda: UnitSolver(campaign.game, DEFAULT_MEMORY))
    return lambda turn, nodes: solver().answer(turn, nodes=nodes, cancel=cancel).winner


def new_campaign(
    store: Store,
    name: str,
    game: Game,
    spec: str,
    *,
    first: str = "",
    winner: str = "",
    cut: int | None = None,
    unit_nodes: int = 5_000_000,
) -> Campaign:
    """Make a campaign of a claim and its plan, cut at a ply, or where a unit is expected to need so many nodes.

    :raises ValueError: if the claim makes no sense, or the name is taken.
    """
    root, winner = first_turn(game, spec, first, winner)
    claim = {"game": game.name, "spec": spec, "first": root.player, "winner": winner}
    cut = choose_cut(claim, unit_nodes) if cut is None else cut
    campaign = store.create(name, **claim, cut=cut)
    Planner(campaign, store.plan(campaign)).grow()
    return campaign


def choose_cut(claim: Mapping[str, str], unit_nodes: int) -> int:
    """Return the shallowest cut, two plies at a time, whose units are expected to be small enough.

    The other player moves at a unit, because a certificate can refer to such a position.
    """
    options = RunOptions(unit_nodes=10 * unit_nodes, trust=True)
    with open_store(":memory:") as scratch, closing(Executor()) as executor:
        for cut in range(int(claim["first"] == claim["winner"]), DEEPEST_CUT, 2):
            campaign = scratch.create(f"cut {cut}", **claim, cut=cut)
            plan = scratch.plan(campaign)
            Planner(campaign, plan).grow()
            runs = random_runs([(unit.id, unit.position) for unit in plan.units()], 1, length=1)[:SAMPLE_UNITS]
            sample = measure(executor, partial(options.task, campaign), runs, seconds=SAMPLE_SECONDS)
            sizes = [one.nodes for run in sample for one in run]
            if not sizes or sum(sizes) / len(sizes) <= unit_nodes:
                return cut
    return DEEPEST_CUT


def known_answer(campaign: Campaign) -> Answer | None:
    """Return who wins by rules or facts, without a search."""
    game = find_game(campaign.game)
    turn, _ = first_turn(game, campaign.spec, campaign.first, campaign.winner)
    answer = game.chooser(Limits(memory=1 << 20)).answer(turn.position, turn.player, Limits(nodes=1), want_move=False)
    return answer if answer.by in ("over", "rules", "fact") else None


# Running


def executor_maker(
    campaign: Campaign, *, workers: int, scheduler: str | None = None, tls: Tls | None = None
) -> Callable[[], Executor]:
    """Return a function that makes an executor.

    Without a scheduler the workers are threads of this process, which share one table. Only the plain searches, which
    are in Python, need processes to use several cores.
    """
    plain = type(find_game(campaign.game)).chooser is Game.chooser
    if scheduler is None and (workers == 0 or not plain):
        return lambda: Executor(max(1, workers))
    return lambda: DaskExecutor(workers=workers, scheduler=scheduler, tls=tls)


def run_campaign(
    store: Store,
    campaign: Campaign,
    *,
    executor: Callable[[], Executor] = Executor,
    options: RunOptions = RunOptions(),
    on_step: Callable[[Runner], None] | None = None,
) -> Status:
    """Work on a campaign until it is proved or refuted, or a limit is reached."""
    over = CancelToken()
    planner = Planner(campaign, store.plan(campaign), planner_search(campaign, over))
    with Checker() as checker, cancelled_after(over, options.stop_seconds):
        accept = None if options.trust else certificate_check(campaign, checker)
        runner = Runner(store, campaign, planner, executor=executor, accept=accept, options=options, on_step=on_step)
        return runner.run()


def estimate_campaign(
    store: Store, campaign: Campaign, options: RunOptions, *, units: int, workers: int, seed: int
) -> dict[str, Any]:
    """Solve a random sample of all units, record nothing, and return the estimate for all of them, ready for JSON.

    :raises LimitReached: if nothing was solved in the time.
    """
    planned = [(unit.id, unit.position) for unit in store.plan(campaign).units()]
    runs = random_runs(planned, seed)
    number = max(1, units // len(runs[0])) if runs else 0
    with closing(executor_maker(campaign, workers=workers)()) as executor:
        sample = measure(executor, partial(options.task, campaign), runs[:number], seconds=options.stop_seconds)
    return {"campaign": campaign.name, **summary(sample, len(planned))}


# Reporting


def claim_words(campaign: Campaign) -> str:
    """Return the claim in words."""
    return f"{campaign.winner} wins {campaign.game} {campaign.spec} if {campaign.first} starts"


def verdict_words(report: Mapping[str, Any]) -> str:
    """Say in one line how the campaign ended."""
    if report["status"] == "refuted":
        return f"{report['claim']}: the claim is false, {report['wins']} wins"
    trusted = f", {counted(report['uncertified'], 'unit')} without a certificate" if report["uncertified"] else ""
    return f"{report['claim']}: {report['status']}{trusted}"


def campaign_report(store: Store, campaign: Campaign) -> dict[str, Any]:
    """Return where a campaign stands, ready for JSON: keys are documented in docs/howto-cluster.md."""
    counts = store.counts(campaign)
    status = store.campaign(campaign.name).status
    decided = status in (Status.PROVED, Status.REFUTED)
    # A decided campaign has no work left, though some units may be open still.
    open_units = 0 if decided else counts.open + counts.given_up
    left = total(((nodes, 1) for nodes in store.sizes(campaign)), open_units)
    rate = counts.nodes / counts.seconds if counts.seconds else None
    return {
        "campaign": campaign.name,
        "game": campaign.game,
        "spec": campaign.spec,
        "first": campaign.first,
        "winner": campaign.winner,
        "claim": claim_words(campaign),
        "status": status.name.lower(),
        "wins": winner_by(campaign, status) if decided else None,
        "cut": campaign.cut,
        **counts._asdict(),
        "seconds": round(counts.seconds, 3),
        "nodes_per_second": round(rate) if rate else None,
        "remaining_nodes": _finite(left.value) if left.sampled or not open_units else None,
        "remaining_low": _finite(left.low),
        "remaining_high": _finite(left.high),
        "rough": left.rough and not decided,
        "plies": store.plan(campaign).by_ply(),
    }


def _finite(value: float) -> int | None:
    return round(value) if value < 1e300 else None
