"""Games whose pieces move, boards of hexagons, and every game of the list from its start to its end."""

from __future__ import annotations

import re

from playing import slow_line
from playwright.sync_api import Page, expect


def click_square(page: Page, row: int, col: int) -> None:
    page.locator(f"[data-square='{row},{col}']").click()


def test_a_piece_is_moved_square_by_square(page: Page) -> None:
    page.goto("?game=amazons&spec=3x3&you=both&marks=hidden")
    expect(page.locator("#welcome")).to_contain_text("Click a piece, then where it goes.")
    expect(page.locator("svg.grid .mark")).to_have_count(1)  # One amazon can move.
    expect(page.locator("[data-square='1,1']")).to_have_attribute("aria-label", re.compile("Left, 29 moves"))
    click_square(page, 1, 1)
    expect(page.locator("svg.grid .mark")).to_have_count(5)
    click_square(page, 1, 2)
    expect(page.locator("svg.grid .mark")).to_have_count(6)
    click_square(page, 1, 1)  # The arrow goes back to where she came from.
    expect(page.locator("#history > li > button")).to_have_text(["x1,1-1,2-1,1"])
    click_square(page, 3, 3)
    click_square(page, 1, 2)  # No move of hers: the choice begins anew.
    page.locator("[data-square='3,3']").focus()
    for key in ("Enter", "ArrowUp", "Enter", "Escape", "ArrowDown", "Enter", "ArrowUp", "Enter", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#history > li > button")).to_have_text(["x1,1-1,2-1,1", "o3,3-2,3-2,2"])


def test_a_jump_is_marked_on_the_piece_and_where_it_goes(page: Page) -> None:
    page.goto("?game=konane&spec=xo.o.&you=both")
    expect(page.locator("svg.grid[data-marked=all]")).to_be_attached()
    expect(page.locator("svg.grid .mark")).to_have_count(1)
    expect(page.locator("[data-square='1,1']")).to_have_attribute("aria-label", re.compile("Left, 2 moves: winning"))
    click_square(page, 1, 1)
    for square, mark in (("1,3", page.locator(".mark").first), ("1,5", page.locator(".mark").last)):
        inside, box = page.locator(f"[data-square='{square}']").bounding_box(), mark.bounding_box()
        assert inside and box and inside["x"] < box["x"] and box["x"] + box["width"] < inside["x"] + inside["width"]


def test_hex_is_a_board_of_hexagons_with_the_colours_of_its_sides(page: Page) -> None:
    page.goto("?game=hex&spec=3x3&you=both&marks=hidden")
    first, below = (
        page.locator("[data-square='1,1']").bounding_box(),
        page.locator("[data-square='2,1']").bounding_box(),
    )
    assert first and below and 0.4 < (below["x"] - first["x"]) / first["width"] < 0.6
    slow_line(page)
    for row, col in ((1, 2), (1, 1), (2, 2), (2, 1), (3, 1)):  # Faster than the server: every click counts.
        click_square(page, row, col)
    expect(page.locator("#history > li > button")).to_have_text(["b1", "a1", "b2", "a2", "a3"])
    expect(page.locator("#status")).to_have_text("Black wins. The first row and the last are joined.")
    expect(page.locator("svg.grid .piece.named-black")).to_have_count(3)
    expect(page.locator("svg.grid .edge.named-white")).to_be_attached()


def test_only_games_with_certificates_offer_a_proof(page: Page) -> None:
    for game, offered in (("hex&spec=2x2", 1), ("clobber&spec=1x4", 0)):
        page.goto(f"?game={game}&you=both")
        expect(page.get_by_role("button", name="How do we know?")).to_be_visible()
        expect(page.get_by_role("link", name="Prove this")).to_have_count(offered)
    page.goto("proof.html")
    expect(page.locator("#game option").first).to_have_text("Domineering")
    assert "Clobber" not in page.locator("#game option").all_inner_texts()
