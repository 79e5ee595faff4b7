"""Trees: every node is drawn once, connected to its parent."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from zermelo.draw.tree import TreeLine, tree_svg
from zermelo.game import find_game
from zermelo.proof.tools import strategy_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_each_node_has_a_dot_and_all_but_the_root_a_connector() -> None:
    lines = [TreeLine(0, "a"), TreeLine(1, "b"), TreeLine(2, "c <&>"), TreeLine(1, "d")]
    picture = ElementTree.fromstring(tree_svg(lines))
    assert len(picture.findall(f"{SVG}circle")) == 4
    assert len(picture.findall(f"{SVG}path")) == 3
    assert [text.text for text in picture.findall(f"{SVG}text")] == ["a", "b", "c <&>", "d"]


def test_a_line_without_parent_is_refused() -> None:
    with pytest.raises(ValueError, match="line 2"):
        tree_svg([TreeLine(0, "a"), TreeLine(2, "b")])


def test_a_large_tree_is_cut_and_counted() -> None:
    picture = tree_svg([TreeLine(0, "a"), *[TreeLine(1, "b")] * 999], at_most=100)
    assert picture.count("<circle") == 100
    assert "and 900 more" in picture


def test_strategy_of_5x5_is_drawn_with_its_moves(tmp_path: Path) -> None:
    game = find_game("domineering")
    written = game.prove(game.parse("5x5"), "V", tmp_path / "5x5.zc")
    assert written.path
    picture = strategy_svg(written.path, 1)
    assert "V to move: each of 20 moves is answered" in picture
    assert picture.count("<circle") == 21
    assert "V1,1" in picture and "V4,5" in picture
