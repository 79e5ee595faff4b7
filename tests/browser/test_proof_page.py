"""The Proof page: a certificate is made, verified and walked down to a leaf."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect


def walk_to_a_leaf(page: Page) -> int:
    """Choose the loser's moves until the proof ends; return how many."""
    for choices in range(30):
        expect(page.locator("svg.grid[data-kind=answers], svg.grid[data-kind=leaf]")).to_be_visible()
        if page.locator("svg.grid").get_attribute("data-kind") == "leaf":
            return choices
        before = page.url
        squares = page.eval_on_selector_all(
            "[role=gridcell]",
            "cells => cells.filter(cell => /, move /.test(cell.ariaLabel)).map(cell => cell.dataset.square)",
        )
        page.locator(f"[data-square='{squares[len(squares) // 2]}']").focus()
        page.keyboard.press("Enter")
        page.wait_for_function("before => location.href !== before", arg=before)
        expect(page.locator("#status")).not_to_have_class(re.compile("bad"))
    raise AssertionError("no leaf was reached")


def test_proof_is_made_verified_and_walked_to_a_leaf(page: Page) -> None:
    page.goto("proof.html")
    page.get_by_label("Board", exact=True).fill("5x5")
    page.get_by_role("button", name="Prove it").click()
    expect(page.locator("#claim")).to_contain_text("Horizontal wins 5x5 when Vertical begins")
    expect(page.locator("#verdict")).to_contain_text("Verified by zcheck")
    assert walk_to_a_leaf(page) >= 1
    expect(page.locator("#leaf")).to_contain_text("nothing is left to try")
    expect(page.locator("#leaf")).to_contain_text("strips")
    expect(page.locator(".overlay [data-area]").first).to_be_visible()
    address = page.url
    page.reload()
    expect(page.locator("#leaf")).to_contain_text("nothing is left to try")
    assert page.url == address
    page.get_by_role("button", name="Back").click()
    expect(page.locator("svg.grid[data-kind=answers]")).to_be_visible()


def test_a_certificate_file_is_opened(page: Page, tmp_path: Path) -> None:
    certificate = page.request.get("/api/proofs/file?proof=made-domineering-H-4x5").body()
    file = tmp_path / "proof.zc"
    file.write_bytes(certificate)
    page.goto("proof.html")
    page.get_by_label("Open a certificate").set_input_files(file)
    expect(page.locator("#claim")).to_contain_text("Vertical wins 4x5")
    expect(page.locator("#verdict")).to_contain_text("Verified")


def test_forged_certificate_shows_a_red_banner_and_nothing_else(visit: Callable[..., Page], tmp_path: Path) -> None:
    page = visit()
    certificate = page.request.get("/api/proofs/file?proof=made-domineering-H-4x4").body()
    payload = bytearray(zlib.decompress(certificate[8:]))
    payload[7] ^= 1  # The other player wins.
    file = tmp_path / "forged.zc"
    file.write_bytes(certificate[:8] + zlib.compress(bytes(payload)))
    page.goto("proof.html")
    page.get_by_label("Open a certificate").set_input_files(file)
    banner = page.get_by_role("alert")
    expect(banner).to_contain_text("by the independent checker")
    red, green, blue = map(int, re.findall(r"\d+", banner.evaluate("node => getComputedStyle(node).borderLeftColor")))
    assert red > 2 * max(green, blue)
    expect(page.locator("main")).not_to_contain_text(re.compile(r"\bwins\b(?! by)"))
    expect(page.locator("svg.grid")).to_have_count(0)


def test_mnk_proof_from_the_folder_is_walked_to_its_pairing(page: Page) -> None:
    page.goto("proof.html")
    page.get_by_role("button", name="K in a row 7,7,5").click()
    expect(page.locator("#status")).to_contain_text("Each of 49 moves is answered. You play Maker: choose one.")
    expect(page.locator("#verdict")).to_contain_text("Verified")
    assert walk_to_a_leaf(page) >= 1
    expect(page.locator("#leaf")).to_contain_text("the other one with the same letter")
    letters = page.locator(".area-text").all_text_contents()
    assert letters and all(letters.count(letter) == 2 for letter in letters)
    page.get_by_role("button", name="Back").click()
    expect(page.locator("svg.grid[data-kind=answers]")).to_be_visible()
