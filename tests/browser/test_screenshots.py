"""Every page, light and dark, on a desk and on a phone: no text is cut off, and everybody can read it.

ZERMELO_SCREENSHOTS names a folder that keeps the pictures.
"""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
FOLDER = os.environ.get("ZERMELO_SCREENSHOTS")
PAGES = {
    "play": ("", "svg.grid"),
    "analyse": ("?game=domineering&spec=6x6:V2,2;H5,4;V5,1;H1,4&first=V&you=both", "svg.grid[data-marked=all]"),
    "lines": ("?game=mnk&spec=3,3,3&moves=a1;b2;c3;c1;a3;a2;b3&you=O", "#why"),
    "strips": ("?game=domineering&spec=6x6:V2,2;H4,3&first=V&you=both&show=strip-H", ".area-text"),
    "sets": ("?game=hypergraph&spec=a b / b c / c a&you=both&show=pairing", "svg.grid[data-marked=all]"),
    "torus": (
        "?game=domineering&spec=torus:3x3:V3,2&you=both&marks=hidden",
        "svg.grid .piece.player-V >> nth=1",
    ),  # in two halves
    "hex": ("?game=hex&spec=3x3:b2&you=both", "svg.grid[data-marked=all]"),
    "clobber": ("?game=clobber&spec=2x3&you=both", "svg.grid[data-marked=all]"),
    "embedded": ("?game=domineering&spec=5x6&you=both&embed=1", "svg.grid"),
    "table": ("table.html?side=20&board=6x12", ".cell >> nth=99"),
    "proof": ("proof.html?proof=made-domineering-V-5x5", "#verdict:has-text('Verified')"),
    "campaign": ("campaign.html", ".campaign"),
    "api": ("api.html", ".route"),
    "docs": ("manual.html?page=theory-cover", "h1"),
    "nowhere": ("nowhere.html", "h1"),
}
WINDOWS = {"desk": (1400, 900), "phone": (390, 844)}
CUT_OFF = """() => [...document.querySelectorAll("button, a, label, h1, h2, h3, summary, dt, .status, .outcome, p")]
    .filter((node) => node.checkVisibility() && !node.closest(".unseen, .chart, .lines, nav") && node.clientWidth > 0)
    .filter((node) => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 4)
    .map((node) => `${node.tagName} ${node.id} ${node.textContent.slice(0, 60)}`)"""


FAULTS = """async rules => (await axe.run(document, rules)).violations.flatMap(({ id, help, nodes }) =>
    nodes.slice(0, 5).map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`))"""


@pytest.mark.parametrize("name", PAGES)
def test_no_text_is_cut_off_and_axe_finds_nothing(page: Page, name: str) -> None:
    address, ready = PAGES[name]
    if name == "nowhere":  # The console tells of its 404.
        page.route("**/nowhere.html", lambda route: route.fulfill(response=route.fetch(), status=200))
    page.goto(address)
    expect(page.locator(ready).first).to_be_visible()
    if name == "lines":
        page.locator("#why").click()
        expect(page.locator("#review h2")).to_be_visible()
    if name not in ("embedded", "lines"):  # Logo and content begin in one column.
        lefts = page.evaluate(
            "['.logo', 'main > :not(.unseen)'].map((part) => document.querySelector(part).getBoundingClientRect().left)"
        )
        assert lefts[0] == pytest.approx(lefts[1], abs=1)
    for window, (width, height) in WINDOWS.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CUT_OFF) == [], window
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for colours in ("light", "dark"):
            page.evaluate("colours => document.documentElement.dataset.theme = colours", colours)
            if FOLDER:
                page.screenshot(path=Path(FOLDER, f"{name}-{window}-{colours}.png"))
    page.evaluate(  # The routes of the API are all made in one way.
        "[...document.querySelectorAll('details')].forEach((one, index) => index < 12 ? (one.open = true)"
        " : one.matches('.route') && one.remove())"
    )
    page.evaluate(AXE)
    for colours, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.evaluate("colours => document.documentElement.dataset.theme = colours", colours)
        found = page.evaluate(FAULTS, rules)
        assert found == [], f"{colours}: " + "\n".join(found)
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
