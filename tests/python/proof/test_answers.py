"""Cuts that answer many moves (FORMAT.md 4.4), as readers of certificates see them."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from proving import prove

from zermelo.domineering.position import Player
from zermelo.domineering.replay import ANSWERS, ANSWERS_KEEP, Node, StrategyReader
from zermelo.game import find_game
from zermelo.proof import check_file
from zermelo.proof.container import read_payload, read_version, write_payload
from zermelo.proof.tools import extract, info, show, show_html, strategy_svg, trim

BOARDS: list[tuple[str, Player]] = [
    ("5x5", "V"),
    ("8x4", "H"),
    ("6x8", "H"),
    ("#......./......../......../.......#", "V"),
]
# 3x2 without the two lower squares of its right column, H starts and V wins: the example of FORMAT.md 9.
EXAMPLE = bytes([1, 0, 3, 2, 0b010111, 1, 0, ANSWERS, 0, 1])


def certificate(folder: Path, spec: str, first: Player) -> Path:
    path = folder / "proof.zc"
    assert prove(spec, first, path).path
    return path


def test_an_answered_move_leads_to_a_leaf_with_the_cuts_before_it() -> None:
    strategy = StrategyReader(EXAMPLE)
    root = strategy.root()
    assert root == Node("all", 0b010111, True, 7, 0, cuts=((0b010111, 0),), answered=(0b000011,))
    leaf = strategy.child(root, 0b000011)
    assert leaf == Node("strips", 0b010100, False, 7, 1, cuts=((0b010100, 0),))
    assert list(strategy.nodes()) == [root, leaf]
    assert strategy.index.nodes == 2
    with pytest.raises(ValueError, match="already ends in a leaf"):
        find_game("domineering").replay(EXAMPLE).step(["H1,1", "V1,1"])


def test_a_component_that_the_move_fills_is_gone() -> None:
    # 3x4: a row of two squares, and a column of two with a square beside it that is worth no move.
    free = 0b0001_0001_0000 | 0b0000_0000_1100
    strategy = StrategyReader(bytes([1, 0, 3, 4, *free.to_bytes(2, "little"), 1, 0, ANSWERS, 0, 1]))
    assert strategy.child(strategy.root(), 0b1100).cuts == ((0b0001_0001_0000, 0),)


@pytest.mark.parametrize(("spec", "first"), BOARDS)
def test_every_node_is_found_by_its_moves(tmp_path: Path, spec: str, first: Player) -> None:
    """The walk finds by the index what the scan of the whole file has met on the same way."""
    strategy = StrategyReader(read_payload(certificate(tmp_path, spec, first)))
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
            assert (node.heats, node.start) == (way[-2].heats, way[-2].start)
            assert sum(part for part, _ in node.cuts) == node.free
        mixed += 0 < len(node.answered) < len(strategy.moves(node.free, loser=True))
    assert answered > 0
    assert mixed > 0


@pytest.mark.parametrize(("spec", "first"), BOARDS)
def test_info_counts_what_the_checkers_count(tmp_path: Path, spec: str, first: Player) -> None:
    path = certificate(tmp_path, spec, first)
    found = info(path)
    assert found["version"] == 3
    for slow in (False, True) if spec != "6x8" else (False,):
        report = check_file(path, slow=slow)
        assert report.verified
        assert report.said["nodes"] == sum(found["counts"].values())


def test_the_lowest_version_is_written(tmp_path: Path) -> None:
    """A certificate that is a leaf needs nothing of version 3."""
    path = certificate(tmp_path, "2x2", "V")
    assert set(info(path)["counts"]) == {"strips"}
    assert read_version(path) == 1
    assert check_file(path).verified


@pytest.mark.parametrize(("spec", "first"), BOARDS)
def test_trim_forgets_what_nothing_refers_to(tmp_path: Path, spec: str, first: Player) -> None:
    """The writer remembers nothing in vain: when all positions are remembered, trim finds those it had."""
    path, trimmed = certificate(tmp_path, spec, first), tmp_path / "trimmed.zc"
    before = read_payload(path)
    more = bytearray(before)
    for node in StrategyReader(before).nodes():
        if node.kind == "all":
            more[node.start] += ANSWERS_KEEP - ANSWERS
    assert more != before
    write_payload(bytes(more), path, version=3)
    assert check_file(path).verified
    trim(path, trimmed)
    assert check_file(trimmed).verified
    kinds = Counter(node.kind for node in StrategyReader(read_payload(trimmed)).nodes())
    assert kinds == Counter(node.kind for node in StrategyReader(before).nodes())


def test_answered_moves_are_shown_drawn_and_extracted(tmp_path: Path) -> None:
    path, part = certificate(tmp_path, "5x5", "V"), tmp_path / "part.zc"
    strategy = StrategyReader(read_payload(path))
    root = strategy.root()
    count = len(root.answered)
    assert f"each of 20 moves is answered, {count} of them by strips (" in show(path)
    name = strategy.name(root.answered[0], loser=True)
    assert re.search(r"H wins by strips \(\d+ cuts?, switches at 5/4, 1, 0\)", show(path, [name]))
    assert extract(path, [name], part).winner == "H"
    assert check_file(part).verified
    assert show_html(path, 1).count("<details") == 21
    assert f"{name}: H to move: H wins by strips" in strategy_svg(path, 1)
