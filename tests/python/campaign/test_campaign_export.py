"""The exported certificate is verified by the independent checker; broken ones and lies are not accepted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from zermelo import solve
from zermelo.campaign import planner
from zermelo.campaign.executor import ExecutorLostError, InlineExecutor
from zermelo.campaign.export import certificate_check
from zermelo.campaign.runner import Runner, RunOptions
from zermelo.campaign.service import (
    PlanOptions,
    campaign_planner,
    executor_maker,
    export_campaign,
    new_campaign,
    run_campaign,
)
from zermelo.domineering.campaign import DomineeringTree
from zermelo.game import find_game
from zermelo.game.units import PlainSolver
from zermelo.positional.campaign import MnkTree
from zermelo.proof import Checker, check_file
from zermelo.proof.container import packed, payload_of
from zermelo.store import Campaign, Status, Store, StoreError, open_store

DATA = Path(__file__).parents[2] / "data"

Claim = tuple[str, str, str, int]  # spec, starter, winner, cut
CLAIMS: list[Claim] = [
    ("4x4", "V", "V", 2),
    ("4x4", "H", "H", 3),
    ("5x5", "V", "H", 1),
    ("5x5", "H", "V", 3),
    ("4x5", "H", "V", 2),
    ("3x4:V1,1", "H", "H", 0),
    ("5x4", "V", "H", 4),
]


def finished(store: Store, game: str, claim: Claim, options: RunOptions, *, trust: bool) -> tuple[Campaign, Status]:
    """A campaign that is planned and run to its end."""
    spec, first, winner, cut = claim
    plan = PlanOptions(cut=cut, sample=0)
    campaign = new_campaign(store, spec, find_game(game).campaign_tree(spec, first, winner), plan)
    return campaign, run_campaign(store, campaign, executor=InlineExecutor, options=options, trust=trust)


def proved(store: Store, claim: Claim, *, trust: bool) -> Campaign:
    options = RunOptions(solver="plain", unit_nodes=300, recheck=0)
    campaign, status = finished(store, "domineering", claim, options, trust=trust)
    assert status is Status.PROVED
    return campaign


@pytest.fixture(params=[0, planner.MOST_SEARCHED], ids=["move by move", "as a whole"])
def searched(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With and without searches of the positions whose claim is in doubt: wrong claims are refuted either way."""
    monkeypatch.setattr(planner, "MOST_SEARCHED", request.param)


@pytest.mark.parametrize("claim", CLAIMS)
def test_exported_certificate_is_verified(claim: Claim, tmp_path: Path) -> None:
    with open_store(str(tmp_path / "store.db")) as store:
        campaign = proved(store, claim, trust=True)
        again = export_campaign(store, campaign, tmp_path / "trusted.zcert", solver="plain")
        assert again > 0  # a trusted run has no certificates
    report = check_file(tmp_path / "trusted.zcert")
    assert report.verified, report.said
    assert (report.said["starter"], report.said["winner"]) == claim[1:3]
    assert check_file(tmp_path / "trusted.zcert", slow=True).verified


@pytest.mark.usefixtures("searched")
@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if claim[0] != "5x5"])
def test_refuted_campaign_exports_that_the_other_wins(claim: Claim, tmp_path: Path) -> None:
    """The same claims the wrong way round: with and without certificates of the units."""
    spec, first, winner, cut = claim
    wrong = (spec, first, "H" if winner == "V" else "V", cut)
    for trust in (True, False):
        with open_store(":memory:") as store:
            options = RunOptions(solver="plain", recheck=0)
            campaign, status = finished(store, "domineering", wrong, options, trust=trust)
            assert status is Status.REFUTED
            export_campaign(store, campaign, tmp_path / "c.zcert", solver="plain")
        report = check_file(tmp_path / "c.zcert")
        assert report.verified, report.said
        assert (report.said["starter"], report.said["winner"]) == (first, winner)


@pytest.mark.parametrize("spec", ["3,3,3", "3,3,3:b2", "4,2,2", "4,2,3:b1", "4,4,4", "4,4,3", "5,4,4", "4,6,4:b2"])
@pytest.mark.parametrize("cut", [0, 2, 4])
@pytest.mark.parametrize("trust", [False, True])
def test_mnk_campaign_exports_a_verified_certificate(spec: str, cut: int, trust: bool, tmp_path: Path) -> None:
    """Proved and refuted, won by Maker and by Breaker; every unit is accepted with a certificate of its own."""
    winners = set()
    for winner in ("maker", "breaker"):
        with open_store(":memory:") as store:
            options = RunOptions(memory=1 << 24, recheck=0)
            claim = (spec, "", winner, cut)
            campaign, status = finished(store, "mnk", claim, options, trust=trust)
            assert store.progress(campaign).failures == 0
            units = store.progress(campaign).proved + store.progress(campaign).refuted
            again = export_campaign(store, campaign, tmp_path / "c.zcert", solver="auto")
            assert again <= (units if trust else 0)
        report = check_file(tmp_path / "c.zcert")
        assert report.verified, report.said
        assert (report.said["winner"] == winner) == (status is Status.PROVED)
        winners.add(report.said["winner"])
    assert len(winners) == 1


