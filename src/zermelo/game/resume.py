"""A search that can be stopped and resumed: the results that cost most are saved in a file while it runs.

The file is a cache of the user's own: one line of JSON that names its question, the results in the core's tables
(``save`` of a search), and a checksum. Every result in it is proved, so that a search with any limits, threads and
memory may start from it.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, runtime_checkable

from zermelo._core import VERSION
from zermelo.files import read_file, whole_file
from zermelo.game.positions import Position

MAGIC = b"zermelo resume 1\n"
DIGEST = 32
MOST_RESULTS = 500_000
"""Results that are saved: 16 MB. Of 183 million that a search of 11x11 had after 300 million nodes, those are the ones
that cost 2^9 nodes or more each."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.2, 60.0
PAUSE_FACTOR = 10.0
"""Seconds between two saves: so many times what the last one took, within these bounds."""


class Resumable(Protocol):
    """A search of the core whose results can be saved; ``save`` may be called while it runs."""

    def save(self, most: int) -> bytes:
        """Return the results that cost most, at most about so many."""

    def load(self, saved: bytes) -> int:
        """Take saved results, and return how many.

        :raises ValueError: if they are damaged.
        """


@runtime_checkable
class ResumableChooser(Protocol):
    """A chooser whose search of a position can be saved and resumed."""

    def resumable(self, position: Position) -> Resumable:
        """Return the search that will answer questions about the position.

        :raises ValueError: if it is none that can be resumed.
        """


class ResumeFile:
    """Loads the results of earlier runs; saves all results now and then, and whenever its block ends."""

    def __init__(self, path: str | Path, position: Position, search: Resumable) -> None:
        """Load the file if there is one; make it if there is none.

        :raises ValueError: if it is damaged, or of another question.
        :raises OSError: if it can be neither read nor made.
        """
        self.path, self._search = Path(path), search
        self._question = {"game": position.game.name, "position": position.text, "version": VERSION}
        self.loaded, self.size, self.runs = 0, 0, 0
        self.earlier_nodes, self.earlier_seconds = 0, 0.0
        self.nodes = 0
        """Nodes of this run so far; the caller counts them."""
        self.error: str | None = None
        """Why the last save failed, if it did."""
        self._start = time.monotonic()
        self._stop = threading.Event()
        self._saver = threading.Thread(target=self._keep_saving, name="zermelo-resume", daemon=True)
        if self.path.exists():
            self._load()
        else:
            self._save()

    def __enter__(self) -> ResumeFile:
        self._saver.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._saver.join()
        self._try_to_save()

    def to_json(self) -> dict[str, Any]:
        """Return the figures of earlier runs and of the file now."""
        return {
            "file": str(self.path),
            "loaded": self.loaded,
            "bytes": self.size,
            "runs": self.runs + 1,
            "earlier_nodes": self.earlier_nodes,
            "earlier_seconds": round(self.earlier_seconds, 3),
            "error": self.error,
        }

    def _keep_saving(self) -> None:
        pause = SHORTEST_PAUSE
        while not self._stop.wait(pause):
            begin = time.monotonic()
            self._try_to_save()
            pause = min(max(SHORTEST_PAUSE, PAUSE_FACTOR * (time.monotonic() - begin)), LONGEST_PAUSE)

    def _try_to_save(self) -> None:
        try:
            self._save()
            self.error = None
        except OSError as error:  # the search goes on: there may be room later
            self.error = error.strerror or str(error)

    def _save(self) -> None:
        nodes, seconds = self.nodes, time.monotonic() - self._start
        results = self._search.save(MOST_RESULTS)
        about = {
            **self._question,
            "runs": self.runs + 1,
            "nodes": self.earlier_nodes + nodes,
            "seconds": round(self.earlier_seconds + seconds, 3),
        }
        data = MAGIC + json.dumps(about).encode() + b"\n" + results
        with whole_file(self.path) as out:
            out.write(data)
            out.write(hashlib.sha256(data).digest())
        self.size = len(data) + DIGEST

    def _load(self) -> None:
        with self.path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise ValueError(f"{self.path} is not a file of --resume; name a new file")
        data = read_file(self.path)
        body = data[:-DIGEST]
        if hashlib.sha256(body).digest() != data[-DIGEST:]:
            raise ValueError(f"{self.path} is damaged: its checksum is wrong; remove it to start again")
        line, _, results = body[len(MAGIC) :].partition(b"\n")
        try:
            about = json.loads(line)
            question = {name: about[name] for name in self._question}
            self.runs, self.earlier_nodes, self.earlier_seconds = about["runs"], about["nodes"], about["seconds"]
            if question == self._question:
                self.loaded = self._search.load(results)
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{self.path} is damaged: {error}; remove it to start again") from None
        if question != self._question:
            theirs, ours = (
                "{game} {position} of Zermelo {version}".format(**one) for one in (question, self._question)
            )
            raise ValueError(f"{self.path} belongs to {theirs}, not to {ours}; name another file")
