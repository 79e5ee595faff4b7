"""The board fits any window; the Play page prints light; forms keep what is typed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect


@pytest.mark.parametrize(
    ("width", "height"),
    [(360, 740), (740, 360), (1400, 900), (350, 225)],
    ids=["phone", "on its side", "desk", "400 %"],
)
def test_board_fills_any_window(page: Page, width: int, height: int) -> None:
    # A window of 1400x900 at 400 % is one of 350x225.
    page.set_viewport_size({"width": width, "height": height})
    for spec in ("12x12", "4x4"):
        page.goto(f"?game=domineering&spec={spec}&you=both&marks=hidden")
        board = page.locator("svg.grid")
        expect(board).to_be_visible()
        page.evaluate("document.querySelector('#board').scrollIntoView({ block: 'center' })")
        box = board.bounding_box()
        least = 0.6 * min(width, height)
        side = page.locator("[data-square='1,1']").bounding_box()
        assert box and side and (min(box["width"], box["height"]) >= least or 75 <= side["width"] <= 91), (
            spec,
            box,
            side,
        )
        shown = page.locator("#board").bounding_box()  # What does not fit scrolls; here nothing need.
        assert shown and shown["x"] >= 0 and shown["x"] + shown["width"] <= width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_long_board_scrolls_by_itself(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("?game=domineering&spec=3x40&you=both&marks=hidden")
    square = page.locator("[data-square='1,1']").bounding_box()
    assert square and square["width"] >= 24
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate("document.querySelector('#board').scrollWidth > document.querySelector('#board').clientWidth")


def test_print_in_dark_mode_is_light(visit: Callable[..., Page]) -> None:
    page = visit(color_scheme="dark", viewport={"width": 800, "height": 1000})
    page.goto("?game=domineering&spec=6x6:V2,2;H4,3&first=V&you=both&show=cover-H")
    expect(page.locator("svg.grid[data-marked=all]")).to_be_attached()
    light = "() => getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(light) != "rgb(255, 255, 255)"
    page.emulate_media(media="print")
    assert page.evaluate(light) == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('.square')).fill") == "rgb(255, 255, 255)"
    assert all(page.locator(part).is_hidden() for part in ("header", "#setup", "#undo"))
    assert page.locator("svg.grid").is_visible()


@pytest.mark.parametrize(
    ("address", "field", "filled"),
    [
        ("./", "#spec", "svg.grid"),
        ("proof.html", "#spec", "#library button"),
        ("table.html?side=12", "#board", ".cell"),
    ],
)
def test_a_form_takes_nothing_before_it_can_keep_it(page: Page, address: str, field: str, filled: str) -> None:
    waiting: list[Route] = []
    page.route("**/api/games", lambda route: waiting.append(route))
    with page.expect_request("**/api/games"):
        page.goto(address, wait_until="commit")
    expect(page.locator(field)).to_be_disabled()
    waiting[0].continue_()
    page.locator(field).fill("5x5")
    expect(page.locator(filled).first).to_be_visible()
    expect(page.locator(field)).to_have_value("5x5")
