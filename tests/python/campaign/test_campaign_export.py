"""The exported certificate is verified by the independent checker; broken ones and lies are not accepted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from zermelo.campaign import planner
from zermelo.campaign.executor import ExecutorLostError
from zermelo.campaign.export import certificate_check, export_campaign
from zermelo.campaign.runner import RunOptions
from zermelo.campaign.service import new_campaign, run_campaign
from zermelo.campaign.turn import Turn
from zermelo.campaign.worker import UnitSolver
from zermelo.game import find_game
from zermelo.proof import Checker, check_file
from zermelo.proof.container import packed, payload_of
from zermelo.store import Campaign, Status, Store, UnitResult, open_store

Claim = tuple[str, str, str, int]  # spec, starter, winner, cut
CLAIMS: list[Claim] = [
    ("4x4", "V", "V", 2),
    ("5x5", "V", "H", 1),
    ("5x5", "H", "V", 3),
    ("4x5", "H", "V", 2),
    ("3x4:V1,1", "H", "H", 0),
    ("5x4", "V", "H", 4),
    ("4x8", "V", "H", 2),
    ("hcylinder:4x5", "V", "H", 3),
    ("vcylinder:3x5", "H", "V", 3),
    ("torus:4x4", "V", "V", 3),
    ("2x17", "V", "H", 2),
]


def finished(store: Store, claim: Claim, unit_nodes: int = 300) -> tuple[Campaign, Status]:
    """A campaign that is planned and run to its end."""
    spec, first, winner, cut = claim
    campaign = new_campaign(store, spec, find_game("domineering"), spec, first=first, winner=winner, cut=cut)
    return campaign, run_campaign(store, campaign, options=RunOptions(memory=1 << 24, unit_nodes=unit_nodes))


def check_export(store: Store, campaign: Campaign, path: Path, starter: str, winner: str) -> None:
    export_campaign(store, campaign, path)
    for slow in (False, True):
        report = check_file(path, slow=slow)
        assert report.verified, report.said
        assert (report.said["starter"], report.said["winner"]) == (starter, winner)


@pytest.mark.parametrize("claim", CLAIMS)
def test_exported_certificate_is_verified(claim: Claim, store: Store, tmp_path: Path) -> None:
    campaign, status = finished(store, claim)
    assert status is Status.PROVED
    check_export(store, campaign, tmp_path / "c.zcert", *claim[1:3])


@pytest.mark.parametrize("most_searched", [0, planner.MOST_SEARCHED], ids=["move by move", "as a whole"])
@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if claim[0] not in ("5x5", "2x17", "4x8")])
def test_refuted_campaign_exports_that_the_other_wins(
    claim: Claim, most_searched: int, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same claims the wrong way round, with and without searches of the positions in doubt."""
    monkeypatch.setattr(planner, "MOST_SEARCHED", most_searched)
    if not most_searched:
        monkeypatch.setattr(planner.Planner, "_searched_again", lambda *_: Status.OPEN)
    spec, first, winner, cut = claim
    campaign, status = finished(store, (spec, first, "H" if winner == "V" else "V", cut), unit_nodes=10**9)
    assert status is Status.REFUTED
    check_export(store, campaign, tmp_path / "c.zcert", first, winner)


def test_units_are_exported_with_the_certificates_they_came_with(store: Store, tmp_path: Path) -> None:
    """This plan needs no repair, so every certificate is met in the image it was made for."""
    campaign, status = finished(store, ("6x8", "V", "H", 2), unit_nodes=10**9)
    assert status is Status.PROVED
    assert export_campaign(store, campaign, tmp_path / "c.zcert") == 0
    assert check_file(tmp_path / "c.zcert").verified


def test_trusted_answers_are_proved_when_they_are_exported(store: Store, tmp_path: Path) -> None:
    campaign = new_campaign(store, "c", find_game("domineering"), "6x8", winner="H", cut=2)
    assert run_campaign(store, campaign, options=RunOptions(memory=1 << 24, trust=True)) is Status.PROVED
    assert store.counts(campaign).uncertified == store.counts(campaign).units
    assert export_campaign(store, campaign, tmp_path / "c.zcert") == store.counts(campaign).units
    assert check_file(tmp_path / "c.zcert").verified