def test_mnk_campaign_costs_what_a_search_costs(tmp_path: Path) -> None:
    """8,7,5 on two threads: one unit, split when it is heavy, cut from the start (780 units took 11.4 million)."""
    direct = solve("8,7,5", game="mnk").nodes
    spent = []
    for cut, unit_nodes in ((None, 10**9), (0, 20_000), (2, 10**9)):
        with open_store(":memory:") as store:
            plan, runs = PlanOptions(cut=cut), list[Runner]()
            campaign = new_campaign(store, "c", MnkTree("8,7,5", winner="breaker"), plan)
            options = RunOptions(memory=(1 << 27) + len(spent), unit_nodes=unit_nodes)  # so each has a table of its own
            executor = executor_maker(campaign, workers=2)
            status = run_campaign(store, campaign, executor=executor, options=options, trust=False, on_step=runs.append)
            assert status is Status.PROVED
            progress = store.progress(campaign)
            spent.append((progress.units, progress.nodes + runs[-1].interrupted_nodes))
            assert export_campaign(store, campaign, tmp_path / "c.zc") == 0
        assert check_file(tmp_path / "c.zc").verified
    print(f"search {direct:,} nodes, campaigns {spent}")
    (one, together), (several, split), (many, cut_at_once) = spent
    assert one == 1
    assert several > 1
    assert many > 1
    assert together <= 1.2 * direct  # on two threads
    assert split <= 1.5 * direct
    assert cut_at_once <= 1.5 * direct


def test_unit_whose_certificate_is_damaged_is_told_not_joined(store: Store, tmp_path: Path) -> None:
    """The store is not believed: any damage is an error in words, or left to the checker; nothing breaks."""
    campaign, status = finished(store, "mnk", ("5,4,4", "", "breaker", 2), RunOptions(memory=1 << 24), trust=False)
    assert status is Status.PROVED
    unit = next(found for found in store.results(campaign) if found.certificate)
    payload = payload_of(unit.certificate or b"")
    for at in range(len(payload) - 12, len(payload)):
        bad = packed(payload[:at] + b"\x7f" + payload[at + 1 :])
        store.database.change("UPDATE certificates SET content = ? WHERE hash IN"
                              " (SELECT certificate FROM results WHERE node = ?)", (bad, unit.node))  # fmt: skip
        try:
            export_campaign(store, campaign, tmp_path / "c.zc")
        except ValueError as error:
            assert "certificate" in str(error) or "prove" in str(error)
        else:
            check_file(tmp_path / "c.zc")  # the damage shows there, or changed nothing


def test_units_are_accepted_with_certificates_and_exported_as_they_are(tmp_path: Path) -> None:
    """This plan needs no repair, so every certificate is met in the image it was made for."""
    with open_store(str(tmp_path / "store.db")) as store:
        campaign = proved(store, ("5x4", "V", "H", 4), trust=False)
        progress = store.progress(campaign)
        assert progress.checked == progress.proved + progress.refuted == 30
        assert export_campaign(store, campaign, tmp_path / "c.zcert", solver="plain") == 0
    assert check_file(tmp_path / "c.zcert").verified


@pytest.mark.parametrize(
    "claim", [("5x5", "V", "H", 1), ("5x5", "H", "V", 3), ("4x8", "V", "H", 2), ("5x4", "V", "H", 4)]
)
def test_cuts_that_answer_moves_are_exported(claim: Claim, tmp_path: Path) -> None:
    for trust in (True, False):
        with open_store(":memory:") as store:
            options = RunOptions(memory=1 << 24, recheck=0)
            campaign, status = finished(store, "domineering", claim, options, trust=trust)
            assert status is Status.PROVED
            export_campaign(store, campaign, tmp_path / "c.zcert", solver="auto")
        assert check_file(tmp_path / "c.zcert").verified
        assert check_file(tmp_path / "c.zcert", slow=True).verified


def test_trusted_campaign_is_certified_later(store: Store, tmp_path: Path) -> None:
    campaign = proved(store, ("5x4", "V", "H", 4), trust=True)
    assert store.progress(campaign).checked == 0
    assert store.forget_uncertified(campaign) == 30
    assert store.campaign().status is Status.OPEN
    options = RunOptions(solver="plain")
    status = run_campaign(store, campaign, executor=InlineExecutor, options=options, trust=False)
    assert status is Status.PROVED
    assert store.forget_uncertified(campaign) == 0
    assert export_campaign(store, campaign, tmp_path / "c.zcert", solver="plain") == 0
    assert check_file(tmp_path / "c.zcert").verified


