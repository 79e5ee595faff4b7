"""What a visitor of the Play page does and sees."""

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


def play_to_the_end(page: Page, first_move: str | None = None) -> None:
    """Play any legal moves by clicks until the game is over."""
    for ply in range(0, 30, 2):
        wait_for_turn(page, ply)
        if "Your turn" not in page.locator("#status").inner_text():
            return
        legal = page.eval_on_selector_all(".mark", "nodes => nodes.map(node => node.dataset.move)")
        click_move(page, first_move if first_move and ply == 0 else legal[7 * ply % len(legal)])
    raise AssertionError("the game did not end")
