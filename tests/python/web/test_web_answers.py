"""What the API answers, and sentences for bad questions; that it is the truth is in conformance/test_page.py."""

from __future__ import annotations

import random
import re
import time

import pytest
from servers import CLIENT, answered, events, told

GET = CLIENT.get


def test_position_shows_pieces_moves_and_winner(site: str) -> None:
    view = told(site, "domineering/position", spec="torus:3x3:V3,1", to_move="H")
    assert view["pieces"] == [{"player": "V", "squares": [[3, 1], [1, 1]], "last": True}]
    assert view["wraps_rows"] and view["wraps_cols"] and not view["over"]
    # One row to the right of column 1 in rows 1 and 3; all three in row 2, which wraps.
    assert [move["id"] for move in view["moves"]] == ["H1,2", "H2,1", "H2,2", "H2,3", "H3,2"]
    over = told(site, "domineering/position", spec="1x2", to_move="V")
    assert (over["moves"], over["winner"], over["reason"]) == ([], "H", "Vertical has no move left.")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"spec": "8x", "to_move": "V"}, "write rows x columns as 8x8"),
        ({"spec": "1x1000001", "to_move": "V"}, "up to 1000000"),
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


@pytest.mark.parametrize(
    ("path", "query", "sentence"),
    [
        ("domineering/table", {"rows": "100000"}, "less than or equal to 1000"),
        ("domineering/table", {"rows": "999"}, "at most"),
        ("domineering/why", {"board": "../.."}, "not an empty board"),
        ("domineering/why", {"board": "1000000x999999"}, "up to a width of 1000"),
        ("mnk/position", {"spec": "0,0,0"}, "at least 1"),
        ("mnk/position", {"spec": "16,16,5"}, "too large"),
        ("mnk/position", {"spec": "3,3,3:a1,a1"}, "already taken"),
        ("domineering/explain", {"spec": "4x4", "to_move": "V", "player": "V", "kind": "x"}, "kind"),
        ("proofs/node", {"proof": "made-domineering-V-5x5", "moves": "V9,9"}, "not legal"),
        ("proofs/node", {"proof": "made-domineering-V-5x5", "moves": "nonsense"}, "not legal"),
        ("proofs/prove", {"game": "domineering", "spec": "2x200", "first": "V"}, "too large"),
        ("proofs/prove", {"game": "domineering", "spec": "2x2", "first": "X"}, "not known"),
        ("mnk/solve", {"spec": "3,3,3", "tomove": "X"}, "no parameter 'tomove': spec, moves, to_move, seconds, nodes"),
        ("games", {"game": "mnk"}, "no parameter 'game': none is taken here"),
    ],
)
def test_bad_questions_get_a_sentence(site: str, path: str, query: dict[str, str], sentence: str) -> None:
    answer = answered(site, path, **query)
    assert answer.status_code == 422
    assert sentence in answer.json()["detail"]


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


def test_limits_give_unknown_never_a_guess(site: str) -> None:
    *found, done = events(site, "domineering/moves", spec="10x10", to_move="V", nodes="3")
    marks = {event["mark"]: event["moves"] for event in found if event["event"] == "move"}
    assert marks.keys() == {"unknown", "win"}
    assert "V1,2" in marks["win"], "the winning move that comes with the fact"
    assert done["unknown"] == 90 - len(marks["win"])
    # What needs no search is said all the same, with its source.
    (outcome,) = (event for event in found if event["event"] == "outcome")
    assert (outcome["words"], outcome["by"]) == ("Vertical wins", "fact") and outcome["certificate"]
    reply = told(site, "domineering/reply", spec="10x10:V5,5;H1,1", nodes="3")
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
    # The modules that a script asks for lie beside it, and an old page still finds its files.
    assert GET(f"{site}/{script.replace('play.js', 'api.js')}").status_code == 200
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
    head = CLIENT.head(f"{site}/style.css")
    assert (head.status_code, head.content) == (200, b"")
    assert CLIENT.post(f"{site}/").status_code == 405