def test_store_of_version_1_is_migrated_finished_and_exported(tmp_path: Path) -> None:
    """A file as the first version wrote it: 10 of 30 units done, 2 leased by a runner that is long gone."""
    path = tmp_path / "store.db"
    path.write_bytes((DATA / "campaign-store-v1.db").read_bytes())
    with pytest.raises(StoreError, match="version 1 is not the one"):
        open_store(str(path), read_only=True)
    with open_store(str(path)) as store:
        campaign = store.campaign("5x4")
        old = {found.node: found for found in store.results(campaign)}
        assert len(old) == 10
        assert {found.worker for found in old.values()} == {"old worker"}
        with store.database.transaction():
            store.database.change("UPDATE leases SET lease_until = 0")
        options = RunOptions(solver="plain")
        status = run_campaign(store, campaign, executor=InlineExecutor, options=options, trust=False)
        assert status is Status.PROVED
        now = {found.node: found for found in store.results(campaign)}
        assert len(now) == 30
        assert {node: now[node] for node in old} == old
        assert export_campaign(store, campaign, tmp_path / "c.zcert", solver="plain") == 0
    assert check_file(tmp_path / "c.zcert").verified


def test_store_that_names_the_plain_solver_as_it_was_called_is_read(store: Store) -> None:
    options = PlanOptions(cut=2, sample=5, probe=20, solver="rules")
    campaign = new_campaign(store, "c", DomineeringTree("4x4", "V", "V"), options)
    status = run_campaign(store, campaign, executor=InlineExecutor, options=RunOptions(solver="rules"), trust=True)
    assert status is Status.PROVED


def test_campaign_that_is_not_proved_has_no_certificate(store: Store, tmp_path: Path) -> None:
    options = PlanOptions(cut=2, sample=0)
    campaign = new_campaign(store, "c", DomineeringTree("4x4", "V", "V"), options)
    with pytest.raises(ValueError, match="neither proved nor refuted"):
        export_campaign(store, campaign, tmp_path / "c.zcert", solver="plain")
    assert list(tmp_path.iterdir()) == []


def test_only_a_certificate_of_just_this_answer_is_accepted(store: Store, tmp_path: Path) -> None:
    with Checker() as checker:
        options = PlanOptions(cut=2, sample=0)
        campaign = new_campaign(store, "c", DomineeringTree("4x4", "V", "V"), options)
        planner = campaign_planner(store, campaign)
        accept = certificate_check(planner.tree, checker)
        solver = PlainSolver(planner.tree)
        units = [unit.position for unit in planner.plan.units()]
        answers = [solver.solve(unit, nodes=10**9, certify=True) for unit in units]
        assert {answer.status for answer in answers} == {Status.PROVED, Status.REFUTED}
        for unit, answer in zip(units, answers, strict=True):
            assert accept(unit, answer)
            lie = Status.PROVED if answer.status is Status.REFUTED else Status.REFUTED
            assert not accept(unit, replace(answer, status=lie))
            assert not accept(unit, replace(answer, certificate=None))
            for other in answers:
                assert other.certificate == answer.certificate or not accept(
                    unit, replace(answer, certificate=other.certificate)
                )
        first = answers[0].certificate or b""
        for broken in (b"", b"ZCERT\x01\x01\x00", first[:-3], packed(b"\x01\x00\x04\x04\xff\xff")):
            assert not accept(units[0], replace(answers[0], certificate=broken))


def test_run_ends_soon_where_every_certificate_is_rejected(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        DomineeringTree, "strategy", lambda tree, position, wins: packed(tree.claim(position) + b"\x10")
    )
    with pytest.raises(ExecutorLostError, match="wrong answers"):
        proved(store, ("4x4", "V", "V", 2), trust=False)
    assert store.progress(store.campaign()).checked == 0
    assert store.failures(store.campaign())[0][2] == "certificate rejected"


def test_checker_for_many_says_what_the_checker_for_one_says(store: Store, tmp_path: Path) -> None:
    """In any order, beyond its memory, and after it was killed."""
    campaign = proved(store, ("5x4", "V", "H", 4), trust=False)
    contents = [found.certificate or b"" for found in store.results(campaign)]
    contents += [contents[0][:-3], b"", b"ZCERT\x01\x01\x00"]
    contents += [packed(b"\x01\x00\x02\x02\x0f\x00\x00\x08\x00"), contents[0]]
    contents += [packed(b"\x01\x00\x02\x02\x0f\x01\x00\x10\x00")]  # V does not win 2x2 when H starts
    files = []
    for number, content in enumerate(contents):
        files.append(tmp_path / f"{number}.zcert")
        files[-1].write_bytes(content)
    expected = [check_file(file).exit_code for file in files]
    assert {0, 1, 2} == set(expected)
    for mebibytes in (1024, 1):
        with Checker(mebibytes=mebibytes) as checker:
            assert [checker.check(file).exit_code for file in files] == expected
            assert [checker.check(file).exit_code for file in reversed(files)] == expected[::-1]
            process = checker._process
            assert process is not None
            process.kill()
            assert [checker.check(file).exit_code for file in files] == expected
