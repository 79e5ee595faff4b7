"""The pages and their files, which browsers keep for good; a title and a preview for each position.

The address of a file contains the hash of all files. Its answer never changes, so browsers ask once; a new version has
new addresses. Browsers ask for the pages themselves each time.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from zermelo.game import find_game, game_names
from zermelo.web.manual import Manual, documentation
from zermelo.web.queries import fits

FOLDER = Path(__file__).parent / "static"
FOR_GOOD = "public, max-age=31536000, immutable"
FRAME = "frame.html"
FRONT = "index.html"
MANUAL = "manual.html"
DOCS = "docs/"
KEPT = re.compile(r"(kept/[^/]*)/([^/]*)")
TITLE = re.compile(r"<title>.*?</title>")


def imported(scripts: Sequence[str], files: Mapping[str, bytes]) -> list[str]:
    """Return all modules that scripts import, directly or not, so that browsers can ask for all of them at once."""
    found = list(scripts)
    for name in found:
        found += [other for other in re.findall(r'from "\./([^"]+)"', files[name].decode()) if other not in found]
    return found[len(scripts) :]


class Pages(StaticFiles):
    """An ASGI application that answers with the pages and their files."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)
        contents = {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir()) if path.is_file()}
        version = hashlib.sha256(repr(contents).encode()).hexdigest()[:16]
        files = {name: content for name, content in contents.items() if not name.endswith(".html")}
        linked = re.compile(rf'(href|src)="({"|".join(map(re.escape, files))})"')
        frame, self._pages = contents.pop(FRAME).decode(), dict[str, str]()
        for name in contents.keys() - files.keys():
            # A page file holds lines for the head, an empty line, and the body.
            head, _, body = contents[name].decode().partition("\n\n")
            modules = imported(re.findall(r'src="(\w+\.js)"', head), files)
            head += "".join(f'\n<link rel="modulepreload" href="{module}">' for module in modules)
            page = frame.replace("<!-- head -->", head).replace("<!-- body -->\n", body)
            self._pages[name] = linked.sub(rf'\1="kept/{version}/\2"', page)
        self._kept = f"kept/{version}"
        words = "<h1>There is no such page</h1><p>The pages of this site are in the bar above.</p>"
        missing = self._pages[MANUAL].replace("<article>", f"<article>{words}")
        self._missing = missing.replace("<title>", "<title>No such page · Zermelo")
        docs = documentation()
        self._manual = Manual(docs, self._pages[MANUAL]) if docs else None
        self._docs = StaticFiles(directory=docs) if docs else None

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer a request for a page or a file.

        :raises HTTPException: 405 for other methods than GET and HEAD.
        """
        try:
            return await self.found(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or path.startswith("api/"):
                raise
            # The address of the page says how deep it lies; its files have addresses from the top.
            deep = "../" * path.count("/") or "./"
            return HTMLResponse(self._missing.replace('="kept/', f'="{deep}kept/'), status_code=404)

    async def found(self, path: str, scope: Scope) -> Response:
        """Answer a request for a page or a file.

        :raises HTTPException: 404 if there is no such page, 405 for other methods than GET and HEAD.
        """
        if path.startswith(f"{DOCS}pictures/") and self._docs:
            return await self._docs.get_response(path.removeprefix(DOCS), scope)
        # A page of an older version may still ask for its files by their old address.
        folder, name = kept.groups() if (kept := KEPT.fullmatch(path)) else ("", path)
        if name == "." or name.endswith(".html"):
            return self.page_response(FRONT if name == "." else name, scope)
        response = await super().get_response(name, scope)
        if folder == self._kept:
            response.headers["Cache-Control"] = FOR_GOOD
        return response

    def page_response(self, name: str, scope: Scope) -> Response:
        """Answer with a page, unless the browser has it."""
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        page = self._pages.get(name)
        if name == FRONT and b"spec=" in scope["query_string"]:
            page = self.preview(scope)
        elif name == MANUAL:
            query = dict(parse_qsl(scope["query_string"].decode("latin-1")[:1000]))
            page = self._manual.find(query.get("page", "index")) if self._manual else None
        if page is None:
            raise HTTPException(404)
        response = HTMLResponse(page, headers={"ETag": f'"{hashlib.sha256(page.encode()).hexdigest()[:24]}"'})
        old = self.is_not_modified(response.headers, Headers(scope=scope))
        return NotModifiedResponse(response.headers) if old else response

    def preview(self, scope: Scope) -> str:
        """Return the front page with the title and the picture of the position in its address, for links to it."""
        given = dict(parse_qsl(scope["query_string"].decode("latin-1")[:10_000]))
        name, spec, moves = given.get("game", game_names()[0]), given["spec"][:4000], given.get("moves", "")[:4000]
        played = len([move for move in moves.split(";") if move])
        if name not in game_names():
            return self._pages[FRONT]
        game = find_game(name)
        try:
            if not fits(game, game.parse(spec).size):
                return self._pages[FRONT]
        except ValueError:
            return self._pages[FRONT]
        board = spec if len(spec) < 30 else f"{spec[:29]}…"
        title = f"{game.title} {board}" + (f", move {played + 1}" if played else "")
        query = {"spec": spec, "moves": moves, "file": "png"}
        if given.get("first") in game.players:
            query["to_move"] = game.other(given["first"]) if played % 2 else given["first"]
        host = Headers(scope=scope).get("host", "")
        about = {
            "og:title": title,
            "og:type": "website",
            "og:site_name": "Zermelo",
            "og:description": "Who wins, and why: every move marked by proof.",
            "og:image": f"{scope['scheme']}://{host}/api/{quote(name)}/picture?{urlencode(query)}",
            "twitter:card": "summary_large_image",
        }
        head = f"<title>{escape(title)} · Zermelo</title>" + "".join(
            f'\n  <meta property="{key}" content="{escape(value)}">' for key, value in about.items()
        )
        return TITLE.sub(lambda _: head, self._pages[FRONT], count=1)
