"""A live line on standard error while a search runs; nothing when nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def progress_line(*, quiet: bool) -> Iterator[Callable[[str, Any], None] | None]:
    """Yield a callback ``(label, progress)`` that keeps one line up to date, or None if it would be lost."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("searching") as status:

        def report(label: str, progress: Any) -> None:
            rate = progress.nodes / progress.seconds if progress.seconds else 0.0
            moves = f"root moves {progress.root_moves_done} of {progress.root_moves}, "
            status.update(
                f"{label}: {progress.nodes:,} nodes, {rate:,.0f} a second, "
                f"{moves if progress.root_moves else ''}{progress.seconds:.0f} s"
            )

        yield report


@contextmanager
def polled_line(text: Callable[[], str], *, quiet: bool) -> Iterator[None]:
    """Keep one line up to date with what ``text`` says, five times a second, while the body runs."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    import threading

    from rich.console import Console

    over = threading.Event()
    with Console(stderr=True).status("searching") as status:

        def poll() -> None:
            while not over.wait(0.2):
                status.update(text())

        poller = threading.Thread(target=poll, daemon=True)
        poller.start()
        try:
            yield
        finally:
            over.set()
            poller.join()
