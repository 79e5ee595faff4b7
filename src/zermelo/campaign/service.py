"""What the command line and the web page do with campaigns: make, plan, run, report."""

from __future__ import annotations

import tempfile
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.campaign.certificate import claim, payload_of
from zermelo.campaign.certificate_mnk import claim as mnk_claim
from zermelo.campaign.domineering import DomineeringGame
from zermelo.campaign.engine import Engine
from zermelo.campaign.estimate import Sample, calibrate, fit, remaining
from zermelo.campaign.export import DomineeringExport
from zermelo.campaign.export_mnk import MnkExport
from zermelo.campaign.game import Game
from zermelo.campaign.mnk import MnkGame
from zermelo.campaign.planner import Planner, Search
from zermelo.campaign.runner import Runner, RunOptions
from zermelo.campaign.solvers import DEFAULT_MEMORY, UnitSolver, make_game, make_solver
from zermelo.campaign.worker import Found
from zermelo.domineering.position import opponent
from zermelo.proof import Checker
from zermelo.store import Campaign, Status, Store

OUTCOME_WORDS = {Status.OPEN: "open", Status.PROVED: "proved", Status.REFUTED: "refuted", Status.GIVEN_UP: "given up"}


@dataclass(frozen=True)
class PlanOptions:
    """How a claim is cut: at a ply, or deeper and deeper until a unit is expected to be small enough."""

    cut: int | None = None
    unit_nodes: int | None = None
    sample: int = 40
    sample_seconds: float = 20.0
    sample_nodes: int = 2_000_000
    probe: int = 0
    solver: str = "auto"
    memory: int = DEFAULT_MEMORY


def campaign_game(campaign: Campaign) -> Game:
    """Return the game a campaign is about."""
    return make_game(campaign.game, campaign.spec, str(campaign.options.get("first", "")), campaign.winner)


def campaign_planner(store: Store, campaign: Campaign) -> Planner:
    """Return the campaign's planner."""
    game = campaign_game(campaign)
    return Planner(
        game,
        campaign.winner,
        store.plan(campaign),
        cut=int(campaign.options["cut"]),
        search=planner_search(game, campaign.winner, str(campaign.options.get("solver", "auto"))),
        probe=int(campaign.options.get("probe", 0)),
    )


def planner_search(game: Game, winner: str, solver: str) -> Search:
    """Return a search for the planner; it is made when it is first needed."""
    made: list[UnitSolver] = []

    def search(position: str, nodes: int) -> Status:
        if not made:
            made.append(make_solver(game, winner, name=solver))
        return made[0].solve(position, nodes=nodes).status

    return search


def new_campaign(
    store: Store,
    name: str,
    *,
    game: str,
    spec: str,
    first: str,
    winner: str,
    options: PlanOptions,
    on_sample: Callable[[Sample], None] | None = None,
) -> Campaign:
    """Make a campaign and its plan, with an estimate for each unit.

    :raises ValueError: if the claim is wrong, or the name is taken.
    """
    rules = make_game(game, spec, first, winner)
    if winner not in rules.winners():
        raise ValueError(f"winner {winner!r} is not one of {', '.join(rules.winners())}")
    cut = options.cut
    if cut is None:
        cut = choose_cut(rules, winner, options)
    campaign = store.create(
        name,
        game=game,
        spec=spec,
        winner=winner,
        options={"first": first, "cut": cut, "probe": options.probe, "solver": options.solver},
    )
    planner = campaign_planner(store, campaign)
    planner.grow()
    planner.repair()
    sample = write_estimates(rules, planner, options)
    if on_sample:
        on_sample(sample)
    return campaign


def choose_cut(game: Game, winner: str, options: PlanOptions) -> int:
    """Return the shallowest cut, two plies at a time, whose units are expected to be small enough."""
    from zermelo.store import open_store

    wanted = options.unit_nodes or 5_000_000
    # The other player moves at a unit: a certificate can refer to such a position.
    first = 1 if game.mover(game.root()) == winner else 0
    with open_store(":memory:") as scratch:
        for cut in range(first, 40, 2):
            campaign = scratch.create(f"cut {cut}", game=game.name, spec=game.spec, winner=winner, options={})
            search = planner_search(game, winner, options.solver)
            planner = Planner(game, winner, scratch.plan(campaign), cut=cut, search=search, probe=options.probe)
            planner.grow()
            solver = make_solver(game, winner, name=options.solver, memory=options.memory)
            sample = calibrate(
                game,
                planner,
                solver,
                units=options.sample,
                nodes=10 * wanted,
                seconds=options.sample_seconds,
                clock=time.monotonic,
            )
            sizes = [nodes for _, nodes in sample.sizes]
            if not sizes or sum(sizes) / len(sizes) <= wanted:
                return cut
    return 40


def write_estimates(game: Game, planner: Planner, options: PlanOptions) -> Sample:
    """Solve a sample of the units and write an estimate for every unit; return the sample."""
    if options.sample <= 0:
        return Sample([], 0)
    solver = make_solver(game, planner.winner, name=options.solver, memory=options.memory)
    sample = calibrate(
        game,
        planner,
        solver,
        units=options.sample,
        nodes=options.sample_nodes,
        seconds=options.sample_seconds,
        clock=time.monotonic,
    )
    if not sample.sizes:
        return sample
    model = fit(sample.sizes)
    planner.estimate = lambda position: model(game.features(position, planner.winner))
    portion: list[tuple[int, float]] = []
    for unit in planner.plan.units():
        portion.append((unit.id, planner.estimate(unit.position)))
        if len(portion) >= 5000:
            planner.plan.set_estimates(portion)
            portion = []
    planner.plan.set_estimates(portion)
    return sample


