"""Where the page's certificates come from (a folder, the visitor, the solver), and those kept open for a walk."""

from __future__ import annotations

import asyncio
import hashlib
import re
import tempfile
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fastapi import HTTPException, Request

from zermelo._core import CancelToken
from zermelo.domineering import Player
from zermelo.proof.container import Claim, head_of_payload, payload_of, read_claim
from zermelo.proof.writing import Written, write_domineering, write_positional
from zermelo.web.analysis import Budget
from zermelo.web.domineering import open_position
from zermelo.web.http import bad_question, searching, settings_of
from zermelo.web.mnk import open_game
from zermelo.web.pool import Seat
from zermelo.web.proof_walk import Walk, walk_of
from zermelo.web.settings import Settings

ENDINGS = (".zc", ".zcert")
MOST_FILES = 200
LARGEST_SIDE = 16
GONE = "There is no such proof here; it may have to be sent again."


@dataclass(frozen=True)
class Opened:
    """A certificate with its strategy ready to be walked."""

    certificate: bytes
    walk: Walk
    size: int
    """Bytes that it holds in memory, about."""


class Shelf:
    """The proofs that were asked for lately, by id, in bounded memory."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._kept: OrderedDict[str, Opened] = OrderedDict()
        self._lock = threading.Lock()
        self._opening: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()

    def get(self, name: str) -> Opened | None:
        """Return a proof, and note that it was wanted."""
        with self._lock:
            if name in self._kept:
                self._kept.move_to_end(name)
            return self._kept.get(name)

    def put(self, name: str, opened: Opened) -> None:
        """Keep a proof; those wanted least lately go when there are too many bytes."""
        with self._lock:
            self._kept[name] = opened
            while len(self._kept) > 1 and self.size > self.capacity:
                self._kept.popitem(last=False)

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return sum(opened.size for opened in self._kept.values())

    def opening(self, name: str) -> asyncio.Lock:
        """Return the lock under which one request opens a proof while others wait for it."""
        return self._opening.setdefault(name, asyncio.Lock())


def shelf_of(request: Request) -> Shelf:
    shelf: Shelf = request.app.state.proofs
    return shelf


def folder_files(settings: Settings) -> dict[str, Path]:
    """Return the certificates of the folder by id."""
    if settings.proofs is None:
        return {}
    files = sorted(path for path in settings.proofs.iterdir() if path.suffix in ENDINGS)
    return {f"file-{path.name}": path for path in files[:MOST_FILES]}


def claim_of_file(path: Path) -> Claim:
    """Read what a certificate claims from its first bytes, however large it is.

    :raises ValueError: if it is no certificate.
    """
    return read_claim(head_of_payload(path))


def sent_id(certificate: bytes) -> str:
    return f"sent-{hashlib.sha256(certificate).hexdigest()[:32]}"


def made_id(spec: str, first: str) -> str:
    """Return the id of a proof that the server makes: whoever knows it can have it made again."""
    return f"made-{first}-{spec}"


MADE = re.compile(r"made-(V|H|X)-(.{1,4000})")
Maker = Callable[[Path, CancelToken], Written]


def maker_of(spec: str, first: str, settings: Settings) -> Maker:
    """Return what solves a position and writes its certificate; ``first`` X means an m,n,k game.

    :raises HTTPException: 422 if it is none that this server proves.
    """
    memory, seconds = settings.memory_mib << 20, settings.seconds
    if first == "X":
        game = open_game(spec, settings)
        return lambda path, token: write_positional(game, path, memory=memory, seconds=seconds, cancel=token)
    position = open_position(spec, settings)
    if max(position.rows, position.cols) > LARGEST_SIDE:
        raise bad_question("Proofs are made for boards of sides up to 16 and shapes in them.")
    starter: Player = "V" if first == "V" else "H"
    return lambda path, token: write_domineering(position, starter, path, memory=memory, seconds=seconds, cancel=token)


def made_certificate(make: Maker, settings: Settings, token: CancelToken) -> bytes:
    """Solve, and return the certificate.

    :raises ValueError: if there is none, or a limit was reached.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "proof.zc")
        written = make(path, token)
        if written.path is None:
            raise ValueError(f"No proof was found within {settings.seconds:g} seconds; try a smaller board.")
        return path.read_bytes()


def opened(certificate: bytes, settings: Settings, token: CancelToken) -> Opened:
    """Unpack a certificate and read its strategy, within the server's limits.

    :raises ValueError: if it is no certificate, or cannot be walked.
    """
    payload = payload_of(certificate, limit=settings.proof_mib << 20)
    memory = settings.proof_mib << 20
    budget = Budget(settings.nodes, settings.seconds)
    walk = walk_of(payload, memory=memory, budget=budget, token=token)
    # An index is small beside its payload; records of m,n,k games and their zones are Python objects.
    factor = 2 if walk.claim.game == "domineering" else 12
    return Opened(certificate, walk, len(certificate) + factor * len(payload))


async def proof_of(request: Request, name: str, sent: bytes | None = None) -> Opened:
    """Return a proof by id, ready to be walked; it is read, made or unpacked if need be.

    :raises HTTPException: 404 if there is none, 422 if it cannot be made or walked.
    """
    shelf, settings = shelf_of(request), settings_of(request)
    async with shelf.opening(name):
        found = shelf.get(name)
        if found is not None:
            return found
        source = source_of(name, sent, settings)

        def work(token: CancelToken) -> Opened:
            try:
                return opened(source(token), settings, token)
            except (ValueError, RecursionError) as error:
                raise bad_question(error) from None

        async def on_seat(seat: Seat) -> Opened | None:
            return await seat.run(work)

        result = await searching(request, on_seat)
        if result is None:
            raise HTTPException(503, "The server is stopping.")
        shelf.put(name, result)
        return result


def source_of(name: str, sent: bytes | None, settings: Settings) -> Callable[[CancelToken], bytes]:
    """Return what brings a certificate by its id.

    :raises HTTPException: 404 if there is none.
    """
    if sent is not None:
        return lambda _: sent
    if made := MADE.fullmatch(name):
        make = maker_of(made[2], made[1], settings)
        return lambda token: made_certificate(make, settings, token)
    path = folder_files(settings).get(name)
    if path is None:
        raise HTTPException(404, GONE)
    if path.stat().st_size > settings.proof_mib << 20:
        raise bad_question("This certificate is too large for the page; use zermelo proof show.")
    return lambda _: path.read_bytes()
