"""What the API answers: truth against brute force, sentences for bad questions."""

from __future__ import annotations

import random
import re
import time
from functools import cache
from typing import Any

import httpx
import pytest
from servers import answered, events, told

GET = httpx.get


def moves_of(grid: tuple[str, ...], player: str) -> list[tuple[str, tuple[str, ...]]]:
    """The rules once more, for the oracle: moves and the grids after them."""
    found = []
    for row, line in enumerate(grid):
        for col, square in enumerate(line):
            other = (row + 1, col) if player == "V" else (row, col + 1)
            if square != "." or other[0] == len(grid) or other[1] == len(line):
                continue
            if grid[other[0]][other[1]] != ".":
                continue
            after = [list(text) for text in grid]
            after[row][col] = after[other[0]][other[1]] = "#"
            found.append((f"{player}{row + 1},{col + 1}", tuple("".join(text) for text in after)))
    return found


@cache
def wins(grid: tuple[str, ...], player: str) -> bool:
    other = "H" if player == "V" else "V"
    return any(not wins(after, other) for _, after in moves_of(grid, player))


@pytest.mark.parametrize("player", ["V", "H"])
@pytest.mark.parametrize("spec", ["4x4", "3x5", "..#./....", "#..../...../..#..", "1x1", "2x2"])
def test_every_move_is_marked_as_brute_force_says(site: str, spec: str, player: str) -> None:
    rows = spec.split("x")
    grid = tuple("." * int(rows[1]) for _ in range(int(rows[0]))) if len(rows) == 2 else tuple(spec.split("/"))
    *found, done = events(site, "domineering/moves", spec=spec, to_move=player)
    moves = [event for event in found if event["event"] == "move"]
    (outcome,) = (event for event in found if event["event"] == "outcome")
    other = "H" if player == "V" else "V"
    expected = {move: "loss" if wins(after, other) else "win" for move, after in moves_of(grid, player)}
    assert {move: event["mark"] for event in moves for move in event["moves"]} == expected
    assert done["event"] == "done"
    assert done["win"] + done["loss"] == len(expected)
    assert outcome["mark"] == ("win" if "win" in expected.values() else "loss")
    assert outcome["why"]
    reply = told(site, "domineering/reply", spec=spec, to_move=player)
    if not expected:
        assert reply["move"] is None
    else:
        assert reply["mark"] == expected[reply["move"]]
        assert reply["mark"] == ("win" if "win" in expected.values() else "loss")


def test_position_shows_pieces_moves_and_winner(site: str) -> None:
    def get(spec: str, to_move: str) -> Any:
        return told(site, "domineering/position", spec=spec, to_move=to_move)

    view = get("torus:3x3:V3,1", "H")
    assert view["pieces"] == [{"player": "V", "squares": [[3, 1], [1, 1]], "last": True}]
    assert view["wraps_rows"] and view["wraps_cols"] and not view["over"]
    # One row to the right of column 1 in rows 1 and 3; all three in row 2, which wraps.
    assert [move["id"] for move in view["moves"]] == ["H1,2", "H2,1", "H2,2", "H2,3", "H3,2"]
    assert get("1x2", "V") | {"moves": []} == get("1x2", "V")
    assert get("1x2", "V")["winner"] == "H"
    assert get("1x2", "V")["reason"] == "Vertical has no move left."


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"spec": "8x", "to_move": "V"}, "write rows x columns as 8x8"),
        ({"spec": "0x5", "to_move": "V"}, "at least 1"),
        ({"spec": "", "to_move": "V"}, "empty"),
        ({"spec": "10000x10000", "to_move": "V"}, "too large to search here"),
        ({"spec": "13x12", "to_move": "V"}, "at most 144 squares (such as 12x12)"),
        ({"spec": "1x60", "to_move": "V"}, "sides up to 40"),
        ({"spec": "../...", "to_move": "V"}, "all rows must be as long"),
        ({"spec": "3x3:V9,9", "to_move": "V"}, "V9,9"),
        ({"spec": "3x3:V1,1;V1,1", "to_move": "V"}, "V1,1"),
        ({"spec": "3x3", "to_move": "W"}, "'V' or 'H'"),
        ({"to_move": "V"}, "spec: field required"),
        ({"spec": "3x3", "moves": "V1,1;V1,2"}, "V1,2"),
        ({"spec": "." * 5000, "to_move": "V"}, "at most 4000 characters"),
        ({"spec": "3x3\x00", "to_move": "V"}, "not understood"),
        ({"spec": "<script>", "to_move": "V"}, "not understood"),
    ],
)
@pytest.mark.parametrize("path", ["position", "moves", "reply"])
def test_bad_question_gets_422_and_a_sentence(site: str, path: str, query: dict[str, str], sentence: str) -> None:
    answer = answered(site, f"domineering/{path}", **query)
    assert answer.status_code == 422
    assert sentence in answer.json()["detail"]
    assert "\n" not in answer.json()["detail"]


