"""Plans, repairs and splits, against a brute-force answer that shares no code with the planner."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
import tiny

from zermelo.campaign.executor import Executor, InlineExecutor
from zermelo.campaign.game_planner import GamePlanner
from zermelo.campaign.planner import Planner
from zermelo.campaign.runner import Runner, RunOptions
from zermelo.campaign.worker import Task, make_solver
from zermelo.domineering import Position
from zermelo.domineering.campaign import DomineeringTree
from zermelo.game import find_game
from zermelo.game.units import PlainSolver, Tree
from zermelo.positional.campaign import MnkTree
from zermelo.positional.prove import record_proof
from zermelo.store import Kind, Status, Store, open_store


def runner(
    store: Store, tree: Tree, cut: int, *, executor: Callable[[], Executor] = InlineExecutor, **options: Any
) -> Runner:
    """A run of a campaign without certificates."""
    name = f"{tree.spec} {tree.first} {tree.winner} {cut}"
    campaign = store.create(name, game=tree.name, spec=tree.spec, winner=tree.winner, options={"first": tree.first})
    plan = store.plan(campaign)
    return Runner(
        store,
        campaign,
        GamePlanner(tree, plan, cut=cut, certificate=store.certificate)
        if tree.plans_itself
        else Planner(tree, plan, cut=cut),
        executor=executor,
        arbiter=lambda: PlainSolver(tree),
        accept=None,
        options=RunOptions(recheck=0, **{"solver": "plain", **options}),
    )


def prove(store: Store, game: str, spec: str, first: str, winner: str, cut: int, **options: Any) -> Status:
    return runner(store, find_game(game).campaign_tree(spec, first, winner), cut, **options).run()


@pytest.mark.parametrize("rows,cols", [(2, 3), (3, 3), (3, 4), (4, 3), (4, 4), (2, 7), (4, 5)])
@pytest.mark.parametrize("first", ["V", "H"])
def test_campaign_agrees_with_the_definition(store: Store, rows: int, cols: int, first: str) -> None:
    truth = tiny.Truth(rows, cols)
    starter_wins = truth.mover_wins(truth.full, "VH".index(first))
    for winner, cut in itertools.product("VH", (0, 1, 2, 3, 5)):
        status = prove(store, "domineering", f"{rows}x{cols}", first, winner, cut)
        assert (status is Status.PROVED) == (starter_wins == (winner == first)), (winner, cut)


@pytest.mark.parametrize("spec", ["3,3,3", "3,3,3:a2,b2", "3,3,3:b2", "4,2,2", "4,2,3", "4,2,3:b1"])
@pytest.mark.parametrize("cut", [0, 1, 2, 4])
def test_mnk_campaign_agrees_with_the_definition(spec: str, cut: int) -> None:
    position = find_game("mnk").parse(spec)
    size = position.columns, position.rows, position.k
    oracle = tiny.Oracle(size[0] * size[1], tiny.lines_of(*size))
    maker, breaker = (tiny.mask_of(position.marks(player)) for player in "XO")
    truth = oracle.maker_wins(maker, breaker, position.to_move == "X")
    for solver in ("plain", "auto"):
        with open_store(":memory:") as store:
            for winner in ("maker", "breaker"):
                status = prove(store, "mnk", spec, "", winner, cut, solver=solver)
                assert (status is Status.PROVED) == (truth == (winner == "maker"))


def test_heavy_units_are_split_until_they_fit(store: Store) -> None:
    run = runner(store, DomineeringTree("5x5", "V", "H"), 1, unit_nodes=40)
    assert run.run() is Status.PROVED
    assert max(unit.ply for unit in run.planner.plan.units()) >= 3
    largest = store.database.one("SELECT max(nodes) FROM results")
    assert largest is not None
    assert largest[0] <= 40


def test_unit_is_split_while_another_worker_has_nothing_to_do(store: Store) -> None:
    """One unit that never ends, two workers: it is interrupted and split, and its pieces end."""

    class Endless(InlineExecutor):
        """Two workers; a task ends only when interrupted, unless its unit lies below ply 1."""

        def __init__(self) -> None:
            super().__init__()
            self.interrupted: list[int] = []

        def slots(self) -> int:
            return 2

        def submit(self, task: Task, *, avoid: str | None = None) -> int:
            root = [position for _, position in task.units] == ["V0"]
            nodes = 10**9 if root else task.nodes
            return super().submit(replace(task, nodes=nodes), avoid=avoid)

        def interrupt(self, tickets: Iterable[int]) -> None:
            self.interrupted += tickets
            super().interrupt(tickets)

    made: list[Endless] = []

    def executor() -> Executor:
        made.append(Endless())
        return made[-1]

    run = runner(store, DomineeringTree("6x6"), 0, executor=executor, split_seconds=0.3, stop_seconds=1.5)
    run.run()
    assert made[0].interrupted
    assert max(unit.ply for unit in run.planner.plan.units()) >= 2


def test_time_limit_interrupts_a_running_unit(store: Store) -> None:
    """9x9 by the rules alone would take years."""
    begin = time.monotonic()
    run = runner(store, DomineeringTree("9x9"), 0, stop_seconds=0.3)
    assert run.run() is Status.OPEN
    assert time.monotonic() - begin < 5
    assert store.lease_owners(run.campaign) == []


def test_repair_changes_only_the_refuted_choice(store: Store) -> None:
    campaign = store.create("c", game="domineering", spec="5x5", winner="V", options={})
    planner = Planner(DomineeringTree("5x5"), store.plan(campaign), cut=4)
    planner.grow()
    before = {unit.position for unit in planner.plan.units()}
    victim = next(planner.plan.units())
    with store.database.transaction():
        store.database.change("UPDATE nodes SET status = 2 WHERE id = ?", (victim.id,))
    parents = store.database.one("SELECT count(*) FROM edges WHERE child = ?", (victim.id,))
    # Parents of the victim are positions of the other player; they are refuted, so is nothing else.
    assert planner.repair() >= 2 * (parents or (0,))[0] - 1
    after = {unit.position for unit in planner.plan.units()}
    assert victim.position not in after
    assert len(before & after) > len(before) / 2
    assert after - before
    assert planner.verdict() is Status.OPEN


def test_planning_goes_on_where_it_was_interrupted(store: Store) -> None:
    tree = DomineeringTree("6x6")
    whole = store.create("whole", game="domineering", spec="6x6", winner="V", options={})
    Planner(tree, store.plan(whole), cut=4).grow()
    broken = store.create("broken", game="domineering", spec="6x6", winner="V", options={})
    planner = Planner(tree, store.plan(broken), cut=4)

    class Killed(Exception):  # noqa: N818
        pass

    def kill(ply: int) -> None:
        raise Killed

    for _ in range(3):
        with pytest.raises(Killed):
            planner.grow(on_portion=kill)
    planner.grow()
    assert store.plan(broken).by_ply() == store.plan(whole).by_ply()


@pytest.mark.parametrize("spec", ["4x5", "3x6:V1,2;H3,3", ".#.../...#./....."])
def test_domineering_children_are_the_legal_moves(spec: str) -> None:
    """Every child is a legal move's position up to mirror images, and every legal move has its child."""
    for first in ("V", "H"):
        tree = DomineeringTree(spec, first)
        position = Position(spec)
        expected = {position.after(move).key() for move in position.moves(first)}
        other = "H" if first == "V" else "V"
        children = tree.children(tree.root())
        assert {tree.mover(child) for child in children} == {other}
        assert {Position(tree.describe(child)).key() for child in children} == expected
        assert len(children) == len(position.moves(first))
        assert sorted(tree.ordered(tree.root())) == sorted(children)


