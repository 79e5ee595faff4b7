"""The pages and their files: read and packed once, kept by browsers for good; a title and a preview for each position.

Every file has an address with the hash of all of them in it. Such an answer never changes, so that browsers ask once;
a new version has new addresses. The pages themselves are asked for again each time, and say which files they want.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from zermelo.game import find_game, game_names
from zermelo.web.asked import fits
from zermelo.web.manual import Manual
from zermelo.web.settings import Settings

FOLDER = Path(__file__).parent / "static"
FOR_GOOD = "public, max-age=31536000, immutable"
FRAME = "frame.html"
FRONT = "index.html"
MANUAL = "manual.html"
DOCS = "docs/"
TITLE = re.compile(r"<title>.*?</title>")


@dataclass(frozen=True)
class File:
    """A file as it is sent: plain, packed, and by which mark a browser knows it again."""

    content: bytes
    packed: bytes
    media: str
    etag: str

    @classmethod
    def of(cls, name: str, content: bytes) -> File:
        media = mimetypes.guess_type(name)[0] or "application/octet-stream"
        etag = f'"{hashlib.sha256(content).hexdigest()[:24]}"'
        return cls(content, gzip.compress(content, 9, mtime=0), media, etag)

    def answer(self, headers: Headers, cache: str) -> Response:
        """Send it, if the browser does not have it."""
        said = {"ETag": self.etag, "Cache-Control": cache, "Vary": "Accept-Encoding"}
        if self.etag in headers.get("if-none-match", ""):
            return Response(status_code=304, headers=said)
        if "gzip" not in headers.get("accept-encoding", ""):
            return Response(self.content, headers=said, media_type=self.media)
        return Response(self.packed, headers={**said, "Content-Encoding": "gzip"}, media_type=self.media)


def imported(scripts: Sequence[str], files: Mapping[str, bytes]) -> list[str]:
    """Return the modules that scripts import, and those that these import: browsers ask for all of them at once."""
    found = list(scripts)
    for name in found:
        found += [other for other in re.findall(r'from "\./([^"]+)"', files[name].decode()) if other not in found]
    return found[len(scripts) :]


class Pages:
    """An ASGI application that answers with the pages and their files."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        contents = {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir()) if path.is_file()}
        version = hashlib.sha256(repr(contents).encode()).hexdigest()[:16]
        files = {name: content for name, content in contents.items() if not name.endswith(".html")}
        linked = re.compile(rf'(href|src)="({"|".join(map(re.escape, files))})"')
        self._files = {name: File.of(name, content) for name, content in files.items()}
        frame, self._pages = contents.pop(FRAME).decode(), dict[str, str]()
        for name in contents.keys() - files.keys():
            # A page has what is its own: lines for the head, an empty line, the body.
            head, _, body = contents[name].decode().partition("\n\n")
            modules = imported(re.findall(r'src="(\w+\.js)"', head), files)
            head += "".join(f'\n<link rel="modulepreload" href="{module}">' for module in modules)
            page = frame.replace("<!-- head -->", head).replace("<!-- body -->\n", body)
            self._pages[name] = linked.sub(rf'\1="kept/{version}/\2"', page)
        self._sent = {name: File.of(name, text.encode()) for name, text in self._pages.items()}
        self._kept = f"/kept/{version}/"
        self._manual = Manual(settings.docs, self._pages[MANUAL]) if settings.docs else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.answer(scope)(scope, receive, send)

    def answer(self, scope: Scope) -> Response:
        """Find what is asked for."""
        if scope["method"] not in ("GET", "HEAD"):
            return Response("Method Not Allowed", 405, {"Allow": "GET, HEAD"})
        path, headers = scope["path"], Headers(scope=scope)
        # A page of an older version may still ask for its files by their old address.
        name = path.rpartition("/")[2] if path.startswith("/kept/") and path.count("/") == 3 else path[1:] or FRONT
        if name == FRONT and b"spec=" in scope["query_string"]:
            return self.preview(scope).answer(headers, "no-cache")
        found = self._files.get(name) or self._sent.get(name)
        if name == MANUAL or name.startswith(DOCS):
            asked = dict(parse_qsl(scope["query_string"].decode("latin-1")[:1000])).get("page", "index")
            page = self._manual and self._manual.find(asked if name == MANUAL else name.removeprefix(DOCS))
            found = File.of(name, page) if page else None
        if found is None:
            return Response("Not Found", 404)
        return found.answer(headers, FOR_GOOD if path.startswith(self._kept) else "no-cache")

    def preview(self, scope: Scope) -> File:
        """Return the front page with the title and the picture of the position in its address, for links to it."""
        asked = dict(parse_qsl(scope["query_string"].decode("latin-1")[:10_000]))
        name, spec, moves = asked.get("game", game_names()[0]), asked["spec"][:4000], asked.get("moves", "")[:4000]
        played = len([move for move in moves.split(";") if move])
        if name not in game_names():
            return self._sent[FRONT]
        game = find_game(name)
        try:
            if not fits(game, game.parse(spec).size, self._settings):
                return self._sent[FRONT]
        except ValueError:
            return self._sent[FRONT]
        board = spec if len(spec) < 30 else f"{spec[:29]}…"
        title = f"{game.title} {board}" + (f", move {played + 1}" if played else "")
        query = {"spec": spec, "moves": moves, "file": "png"}
        if asked.get("first") in game.players:
            query["to_move"] = game.other(asked["first"]) if played % 2 else asked["first"]
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
        return File.of(FRONT, TITLE.sub(lambda _: head, self._pages[FRONT], count=1).encode())
