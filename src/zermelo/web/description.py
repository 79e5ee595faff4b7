"""The OpenAPI description, with an example of every answer: the one that the server gives to the example question."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlencode

from fastapi import FastAPI

from zermelo.game import games

LONGEST = 3000
"""Characters of an example; what is longer has its lists cut."""
MOST_ITEMS = 2
PATIENCE_SECONDS = 3.0


def add_description(app: FastAPI, path: str) -> None:
    """Add the route that describes all others.

    The examples are made when it is first asked for; on a busy server the first answers have only some of them.
    """
    making: asyncio.Task[None] | None = None

    @app.get(path, include_in_schema=False)
    async def describe() -> dict[str, Any]:
        nonlocal making
        making = making or asyncio.ensure_future(add_examples(app, app.openapi()))
        await asyncio.wait({making}, timeout=PATIENCE_SECONDS)
        return app.openapi()


async def add_examples(app: FastAPI, description: dict[str, Any]) -> None:
    """Ask every route its example question, and write down what it answers."""
    game = next(games())
    spec = game.rules_example or game.examples[0]
    first = game.starters(game.parse(spec), None)[0]
    # What stands for itself nowhere else: a proof that the server makes, and the question that makes it.
    known = {"proof": f"made-{game.name}-{first}-{spec}", "game": game.name, "spec": spec, "first": first}
    for path, verbs in description["paths"].items():
        about = verbs.get("get", {})
        content = about.get("responses", {}).get("200", {}).get("content", {})
        for parameter in about.get("parameters", []):
            if parameter["required"] and "examples" not in parameter["schema"] and parameter["name"] in known:
                parameter["schema"]["examples"] = [known[parameter["name"]]]
        query = {
            one["name"]: (one["schema"].get("examples") or one["schema"].get("enum") or [""])[0]
            for one in about.get("parameters", [])
            if one["required"]
        }
        if "{" in path or not ({"application/json", "text/event-stream"} & content.keys()):
            continue
        answer = await answer_of(app, path, query)
        if "application/json" in content and answer:
            content["application/json"]["example"] = shortened(json.loads(answer))
        elif answer:
            events = re.findall(r"data: [^\n]*\n\n", answer)
            content["text/event-stream"]["example"] = "".join([*events[:MOST_ITEMS], *events[-1:]])
    # A certificate that is sent is answered as one that is made.
    answers = {
        verb: description["paths"][f"/api/proofs/{name}"][verb]["responses"]["200"]["content"]["application/json"]
        for verb, name in (("get", "prove"), ("post", "send"))
    }
    if "example" in answers["get"]:
        answers["post"]["example"] = answers["get"]["example"]


async def answer_of(app: FastAPI, path: str, query: dict[str, str]) -> str | None:
    """Ask the application itself; None unless it answers 200."""
    scope: MutableMapping[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "scheme": "http",
        "query_string": urlencode(query).encode(),
        "headers": [(b"host", b"127.0.0.1")],
        "client": ("127.0.0.1", 0),
        "server": ("127.0.0.1", 0),
        "app": app,
    }
    status, body, sent = 0, b"", False

    async def receive() -> MutableMapping[str, Any]:
        nonlocal sent
        if sent:
            await asyncio.Event().wait()  # The client stays.
        sent = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status, body
        status = message.get("status", status)
        body += message.get("body", b"")

    await app(scope, receive, send)
    return body.decode() if status == 200 else None


def shortened(value: Any) -> Any:
    """Return an answer as it is, or, if it is long, with every list cut.

    >>> shortened([1, 2, 3]), shortened(["x" * 3000] * 3) == ["x" * 3000] * 2
    ([1, 2, 3], True)
    """
    return value if len(json.dumps(value)) <= LONGEST else cut(value)


def cut(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: cut(one) for key, one in value.items()}
    return [cut(one) for one in value[:MOST_ITEMS]] if isinstance(value, list) else value
