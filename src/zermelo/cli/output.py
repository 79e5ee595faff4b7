"""The output of every command: one form of JSON, one form of errors, the exit codes, a live line of progress."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from zermelo.cli.stopping import answered
from zermelo.game import Progress
from zermelo.words import counted, won

__all__ = ["counted", "print_error", "print_json", "search_progress", "table_lines", "tell", "terminal_line", "won"]

ANSWERED, REJECTED, BAD_INPUT, LIMIT, INTERRUPTED, CLOSED_PIPE = 0, 1, 2, 3, 130, 141
ERASE = "\x1b[K"
"""Erases the rest of a terminal's line."""


def print_json(value: Mapping[str, Any]) -> None:
    """Print one JSON object on standard output, at once."""
    text = json.dumps(value, ensure_ascii=False)
    answered()
    print(text, flush=True)


def tell(as_json: bool, data: Mapping[str, Any], *lines: str) -> None:
    """Print an answer: its data as JSON, or its lines."""
    if as_json:
        print_json(data)
    else:
        answered()
        print("\n".join(lines))


def print_error(message: str) -> None:
    """Print one line on standard error, where there is one."""
    if sys.stderr is not None:
        print("zermelo: " + " ".join(message.split()), file=sys.stderr)


def table_lines(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return columns side by side, set to the right as numbers are.

    >>> table_lines(("ply", "units"), [["1", "1,000"]])
    ['ply  units', '  1  1,000']
    """
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    lines = ([f"{word:>{width}}" for word, width in zip(row, widths, strict=True)] for row in (titles, *rows))
    return list(map("  ".join, lines))


@contextmanager
def terminal_line(*, quiet: bool) -> Iterator[Callable[[str], None] | None]:
    """Yield a function that keeps one line at the terminal up to date, or None; the line is erased at the end.

    No thread of its own: one that outlives ``main`` keeps objects of the core alive while Python ends.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return

    def show(text: str) -> None:
        text = text[: shutil.get_terminal_size().columns - 1]
        print(f"\r{text}{ERASE}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        show("")


@contextmanager
def search_progress(*, quiet: bool) -> Iterator[Callable[[str, Progress], None]]:
    """Yield a callback ``(label, progress)`` that shows the progress; an interruption then says how far it was."""
    nodes, begin = dict[str, int](), time.monotonic()
    with terminal_line(quiet=quiet) as show:

        def report(label: str, progress: Progress) -> None:
            nodes[label] = progress.nodes
            if show is not None:
                show(f"{label}: {progress_text(progress)}")

        try:
            yield report
        except KeyboardInterrupt as stop:
            stop.args = (f"after {counted(sum(nodes.values()), 'node')} and {time.monotonic() - begin:.1f} s",)
            raise


def progress_text(progress: Progress) -> str:
    """Say how far a search has come.

    >>> from zermelo.game import Progress
    >>> progress_text(Progress(4000, 2.0, 0.25))
    '4,000 nodes, 2,000 a second, about 25.00% done, at this pace 6 s more, 2 s'
    """
    rate = progress.nodes / progress.seconds if progress.seconds else 0.0
    parts = [counted(progress.nodes, "node"), f"{rate:,.0f} a second"]
    if progress.share is not None and 0 < progress.share < 1:
        left = progress.seconds / progress.share - progress.seconds
        parts.append(f"about {progress.share:.2%} done, at this pace {left:,.0f} s more")
    return ", ".join([*parts, f"{progress.seconds:.0f} s"])
