"""Plans, repairs and splits, against a brute-force answer that shares no code with the planner."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest
import tiny

from zermelo.campaign.executor import Executor
from zermelo.campaign.planner import Planner
from zermelo.campaign.runner import Runner, RunOptions
from zermelo.campaign.service import new_campaign
from zermelo.campaign.turn import Turn, first_turn
from zermelo.campaign.worker import Task
from zermelo.domineering import Position
from zermelo.game import Limits, find_game
from zermelo.store import Campaign, Kind, Status, Store
from zermelo.store.plan import Expansion


def planned(store: Store, spec: str, cut: int, first: str = "V", winner: str = "V") -> Campaign:
    name = f"{spec} {first} {winner} {cut}"
    return new_campaign(store, name, find_game("domineering"), spec, first=first, winner=winner, cut=cut)


def runner(store: Store, campaign: Campaign, *, executor: Callable[[], Executor] = Executor, **options: Any) -> Runner:
    """A run of a campaign that refutes wrong claims move by move, and checks no certificates."""
    options = {"memory": 1 << 24, **options}
    planner = Planner(campaign, store.plan(campaign))
    return Runner(store, campaign, planner, executor=executor, accept=lambda *_: True, options=RunOptions(**options))


@pytest.mark.parametrize("rows,cols", [(2, 3), (3, 3), (3, 4), (4, 3), (4, 4), (2, 7), (4, 5)])
@pytest.mark.parametrize("first", ["V", "H"])
def test_campaign_agrees_with_the_definition(store: Store, rows: int, cols: int, first: str) -> None:
    truth = tiny.Truth(rows, cols)
    starter_wins = truth.mover_wins(truth.full, "VH".index(first))
    for winner, cut in itertools.product("VH", (0, 1, 2, 3, 5)):
        status = runner(store, planned(store, f"{rows}x{cols}", cut, first, winner)).run()
        assert (status is Status.PROVED) == (starter_wins == (winner == first)), (winner, cut)


def test_heavy_units_are_split_until_they_fit(store: Store) -> None:
    run = runner(store, planned(store, "7x7", 1), unit_nodes=100)
    assert run.run() is Status.PROVED
    assert max(unit.ply for unit in run.planner.plan.units()) >= 3
    largest = store.database.one("SELECT max(nodes) FROM results")
    assert largest is not None
    assert largest[0] <= 100


def test_unit_is_split_while_another_worker_has_nothing_to_do(store: Store) -> None:
    """One unit that never ends, two workers: it is interrupted and split, and its pieces end."""

    interrupted: list[int] = []

    class Endless(Executor):
        """A task ends only when interrupted, unless its unit lies below ply 1."""

        def submit(self, task: Task) -> int:
            root = [position for _, position in task.units] == ["V 12x12"]
            return super().submit(replace(task, nodes=None if root else task.nodes))

        def interrupt(self, tickets: Iterable[int]) -> None:
            interrupted.extend(tickets)
            super().interrupt(tickets)

    options = {"split_seconds": 0.3, "stop_seconds": 4}
    run = runner(store, planned(store, "12x12", 0), executor=lambda: Endless(2), **options)
    run.run()
    assert interrupted and max(unit.ply for unit in run.planner.plan.units()) >= 2


def test_repair_changes_only_the_refuted_choice(store: Store) -> None:
    campaign = planned(store, "5x5", 4)
    planner = Planner(campaign, store.plan(campaign))
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


def test_planning_goes_on_where_it_was_interrupted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = planned(store, "6x6", 4)
    broken = store.create("broken", game="domineering", spec="6x6", first="V", winner="V", cut=4)
    planner = Planner(broken, store.plan(broken))

    class Killed(Exception):  # noqa: N818
        pass

    expand = planner.plan.expand

    def expand_and_die(*part: Expansion) -> None:
        expand(*part)
        raise Killed

    for _ in range(3):
        with monkeypatch.context() as patch, pytest.raises(Killed):
            patch.setattr(planner.plan, "expand", expand_and_die)
            planner.grow()
    planner.grow()
    assert store.plan(broken).by_ply() == store.plan(whole).by_ply()


def test_plan_of_9x9_has_as_many_units_as_ever(store: Store) -> None:
    plies = store.plan(planned(store, "9x9", 5)).by_ply()
    assert [line["positions"] for line in plies] == [1, 1, 68, 36, 1228, 1004]
    assert plies[-1]["units"] == 1004


@pytest.mark.parametrize(
    ("game", "spec"), [("domineering", "3x6:V1,2;H3,3"), ("domineering", "torus:3x4"), ("cram", "3x4:h1,1")]
)
@pytest.mark.parametrize("winner", [0, 1])
def test_turn_is_read_back_from_its_text_and_has_every_move(game: str, spec: str, winner: int) -> None:
    played = find_game(game)
    turn, who = first_turn(played, spec, winner=played.players[winner])
    again = Turn.read(played, turn.text)
    assert again == turn
    children = again.children(who)
    assert {child.position.key() for child in children} == {p.key() for p in turn.position.options(turn.player)}
    assert len(children) == len(turn.position.moves(turn.player))


def test_moves_are_in_the_order_of_the_certificate_which_turns_the_board_for_h() -> None:
    turn = Turn(Position("3x3"), "V")
    assert [str(move) for move in turn.moves("V")] == ["V1,1", "V1,2", "V1,3", "V2,1", "V2,2", "V2,3"]
    assert [str(move) for move in turn.moves("H")] == ["V1,1", "V2,1", "V1,2", "V2,2", "V1,3", "V2,3"]


def test_threads_that_share_a_table_answer_all_units_rightly(store: Store) -> None:
    run = runner(store, planned(store, "6x6", 3), executor=lambda: Executor(4), batch_seconds=0.001)
    assert run.run() is Status.PROVED
    alone = find_game("domineering").chooser(Limits(), {"method": "search", "bounds": ["real", "cover"]})
    for unit in run.planner.plan.units():
        assert unit.kind is Kind.UNIT and store.certificate(unit.id)
        assert alone.answer(*Turn.read(find_game("domineering"), unit.position), Limits()).winner == "V"