def test_every_answer_carries_the_security_headers(site: str) -> None:
    for path in ("/", "/play.js", "/api/health", "/api/nothing", "/nothing", "/../pyproject.toml"):
        headers = GET(site + path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


def test_pages_and_their_files_are_served(site: str) -> None:
    assert "<main" in GET(site + "/").text
    assert GET(site + "/play.js").headers["content-type"].startswith("text/javascript")
    assert GET(site + "/style.css").headers["content-type"].startswith("text/css")
    assert GET(site + "/%2e%2e/app.py").status_code == 404


def test_limits_give_unknown_never_a_guess(serve: Any) -> None:
    site = serve(nodes=3, seconds=5.0)
    *found, done = events(site, "domineering/moves", spec="10x10", to_move="V")
    assert {event["mark"] for event in found if event["event"] == "move"} == {"unknown"}
    assert done["unknown"] == 90
    # What needs no search is said all the same, with its source.
    (outcome,) = (event for event in found if event["event"] == "outcome")
    assert (outcome["words"], outcome["by"]) == ("Vertical wins", "fact") and outcome["certificate"]
    reply = told(site, "domineering/reply", spec="10x10")
    assert reply["move"] and reply["mark"] == "unknown"


def test_middle_game_on_8x8_is_marked_within_five_seconds(site: str) -> None:
    chance = random.Random(8)
    for _ in range(4):
        spec, to_move = "8x8", "V"
        for ply in range(8):
            moves = told(site, "domineering/position", spec=spec, to_move=to_move)["moves"]
            spec += (";" if ply else ":") + chance.choice(moves)["id"]
            to_move = "H" if to_move == "V" else "V"
        begin = time.monotonic()
        *_, done = events(site, "domineering/moves", spec=spec, to_move=to_move)
        seconds = time.monotonic() - begin
        print(f"{spec}: {done} in {seconds:.2f} s")
        assert done["unknown"] == 0
        assert seconds < 5


def test_files_are_packed_and_kept_for_good(site: str) -> None:
    page = GET(f"{site}/").text
    (script,) = re.findall(r'src="(kept/[0-9a-f]{16}/play\.js)"', page)
    for accept, encoding in (("gzip", "gzip"), ("identity", None)):
        answer = GET(f"{site}/{script}", headers={"Accept-Encoding": accept})
        assert answer.headers.get("content-encoding") == encoding
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.text == GET(f"{site}/play.js").text
    # The modules that a script asks for lie beside it and are named by the page; an old page still finds its files.
    modules = re.findall(r'rel="modulepreload" href="(kept/[0-9a-f]{16}/\w+\.js)"', page)
    assert {script.replace("play", name) for name in ("api", "board", "page", "record", "state")} < set(modules)
    assert len(modules) == len(set(modules)) and all(GET(f"{site}/{name}").status_code == 200 for name in modules)
    old = GET(f"{site}/kept/0123456789abcdef/play.js")
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-cache")
    assert GET(f"{site}/kept/x/y/play.js").status_code == 404
    assert GET(f"{site}/play.js").headers["cache-control"] == "no-cache"


def test_link_to_a_position_has_its_title_and_picture(site: str) -> None:
    page = GET(f"{site}/?game=mnk&spec=3,3,3&moves=b2;a1&first=X").text
    assert re.search("<title>m,n,k games? 3,3,3, move 3 · Zermelo</title>", page)
    (picture,) = re.findall(r'property="og:image" content="([^"]+)"', page)
    answer = GET(picture.replace("&amp;", "&"))
    assert answer.content.startswith(b"\x89PNG") and answer.headers["cross-origin-resource-policy"] == "cross-origin"
    for query in ("spec=<script>", "spec=9x", "game=none&spec=3x3", "spec=999x999"):
        assert GET(f"{site}/?{query}").text == GET(f"{site}/").text
    assert "<b>" not in GET(f"{site}/?game=domineering&spec=2x2&moves=<b>").text


def test_only_an_embedded_board_may_stand_in_a_frame(site: str) -> None:
    for query, framed in (
        ("", False),
        ("?embed=1", True),
        ("?game=mnk&spec=3,3,3&embed=1", True),
        ("?embed=10", False),
    ):
        headers = GET(f"{site}/{query}").headers
        assert ("frame-ancestors *" in headers["content-security-policy"]) == framed
        assert ("x-frame-options" in headers) != framed


def test_pages_are_sent_once_and_only_to_readers(site: str) -> None:
    page = GET(f"{site}/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    again = GET(f"{site}/", headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = httpx.head(f"{site}/style.css")
    assert (head.status_code, head.content) == (200, b"")
    assert httpx.post(f"{site}/").status_code == 405
