"""The reader of strategies of Domineering: cuts that answer many moves (FORMAT.md 4.4), the index, rings."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import tiny
from proving import certificate, verified_by_both
from tiny import zdomineering, zformat

from zermelo.domineering.position import Player
from zermelo.domineering.replay import CUT, Cut, Node, StrategyReader, kept_tag
from zermelo.game import Limits, find_game
from zermelo.proof import check_file
from zermelo.proof.container import read_payload, write_payload
from zermelo.proof.tools import extract, info, show, show_html, strategy_svg, trim

BOARDS: list[tuple[str, Player]] = [
    ("5x5", "V"),
    ("8x4", "H"),
    ("6x8", "H"),
    ("#....../......./......./......./......#", "V"),
]
# 3x2 without the two lower squares of its right column, H starts and V wins: an example of FORMAT.md 11.
EXAMPLE = bytes([1, 0, 3, 2, 0b010111, 1, 0, CUT + 1, 0, 1])


def strategy_of(spec: str, first: str) -> StrategyReader:
    return StrategyReader(read_payload(certificate(spec, first)))


def test_an_answered_move_leads_to_a_leaf_with_the_cuts_before_it() -> None:
    strategy = StrategyReader(EXAMPLE)
    root = strategy.root()
    assert root == Node("all", 0b010111, True, 7, 0, cuts=(Cut((0b010111,), 0, (0b000011,)),))
    leaf = strategy.child(root, 0b000011)
    assert leaf == Node("strips", 0b010100, False, 7, 1, cuts=(Cut((0b010100,)),))
    assert list(strategy.nodes()) == [root, leaf]
    assert strategy.index.nodes == 2
    with pytest.raises(ValueError, match="already ends in a leaf"):
        find_game("domineering").replay(EXAMPLE).step(["H1,1", "V1,1"])


def test_a_component_that_the_move_fills_is_gone() -> None:
    # 3x4: a row of two squares, and a column of two with a square beside it that is worth no move.
    free = 0b0001_0001_0000 | 0b0000_0000_1100
    strategy = StrategyReader(bytes([1, 0, 3, 4, *free.to_bytes(2, "little"), 1, 0, CUT + 1, 0, 1]))
    assert strategy.child(strategy.root(), 0b1100).cuts == (Cut((0b0001_0001_0000,)),)


@pytest.mark.parametrize(("spec", "first"), BOARDS)
def test_every_node_is_found_by_its_moves(spec: str, first: Player) -> None:
    """The walk finds by the index what the scan of the whole file has met on the same way."""
    strategy = strategy_of(spec, first)
    nodes = list(strategy.nodes())
    way: list[Node] = []
    answered = mixed = 0
    for node in nodes:
        del way[node.depth :]
        way.append(node)
        moves = [one.free ^ two.free for one, two in pairwise(way)]
        found = strategy.root()
        for move in moves:
            found = strategy.child(strategy.referred(found) if found.kind == "ref" else found, move)
        assert found == node
        if len(way) > 1 and moves[-1] in way[-2].answered:
            answered += 1
            assert node.kind == "strips" and not node.loser_to_move
            assert node.start == way[-2].start
            assert sum(node.cuts[0].strips) == node.free
        mixed += 0 < len(node.answered) < len(strategy.moves(node.free, loser=True))
    assert answered > 0
    assert mixed > 0


@pytest.mark.parametrize(("spec", "first"), BOARDS)
def test_info_counts_what_the_checkers_count(spec: str, first: Player) -> None:
    path = certificate(spec, first)
    found = info(path)
    for slow in (False, True) if spec != "6x8" else (False,):
        report = check_file(path, slow=slow)
        assert report.verified
        assert report.said["nodes"] == sum(found["counts"].values())


def test_a_cut_steps_between_runs() -> None:
    """Two cuts of the same board, 3x3 without its centre: the middle row has two runs, which may part."""
    free = 0b111_101_111
    head = [1, 0, 3, 3, *free.to_bytes(2, "little"), 1, 0]
    strategy = StrategyReader(bytes([*head, CUT + 2, 0b101, 0b0000, 0b010, 0b1111]))
    one, two = strategy.root().cuts
    assert one.strips == (0b000_100_111, 0b000_001_000, 0b111_000_000)
    assert two.strips == (0b000_001_111, 0b111_100_000)
    assert (one.cut, two.cut) == (2, 1)
    assert one.answered == () and len(two.answered) == 4


@pytest.mark.parametrize(("spec", "first"), BOARDS)
def test_trim_forgets_what_nothing_refers_to(tmp_path: Path, spec: str, first: Player) -> None:
    """The writer remembers nothing in vain: when all positions are remembered, trim finds those it had."""
    marked, trimmed = tmp_path / "marked.zc", tmp_path / "trimmed.zc"
    before = read_payload(certificate(spec, first))
    more = bytearray(before)
    for node in StrategyReader(before).nodes():
        if node.kind == "all":
            more[node.start] = kept_tag(more[node.start]) or 0
    assert more != before
    write_payload(bytes(more), marked)
    assert check_file(marked).verified
    trim(marked, trimmed)
    assert check_file(trimmed).verified
    kinds = Counter(node.kind for node in StrategyReader(read_payload(trimmed)).nodes())
    assert kinds == Counter(node.kind for node in StrategyReader(before).nodes())


def test_answered_moves_are_shown_drawn_and_extracted(tmp_path: Path) -> None:
    path, part = certificate("5x5", "V"), tmp_path / "part.zc"
    strategy = StrategyReader(read_payload(path))
    root = strategy.root()
    count = len(root.cuts[0].answered)
    assert f"each of 20 moves is answered, {count} of them by strips (" in show(path)
    name = strategy.name(root.cuts[0].answered[0], loser=True)
    assert re.search(r"H wins by strips \(\d+ cuts?\)", show(path, [name]))
    assert extract(path, [name], part).winner == "H"
    assert verified_by_both(part)
    assert show_html(path, 1).count("<details") == 21
    drawn = strategy_svg(path, 1)
    assert f"{name}: H to move: H wins by strips" in drawn and drawn.count("<circle") == 21
    assert "V to move: each of 20 moves is answered" in drawn and "V1,1" in drawn and "V4,5" in drawn
    assert "2 .(V). . ." in show(path, ["V2,2"])
    with pytest.raises(ValueError, match="not legal"):
        show(path, ["V10,10"])


@pytest.mark.parametrize(("spec", "first"), [("6x8", "V"), *BOARDS[1:2], *BOARDS[3:]])
def test_references_mean_what_the_checker_means(spec: str, first: str) -> None:
    proof = strategy_of(spec, first)
    nodes = list(proof.nodes())
    assert proof.index.nodes == len(nodes)
    budget = zformat.Budget(1e9, 8192)
    checker = zdomineering.Domineering(tiny.FakeReader(proof.bytes.data[1:]), budget)
    kept = [(node, checker.normal(node.free)) for node in nodes if node.kind == "keep"]
    for node in nodes:
        if node.kind != "ref":
            continue
        shapes, number = checker.normal(node.free)
        meant = [k for k, (there, least) in kept if there == shapes and least <= number]
        assert proof.referred(node) == replace(meant[0], depth=node.depth)


def test_index_refuses_a_cut_or_changed_payload() -> None:
    proof = strategy_of("5x5", "V")
    with pytest.raises(ValueError, match="truncated"):
        _ = StrategyReader(proof.bytes.data[:-1]).index
    broken = bytearray(proof.bytes.data)
    for tag in (24, 255):
        broken[proof.proof_at] = tag
        with pytest.raises(ValueError, match="unknown tag"):
            _ = StrategyReader(bytes(broken)).index
        with pytest.raises(ValueError, match="unknown tag"):
            list(StrategyReader(bytes(broken)).nodes())


def test_index_stops_at_its_limits() -> None:
    payload = read_payload(certificate("8x8", "V"))
    for limits in (Limits(seconds=1e-9), Limits(memory=10)):
        with pytest.raises(ValueError, match="too large to walk"):
            _ = StrategyReader(payload, limits=limits).index


def test_strategy_is_walked_around_a_ring() -> None:
    # hcylinder:1x3, H starts and wins: she plays across the seam, and V has no move (FORMAT.md 3 and 4).
    payload = bytes([1, 1, 1, 3, 0b111, 1, 1, 8 + 2, 0])
    walk = find_game("domineering").replay(payload)
    first = walk.step([])
    assert (first.to_move, first.moves, first.position.text) == ("H", ("H1,3",), "hcylinder:1x3")
    after = walk.step(["H1,3"])
    assert (after.leaf, str(after.position), after.text) == (True, "#.#", "V has no move left and loses")
