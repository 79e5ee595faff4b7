"""Domineering certificates as the campaign needs them: read a unit's, write one from an oracle (checker/FORMAT.md)."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from zermelo.campaign.domineering import DomineeringGame
from zermelo.proof.container import MAGIC, VERSIONS, header, varint
from zermelo.proof.strategy import ALL, ANSWERS, ANSWERS_KEEP, FIRST_MOVE, KEEP, REF


def remembered(tag: int) -> int:
    """Return the tag with which a node of the loser is remembered, if it is one whose moves are answered.

    >>> [remembered(tag) for tag in (ALL, KEEP, REF, 3, 7, ANSWERS, ANSWERS + 3, ANSWERS_KEEP)]
    [1, 1, 2, 3, 7, 12, 15, 12]
    """
    if tag == ALL:
        return KEEP
    return tag + ANSWERS_KEEP - ANSWERS if ANSWERS <= tag < ANSWERS_KEEP else tag


def can_be_referred_to(tag: int) -> bool:
    """Whether a position is remembered whose node begins with this tag."""
    return tag in (KEEP, REF) or tag >= ANSWERS_KEEP


def read_varint(data: bytes | bytearray, at: int) -> tuple[int, int]:
    """Return a number and where the next byte is."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at += 1
        if not data[at - 1] & 128:
            return value, at
        shift += 7


def claim(game: DomineeringGame, position: str) -> bytes:
    """Return the claim that the game's winner wins a position."""
    mover, blocked = game.parse(position)
    squares = game.rows * game.cols
    free = (1 << squares) - 1 & ~blocked
    board = free.to_bytes((squares + 7) // 8, "little")
    players = bytes([mover == "H", game.winner == "H"])
    return b"\x01\x00" + varint(game.rows) + varint(game.cols) + board + players


def container(payload: bytes, *, version: int = 1) -> bytes:
    """Return a certificate file with this content."""
    return header(version=version) + zlib.compress(payload, 6)


def version_of(certificate: bytes) -> int:
    """Return the version of the format in which a certificate is written."""
    return certificate[5]


def payload_of(certificate: bytes, head: bytes) -> bytes | None:
    """Return the proof inside a certificate of just this claim, or None if it is about something else."""
    known = len(certificate) >= 8 and certificate[:5] == MAGIC
    if not known or version_of(certificate) not in VERSIONS:
        return None
    payload = zlib.decompress(certificate[8:]) if certificate[6] else certificate[8:]
    return payload[len(head) :] if payload.startswith(head) else None


def proof_of(certificate: bytes, game: DomineeringGame, position: str) -> bytes | None:
    """Return the proof inside a certificate that the game's winner wins a position, or None."""
    return payload_of(certificate, claim(game, position))


class PackedFile:
    """A certificate being written, compressed on the way; ``version`` may rise until the end."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._packer = zlib.compressobj(6)
        self.version = 1
        file.write(header())

    def put(self, data: bytes) -> None:
        """Add to the payload."""
        self._file.write(self._packer.compress(data))

    def end(self) -> None:
        """Write what is left."""
        self._file.write(self._packer.flush())
        self._file.seek(0)
        self._file.write(header(version=self.version))


@contextmanager
def whole_file(path: Path) -> Iterator[PackedFile]:
    """Write a certificate under another name, so that the file is there whole or not at all."""
    temporary = path.with_name(f".{path.name}.part")
    try:
        with temporary.open("wb") as file:
            packed = PackedFile(file)
            yield packed
            packed.end()
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_strategy(game: DomineeringGame, position: str, wins: Callable[[str], bool]) -> bytes:
    """Return a certificate that plays to the end, for small positions; ``wins`` knows who wins.

    Only for positions that the game's winner wins.
    """
    out = bytearray(claim(game, position))
    known: set[str] = set()

    def winner_moves(here: str) -> None:
        for number, child in enumerate(game.children(here)):
            if wins(child):
                out.extend(varint(FIRST_MOVE + number))
                loser_moves(child)
                return
        raise ValueError(f"{game.winner} does not win {game.describe(here)}")

    def loser_moves(here: str) -> None:
        key = game.key(here)
        if key in known:
            out.append(REF)
            return
        out.append(KEEP)
        for child in game.children(here):
            winner_moves(child)
        known.add(key)

    (winner_moves if game.mover(position) == game.winner else loser_moves)(position)
    return container(bytes(out))
