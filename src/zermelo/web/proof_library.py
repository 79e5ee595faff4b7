"""Certificates of the page: from a folder, the visitor or the solver, and a cache of those that were used lately.

Nothing of a certificate is shown before the independent checker has verified it, within the server's limits.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import tempfile
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fastapi import HTTPException, Request

from zermelo._core import CancelToken
from zermelo.files import write_file
from zermelo.game import Clock, Game, Limits, Progress, Replay, Step, find_game
from zermelo.proof.checking import REJECTED, UNFINISHED, check_file
from zermelo.proof.container import MAGIC, Bytes, Claim, game_of, payload_of, read_claim
from zermelo.running import Cache
from zermelo.web.http import UnfinishedError, bad_question, on_worker, settings_of, unless_gone
from zermelo.web.pool import QUEUE_SECONDS, BusyError
from zermelo.web.queries import fits, open_position, search_limits, searchers_of
from zermelo.web.settings import Settings
from zermelo.web.view import Model

ENDINGS = (".zc", ".zcert")
MOST_FILES = 200
CHECKER_MIB = 256
FOLDER_MIB, SENT_MIB = 256, 32
"""The largest certificates, unpacked: of the folder, and others."""
CACHE_MIB = 96
"""Size of the cache of certificates."""
UPLOADS_MIB = 256
"""The most that the certificates in the folder of uploads take together."""
SENT = re.compile(r"sent-[0-9a-f]{32}")
GONE = "There is no such proof here; it may have to be sent again."


@dataclass(frozen=True)
class OpenProof:
    """A verified certificate, ready for a walk if it has moves."""

    certificate: bytes
    game: Game
    claim: Claim
    checker: str
    replay: Replay | None
    story: Step | None
    """The text of a certificate that has no moves to walk: a derivation by rules."""
    why_not: str
    """Why it cannot be walked; empty if it can."""
    size: int
    """Bytes that it takes in memory, about."""

    def step(self, moves: str) -> Step:
        """Return the step after some moves with ``;`` between them.

        :raises ValueError: if it has no moves, or not these.
        """
        if self.replay is None:
            raise ValueError(self.why_not)
        return self.replay.step(moves.split(";") if moves else [])


class Making(Model):
    """How far the making of a proof is."""

    phase: Literal["waiting", "solving", "checking"]
    """`waiting`: for a worker, or nobody asked for it; `solving`; `checking`: the independent checker verifies it."""
    nodes: int = 0
    """Positions that the search has entered."""
    seconds: float = 0.0


class ProofCache(Cache[str, OpenProof]):
    """The proofs that were used lately, by id, in bounded memory; and how far those are that are made now."""

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity, size=lambda opened: opened.size)
        self.making: dict[str, Making] = {}
        self._opening: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()

    def opening(self, name: str) -> asyncio.Lock:
        """Return the lock under which one request opens a proof while others wait for it."""
        return self._opening.setdefault(name, asyncio.Lock())


class Uploads:
    """The certificates that visitors sent, in a folder, so that their addresses outlive the server.

    If they become too large together, the oldest go first.
    """

    def __init__(self, folder: Path | None, capacity: int) -> None:
        self._folder, self._capacity = folder, capacity

    def find(self, name: str) -> Path | None:
        """Return the file of a certificate by its id; None if there is none."""
        path = self._folder / f"{name}.zc" if self._folder and SENT.fullmatch(name) else None
        return path if path and path.is_file() else None

    def keep(self, name: str, certificate: bytes) -> None:
        """Write a verified certificate. It is no fault if that is impossible: the visitor has the file."""
        if self._folder is None:
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_file(self._folder / f"{name}.zc", certificate)
            files = [(path, path.stat()) for path in self._folder.glob("sent-*.zc")]
            files.sort(key=lambda entry: entry[1].st_mtime_ns)
            size = sum(stat.st_size for _, stat in files)
            for path, stat in files[:-1]:
                if size > self._capacity:
                    path.unlink()
                    size -= stat.st_size


# Opening


def verify(certificate: bytes, seconds: float, token: CancelToken) -> str:
    """Let the independent checker verify a certificate; return the name of the checker.

    :raises ValueError: with the reason, if it is not verified.
    :raises UnfinishedError: if the time was too short.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "proof.zc")
        path.write_bytes(certificate)
        report = check_file(path, threads=1, seconds=seconds, mebibytes=CHECKER_MIB, cancel=token)
    if report.verified:
        return report.checker
    said = str(report.said.get("reason") or report.said.get("verdict") or "no reason given")
    verdict = "is refuted" if report.exit_code == REJECTED else "was not verified"
    fault = UnfinishedError if report.exit_code == UNFINISHED else ValueError
    raise fault(f"This certificate {verdict} by the independent checker: {said[:500]}")


