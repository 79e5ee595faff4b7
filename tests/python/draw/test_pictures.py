"""Every picture is well-formed SVG, becomes PNG, shows itself in notebooks, and can be read by colour-blind people."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

import zermelo.web
from zermelo import Position
from zermelo.domineering.explain import explain
from zermelo.domineering.rules.table import build
from zermelo.domineering.values import domineering_value
from zermelo.draw import svg, view_svg, write_picture
from zermelo.draw.tikz import tikz_of
from zermelo.draw.tree import TreeLine, tree_svg
from zermelo.game import View
from zermelo.positional import MNK

SVG = "{http://www.w3.org/2000/svg}"
POSITION = Position.from_text("6x6:V2,2;H4,3")
SHOWN: dict[str, Callable[[], str | None]] = {
    "position": lambda: POSITION._repr_svg_(),
    "moves": lambda: Position.from_text("torus:4x4:V4,1;H2,4")._repr_svg_(),
    "cover": lambda: explain(POSITION, player="H", to_move="V", bound="cover")._repr_svg_(),
    "strips": lambda: explain(POSITION, player="H", to_move="V", bound="strip")._repr_svg_(),
    "mnk": lambda: MNK.parse("5,5,4:c3,b2")._repr_svg_(),
    "pairing": lambda: MNK.explain(MNK.parse("5,5,5"), "pairing")._repr_svg_(),
    "thermograph": lambda: domineering_value("2x3").thermograph._repr_svg_(),
    "table": lambda: build(4, 4)._repr_svg_(),
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
    assert Position.from_text("torus:4x4:V4,1;H2,4")._repr_svg_().count('rx="7"') == 4
    assert Position.from_text("4x4:V3,1;H2,3")._repr_svg_().count('rx="7"') == 2


# ---- colours: simulated dichromacy (Machado, Oliveira and Fernandes 2009, severity 1), distances in CIELAB

SIMULATIONS = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def linear(colour: str) -> list[float]:
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def lab(rgb: list[float]) -> tuple[float, float, float]:
    red, green, blue = (min(1.0, max(0.0, v)) for v in rgb)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: str, two: str, simulation: str) -> float:
    def seen(colour: str) -> tuple[float, float, float]:
        rgb = linear(colour)
        return lab([sum(m * v for m, v in zip(row, rgb, strict=True)) for row in SIMULATIONS[simulation]])

    return sum((a - b) ** 2 for a, b in zip(seen(one), seen(two), strict=True)) ** 0.5


@pytest.mark.parametrize("simulation", SIMULATIONS)
def test_players_and_outcomes_differ_for_the_colour_blind(simulation: str) -> None:
    # The four outcomes of the chart; two of them are also the players. 10 is plain at a glance, 2.3 just noticeable.
    outcomes = (svg.BLUE, svg.ORANGE, svg.GREEN, svg.PURPLE)
    for one, two in itertools.combinations(outcomes, 2):
        assert distance(one, two, simulation) > 10, (one, two)


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
