"""The strategy in an m,n,k certificate answers every move, and never loses a line."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import tiny
from proving import prove

from zermelo.game import Limits, find_game
from zermelo.positional import MNK
from zermelo.positional.position import MnkPosition
from zermelo.positional.prove import prove as prove_maker_breaker
from zermelo.positional.replay import RecordReader
from zermelo.proof import check_file
from zermelo.proof.container import Bytes, head_of_payload, read_claim, read_payload, varint
from zermelo.proof.tools import extract, show


@pytest.mark.parametrize("name", ["4-4-4.zc", "7-7-5.zc"])
def test_breaker_answers_all_and_hits_every_line(name: str) -> None:
    strategy = RecordReader.of(read_payload(tiny.SAMPLES / name))
    lines = tiny.mnk_edges(*map(int, strategy.claim.spec.split(",")))
    chance = random.Random(5)
    for _ in range(20):
        parts, maker, breaker = strategy.parts(), set[int](), set[int]()
        while free := set(range(strategy.cells)) - maker - breaker:
            # Half the time Maker plays where it hurts: on a line that she nearly has.
            open_lines = [line for line in lines if not breaker & set(line)]
            wanted = [s for line in open_lines for s in line if s in free] if chance.random() < 0.5 else []
            maker.add(chance.choice(wanted or sorted(free)))
            reply, parts = strategy.answer(parts, max(maker & free))
            assert reply is None or reply in free - maker
            breaker |= {reply} - {None}
            zones = [strategy.zone(part) for part in parts]
            assert sum(map(len, zones)) == len(frozenset().union(*zones))
        assert not [line for line in lines if set(line) <= maker]


def test_maker_completes_a_line_whatever_breaker_does(tmp_path: Path) -> None:
    path = tmp_path / "4-4-3.zc"
    assert prove_maker_breaker(MnkPosition(4, 4, 3), "X", path, Limits()).winner == "maker"
    walk, chance = MNK.replay(read_payload(path)), random.Random(6)
    for _ in range(20):
        moves: list[str] = []
        while (step := walk.step(moves)).moves:
            moves.append(chance.choice(step.moves))
        assert step.text == "Maker has completed a line" and step.position.decided("breaker") == "maker"


def test_a_later_position_of_an_mnk_proof_is_one_of_the_same_game(tmp_path: Path) -> None:
    path = tmp_path / "later.zc"
    assert extract(tiny.SAMPLES / "7-7-5.zc", ["d4"], path).winner == "breaker"
    report, claim = check_file(path), read_claim(head_of_payload(path))
    assert report.verified and (report.said["game"], report.said["maker"]) == ("mnk", [24])
    assert claim.line == "7,7,5 (maker on 24), breaker starts: breaker wins"
    assert "in 7,7,5 (maker on d4), so X cannot win" in MNK.claim_words(claim)


def test_show_follows_the_strategy_and_refuses_others() -> None:
    file = tiny.SAMPLES / "7-7-5.zc"
    assert "each of 49 moves is answered" in show(file)
    assert "Breaker plays" in show(file, ["d4"])
    with pytest.raises(ValueError, match="another move"):
        show(file, ["d4", "a1"])
    with pytest.raises(ValueError, match="not a move here"):
        show(file, ["V1,1"])
    with pytest.raises(ValueError, match=r"truncated|no proof|unknown"):
        MNK.replay(read_payload(file)[:4000])


def sums(records: list[list[int]]) -> bytes:
    """A certificate of 3,3,3, Breaker to win, with these records."""
    return tiny.positional_claim(tiny.mnk_head(3, 3, 3), [], [], 0, 1) + bytes(b for r in records for b in r) + b"\0"


def test_shared_references_are_not_unfolded() -> None:
    """Sixty sums, each of twice the one before: 2^60 parts, were they unfolded. Zones that overlap prove nothing."""
    pairs, twice = [1, 1, 0, 1], [4, 2, 1, 0, 1, 0]
    with pytest.raises(ValueError, match="overlap"):
        find_game("mnk").replay(sums([pairs, *[twice] * 60])).step([])
    # Without a cell there is nothing to answer, and nothing to unfold.
    step = find_game("mnk").replay(sums([[1, 0], *[twice] * 60])).step([])
    assert step.text == "Breaker wins by 0 pairs"
    # A chain as long as the file is followed without recursion.
    chain = find_game("mnk").replay(sums([pairs, *[[4, 1, 1, 0]] * 5000]))
    assert chain.step([]).text == "Breaker wins by 1 pair"
    assert chain.step(["a1"]).moves == ("b1",)


def test_counts_and_limits_bound_a_walk() -> None:
    replay = find_game("mnk").replay
    with pytest.raises(ValueError, match="more than 256"):
        replay(sums([[1, 0], [4, *tiny.varint(257), *[1, 0] * 257]]))
    with pytest.raises(ValueError, match="too large to walk"):
        replay(sums([[1, 0]] * 5000), limits=Limits(memory=1000))


@pytest.mark.parametrize("code", [3, 7])
def test_a_claim_of_very_many_vertices_is_refused_before_they_are_named(code: int) -> None:
    with pytest.raises(ValueError, match="more than 256 vertices"):
        read_claim(Bytes(bytes([code]) + varint(1 << 30) + bytes(5)))


def test_hypergraphs_are_walked(tmp_path: Path) -> None:
    path = tmp_path / "graph.zc"
    assert prove("a b / b c / c d / d a", "breaker", path, "hypergraph").winner == "maker"
    step = find_game("hypergraph").replay(read_payload(path)).step([])
    assert (step.to_move, step.moves) == ("breaker", ("0", "1", "2", "3"))
    assert "Maker plays" in show(path, ["0"])