def open_proof(certificate: bytes, settings: Settings, limits: Limits, token: CancelToken) -> OpenProof:
    """Verify a certificate, unpack it and read its strategy, all within limits.

    Nothing is unpacked here before the checker, a process with limits of its own, has verified it.

    :raises ValueError: if it is no certificate, or not verified.
    """
    clock = Clock(limits)
    if not certificate.startswith(MAGIC):
        raise ValueError("this is not a certificate")
    checker = verify(certificate, max(1.0, clock.seconds_left), token)
    payload = payload_of(certificate, limit=limits.memory)
    game, claim = game_of(payload), read_claim(Bytes(payload))
    replay, story, why_not = None, None, ""
    try:
        replay = game.replay(payload, limits=clock.left().with_(cancel=token))
        story = replay.step([])
    except (ValueError, RecursionError) as error:
        replay, why_not = None, str(error)
    if story is not None and not fits(game, story.position.size):
        replay, why_not = None, f"the board is too large to show here: {story.text}"
    # A walk keeps an index or Python objects beside the payload: a few times its size.
    size = len(certificate) + 8 * len(payload)
    return OpenProof(certificate, game, claim, checker, replay, None if replay else story, why_not, size)


async def proof_of(request: Request, name: str, sent: bytes | None = None, seconds: float | None = None) -> OpenProof:
    """Return a proof by id; it is read or made, and verified, unless it is in the cache.

    :raises HTTPException: 404 if there is none, 422 if it cannot be made or is not verified.
    """
    cache: ProofCache = request.app.state.proofs
    settings = settings_of(request)
    limits = search_limits(settings, seconds)
    largest = (FOLDER_MIB if name in folder_files(settings) else SENT_MIB) << 20
    lock = cache.opening(name)
    try:
        await unless_gone(request, asyncio.wait_for(lock.acquire(), QUEUE_SECONDS))
    except TimeoutError:
        raise BusyError from None
    try:
        found = cache.get(name)
        if found is None:
            source, uploads = source_of(request, name, sent, limits), uploads_of(request)
            cache.making[name] = Making(phase="waiting")

            def work(token: CancelToken) -> OpenProof:
                certificate = source(token)
                cache.making[name] = Making(phase="checking")
                opened = open_proof(certificate, settings, limits.with_(memory=largest, nodes=None), token)
                if sent is not None:
                    uploads.keep(name, sent)
                return opened

            found = await on_worker(request, work)
            cache.put(name, found)
        return found
    finally:
        cache.making.pop(name, None)
        lock.release()


def uploads_of(request: Request) -> Uploads:
    uploads: Uploads = request.app.state.uploads
    return uploads


# Sources


def folder_files(settings: Settings) -> dict[str, Path]:
    """Return the certificates of the folder by id."""
    if settings.proofs is None:
        return {}
    files = sorted(path for path in settings.proofs.iterdir() if path.suffix in ENDINGS)
    return {f"file-{path.name}": path for path in files[:MOST_FILES]}


def sent_id(certificate: bytes) -> str:
    return f"sent-{hashlib.sha256(certificate).hexdigest()[:32]}"


def made_id(game: str, spec: str, first: str) -> str:
    """Return the id of a proof that the server makes; it names everything to make it again."""
    return f"made-{game}-{first}-{spec}"


MADE = re.compile(r"made-([^-]{1,40})-([^-]{1,40})-(.{1,4000})", re.DOTALL)
Source = Callable[[CancelToken], bytes]


def source_of(request: Request, name: str, sent: bytes | None, limits: Limits) -> Source:
    """Return a function that reads or makes the certificate with an id.

    :raises HTTPException: 404 if there is none, 422 if it cannot be made.
    """
    settings = settings_of(request)
    if sent is not None:
        return lambda _: sent
    made = MADE.fullmatch(name)
    if made is not None:
        return maker_of(request, limits, *made.groups())
    path = folder_files(settings).get(name) or uploads_of(request).find(name)
    if path is None:
        raise HTTPException(404, GONE)
    if path.stat().st_size > FOLDER_MIB << 20:
        raise bad_question("This certificate is too large for the page; use zermelo proof show.")
    return lambda _: path.read_bytes()


def maker_of(request: Request, limits: Limits, name: str, first: str, spec: str) -> Source:
    """Return a function that solves a position and writes its certificate.

    :raises HTTPException: 404 if there is no such game, 422 if it is no position that this server proves.
    """
    try:
        game, settings = find_game(name), settings_of(request)
    except ValueError as error:
        raise HTTPException(404, str(error)) from None
    query = open_position(game, spec, "", first, settings)
    chooser = searchers_of(request).of(game)
    making, key = request.app.state.proofs.making, made_id(name, spec, first)

    def report(progress: Progress) -> None:
        making[key] = Making(phase="solving", nodes=progress.nodes, seconds=round(progress.seconds, 1))

    def make(token: CancelToken) -> bytes:
        report(Progress(0, 0.0))
        within = limits.with_(cancel=token, on_progress=report)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "proof.zc")
            written = game.prove(query.position, first, path, limits=within, chooser=chooser)
            if written.path is None:
                raise UnfinishedError(f"No proof was found within {limits.seconds:g} s; try a smaller board.")
            return path.read_bytes()

    return make
