"""m,n,k games, values and tables over the API."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

CLIENT = httpx.Client(timeout=60)


def teardown_module() -> None:
    CLIENT.close()


def get(site: str, path: str, **query: str) -> Any:
    answer = CLIENT.get(f"{site}/api/{path}", params=query, timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_finished_mnk_game_names_its_winner(site: str) -> None:
    view = get(site, "mnk/position", spec="3,3,3:a1,a2,b1,b2,c1")
    assert (view["over"], view["winner"], view["moves"]) == (True, "X", [])
    assert [piece for piece in view["pieces"] if piece["last"]] == [{"player": "X", "squares": [[3, 3]], "last": True}]
    assert view["reason"] == "3 in a row."


def test_components_have_values_and_a_sum(site: str) -> None:
    found = get(site, "domineering/components", spec="..#.../..#...")
    values = {component["value"] for component in found["components"]}
    assert values == {"+-1", "{2|-1/2}"}
    assert [len(component["squares"]) for component in found["components"]] == [6, 4]


def test_thermograph_is_a_picture(site: str) -> None:
    answer = CLIENT.get(f"{site}/api/domineering/thermograph", params={"spec": "2x3"})
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg")


def test_table_and_derivation_agree(site: str) -> None:
    chart = get(site, "domineering/table", rows="6", cols="8")
    for row, col in ((2, 2), (5, 5), (3, 8), (6, 8)):
        why = get(site, "domineering/why", board=f"{row}x{col}")
        assert why["name"] == chart["cells"][row - 1][col - 1]["name"]
    assert [chart["cells"][n - 1][n - 1]["name"] for n in (1, 2, 3, 4, 5)] == list("21112")
    assert get(site, "domineering/why", board="3x1000")["name"] == "H"


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
    ],
)
def test_bad_questions_get_a_sentence(site: str, path: str, query: dict[str, str], sentence: str) -> None:
    answer = CLIENT.get(f"{site}/api/{path}", params=query, timeout=60)
    assert answer.status_code == 422
    assert sentence in answer.json()["detail"]


def test_campaigns_without_a_store_say_so(site: str) -> None:
    assert get(site, "campaigns") == {"store": False, "campaigns": []}
    assert CLIENT.get(f"{site}/api/campaigns/none/history").status_code == 404
