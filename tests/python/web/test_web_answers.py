"""The answers of the API, and its sentences for bad questions; conformance/test_page.py checks that they are true."""

from __future__ import annotations

import re

import pytest
from servers import CLIENT, ask_api, ask_json, events

GET = CLIENT.get


def test_position_shows_pieces_moves_and_winner(site: str) -> None:
    view = ask_json(site, "domineering/position", spec="torus:3x3:V3,1", to_move="H")
    assert view["pieces"] == [{"player": "V", "squares": [[3, 1], [1, 1]], "last": True}]
    assert view["wraps_rows"] and view["wraps_cols"] and not view["over"]
    # One row to the right of column 1 in rows 1 and 3; all three in row 2, which wraps.
    assert [move["id"] for move in view["moves"]] == ["H1,2", "H2,1", "H2,2", "H2,3", "H3,2"]
    over = ask_json(site, "domineering/position", spec="1x2", to_move="V")
    assert (over["moves"], over["winner"], over["reason"]) == ([], "H", "Vertical has no move left.")


BAD_POSITIONS = [
    ({"spec": "8x"}, "write rows x columns as 8x8"),
    ({"spec": ""}, "empty"),
    ({"spec": "10000x10000"}, "too large to search here"),
    ({"spec": "13x12"}, "at most 144 squares (such as 12x12)"),
    ({"spec": "1x60"}, "sides up to 40"),
    ({"spec": "3x3:V1,1;V1,1"}, "V1,1"),
    ({"spec": "3x3", "to_move": "W"}, "'V' or 'H'"),
    ({}, "spec: field required"),
    ({"spec": "3x3", "moves": "V1,1;V1,2"}, "V1,2"),
    ({"spec": "." * 5000}, "at most 4000 characters"),
    ({"spec": "3x3\x00"}, "not understood"),
    ({"spec": "<script>"}, "not understood"),
]
DEAR, MADE = {"spec": "12x12", "seconds": "3000"}, "made-mnk-X-5,5,5"
BAD_QUESTIONS = [
    *((f"domineering/{path}", *bad) for path in ("position", "moves", "reply") for bad in BAD_POSITIONS),
    ("domineering/reply", DEAR, "at most 120 s"),
    ("domineering/table", {"rows": "100000"}, "less than or equal to 60"),
    ("domineering/why", {"board": "../.."}, "not an empty board"),
    ("domineering/why", {"board": "1000000x999999"}, "up to a width of 1000"),
    ("mnk/position", {"spec": "0,0,0"}, "at least 1"),
    ("mnk/position", {"spec": "16,16,5"}, "too large"),
    ("mnk/position", {"spec": "3,3,3:a1,a1"}, "already taken"),
    ("domineering/explain", {"spec": "4x4", "to_move": "V", "player": "V", "kind": "x"}, "kind"),
    ("proofs/node", {"proof": "made-domineering-V-5x5", "moves": "V9,9"}, "not legal"),
    ("proofs/node", {"proof": "made-domineering-V-5x5", "moves": "nonsense"}, "not legal"),
    ("proofs/node", {"proof": MADE, "moves": "c3;c3"}, "another move"),
    ("proofs/node", {"proof": MADE, "moves": "-"}, "not a move here"),
    ("proofs/prove", {"game": "domineering", "spec": "2x200", "first": "V"}, "too large"),
    ("proofs/prove", {"game": "domineering", "spec": "2x2", "first": "X"}, "not known"),
    ("mnk/solve", {"spec": "3,3,3", "tomove": "X"}, "no parameter 'tomove': spec, moves, to_move, seconds, nodes"),
    ("games", {"game": "mnk"}, "no parameter 'game': none is taken here"),
]


@pytest.mark.parametrize(("path", "query", "sentence"), BAD_QUESTIONS)
def test_bad_question_gets_422_and_a_sentence(site: str, path: str, query: dict[str, str], sentence: str) -> None:
    answer = ask_api(site, path, **query)
    assert answer.status_code == 422
    assert sentence in answer.json()["detail"] and "\n" not in answer.json()["detail"]


def test_every_answer_carries_the_security_headers(site: str) -> None:
    for path in ("/", "/play.js", "/api/health", "/api/nothing", "/nothing", "/../pyproject.toml"):
        headers = GET(site + path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


def test_limits_give_unknown_never_a_guess(site: str) -> None:
    *found, done = events(site, "domineering/moves", spec="10x10", to_move="V", nodes="3")
    # The fact of this board has a winning move; the others need a search.
    assert {event["mark"] for event in found if event["event"] == "move"} == {"win", "unknown"}
    assert done["unknown"] + done["win"] == 90 and done["win"] <= 4
    (outcome,) = (event for event in found if event["event"] == "outcome")
    assert (outcome["words"], outcome["by"]) == ("Vertical wins", "fact") and outcome["certificate"]


def test_files_are_packed_and_kept_for_good(site: str) -> None:
    page = GET(f"{site}/").text
    (script,) = re.findall(r'src="(kept/[0-9a-f]{16}/play\.js)"', page)
    for accept, encoding in (("gzip", "gzip"), ("identity", None)):
        answer = GET(f"{site}/{script}", headers={"Accept-Encoding": accept})
        assert answer.headers.get("content-encoding") == encoding
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.text == GET(f"{site}/play.js").text
    assert answer.headers["content-type"].startswith("text/javascript")
    # The modules that a script asks for lie beside it, and an old page still finds its files.
    assert GET(f"{site}/{script.replace('play.js', 'api.js')}").status_code == 200
    old = GET(f"{site}/kept/0123456789abcdef/play.js")
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-cache")
    assert GET(f"{site}/kept/x/y/play.js").status_code == 404
    assert GET(f"{site}/play.js").headers["cache-control"] == "no-cache"


def test_link_to_a_position_has_its_title_and_picture(site: str) -> None:
    page = GET(f"{site}/?game=mnk&spec=3,3,3&moves=b2;a1&first=X").text
    assert re.search("<title>k in a row 3,3,3, move 3 · Zermelo</title>", page)
    (picture,) = re.findall(r'property="og:image" content="([^"]+)"', page)
    answer = GET(picture.replace("&amp;", "&"))
    assert answer.content.startswith(b"\x89PNG") and answer.headers["cross-origin-resource-policy"] == "cross-origin"
    for query in ("spec=<script>", "spec=9x", "game=none&spec=3x3", "spec=999x999"):
        assert GET(f"{site}/?{query}").text == GET(f"{site}/").text
    assert "<b>" not in GET(f"{site}/?game=domineering&spec=2x2&moves=<b>").text


def test_only_an_embedded_board_may_stand_in_a_frame(site: str) -> None:
    for query, framed in (("", 0), ("?embed=1", 1), ("?game=mnk&spec=3,3,3&embed=1", 1), ("?embed=10", 0)):
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
