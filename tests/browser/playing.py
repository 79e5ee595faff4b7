"""The actions of a visitor of the Play page, and the texts that she sees."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def marks(page: Page) -> dict[str, str]:
    """Wait until every move is marked, and return the marks by move."""
    expect(page.locator("svg.grid[data-marked=all]")).to_be_attached()
    return dict(
        page.eval_on_selector_all(".mark", "nodes => nodes.map(node => [node.dataset.move, node.dataset.mark])")
    )


def move_pointer(target: Locator, down: float = 0.5) -> tuple[float, float, float]:
    """Move the pointer to the middle of something, or further up or down; return where that is, and how wide it is."""
    box = target.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + down * box["height"]
    target.page.mouse.move(x, y)
    return x, y, box["width"]


def click_move(page: Page, move: str) -> None:
    """Click where a domino's mark stands: on the line between its squares."""
    x, y, _ = move_pointer(page.locator(f'.mark[data-move="{move}"]'))
    page.mouse.click(x, y)


def moves_played(page: Page) -> list[str]:
    return page.locator("#history > li > button").all_inner_texts()


def wait_for_turn(page: Page, plies: int) -> None:
    """Wait until that many moves lie on the board and the visitor may move, or the game is over."""
    page.wait_for_function(
        """plies => {
            const said = document.querySelector("#status").textContent;
            const played = document.querySelectorAll("#history > li").length;
            return /Your turn/.test(said) ? played >= plies : /draw\\.|wins/.test(said);
        }""",
        arg=plies,
    )


def slow_line(page: Page) -> None:
    """Make every answer of the server late."""
    speed = {"latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", {"offline": False, **speed})


def play_to_the_end(page: Page, first_move: str | None = None, most: int = 30) -> None:
    """Play any legal moves by clicks until the game is over, or so many moves are made."""
    for ply in range(len(moves_played(page)), most, 2):
        wait_for_turn(page, ply)
        if "Your turn" not in page.locator("#status").inner_text():
            return
        if first_move and ply == 0:
            click_move(page, first_move)
            continue
        while True:  # A piece that moves needs more than one click.
            squares = page.eval_on_selector_all("[role=gridcell]", CHOICES)
            page.locator(f"[data-square='{squares[7 * ply % len(squares)]}']").click()
            if not page.locator(".way-square").count():
                break
    assert most < 30, "the game did not end"


CHOICES = """cells => cells.filter((cell) => /, (move |\\d+ moves)/.test(cell.ariaLabel))
    .map((cell) => cell.dataset.square)"""


def watch_board(page: Page) -> None:
    """Note where the board is in every frame from now on, and each layout shift that moves it or a part of it."""
    page.evaluate(
        """() => {
            const board = document.querySelector("#board");
            window.places = new Set();
            window.shifts = [];
            const note = () => {
                const { x, y, width, height } = board.getBoundingClientRect();
                places.add([x, y + scrollY, width, height].map(Math.round).join());
                requestAnimationFrame(note);
            };
            note();
            new PerformanceObserver((list) => {
                const moved = ({ node }) => node && (board.contains(node) || node.contains(board));
                for (const entry of list.getEntries()) if (entry.sources.some(moved)) shifts.push(entry.value);
            }).observe({ type: "layout-shift", buffered: true });
        }"""
    )


def focus(page: Page) -> str:
    """Return the element with the focus: its tag and id."""
    return str(page.evaluate("document.activeElement.tagName + ' ' + document.activeElement.id"))
