"""The container of a certificate (checker/FORMAT.md 2) and its claim: read, written, described."""

from __future__ import annotations

import math
import zlib
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.files import read_file, whole_file, write_file
from zermelo.words import won

if TYPE_CHECKING:
    from zermelo.game import Game

MAGIC = b"ZCERT"
VERSION = 1
HEADER = MAGIC + bytes([VERSION, 1, 0])
"""The first eight bytes of every compressed certificate."""
BLOCK = 1 << 22
"""Bytes that one thread packs at a time: far more than deflate looks back, so that little is lost at the ends."""
LEVEL = 4
"""Of zlib: 5 makes certificates 3 % smaller in 1.7 times the time, 6 makes them 4 % smaller in four times."""
ZLIB_HEADER = b"\x78\x9c"
LAST_BLOCK = b"\x03\x00"
"""The end of a deflate stream: a last block without content."""


def compress_proof(
    claim: bytes, raw: Path, target: Path, *, threads: int = 1, cancelled: Callable[[], bool] = lambda: False
) -> int:
    """Write a claim and its proof, which is in ``raw``, as a compressed certificate.

    Return its size in bytes, 0 if cancelled. Several threads pack blocks, which are joined to one zlib stream.
    """
    try:
        with raw.open("rb") as source, whole_file(target) as out, ThreadPoolExecutor(threads) as pool:
            size = out.write(HEADER) + out.write(ZLIB_HEADER)
            checksum, waiting = 1, deque[Future[bytes]]()
            first = claim + source.read(BLOCK - len(claim))
            for block in chain([first], iter(lambda: source.read(BLOCK), b"")):
                if cancelled():
                    raise _Cancelled
                checksum = zlib.adler32(block, checksum)
                waiting.append(pool.submit(packed_block, block))
                if len(waiting) > 2 * threads:
                    size += out.write(waiting.popleft().result())
            for rest in waiting:
                size += out.write(rest.result())
            return size + out.write(LAST_BLOCK + checksum.to_bytes(4, "big"))
    except _Cancelled:
        return 0


class _Cancelled(Exception):  # noqa: N818 (not an error: a request)
    pass


def packed_block(block: bytes) -> bytes:
    """Return a part of a deflate stream that ends on a byte and needs nothing from before it."""
    squeeze = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return squeeze.compress(block) + squeeze.flush(zlib.Z_FULL_FLUSH)


def write_payload(payload: bytes, target: Path) -> int:
    """Write a certificate whose payload is in memory; return its size in bytes."""
    return write_file(target, packed(payload))


def packed(payload: bytes) -> bytes:
    """Return a certificate file with this content."""
    return HEADER + zlib.compress(payload, 9)


def read_payload(path: Path) -> bytes:
    """Return the payload of a certificate.

    :raises ValueError: if the file is no certificate, of another version, or damaged.
    """
    return payload_of(read_file(path), name=str(path))


def payload_of(data: bytes, *, name: str = "this", limit: int = 0) -> bytes:
    """Return the payload of a certificate in memory, of at most ``limit`` bytes if that is not 0.

    :raises ValueError: if it is no certificate, of another version, damaged, or larger than the limit.
    """
    payload, packed = content_of(data, name)
    if packed:
        try:
            payload, complete = inflated(payload, limit + 1 if limit else math.inf)
        except zlib.error:
            complete = False
        if not complete and not (limit and len(payload) > limit):
            raise ValueError(f"{name} is damaged")
    if limit and len(payload) > limit:
        raise ValueError(f"{name} holds more than {limit:,} bytes of proof")
    return payload


def content_of(data: bytes, name: str) -> tuple[bytes, bool]:
    """Return the bytes after the header of a certificate, and whether they are compressed.

    :raises ValueError: if it is no certificate, or of another version.
    """
    if len(data) < 8 or data[:5] != MAGIC or data[7] != 0:
        raise ValueError(f"{name} is not a certificate")
    if data[5] != VERSION:
        raise ValueError(f"{name} has format version {data[5]}, not {VERSION}")
    if data[6] > 1:
        raise ValueError(f"{name} has an unknown compression {data[6]}")
    return data[8:], data[6] == 1


