"""m,n,k games, values and tables over the API."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from fastapi import HTTPException
from servers import ask_api, ask_json

from zermelo.game import games
from zermelo.store import StoreError, open_store
from zermelo.web.campaigns import open_to_read
from zermelo.web.manual import Manual, documentation


def test_finished_mnk_game_names_its_winner(site: str) -> None:
    view = ask_json(site, "mnk/position", spec="3,3,3:a1,a2,b1,b2,c1")
    assert (view["over"], view["winner"], view["moves"]) == (True, "X", [])
    assert [piece for piece in view["pieces"] if piece["last"]] == [{"player": "X", "squares": [[3, 3]], "last": True}]
    assert view["reason"] == "3 in a row: a1, b1, c1."
    for spec, reason in (
        ("a b / b c : maker a b, breaker c", "Maker has all of a, b."),
        ("a b : breaker a", "Every hyperedge is blocked."),
    ):
        assert ask_json(site, "hypergraph/position", spec=spec)["reason"] == reason
    assert ask_json(site, "hex/position", spec="2x2:a1,b1,a2")["reason"] == "The first row and the last are joined."


def test_components_have_values_and_a_sum(site: str) -> None:
    found = ask_json(site, "domineering/components", spec="..#.../..#...")
    values = {component["value"] for component in found["components"]}
    assert values == {"+-1", "{2|-1/2}"}
    assert [len(component["squares"]) for component in found["components"]] == [6, 4]


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("domineering/thermograph", {"spec": "2x3"}),
        ("domineering/picture", {"spec": "4x4", "moves": "V1,1"}),
        ("domineering/picture", {"spec": "6x6", "moves": "V1,1;H6,2", "kind": "cover", "player": "V"}),
        ("mnk/picture", {"spec": "5,5,5:c3", "kind": "pairing"}),
    ],
)
def test_pictures_come_as_svg_png_and_tikz(site: str, path: str, query: dict[str, str]) -> None:
    kinds = {
        "svg": ("image/svg+xml", b"<svg"),
        "png": ("image/png", b"\x89PNG"),
        "tex": ("text/x-tex; charset=utf-8", b"%"),
    }
    sizes = {}
    for file, (media, begin) in kinds.items():
        answer = ask_api(site, path, **query, file=file, save="true")
        assert answer.headers["content-type"] == media and answer.content.startswith(begin)
        assert answer.headers["content-disposition"].endswith(f'.{file}"')
        sizes[file] = answer.content
    # Every element of the picture is a line of the other.
    drawn = sum(sizes["svg"].count(f"<{name} ".encode()) for name in ("rect", "line", "circle", "text", "polyline"))
    assert sizes["tex"].count(b";\n") == drawn
    assert ask_api(site, path, **query, file="gif").status_code == 422


def test_unknown_says_how_long_it_looked_and_may_be_searched_longer(site: str) -> None:
    query = {"spec": "12x12", "to_move": "V", "seconds": "0.2"}
    reply = ask_json(site, "domineering/reply", **query)
    assert (reply["by"], reply["mark"], reply["words"]) == ("limit", "unknown", "unknown")
    assert re.match(r"unknown after \d+\.\d s and (1 node|[\d,]+ nodes); the rules say only that", reply["why"])
    known = ask_json(site, "domineering/reply", spec="8x8", to_move="V", seconds="60")
    assert (known["by"], known["mark"], known["words"]) == ("search", "win", "Vertical wins")
    few = ask_json(site, "domineering/solve", spec="8x8", to_move="V", nodes="10")
    assert few["outcome"] is None or few["starts"]["V"]["by"] != "search"
    unproved = ask_api(site, "proofs/prove", game="domineering", spec="11x11", first="V", seconds="0.2")
    assert unproved.status_code == 422 and unproved.json()["longer"]


def test_table_and_derivation_agree(site: str) -> None:
    chart = ask_json(site, "domineering/table", rows="6", cols="8")
    for row, col in ((2, 2), (5, 5), (3, 8), (6, 8)):
        why = ask_json(site, "domineering/why", board=f"{row}x{col}")
        assert why["name"] == chart["cells"][row - 1][col - 1]["name"]
    assert [chart["cells"][n - 1][n - 1]["name"] for n in (1, 2, 3, 4, 5)] == list("21112")
    assert ask_json(site, "domineering/why", board="3x1000")["name"] == "H"


def test_board_too_large_to_search_says_that_and_what_the_rules_know(site: str) -> None:
    start = ask_json(site, "domineering/solve", spec="13x13")["starts"]["V"]
    said = "the rules say only that the first or the second player wins, not known which"
    assert (start["winner"], start["why"]) == (None, f"unknown: the board is too large to search here; {said}")


def test_move_of_an_answer_may_be_sent_back(site: str) -> None:
    start = ask_json(site, "hypergraph/solve", spec="a b / b c")["starts"]["maker"]
    later = ask_json(site, "hypergraph/solve", spec="a b / b c", moves=start["move"])
    assert later["starts"]["breaker"]["winner"] == "maker"


def test_campaigns_without_a_store_say_so(site: str) -> None:
    assert ask_json(site, "campaigns") == {"store": False, "campaigns": []}
    assert ask_api(site, "campaigns/none/picture").status_code == 404


def test_campaign_page_reads_a_store_and_never_changes_it(tmp_path: Path) -> None:
    url = str(tmp_path / "campaigns.db")
    with pytest.raises(HTTPException, match="does not exist"):
        open_to_read(url)
    open_store(url).close()
    with open_to_read(url) as store, pytest.raises(StoreError, match="readonly"):
        store.create("a", game="domineering", spec="2x2", first="V", winner="V", cut=1)


def test_pages_of_theory_are_there_and_their_links_lead_somewhere() -> None:
    folder = documentation()
    assert folder
    manual = Manual(folder, "<title></title><article></article>")
    pages = {path.stem: manual.find(path.stem) or "" for path in folder.glob("*.md")}
    assert {name for game in games() for name in game.theory} <= set(pages)
    for name, page in pages.items():
        for link in re.findall(r'href="(?!https?:)([^"]*)"', page):
            found = re.fullmatch(r"(?:manual\.html\?page=([a-z0-9-]+))?(?:#(.*))?", link)
            assert found, (name, link)
            assert not found[2] or f'id="{unquote(found[2])}"' in pages[found[1] or name], (name, link)