def test_mnk_positions_are_the_same_for_symmetric_copies() -> None:
    tree = MnkTree("3,3,3")
    corners = {tree.key(MnkTree(f"3,3,3:{corner}").root()) for corner in ("a1", "a3", "c1", "c3")}
    assert len(corners) == 1
    assert len({tree.key(child) for child in tree.children(tree.root())}) == 3
    assert MnkTree("4,3,3:a1,b2,d3").describe(MnkTree("4,3,3:a1,b2,d3").root()).startswith("4,3,3:")


@pytest.mark.parametrize(
    ("game", "claim", "message"),
    [
        ("domineering", ("torus:4x4", "V", "V"), "rectangles"),
        ("domineering", ("2x40", "V", "V"), "sides up to 32"),
        ("domineering", ("4x4", "V", "X"), "'X' is not known"),
        ("mnk", ("3,3,3", "", "X"), "not maker or breaker"),
        ("mnk", ("3,3,3:a1,a1", "", ""), "already taken"),
        ("hypergraph", ("a b", "", ""), "draw"),
    ],
)
def test_claim_that_makes_no_sense_is_refused(game: str, claim: tuple[str, str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        find_game(game).campaign_tree(*claim)


def test_every_live_unit_of_a_proved_campaign_has_one_result(store: Store) -> None:
    run = runner(store, DomineeringTree("5x5", "V", "H"), 4)
    assert run.run() is Status.PROVED
    units = list(run.planner.plan.units())
    assert sorted(unit.id for unit in units) == sorted(found.node for found in store.results(run.campaign))
    assert all(unit.kind is Kind.UNIT for unit in units)


@pytest.mark.parametrize("tree", [DomineeringTree("5x6"), MnkTree("3,3,3")], ids=["domineering", "mnk"])
@pytest.mark.parametrize("certify", [False, True])
def test_solver_that_serves_threads_answers_them_all_rightly(tree: Tree, certify: bool) -> None:
    """Local workers are threads of one process and have one table: proved and refuted units."""
    assert tree.shares_tables
    solver = make_solver(tree, "auto", memory=1 << 24, certify=certify)
    units = [below for child in tree.children(tree.root()) for below in tree.children(child)][:400]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda unit: solver.solve(unit, nodes=10**9, certify=certify), units))
    alone = PlainSolver(tree)
    for unit, answer in list(zip(units, together, strict=True))[::20]:
        assert answer.status is alone.solve(unit, nodes=10**9).status
        assert (answer.certificate is not None) == certify
    assert {answer.status for answer in together} == {Status.PROVED, Status.REFUTED}


@pytest.mark.parametrize("workers", [1, 2])
def test_claim_in_one_unit_is_searched_by_all_workers(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others would have nothing to do: 8,7,5 as a campaign took twice the time of a search."""
    searched_alone: dict[str, bool] = {}

    def watched(board: Any, maker: Any, breaker: Any, *rest: Any, alone: bool) -> Any:
        searched_alone["".join(map(str, [*maker, *breaker]))] = alone
        return record_proof(board, maker, breaker, *rest, alone=alone)

    monkeypatch.setattr("zermelo.positional.campaign.record_proof", watched)
    tree = MnkTree("3,3,3", "", "maker")
    executor = InlineExecutor(workers)
    for number, position in enumerate([tree.root(), tree.children(tree.root())[4]]):
        task = Task("mnk", "3,3,3", "", "maker", "auto", 1 << 24, 10**9, 9.0, True, ((number, position),))
        executor.submit(task)
        while not executor.wait(1.0):
            pass
    executor.close()
    assert searched_alone == {"": workers == 1, "4": True}
