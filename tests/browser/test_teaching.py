"""The page in a lesson: embedded, exported, printed; wrong addresses lead back; nothing stale stays."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playing import click_move, marks
from playwright.sync_api import Page, expect


def test_links_of_an_embedded_board_open_outside_the_frame(visit: Callable[..., Page], site: str) -> None:
    page = visit()
    frame = f'<iframe src="{site}?game=domineering&spec=4x4&you=both&embed=1" width="480" height="640"></iframe>'
    page.route("**/elsewhere", lambda route: route.fulfill(body=frame, content_type="text/html"))
    page.goto(f"{site}elsewhere")
    with page.expect_popup() as popup:
        page.frame_locator("iframe").get_by_role("link", name="Prove this").click()
    expect(popup.value.locator("#claim")).to_contain_text("Vertical wins 4x4")
    assert page.url.endswith("/elsewhere")


def test_exports_carry_the_components(page: Page) -> None:
    page.goto("?game=domineering&spec=..%23../..%23..&first=V&you=both&show=components")
    marks(page)
    expect(page.locator("#explanation")).to_contain_text("a = ")
    page.get_by_text("Pictures, papers, other programs").click()
    sizes = {}
    for name in ("SVG", "PNG", "TikZ"):
        with page.expect_download() as download:
            page.locator("#export").get_by_text(name, exact=True).click()
        sizes[name] = Path(download.value.path()).read_bytes()
    assert b"temperature" in sizes["SVG"] and b"temperature" in sizes["TikZ"]
    assert sizes["PNG"].startswith(b"\x89PNG")


def test_print_has_title_legend_and_the_whole_table(page: Page) -> None:
    page.goto("?game=domineering&spec=4x4&you=both")
    marks(page)
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="Domineering: 4x4")).to_be_visible()
    assert page.locator("#heading").bounding_box()["height"] > 10  # type: ignore[index]
    expect(page.locator("#legend")).to_be_visible()
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 without margins at 96 dots an inch
    page.goto("table.html")
    expect(page.locator(".cell[data-board='33x33']")).to_be_attached(timeout=60_000)
    page.emulate_media(media="print")
    assert page.evaluate(
        "() => { const chart = document.querySelector('#chart'); return chart.scrollWidth <= chart.clientWidth + 1"
        " && chart.scrollHeight <= chart.clientHeight + 1 && document.documentElement.scrollWidth <= innerWidth }"
    )
    expect(page.locator("#legend")).to_be_visible()


def test_small_boards_are_no_posters(page: Page) -> None:
    page.goto("?game=mnk&spec=3,3,3&you=X")
    square = page.locator("[data-square='1,1']").bounding_box()
    assert square and 60 <= square["width"] <= 91


def test_labels_of_areas_stay_inside_them(page: Page) -> None:
    page.goto("?game=domineering&spec=6x6:V2,2;H4,3&first=V&you=both&show=strip-H&marks=hidden")
    expect(page.locator(".area-text").first).to_be_visible()
    crossing = page.evaluate(
        """() => {
            const boxes = [...document.querySelectorAll(".area-text")].map((node) => node.getBoundingClientRect());
            const meet = (one, two) => one.left < two.right - 1 && two.left < one.right - 1
                && one.top < two.bottom - 3 && two.top < one.bottom - 3;
            return boxes.filter((one, i) => boxes.some((two, j) => i < j && meet(one, two))).length;
        }"""
    )
    assert crossing == 0


@pytest.mark.parametrize("address", ["nothing.html", "deep/er/nothing", "manual.html?page=nothing"])
def test_a_wrong_address_leads_back(visit: Callable[..., Page], address: str) -> None:
    page = visit()
    answer = page.goto(address)
    assert answer and answer.status == 404
    expect(page.get_by_role("heading", name="There is no such page")).to_be_visible()
    page.get_by_role("navigation").get_by_role("link", name="Play").click()
    expect(page.locator("svg.grid")).to_be_visible()


def test_nothing_stale_stays_on_the_table_page(visit: Callable[..., Page]) -> None:
    page = visit()
    page.goto("table.html?side=12&board=2x5")
    expect(page.locator("#why")).to_contain_text("2x5: V wins whoever starts")
    page.get_by_label("Board", exact=True).fill("nonsense")
    page.get_by_role("button", name="Why?").click()
    expect(page.locator("#why .bad")).to_contain_text("nonsense")
    expect(page.locator("#why")).not_to_contain_text("2x5: V wins")
    page.get_by_label("Board", exact=True).fill("3x3")
    page.get_by_role("button", name="Why?").click()
    expect(page.locator("#why")).to_contain_text("3x3: the first player wins")
    expect(page.locator(".bad")).to_have_count(0)
    expect(page.locator("#status")).to_contain_text("boards decided")


def test_a_proof_speaks_of_itself(page: Page) -> None:
    page.goto("proof.html")
    expect(page.locator("main")).not_to_contain_text("loser")
    page.goto("proof.html?proof=made-cram-A-3x4")
    expect(page.locator("#status")).to_contain_text(re.compile(r"The proof begins with [hv]\d,\d\."))
    page.locator("[role=gridcell][aria-label*=', move ']").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text(re.compile(r"The proof answers [hv]\d,\d"))


def test_areas_of_a_cover_are_named_in_words(page: Page) -> None:
    page.goto("?game=domineering&spec=4x4&you=both&show=cover-V")
    expect(page.locator("#explanation > p").last).to_contain_text("P: protective")
    click_move(page, "V1,1")
    expect(page.locator("#history > li")).to_have_count(1)
