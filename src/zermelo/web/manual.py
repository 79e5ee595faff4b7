"""The pages of the documentation: Markdown from a folder, shown as pages of this site."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
PICTURE = re.compile(r"pictures/[A-Za-z0-9][A-Za-z0-9._-]*\.(svg|png)")


@cache
def documentation() -> Path | None:
    """Return the folder of the documentation, of the installation or of a checkout."""
    here = Path(__file__).resolve()
    places = here.parents[1] / "docs", here.parents[3] / "docs"
    return next((folder for folder in places if (folder / "index.md").is_file()), None)


class Manual:
    """Reads one page at a time."""

    def __init__(self, folder: Path, frame: str) -> None:
        self._folder, self._frame = folder, frame
        self._read = lru_cache(maxsize=64)(self._render)
        self._markdown = MarkdownIt("commonmark", {"html": False}).enable("table")

    def find(self, name: str) -> str | None:
        """Return a page by its name; None if there is none."""
        path = self._folder / f"{name}.md"
        return self._read(path) if NAME.fullmatch(name) and path.is_file() else None

    def _render(self, path: Path) -> str:
        text = path.read_text(encoding="utf-8")
        body = self._markdown.render(text)
        body = re.sub(r'href="([a-z0-9-]+)\.md(#[^"]*)?"', r'href="manual.html?page=\1\2"', body)
        # Other links lead outside the folder: only their words stay.
        body = re.sub(r'<a href="(?!https?:|#|manual\.html)[^"]*">((?s:.*?))</a>', r"\1", body)
        body = re.sub(r"<(h[1-6])>(.*?)</h", lambda found: f'<{found[1]} id="{anchor(found[2])}">{found[2]}</h', body)
        body = re.sub(r'<img src="([^"]*)" alt="([^"]*)" />', self._picture, body)
        body = re.sub(r"<(pre|table)>", r'<\1 tabindex="0">', body)  # so that keys can scroll them
        title = next((line[2:] for line in text.splitlines() if line.startswith("# ")), path.stem)
        page = self._frame.replace("<title></title>", f"<title>{escape(title)} · Zermelo</title>")
        return page.replace("<article></article>", f"<article>{body}</article>")

    def _picture(self, found: re.Match[str]) -> str:
        """Return an image of the folder, or the words of another one."""
        there = PICTURE.fullmatch(found[1]) and (self._folder / found[1]).is_file()
        return f'<img src="docs/{found[1]}" alt="{found[2]}">' if there else f"<em>{found[2]}</em>"


def anchor(heading: str) -> str:
    """Return the anchor of a heading, as code hosts make it.

    >>> anchor("1. The <em>cut</em>")
    '1-the-cut'
    """
    words = re.sub(r"<[^>]*>|&[a-z]+;", "", heading).lower()
    return re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
