"""Leases, results and failures, on SQLite and on PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import pytest

from zermelo.store import Campaign, Kind, Status, Store, StoreError, UnitResult, open_store
from zermelo.store.plan import Expansion


def campaign_with_units(store: Store, count: int) -> Campaign:
    """A root that rests on ``count`` units."""
    campaign = store.create("c", game="none", spec="1x1", first="A", winner="A", cut=1)
    plan = store.plan(campaign)
    plan.begin(("root", "root"))
    root = plan.root()
    assert root is not None
    plan.expand(Expansion(root, Kind.ALL, children=tuple((f"u{i:06}", f"u{i:06}") for i in range(count))))
    while portion := plan.new_nodes(5000):
        plan.expand(*(Expansion(node, Kind.UNIT) for node in portion))
    return campaign


def result(node: int, status: Status = Status.PROVED, worker: str = "w", **extra: object) -> UnitResult:
    return UnitResult(node, status, 10, 0.5, worker=worker, **extra)  # type: ignore[arg-type]


def test_lease_hands_out_each_unit_once(store: Store) -> None:
    campaign = campaign_with_units(store, 10)
    first = store.lease(campaign, "a", limit=6, seconds=60)
    second = store.lease(campaign, "b", limit=6, seconds=60)
    assert (len(first), len(second)) == (6, 4)
    assert {unit.position for unit in first + second} == {f"u{i:06}" for i in range(10)}
    assert store.lease(campaign, "c", limit=6, seconds=60) == []


def test_lease_begins_anywhere_in_the_plan(store: Store) -> None:
    """The work left is estimated from the finished units, so the first units must not all be neighbours."""
    campaign = campaign_with_units(store, 200)
    leased = [store.lease(campaign, "a", limit=1, seconds=60)[0] for _ in range(20)]
    places = [int(unit.position[1:]) for unit in leased]
    assert len(set(places)) == 20
    # That all lie in one half of the plan has a chance of one in half a million.
    assert min(places) < 100 <= max(places)


def test_expired_lease_is_handed_out_again(store: Store) -> None:
    campaign = campaign_with_units(store, 2)
    assert len(store.lease(campaign, "a", limit=2, seconds=-1)) == 2
    assert len(store.lease(campaign, "b", limit=2, seconds=60)) == 2
    assert store.lease_owners(campaign) == ["b"]


def test_lease_from_the_future_counts_as_expired(store: Store) -> None:
    """The clock was set back by a day after the lease was written."""
    campaign = campaign_with_units(store, 1)
    store.lease(campaign, "a", limit=1, seconds=60)
    assert store.lease(campaign, "b", limit=1, seconds=60) == []
    with store.database.transaction():
        store.database.change("UPDATE leases SET lease_until = lease_until + 86400")
    assert len(store.lease(campaign, "b", limit=1, seconds=60)) == 1


def test_renewed_lease_lasts_and_released_lease_ends(store: Store) -> None:
    campaign = campaign_with_units(store, 3)
    store.lease(campaign, "a", limit=3, seconds=-1)
    assert store.renew(campaign, "a", seconds=60) == 3
    assert store.lease(campaign, "b", limit=3, seconds=60) == []
    node = store.lease(campaign, "a", limit=0, seconds=60)
    assert node == []
    store.release(campaign, "a", [min(u.id for u in store.plan(campaign).units())])
    assert len(store.lease(campaign, "b", limit=3, seconds=60)) == 1
    store.release(campaign, "a")
    assert len(store.lease(campaign, "b", limit=3, seconds=60)) == 2


def test_two_runners_never_hold_the_same_unit(store: Store, store_url: str) -> None:
    campaign = campaign_with_units(store, 400)

    def take(number: int) -> list[int]:
        held = list[int]()
        with open_store(store_url) as own:
            while units := own.lease(campaign, f"runner {number}", limit=7, seconds=60):
                held += [unit.id for unit in units]
        return held

    with ThreadPoolExecutor(4) as runners:
        held = list(chain.from_iterable(runners.map(take, range(4))))
    assert len(held) == len(set(held)) == 400


def test_result_is_recorded_once(store: Store) -> None:
    campaign = campaign_with_units(store, 3)
    units = store.lease(campaign, "a", limit=3, seconds=60)
    assert store.record(campaign, [result(unit.id) for unit in units[:2]]) == 2
    assert store.record(campaign, [result(unit.id, Status.REFUTED) for unit in units]) == 1
    counts = store.counts(campaign)
    assert (counts.proved, counts.refuted, counts.nodes) == (2, 1, 30)
    assert counts.leased == 0


def test_certificates_come_back(store: Store) -> None:
    campaign = campaign_with_units(store, 3)
    ids = [unit.id for unit in store.plan(campaign).units()]
    contents = [b"same" * 1000, b"\x00other\xff", None]
    store.record(campaign, [result(i, certificate=c) for i, c in zip(ids, contents, strict=True)])
    assert [store.certificate(i) for i in ids] == contents


def test_failed_unit_is_given_up_after_the_last_attempt_and_can_be_retried(store: Store) -> None:
    campaign = campaign_with_units(store, 1)
    (unit,) = store.lease(campaign, "a", limit=1, seconds=60)
    assert store.fail(campaign, unit.id, worker="w", reason="killed", attempts=2) is Status.OPEN
    (unit,) = store.lease(campaign, "a", limit=1, seconds=60)
    assert unit.attempts == 1
    assert store.fail(campaign, unit.id, worker="w", reason="killed", attempts=2) is Status.GIVEN_UP
    assert store.lease(campaign, "a", limit=1, seconds=60) == []
    assert store.failures(campaign) == [(unit.id, "w", "killed")] * 2
    assert store.retry_given_up(campaign) == 1
    assert len(store.lease(campaign, "a", limit=1, seconds=60)) == 1


def test_error_inside_a_transaction_leaves_nothing(store: Store) -> None:
    campaign = campaign_with_units(store, 3)
    with pytest.raises(RuntimeError), store.database.transaction():
        store.database.change("DELETE FROM nodes")
        raise RuntimeError
    assert store.counts(campaign).units == 3


def test_campaign_names_are_unique_and_errors_name_them(store: Store) -> None:
    campaign_with_units(store, 1)
    with pytest.raises(ValueError, match="exists already"):
        campaign_with_units(store, 1)
    with pytest.raises(ValueError, match="there are: c"):
        store.campaign("d")
    store.create("d", game="none", spec="1x1", first="A", winner="A", cut=1)
    with pytest.raises(ValueError, match="name one of: c, d"):
        store.campaign()


def test_store_of_another_version_is_refused(store: Store, store_url: str) -> None:
    with store.database.transaction():
        store.database.change("UPDATE schema_version SET version = 2")
    for read_only in (False, True):
        with pytest.raises(StoreError, match="another version of zermelo wrote it"):
            open_store(store_url, read_only=read_only)


def test_inner_position_made_a_unit_is_all_that_is_left_to_do(store: Store) -> None:
    campaign = campaign_with_units(store, 5)
    plan = store.plan(campaign)
    done = [unit.id for unit in plan.units()][:2]
    store.record(campaign, [result(done[0]), result(done[1], Status.REFUTED)])
    root = plan.root()
    assert root is not None
    assert plan.nodes_below(root) == 20
    assert [node.id for node in plan.broken()] == [root.id]
    plan.expand(Expansion(root, Kind.UNIT), afresh=True)
    plan.sweep()
    assert plan.broken() == []
    assert [unit.id for unit in plan.units()] == [root.id]
    assert plan.nodes_below(plan.node(done[0])) == 0
    assert [unit.id for unit in store.lease(campaign, "a", limit=9, seconds=60)] == [root.id]