def inflated(data: bytes, most: float) -> tuple[bytes, bool]:
    """Unpack at least so many bytes, or all, and say whether that was all there is.

    It goes piece by piece: a few bytes may stand for very many, and Ctrl-C and limits hold between the pieces.

    :raises zlib.error: if the data is damaged.
    """
    stream, pieces, size = zlib.decompressobj(), list[bytes](), 0
    for start in range(0, len(data), HEAD):
        left = data[start : start + HEAD]
        while not stream.eof and size < most:
            pieces.append(stream.decompress(left, PIECE))
            size, left = size + len(pieces[-1]), stream.unconsumed_tail
            if not left and len(pieces[-1]) < PIECE:
                break
    return b"".join(pieces), stream.eof


HEAD = 1 << 20
PIECE = 1 << 24


def head_of_payload(path: Path) -> Bytes:
    """Return the first bytes of a certificate's payload, which hold its claim.

    :raises ValueError: if the file is no certificate, or of another version.
    """
    with path.open("rb") as file:
        content, packed = content_of(file.read(HEAD), str(path))
    try:
        return Bytes(zlib.decompressobj().decompress(content, HEAD) if packed else content)
    except zlib.error:
        raise ValueError(f"{path} is damaged") from None


class Bytes:
    """A payload read from front to back."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def byte(self) -> int:
        if self.at >= len(self.data):
            raise ValueError("the certificate is truncated")
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        value = shift = 0
        while True:
            part = self.byte()
            value |= (part & 127) << shift
            if part < 128:
                return value
            shift += 7
            if shift > 56:
                raise ValueError("the certificate holds a number that is too large")

    def varints(self, count: int) -> list[int]:
        return [self.varint() for _ in range(count)]

    def bits(self, count: int) -> int:
        """Return so many bits, which fill whole bytes."""
        return int.from_bytes(bytes(self.byte() for _ in range((count + 7) // 8)), "little")


def varint(value: int) -> bytes:
    """Return a number as the format writes it.

    >>> varint(300).hex()
    'ac02'
    """
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


@dataclass(frozen=True)
class Claim:
    """The claim of a certificate: who wins a position of a game, and who begins there."""

    game: str
    spec: str
    starter: str
    winner: str
    code: int = 0
    """The game byte."""
    marks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The marks of the players, where the spec does not have them."""

    def place(self, name: Callable[[int], str] = str) -> str:
        """Return the spec, and the players' marks where it does not have them."""
        held = [f"{player} on {' '.join(map(name, cells))}" for player, cells in self.marks.items() if cells]
        return self.spec + (f" ({', '.join(held)})" if held else "")

    @property
    def line(self) -> str:
        """The claim in a line, without the name of the game.

        >>> Claim("a game", "8x8", "V", "V").line, Claim("a game", "3,3,3", "O", "draw", marks={"X": (0, 4)}).line
        ('8x8, V starts: V wins', '3,3,3 (X on 0 4), O starts: a draw')
        """
        return f"{self.place()}, {self.starter} starts: {won(self.winner)}"

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        marks = {player: list(cells) for player, cells in self.marks.items()} if any(self.marks.values()) else {}
        return {"game": self.game, "spec": self.spec, "starter": self.starter, "winner": self.winner, **marks}


def game_of(payload: bytes) -> Game:
    """Return the game that a certificate is about.

    :raises ValueError: if it is none of those that are installed.
    """
    from zermelo.game import games

    code = Bytes(payload).varint()
    for game in games():
        if code in game.claim_codes:
            return game
    raise ValueError(f"the certificate is about game {code}, which this program does not know")


def read_claim(payload: Bytes) -> Claim:
    """Read the claim; the payload then stands at the proof.

    :raises ValueError: if there is none.
    """
    game = game_of(payload.data[payload.at :])
    return game.read_claim(payload.varint(), payload)
