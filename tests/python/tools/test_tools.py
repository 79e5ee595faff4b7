"""The scripts in tools/: a small run of each. test_docs.py draws the plots and compares the charts."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import certificates
import cgt_values
import facts
import mnk_table
import pytest
import qbf
import races
import records
from tiny import outcome as brute_force

from zermelo.bench.record import read_csv
from zermelo.domineering.lattice import Lattice
from zermelo.domineering.position import Position
from zermelo.domineering.rules.facts import Fact, FactBook
from zermelo.domineering.rules.outcomes import NAMES, SETS
from zermelo.game import Answer
from zermelo.positional.race import RacePosition
from zermelo.proof import check_file


def shown(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def book_of(path: Path, *known: tuple[str, str]) -> None:
    FactBook.of(Fact(Lattice.parse(spec), SETS[name], "search", "old", nodes=1) for spec, name in known).save(path)


def test_facts_are_searched_proved_continued_and_checked(tmp_path: Path) -> None:
    path, named = tmp_path / "facts.json", ["hcylinder:3x4", "torus:4x4", "4x6"]
    facts.search_boards(path, board=named, proofs=tmp_path)
    found = FactBook.load(path)
    for fact in found:
        assert NAMES[fact.outcomes] == brute_force(*fact.size)
        for first, digest in fact.certificates:
            file = tmp_path / f"{fact.size.spec.replace(':', '-')}-{first}.zcert"
            assert check_file(file).verified and facts.digest_of(file) == digest
    assert len(found) == 3 and sum(len(fact.certificates) for fact in found) == 5  # one answers both on a square torus
    facts.search_boards(path, again=True)
    assert [fact.certificates for fact in FactBook.load(path)] == [fact.certificates for fact in found]
    facts.check(path)


def test_facts_search_only_what_is_open_until_the_time_is_over(tmp_path: Path) -> None:
    path, calls = tmp_path / "facts.json", list[str]()

    def search(spec: str, first: Any, seconds: float | None) -> Any:
        calls.append(spec)
        return facts.search(spec, first, seconds)

    facts.Filler(path, seconds=60, search=search).fill(facts.candidates(36, 9)[:25])
    count = len(calls)
    assert count and calls.count("4x4") == 1  # a square: one search answers both starters
    facts.Filler(path, seconds=60, search=search).fill(facts.candidates(36, 9)[:25])
    assert len(calls) == count
    facts.Filler(path, seconds=1e-9, search=search).fill([Lattice(7, 7)])
    assert len(calls) == count


def test_wrong_facts_are_found_and_time_that_is_over_rejects_nothing(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    book_of(path, ("2x4", "V"))
    before = path.read_text()
    with pytest.raises(ValueError, match="contradicts the file"):
        facts.check(path)
    assert path.read_text() == before
    with pytest.raises(ValueError, match="contradicts the file"):
        facts.search_boards(path, again=True)
    book_of(path, ("2x4", "H"))
    half: Any = lambda spec, first, seconds: Answer(first, "H" if first == "V" else None, "search")  # noqa: E731
    assert facts.Filler(path, seconds=5, search=half).search_all_again() == 0
    assert facts.Filler(path, seconds=5, save=False).search_all_again() == 1


def test_certificates_enter_the_facts_only_if_they_are_verified_and_agree(run: Any, tmp_path: Path) -> None:
    proof, path = tmp_path / "p.zcert", tmp_path / "facts.json"
    assert run("solve", "domineering", "5x5", "--first", "V", "--method", "search", "--proof", str(proof)).code == 0
    facts.add(path, [proof])
    (fact,) = FactBook.load(path)
    assert (fact.size.spec, fact.outcomes, fact.certificates) == ("5x5", SETS["2"], (("V", facts.digest_of(proof)),))
    book_of(path, ("5x5", "1"))
    with pytest.raises(ValueError, match="the certificate says 2"):
        facts.add(path, [proof])
    proof.write_bytes(proof.read_bytes()[:-1] + b"?")
    with pytest.raises(ValueError, match="was not verified"):
        facts.add(path, [proof])


def test_certificate_of_a_starter_who_wins_enters_her_move(run: Any, tmp_path: Path) -> None:
    proof, path = tmp_path / "p.zcert", tmp_path / "facts.json"
    assert run("solve", "torus:4x4", "--first", "V", "--method", "search", "--proof", str(proof)).code == 0
    facts.add(path, [proof])
    (fact,) = FactBook.load(path)
    assert Position("torus:4x4").after(dict(fact.moves)["V"]).solve(first="H").starts["H"].winner == "V"


def test_records_measure_our_search_beside_obsequi(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert records.main(["6x6", "--csv", str(tmp_path / "rows.csv")]) == 0
    other, ours = read_csv(tmp_path / "rows.csv")
    assert (other.answer, ours.answer, ours.published_nodes) == ("first", "first", other.nodes)
    assert "times faster: geometric mean" in shown(capsys)


def test_certificates_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    certificates.main(["4x4", "3,3,3"])
    assert sum(row.startswith("| 4x4 | ") for row in shown(capsys).splitlines()) == 2


def test_calculators_agree_or_say_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    questions = ["value domineering 2x3", "value snort 2x2", "nimber kayles 1x7", "outcome clobber xo"]
    cgt_values.main(questions)
    rows = [line.split() for line in shown(capsys).splitlines()[1:]]
    assert [row[3] for row in rows] == ["zermelo", "cgt-py"] * 2 + ["zermelo"] * 2
    assert {row[-1] for row in rows[:2]} == {"{2|-1/2}"} and [row[-1] for row in rows[4:]] == ["2", "first"]
    monkeypatch.setitem(cgt_values.PROGRAMS, "cgt-py", "print(7)")
    with pytest.raises(SystemExit, match="2x3: the two disagree"):
        cgt_values.main(questions[:1])
    monkeypatch.setitem(cgt_values.PROGRAMS, "cgt-py", "import time; time.sleep(60)")
    assert cgt_values.ask("cgt-py", questions[0], 0.2, 1 << 30)[0] == "unknown"


def test_random_positions_of_all_games_of_cgt_py_are_worth_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cgt_values.main(["--random", "60"])
    assert [line.split()[1] for line in shown(capsys).splitlines()[1:]] == ["10"] * 6
    monkeypatch.setattr(cgt_values, "in_cgt_py", lambda position: "Domineering('..|..')")
    with pytest.raises(SystemExit, match="the two disagree"):
        cgt_values.main(["--random", "60"])


def test_mnk_table_proves_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    mnk_table.main(["--side", "3"])
    (row,) = json.loads(shown(capsys))["rows"]
    assert (row["spec"], row["outcome"], row["literature"]) == ("3,3,3", "draw", "draw")


@pytest.mark.skipif(shutil.which("depqbf") is None, reason="depqbf is not installed")
def test_a_qbf_solver_gives_the_same_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng, asked = random.Random(4), Counter[bool]()
    while min(asked[True], asked[False]) < 20:
        position = RacePosition.read(races.random_race(rng, 6))
        if position.decided(position.to_move) is None:
            file = tmp_path / "race.qdimacs"
            file.write_text(qbf.Formula(position.race()).text())
            black = races.truth(position.text) == "maker"
            assert qbf.answer(file, "depqbf", 60).answer == ("Black" if black else "not Black"), position.text
            asked[black] += 1
    file = tmp_path / "square.pg"
    file.write_text("#times 1 2 3\n#blackturns 1 3\n#positions a b c\n#blackwins\na b\nb c\n")
    assert qbf.main([str(file), "--csv", str(tmp_path / "both.csv")]) == 0
    assert "Black" in shown(capsys) and len(read_csv(tmp_path / "both.csv")) == 2