def run_campaign(
    store: Store,
    campaign: Campaign,
    *,
    engine: Callable[[], Engine],
    options: RunOptions,
    trust: bool,
    on_step: Callable[[Runner], None] | None = None,
) -> Status:
    """Work on a campaign until it is proved or refuted, or a limit is reached."""
    planner = campaign_planner(store, campaign)
    with Checker() as checker:
        runner = Runner(
            store,
            campaign,
            planner,
            engine=engine,
            arbiter=lambda: make_solver(planner.game, campaign.winner, name=options.solver, memory=options.memory),
            accept=None if trust else certificate_check(planner, checker),
            options=options,
            on_step=on_step,
        )
        return runner.run()


def claim_of(game: Game, winner: str, status: Status, position: str) -> bytes:
    """Return a certificate's claim that a position is proved, or refuted.

    :raises ValueError: if there are no certificates for this game.
    """
    if isinstance(game, DomineeringGame):
        proved = status is Status.PROVED
        return claim(game if proved else game.for_winner(opponent(game.winner)), position)
    if isinstance(game, MnkGame):
        return mnk_claim(game, position, winner if status is Status.PROVED else other_side(winner))
    raise ValueError(f"there are no certificates of {game.name}: use --trust")


def other_side(player: str) -> str:
    """Return Breaker for Maker, and the other way round."""
    return "breaker" if player == "maker" else "maker"


def certificate_check(planner: Planner, checker: Checker) -> Callable[[str, Found], bool]:
    """Return what accepts an answer only with a certificate of just that answer, verified by the checker.

    :raises ValueError: if there are no certificates for this game.
    """
    game = planner.game
    claim_of(game, planner.winner, Status.PROVED, game.root())

    def accept(position: str, found: Found) -> bool:
        if found.certificate is None:
            return False
        head = claim_of(game, planner.winner, found.status, position)
        try:
            if payload_of(found.certificate, head) is None:
                return False
        except (zlib.error, IndexError):
            return False
        with tempfile.NamedTemporaryFile(suffix=".zcert") as file:
            file.write(found.certificate)
            file.flush()
            return checker.check(file.name).verified

    return accept


def export_campaign(store: Store, campaign: Campaign, path: Path, *, solver: str) -> int:
    """Write one certificate for a finished campaign; return how many units had to be proved again.

    If the claim was refuted, the certificate says that the other player wins.

    :raises ValueError: if it is not finished, or units have no certificates.
    """
    planner = campaign_planner(store, campaign)
    game, plan, winner = planner.game, planner.plan, campaign.winner
    status = store.campaign(campaign.name).status
    if status not in (Status.PROVED, Status.REFUTED):
        raise ValueError(f"campaign {campaign.name!r} is neither proved nor refuted")
    made: list[UnitSolver] = []

    def prove(position: str) -> bytes | None:
        if not made:
            made.append(make_solver(game, winner, name=solver, certify=True))
        return made[0].solve(position, nodes=1 << 62, certify=True).certificate

    export: DomineeringExport | MnkExport
    if isinstance(game, DomineeringGame):
        claimed = game if status is Status.PROVED else game.for_winner(opponent(game.winner))
        export = DomineeringExport(store, plan, claimed, status, prove)
    elif isinstance(game, MnkGame):
        proved = winner if status is Status.PROVED else other_side(winner)
        export = MnkExport(store, plan, game, proved, status, prove)
    else:
        raise ValueError(f"there are no certificates of {game.name} campaigns")
    export.write(path)
    return export.proved_again


def known_winner(campaign: Campaign, status: Status) -> str | None:
    """Return who wins by what is proved or refuted, None while that is open."""
    if status is Status.PROVED:
        return campaign.winner
    players = campaign_game(campaign).winners()
    return next((p for p in players if p != campaign.winner), None) if status is Status.REFUTED else None


def campaign_report(store: Store, campaign: Campaign) -> dict[str, Any]:
    """Return where a campaign stands, ready for JSON: keys are documented in docs/howto-cluster.md."""
    progress = store.progress(campaign)
    lines = store.plan(campaign).by_ply()
    open_estimate = store.open_estimate(campaign)
    left = remaining(store.sizes(campaign), progress.open + progress.given_up, open_estimate)
    rate = progress.nodes / progress.seconds if progress.seconds else None
    status = store.campaign(campaign.name).status
    return {
        "campaign": campaign.name,
        "game": campaign.game,
        "spec": campaign.spec,
        "first": campaign.options.get("first") or None,
        "winner": campaign.winner,
        "status": OUTCOME_WORDS[status],
        "wins": known_winner(campaign, status),
        "cut": campaign.options.get("cut"),
        "units": progress.units,
        "proved": progress.proved,
        "refuted": progress.refuted,
        "open": progress.open,
        "leased": progress.leased,
        "given_up": progress.given_up,
        "superfluous": progress.superfluous,
        "failures": progress.failures,
        "checked": progress.checked,
        "nodes": progress.nodes,
        "seconds": round(progress.seconds, 3),
        "nodes_per_second": round(rate) if rate else None,
        "remaining_nodes": _finite(left.nodes) if left.finished or not progress.open else None,
        "remaining_low": _finite(left.low),
        "remaining_high": _finite(left.high),
        "rough": left.rough,
        "plies": [
            {"ply": p.ply, "positions": p.positions, "units": p.units, "estimate": round(p.estimate)} for p in lines
        ],
    }


def _finite(value: float) -> int | None:
    return round(value) if value < 1e300 else None