def test_damaged_certificate_of_a_unit_is_never_a_wrong_proof(store: Store, tmp_path: Path) -> None:
    """Export proves the unit again, or the checker finds the damage; nothing breaks."""
    campaign, _ = finished(store, ("4x8", "V", "H", 2), unit_nodes=10**9)
    usual = export_campaign(store, campaign, tmp_path / "c.zc")
    unit = next(unit for unit in store.plan(campaign).units() if len(store.certificate(unit.id) or b"") > 30)
    payload = payload_of(store.certificate(unit.id) or b"")
    for bad in [b"", *(packed(payload[:at] + b"\x7f" + payload[at + 1 :]) for at in range(len(payload)))]:
        store.database.change("UPDATE certificates SET content = ? WHERE node = ?", (bad, unit.id))
        try:
            again = export_campaign(store, campaign, tmp_path / "c.zc")
        except ValueError as error:
            assert "certificate" in str(error)
        else:
            report = check_file(tmp_path / "c.zc")  # the damage shows there, or changed nothing
            assert report.verified or again == usual


def test_campaign_that_is_not_proved_has_no_certificate(store: Store, tmp_path: Path) -> None:
    campaign = new_campaign(store, "c", find_game("domineering"), "4x4", cut=2)
    with pytest.raises(ValueError, match="neither proved nor refuted"):
        export_campaign(store, campaign, tmp_path / "c.zcert")
    assert list(tmp_path.iterdir()) == []


def test_only_a_certificate_of_exactly_this_result_is_accepted(store: Store) -> None:
    with Checker() as checker:
        game, solver, results = find_game("domineering"), UnitSolver("domineering", 1 << 24), list[UnitResult]()
        campaign = new_campaign(store, "c", game, "4x4", cut=2)
        accept = certificate_check(campaign, checker)
        units = [unit.position for unit in store.plan(campaign).units()]
        for unit in units:
            answer, certificate = solver.prove(Turn.read(game, unit))
            results.append(UnitResult(0, campaign.status_of(answer.winner), certificate=certificate))
        assert {result.status for result in results} == {Status.PROVED, Status.REFUTED}
        for unit, result in zip(units, results, strict=True):
            assert accept(unit, result)
            lie = Status.PROVED if result.status is Status.REFUTED else Status.REFUTED
            assert not accept(unit, replace(result, status=lie))
            assert not accept(unit, replace(result, certificate=None))
            for other in results:
                same = other.certificate == result.certificate
                assert same or not accept(unit, replace(result, certificate=other.certificate))
        first = results[0].certificate or b""
        for broken in (b"", b"ZCERT\x01\x01\x00", first[:-3], packed(b"\x01\x00\x04\x04\xff\xff")):
            assert not accept(units[0], replace(results[0], certificate=broken))


def test_run_ends_soon_where_every_certificate_is_rejected(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = UnitSolver.prove
    monkeypatch.setattr(UnitSolver, "prove", lambda *about, **limits: (honest(*about, **limits)[0], b"ZCERT"))
    with pytest.raises(ExecutorLostError, match="wrong answers"):
        finished(store, ("4x4", "V", "V", 2))
    assert store.counts(store.campaign()).proved == 0
    assert store.failures(store.campaign())[0][2] == "certificate rejected"


def test_checker_for_many_says_what_the_checker_for_one_says(tmp_path: Path) -> None:
    """In any order, beyond its memory, and after it was killed."""
    with open_store(":memory:") as store:
        campaign, _ = finished(store, ("5x4", "V", "H", 4))
        contents = [store.certificate(unit.id) or b"" for unit in store.plan(campaign).units()]
    contents += [contents[0][:-3], b"", b"ZCERT\x01\x01\x00"]
    contents += [packed(b"\x01\x00\x02\x02\x0f\x00\x00\x08\x00"), contents[0]]
    contents += [packed(b"\x01\x00\x02\x02\x0f\x01\x00\x10\x00")]  # 2x2, H starts: V does not win
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
