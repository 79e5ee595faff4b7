"""The OpenAPI description says what the server does: methods, refusals, limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from servers import CLIENT, ask_api, ask_json

ANYWHERE = {"403", "408", "413", "421", "429", "503"}


def routes(site: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the path, method and description of each route."""
    for path, methods in ask_json(site, "openapi.json")["paths"].items():
        for method, about in methods.items():
            yield path, method, about


def example_of(path: str, about: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """Return an address and a query with the examples of the description."""
    query = {}
    for one in about.get("parameters", ()):
        example = one["schema"].get("examples", [one.get("example")])[0] or one["schema"].get("enum", ["none"])[0]
        if one["in"] == "path":
            path = path.replace(f"{{{one['name']}}}", example)
        elif one["required"]:
            query[one["name"]] = example
    return path, query


def test_every_route_describes_the_refusals_of_the_guard(site: str) -> None:
    for path, method, about in routes(site):
        assert set(about["responses"]) >= ANYWHERE, (method, path)


def test_every_example_is_answered_and_head_says_the_same(site: str) -> None:
    for path, method, about in routes(site):
        if method != "get" or path.endswith(("/moves", "/review")):
            continue
        address, query = example_of(path, about)
        answer = CLIENT.get(site + address, params=query)
        assert str(answer.status_code) in about["responses"] and answer.status_code in (200, 404), (path, answer.text)
        head = CLIENT.head(site + address, params=query)
        assert (head.status_code, head.content) == (answer.status_code, b""), path
        assert head.headers["content-type"] == answer.headers["content-type"]


def test_other_methods_are_405_and_say_which_are_allowed(site: str) -> None:
    for path, method, about in routes(site):
        address, query = example_of(path, about)
        answer = CLIENT.request("DELETE", site + address, params=query)
        assert answer.status_code == 405 and method.upper() in answer.headers["allow"], path


@pytest.mark.parametrize(
    ("status", "path", "given"),
    [
        (403, "games", {"headers": {"Origin": "https://elsewhere.example"}}),
        (421, "games", {"headers": {"Host": "elsewhere.example"}}),
        (413, "proofs/send", {"method": "POST", "content": bytes(9 << 20)}),
        (422, "domineering/position", {"params": [("spec", "4x4"), ("spec", "5x5")]}),
    ],
)
def test_refusals_of_the_guard_are_sentences(site: str, status: int, path: str, given: dict[str, Any]) -> None:
    answer = CLIENT.request(**{"method": "GET", "url": f"{site}/api/{path}", **given})
    assert answer.status_code == status and answer.json()["detail"]


def test_limits_of_the_description_are_those_of_this_server(serve: Callable[..., str]) -> None:
    site = serve(seconds=1.0, longest_seconds=7.0)
    found = [one for _, _, about in routes(site) for one in about.get("parameters", ()) if one["name"] == "seconds"]
    assert found and {one["schema"]["anyOf"][0]["maximum"] for one in found} == {7.0}
    assert ask_api(site, "domineering/reply", spec="2x2", seconds="7").status_code == 200
    assert ask_api(site, "domineering/reply", spec="2x2", seconds="7.1").status_code == 422
    assert ask_api(site, "domineering/table", rows="61", cols="2").status_code == 422
    assert ask_api(site, "domineering/table", rows="60", cols="2").status_code == 200
