"""A live line on standard error while a search runs; nothing when nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from zermelo.draw.text import counted

if TYPE_CHECKING:
    from zermelo.game import Progress


@contextmanager
def progress_line(*, quiet: bool) -> Iterator[Callable[[str, Progress], None] | None]:
    """Yield a callback ``(label, progress)`` that keeps one line up to date, or None if it would be lost."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("searching") as status:
        yield lambda label, progress: status.update(f"{label}: {progress_text(progress)}")


def progress_text(progress: Progress) -> str:
    """Say how far a search has come.

    >>> from zermelo.game import Progress
    >>> progress_text(Progress(4000, 2.0, 0.25))
    '4,000 nodes, 2,000 a second, about 25.00% done, at this pace 6 s more, 2 s'
    """
    rate = progress.nodes / progress.seconds if progress.seconds else 0.0
    parts = [counted(progress.nodes, "node"), f"{rate:,.0f} a second", progress.note]
    if progress.share is not None and 0 < progress.share < 1:
        left = progress.seconds / progress.share - progress.seconds
        parts.append(f"about {progress.share:.2%} done, at this pace {left:,.0f} s more")
    return ", ".join([*filter(None, parts), f"{progress.seconds:.0f} s"])
