"""Every picture is well-formed SVG, becomes PNG, shows itself in notebooks, and can be read by colour-blind people."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

import zermelo.web
from zermelo import Position
from zermelo.domineering.explain import explain
from zermelo.domineering.rules.table import chart
from zermelo.domineering.values import domineering_value
from zermelo.draw import svg, view_svg, write_picture
from zermelo.draw.tikz import tikz_of
from zermelo.draw.tree import TreeLine, tree_svg
from zermelo.game import View
from zermelo.positional import MNK

SVG = "{http://www.w3.org/2000/svg}"
POSITION = Position("6x6:V2,2;H4,3")
SHOWN: dict[str, Callable[[], str | None]] = {
    "position": lambda: POSITION._repr_svg_(),
    "moves": lambda: Position("torus:4x4:V4,1;H2,4")._repr_svg_(),
    "cover": lambda: explain(POSITION, player="H", to_move="V", bound="cover")._repr_svg_(),
    "strips": lambda: explain(POSITION, player="H", to_move="V", bound="strip")._repr_svg_(),
    "mnk": lambda: MNK.parse("5,5,4:c3,b2")._repr_svg_(),
    "pairing": lambda: MNK.explain(MNK.parse("5,5,5"), "pairing")._repr_svg_(),
    "thermograph": lambda: domineering_value("2x3").thermograph._repr_svg_(),
    "table": lambda: chart(4, 4)._repr_svg_(),
}


@pytest.mark.parametrize("name", SHOWN)
def test_picture_is_well_formed_svg_with_a_title(name: str) -> None:
    root = ET.fromstring(SHOWN[name]() or "")
    assert root.tag == f"{SVG}svg"
    title = root.find(f"{SVG}title")
    assert title is not None and title.text
    assert root.get("role") == "img"


def test_pictures_become_png(tmp_path: Path) -> None:
    write_picture(tmp_path / "cover.png", SHOWN["cover"]() or "")
    data = (tmp_path / "cover.png").read_bytes()
    assert data.startswith(b"\x89PNG") and len(data) > 2000


def test_dominoes_across_the_seam_are_drawn_in_two_halves() -> None:
    assert Position("torus:4x4:V4,1;H2,4")._repr_svg_().count('rx="7"') == 4
    assert Position("4x4:V3,1;H2,3")._repr_svg_().count('rx="7"') == 2


# ---- colours

OKABE_ITO = ["#000000", "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"]
"""The palette of Okabe and Ito (2008), made to be told apart with any kind of colour vision."""


def test_players_and_outcomes_differ_for_the_colour_blind() -> None:
    assert len(set(svg.CYCLE)) == len(svg.CYCLE) and set(svg.CYCLE) <= set(OKABE_ITO)


def linear(colour: str) -> list[float]:
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def contrast(one: str, two: str) -> float:
    light = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(one), linear(two)))
    return (light[1] + 0.05) / (light[0] + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_of_the_page_has_contrast(theme: str) -> None:
    style = (Path(zermelo.web.__file__).parent / "static" / "style.css").read_text()
    block = style.split(":root {" if theme == "light" else ':root[data-theme="dark"] {')[1]
    colours = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", block.split("}")[0]))
    for text in ("ink", "soft", "accent", "win", "loss"):
        for ground in ("paper", "card"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


def test_marks_and_sets_are_drawn_and_survive_tikz() -> None:
    board = View(2, 3, ("1", "2"), ("1", "2", "3"), edges=(((1, 1), (2, 2), (1, 3)),))
    squares = {mark: ((1, number), (2, number)) for number, mark in enumerate(("win", "loss", "unknown"), 1)}
    plain = view_svg(board)
    drawn = view_svg(board, marks=[(place, mark) for mark, place in squares.items()])
    assert plain.count("<polyline") == 1 and drawn.count("<polyline") == 4 and drawn.count("<circle") == 3
    assert tikz_of(drawn).count("circle[radius") == 3 and "draw opacity=0.25" in tikz_of(drawn)


# ---- trees: every node is drawn once, connected to its parent


def test_each_node_has_a_dot_and_all_but_the_root_a_connector() -> None:
    lines = [TreeLine(0, "a"), TreeLine(1, "b"), TreeLine(2, "c <&>"), TreeLine(1, "d")]
    picture = ET.fromstring(tree_svg(lines))
    assert len(picture.findall(f"{SVG}circle")) == 4
    assert len(picture.findall(f"{SVG}polyline")) == 3
    assert [text.text for text in picture.findall(f"{SVG}text")] == ["a", "b", "c <&>", "d"]


def test_a_line_without_parent_is_refused() -> None:
    with pytest.raises(ValueError, match="line 2"):
        tree_svg([TreeLine(0, "a"), TreeLine(2, "b")])


def test_a_large_tree_is_cut_and_counted() -> None:
    picture = tree_svg([TreeLine(0, "a"), *[TreeLine(1, "b")] * 999], at_most=100)
    assert picture.count("<circle") == 100
    assert "and 900 more" in picture
