"""Serves the pages from memory: no disk and no other thread stands between a visitor and a busy server's page."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

STATIC = Path(__file__).parent / "static"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class File:
    """One file of the pages, ready to be sent."""

    content: bytes
    kind: str
    tag: str


def read(path: Path) -> File:
    """Read a file and name its content, so that a browser need not fetch it again."""
    content = path.read_bytes()
    return File(content, TYPES[path.suffix], f'"{hashlib.sha256(content).hexdigest()[:16]}"')


class Pages:
    """ASGI middleware: every path outside the API is a page, so that the API's own 404 and 405 stay its own."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.files = {f"/{path.name}": read(path) for path in STATIC.iterdir()}
        self.files["/"] = self.files["/index.html"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/api/"):
            await self.app(scope, receive, send)
            return
        await self.answer(Request(scope))(scope, receive, send)

    def answer(self, request: Request) -> Response:
        """Return the page, that it has not changed, or why there is none."""
        if request.method not in ("GET", "HEAD"):
            return JSONResponse({"detail": "Method Not Allowed"}, 405, {"Allow": "GET, HEAD"})
        file = self.files.get(request.url.path)
        if file is None:
            return JSONResponse({"detail": "Not Found"}, 404)
        headers = {"ETag": file.tag}
        if file.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        answer = Response(file.content, media_type=file.kind, headers=headers)
        if request.method == "HEAD":
            answer.body = b""
        return answer
