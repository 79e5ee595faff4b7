"""The network fails: every page waits, says so, and goes on where it was. ZERMELO_OFFLINE is how long to be offline."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playing import moves_played, play_to_the_end, wait_for_turn
from playwright.sync_api import Page, Route, expect
from processes import ZERMELO

CERTIFICATE = Path(__file__).resolve().parents[1] / "data" / "certificates" / "3-3-3.zc"
IMPATIENT = """
    // Presses "Try now" at once, and notes what it says.
    setInterval(() => {
        if (document.querySelector("#trouble")?.checkVisibility()) {
            said(document.querySelector("#trouble-words").textContent);
            document.querySelector("#trouble-again").click();
        }
    }, 50);
"""
OFFLINE_SECONDS = float(os.environ.get("ZERMELO_OFFLINE", "2"))


def play(page: Page) -> None:
    """Play a game to its end and ask for everything on the way; Zermelo answers each move, and nothing else."""
    page.goto("?game=domineering&spec=3x3&first=V&you=V&marks=shown&show=components")
    expect(page.locator("svg.grid")).to_be_visible()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint-ring")).to_be_attached()
    page.locator("[data-square='1,2']").click()  # V1,2 or V2,2
    wait_for_turn(page, 2)
    expect(page.locator("#explanation")).to_contain_text("a = ")
    page.get_by_role("button", name="thermograph").first.click()
    expect(page.get_by_role("img", name="Thermograph of component a")).to_be_visible()
    play_to_the_end(page)
    turns = "".join(move[0] for move in moves_played(page))
    assert turns == ("VH" * 5)[: len(turns)]
    page.locator("#why").click()
    expect(page.locator("#review h2")).to_be_visible()
    page.get_by_text("Paste a position or a game").click()
    page.locator("#pasted").fill("game domineering\nstart 3x4\nfirst H\nH1,1; V2,3")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#history > li > button")).to_have_text(["H1,1", "V2,3"])
    page.get_by_role("button", name="Draw a shape").click()
    expect(page.locator("svg.grid.drawing")).to_be_visible()
    page.locator("[data-square='1,1']").click()
    page.get_by_role("button", name="Play this shape").click()
    expect(page.locator("#spec")).to_have_value("#.../..../....")
    expect(page.locator("svg.grid[data-marked=all]")).to_be_attached()


def look_up(page: Page) -> None:
    page.goto("table.html?side=12&board=6x12")
    expect(page.locator("#why")).to_contain_text("H wins whoever starts")
    page.locator("#topology").select_option(index=1)
    expect(page.locator("#status")).to_contain_text("boards decided")
    expect(page.locator("#why")).not_to_contain_text("6x12")  # The board is not of this table.
    page.locator("#chart .cell >> nth=5").click()
    expect(page.locator("#why h2")).to_contain_text("1x6")


def prove(page: Page) -> None:
    page.goto("proof.html?proof=made-domineering-V-4x4")
    expect(page.locator("#library button").first).to_be_visible()
    expect(page.locator("#verdict")).to_contain_text("Verified")
    page.get_by_label("Board", exact=True).fill("4x5")
    page.get_by_role("button", name="Prove it").click()
    expect(page.locator("#claim")).to_contain_text("4x5")
    expect(page.locator("svg.grid")).to_be_visible()
    page.get_by_label("Open a certificate").set_input_files(CERTIFICATE)
    expect(page.locator("#claim")).to_contain_text("3,3,3")
    page.locator("[role=gridcell][aria-label*=', move ']").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("The proof answers")


def watch_campaigns(page: Page) -> None:
    page.goto("campaign.html")
    expect(page.get_by_role("img", name="Positions of the plan by ply")).to_be_visible()


def try_a_route(page: Page) -> None:
    page.goto("api.html")
    route = page.locator(".route", has_text="/api/mnk/solve")
    route.locator("summary").first.click()
    route.get_by_role("button", name="Try it").click()
    expect(route.locator(".answer")).to_contain_text('"outcome": "draw"')


@contextmanager
def server(port: int, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run a server on a port."""
    with subprocess.Popen(
        [ZERMELO, "serve", "--port", str(port), *options], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        process.stdout.readline()
        yield process
        process.kill()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.mark.parametrize("visits", [play, look_up, prove, watch_campaigns, try_a_route])
def test_every_request_of_a_page_may_fail_at_first(visit: Callable[..., Page], visits: Callable[[Page], None]) -> None:
    """The first request of each kind gets no answer, the second finds the server busy, the third breaks off."""
    page, tries, said = visit(), Counter[str](), set[str]()
    failures = [
        lambda route: route.abort(),
        lambda route: route.fulfill(status=503, headers={"Retry-After": "1"}, json={"detail": "The server is busy."}),
        lambda route: route.fulfill(body='{"half', content_type="application/json"),
    ]

    def fail(route: Route) -> None:
        path = route.request.url.partition("?")[0]
        tries[path] += 1
        if "making" in path or tries[path] > (1 if "solve" in path else len(failures)):  # The API page shows refusals.
            route.continue_()
        else:
            failures[tries[path] - 1](route)

    page.expose_function("said", lambda sentence: said.add(sentence))
    page.add_init_script(IMPATIENT)
    page.route("**/api/**", fail)
    visits(page)
    expect(page.locator("#trouble")).to_be_hidden()
    assert all(sentence.endswith("Everything here is kept.") for sentence in said) and len(said) >= 2, said
    assert tries and min(count for path, count in tries.items() if not re.search("making|solve", path)) > 2, tries


def test_a_failed_reply_never_lets_the_visitor_play_for_zermelo(visit: Callable[..., Page]) -> None:
    page = visit()
    page.route("**/api/*/reply?*", lambda route: route.abort())
    page.goto("?game=domineering&spec=4x4&first=V&you=V")
    page.locator("[data-square='1,1']").click()
    expect(page.locator("#trouble")).to_contain_text("No connection to the server")
    expect(page.locator("#status")).to_have_text("Zermelo is thinking for Horizontal …")
    for square in ("3,3", "4,1"):
        page.locator(f"[data-square='{square}']").click()
    assert moves_played(page) == ["V1,1"]
    page.unroute_all()
    page.get_by_role("button", name="Try now").click()
    wait_for_turn(page, 2)
    assert [move[0] for move in moves_played(page)] == ["V", "H"]
    expect(page.locator("#trouble")).to_be_hidden()


def test_zermelos_turn_stays_zermelos_after_a_step_back(page: Page) -> None:
    page.goto("?game=domineering&spec=4x4&first=V&you=V")
    page.locator("[data-square='1,1']").click()
    wait_for_turn(page, 2)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#status")).to_have_text("Zermelo's turn: Horizontal.")
    page.locator("[data-square='3,3']").click()
    page.locator("[data-square='3,3']").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Zermelo moves").click()
    expect(page.locator("#status")).to_contain_text("Your turn: Vertical.")
    assert [move[0] for move in moves_played(page)] == ["V", "H"]


def test_broken_marks_are_asked_for_again(visit: Callable[..., Page]) -> None:
    page = visit()
    part = 'data: {"event": "move", "moves": ["V1,1"], "mark": "loss", "nodes": 1}\n\n'
    page.route("**/api/*/moves?*", lambda route: route.fulfill(body=part, content_type="text/event-stream"), times=1)
    page.goto("?game=domineering&spec=4x4&you=both")
    expect(page.locator("svg.grid[data-marked=all]")).to_be_attached()
    expect(page.locator(".mark[data-mark=win]")).to_have_count(4)


def test_offline_in_the_middle_of_a_game_changes_nothing(visit: Callable[..., Page]) -> None:
    page = visit()
    page.goto("?game=domineering&spec=6x6&first=V&you=V")
    page.locator("[data-square='1,1']").click()
    wait_for_turn(page, 2)
    page.context.set_offline(True)
    page.locator("[data-square='6,6']").click()
    expect(page.locator("#trouble")).to_be_visible()
    page.wait_for_timeout(1000 * OFFLINE_SECONDS)
    assert len(moves_played(page)) == 2
    page.context.set_offline(False)
    wait_for_turn(page, 4)
    assert "".join(move[0] for move in moves_played(page)) == "VHVH"
    expect(page.locator("#trouble")).to_be_hidden()


def test_a_server_killed_and_restarted_goes_on_and_has_the_proofs(visit: Callable[..., Page], tmp_path: Path) -> None:
    page, port = visit(), free_port()
    proof, uploads = page.context.new_page(), ("--uploads", str(tmp_path / "uploads"))
    with server(port, *uploads) as first:
        page.goto(f"http://127.0.0.1:{port}/?game=domineering&spec=6x6&first=V&you=V")
        page.locator("[data-square='1,1']").click()
        wait_for_turn(page, 2)
        proof.goto(f"http://127.0.0.1:{port}/proof.html")
        proof.get_by_label("Open a certificate").set_input_files(CERTIFICATE)
        expect(proof).to_have_url(re.compile("proof=sent-"))
        expect(proof.locator("#verdict")).to_contain_text("Verified")
        first.send_signal(signal.SIGKILL)
        first.wait()
        page.locator("[data-square='6,6']").click()
        expect(page.locator("#trouble")).to_contain_text("No connection to the server")
    with server(port, *uploads):
        page.get_by_role("button", name="Try now").click()
        wait_for_turn(page, 4)
        proof.reload()
        expect(proof.locator("#verdict")).to_contain_text("Verified")
    assert "".join(move[0] for move in moves_played(page)) == "VHVH"


def test_a_proof_in_the_making_shows_progress_and_is_cancelled(page: Page) -> None:
    page.route("**/api/proofs/prove?*", lambda route: time.sleep(0))  # no answer
    page.route(
        "**/api/proofs/making?*", lambda route: route.fulfill(json={"phase": "solving", "nodes": 1234, "seconds": 1.0})
    )
    page.goto("proof.html")
    page.get_by_role("button", name="Prove it").click()
    expect(page.locator("#progress")).to_contain_text(re.compile(r"Solving: 1,234 positions looked at; \d+ s"))
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#status")).to_have_text("Cancelled. Choose a proof.")
    expect(page.locator("#progress")).to_be_empty()
