"""The pages Who wins?, Campaign and API, and the Play page with m,n,k games and overlays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from playing import marks, move_pointer, play_to_the_end
from playwright.sync_api import Page, expect


def test_table_cell_opens_its_derivation(page: Page) -> None:
    page.goto("table.html?side=20")
    cell = page.locator("[data-board='6x12']")
    expect(cell).to_have_text("H", timeout=60_000)
    cell.click()
    why = page.locator("#why")
    expect(why).to_contain_text("6x12: H wins whoever starts")
    expect(why).to_contain_text("cut: [6x12] <=")
    expect(why).to_contain_text("searched")
    expect(page).to_have_url(re.compile("board=6x12"))
    why.get_by_role("link", name="open").last.click()
    expect(page.locator("svg.grid")).to_be_visible()


def test_table_is_walked_by_keyboard_and_survives_reload(page: Page) -> None:
    page.goto("table.html?side=12&board=3x1000")
    expect(page.locator("#why")).to_contain_text("3x1000: H wins", timeout=60_000)
    page.locator("[data-board='1x1']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#why")).to_contain_text("2x2: the first player wins")
    page.go_back()
    expect(page.locator("#why")).to_contain_text("3x1000: H wins")
    # What is half known is no number; an address that makes no sense still leads to a table.
    page.goto("table.html?topology=none&side=no&board=12x12")
    expect(page.locator("#why")).to_contain_text("[12x12] is 1/2 (neither > 0 nor < 0)")
    expect(page.locator("[data-board='12x12']")).to_have_text("1/2", timeout=60_000)


def test_answer_comes_into_view_on_a_phone(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 360, "height": 640})
    page.goto("table.html?side=20")
    page.locator("[data-board='2x5']").click()
    expect(page.locator("#why h2")).to_have_text("2x5: V wins whoever starts")
    expect(page.locator("#why h2")).to_be_in_viewport()


def test_tic_tac_toe_against_the_solver_is_a_draw_at_best(visit: Callable[..., Page]) -> None:
    page = visit()
    page.goto("?game=mnk&spec=5,5,5&you=X&show=pairing&marks=shown")
    expect(page.locator("#explanation")).to_contain_text("the same letter")
    play_to_the_end(page)
    expect(page.locator("#status")).to_contain_text(re.compile(r"A draw|O wins"))
    page.get_by_role("button", name=re.compile("Why|Review")).click()
    expect(page.locator("#review")).to_contain_text("What decided the game")


def test_cover_strips_and_components_are_shown(page: Page) -> None:
    page.goto("?game=domineering&spec=6x6:V2,2;H4,3&first=V&you=both")
    page.locator("#overlay").select_option("cover-H")
    expect(page.locator("#explanation")).to_contain_text("Horizontal is sure of")
    expect(page.locator(".overlay [data-area]").first).to_be_visible()
    stray = page.eval_on_selector_all(  # Every mark stays where its move is: on a line between two rows.
        ".mark",
        """marks => marks.filter(mark => {
            const [row, col] = mark.dataset.move.slice(1).split(",").map(Number);
            const square = document.querySelector(`[data-square="${row},${col}"]`).getBoundingClientRect();
            const box = mark.getBoundingClientRect();
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            return Math.abs(x - square.x - square.width / 2) > 3 || Math.abs(y - square.bottom) > 3;
        }).length""",
    )
    assert stray == 0
    page.locator("#overlay").select_option("strip-H")
    expect(page.locator("#explanation")).to_contain_text("H")
    page.goto("?game=domineering&spec=..%23../..%23..&first=V&you=both&show=components")
    expect(page.locator("#explanation")).to_contain_text("a = +-1; mean 0, temperature 1")
    expect(page.locator("#explanation")).to_contain_text("Sum: 0")
    page.get_by_role("button", name="thermograph").first.click()
    picture = page.get_by_role("img", name="Thermograph of component a")
    expect(picture).to_be_visible()
    page.wait_for_function("document.querySelector('.picture img').naturalWidth > 0")


@pytest.mark.parametrize(
    ("game", "spec", "component", "whole"),
    [
        ("clobber", "xxo.xo", "a = ^; mean 0, temperature 0", "Sum: ^*"),
        ("cram", "1x4", "a = *2; mean 0, temperature 0", "Sum: *2"),
        ("plus", "domineering 2x3 + -cram 1x2", "a = {2|-1/2}; mean 3/4, temperature 5/4", "Sum: {2*|-1/2*}"),
    ],
)
def test_every_game_shows_values_and_their_thermographs(
    page: Page, game: str, spec: str, component: str, whole: str
) -> None:
    page.goto(f"?game={game}&spec={quote(spec)}&you=both&show=components")
    expect(page.locator("#explanation")).to_contain_text(component)
    expect(page.locator("#explanation")).to_contain_text(whole)
    page.get_by_role("button", name="thermograph").last.click()
    expect(page.get_by_role("img", name="Thermograph of the sum")).to_be_visible()
    page.wait_for_function("document.querySelector('.picture img').naturalWidth > 0")


def test_best_reply_is_shown_on_hover(page: Page) -> None:
    page.goto("?game=domineering&spec=4x4&first=V&you=both")
    marks(page)
    page.locator("#show-replies").check()
    move_pointer(page.locator('.mark[data-move="V1,1"]'))
    expect(page.locator(".reply.player-H")).to_have_count(1)


def test_campaign_shows_its_claim_and_progress(page: Page) -> None:
    page.goto("campaign.html")
    card = page.locator("[data-campaign='6x6']")
    expect(card).to_contain_text("Vertical wins Domineering 6x6 if Vertical starts")
    expect(card).to_contain_text(re.compile(r"0 of \d+ proved"))
    expect(card.get_by_role("progressbar")).to_have_attribute("value", "0")
    expect(card.get_by_role("img", name="Positions of the plan by ply")).to_be_visible()


def test_a_board_can_be_embedded_elsewhere(page: Page, site: str) -> None:
    page.goto("?game=domineering&spec=4x4&first=V&you=both&embed=1")
    marks(page)
    expect(page.locator("header, #setup, #history").first).to_be_hidden()
    expect(page.get_by_role("link", name="Open in Zermelo")).to_have_attribute(
        "href", re.compile(r"spec=4x4(?!.*embed)")
    )
    address = f"{site}?game=domineering&spec=4x4&you=both&marks=hidden&embed=1"
    page.route(
        "**/elsewhere", lambda route: route.fulfill(body=f'<iframe src="{address}"></iframe>', content_type="text/html")
    )
    page.goto(f"{site}elsewhere")
    frame = page.frame_locator("iframe")
    frame.locator("[data-square='1,1']").click()
    expect(frame.locator("#status")).to_contain_text("Horizontal to move")


def test_pictures_come_as_svg_png_and_tikz(page: Page) -> None:
    page.goto("?game=domineering&spec=4x4:V1,1&you=both&show=cover-H")
    marks(page)
    page.get_by_text("Pictures, papers, other programs").click()
    begins = {"SVG": b"<svg ", "PNG": b"\x89PNG", "TikZ": b"% Domineering: 4x4:V1,1"}
    for name, start in begins.items():
        with page.expect_download() as download:
            page.locator("#export").get_by_text(name, exact=True).click()
        assert Path(download.value.path()).read_bytes().startswith(start)
    assert "#d55e00" in page.request.get(page.get_by_text("SVG", exact=True).get_attribute("href") or "").text()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy for CGSuite").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == 'game.grid.Domineering("#...|#...|....|....")'


def test_unknown_says_how_long_and_searches_longer(page: Page) -> None:
    events = [
        {"event": "move", "moves": ["V1,1"], "mark": "unknown", "nodes": 5},
        {"event": "done", "win": 0, "draw": 0, "loss": 0, "unknown": 6, "nodes": 123456, "seconds": 20.1},
    ]
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    page.route("**/api/*/moves*", lambda route: route.fulfill(body=body, content_type="text/event-stream"))
    page.goto("?game=domineering&spec=3x3&you=both")
    expect(page.locator("#outcome")).to_have_text("Who wins is unknown: searched 20 s and 123,456 positions.")
    page.unroute_all()
    with page.expect_request(re.compile(r"/moves.*seconds=120")):
        page.get_by_role("button", name="Search longer (up to 120 s)").click()
    expect(page.locator("#outcome")).to_contain_text("Vertical wins")
    page.get_by_role("link", name="Prove this").click()
    expect(page.locator("#claim")).to_contain_text("Vertical wins 3x3 when Vertical begins")


def test_rules_words_and_theory_are_at_hand(page: Page) -> None:
    page.goto("")
    expect(page.locator("#welcome")).to_contain_text("Vertical's dominoes stand upright")
    page.get_by_role("button", name="Got it").click()
    page.reload()
    expect(page.locator("#rules-picture svg")).to_be_visible()
    expect(page.locator("#welcome")).to_be_hidden()
    page.get_by_text("Words", exact=True).click()
    expect(page.locator("#glossary")).to_contain_text("thermograph")
    page.get_by_text("Other boards").click()
    page.get_by_role("button", name="Aztec diamond").click()
    expect(page.locator(".grid .square.blocked")).to_have_count(12)
    page.get_by_role("link", name="Covers").click()
    expect(page.get_by_role("heading", name="Cover bounds")).to_be_visible()


def test_api_page_tries_a_route(page: Page) -> None:
    page.goto("api.html")
    route = page.locator(".route", has_text="/api/mnk/solve")
    route.locator("summary").first.click()
    route.get_by_role("button", name="Try it").click()
    expect(route.locator(".answer")).to_contain_text('"outcome": "draw"')
    route.get_by_text("What it answers").click()
    expect(route.get_by_text("The outcome in words")).to_be_visible()
    send = page.locator(".route", has_text="/api/proofs/send")
    send.locator("summary").first.click()
    send.locator("[type=file]").set_input_files(Path(__file__).parents[1] / "data" / "certificates" / "3-3-3.zc")
    send.get_by_role("button", name="Try it").click()
    expect(send.locator(".answer")).to_contain_text('"checker": "zcheck"')
