"""The container of a certificate (checker/FORMAT.md 2) and its claim: read, written, described."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.files import write_file

MAGIC = b"ZCERT"
VERSIONS = (1, 2, 3, 4)  # 2 has covers and turned rings, 3 cuts that answer many moves, 4 plain strategies
BLOCK = 1 << 22
"""Bytes that one thread packs at a time: larger than what deflate looks back, so that little is lost at the ends."""
LEVEL = 4
"""Of zlib: 5 makes certificates 3 % smaller in 1.7 times the time, 6 makes them 4 % smaller in four times."""
ZLIB_HEADER = b"\x78\x9c"
LAST_BLOCK = b"\x03\x00"
"""The end of a deflate stream: a last block without content."""


def header(*, compressed: bool = True, version: int = 1) -> bytes:
    """Return the eight bytes that every certificate begins with."""
    return MAGIC + bytes([version, int(compressed), 0])


def compress_payload(
    raw: Path, target: Path, *, version: int = 1, threads: int = 1, cancelled: Callable[[], bool] = lambda: False
) -> int:
    """Write the payload in ``raw`` as a compressed certificate; return its size in bytes, 0 if cancelled.

    Blocks are packed apart, by several threads, and joined to one zlib stream. The certificate appears under its name
    when it is complete, never before.
    """
    unfinished = target.with_name(target.name + ".part")
    try:
        with raw.open("rb") as source, unfinished.open("wb") as out:
            out.write(header(version=version))
            out.write(ZLIB_HEADER)
            blocks = iter(lambda: source.read(BLOCK), b"")
            checksum = 1
            with ThreadPoolExecutor(threads) as pool:
                waiting: deque[Future[bytes]] = deque()
                for block in blocks:
                    if cancelled():
                        return 0
                    checksum = zlib.adler32(block, checksum)
                    waiting.append(pool.submit(packed_block, block))
                    if len(waiting) > 2 * threads:
                        out.write(waiting.popleft().result())
                for rest in waiting:
                    out.write(rest.result())
            out.write(LAST_BLOCK + checksum.to_bytes(4, "big"))
            size = out.tell()
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return size


def packed_block(block: bytes) -> bytes:
    """Return a part of a deflate stream that ends on a byte and needs nothing from before it."""
    squeeze = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return squeeze.compress(block) + squeeze.flush(zlib.Z_FULL_FLUSH)


def write_payload(payload: bytes, target: Path, *, version: int = 1) -> int:
    """Write a certificate whose payload is in memory; return its size in bytes."""
    return write_file(target, header(version=version) + zlib.compress(payload, 9))


def read_version(path: Path) -> int:
    """Return the format version of a certificate, whose header must have been looked at before."""
    with path.open("rb") as file:
        return file.read(6)[5]


def read_payload(path: Path) -> bytes:
    """Return the payload of a certificate.

    :raises ValueError: if the file is no certificate of a known version, or damaged.
    """
    return payload_of(path.read_bytes(), name=str(path))


def payload_of(data: bytes, *, name: str = "this", limit: int = 0) -> bytes:
    """Return the payload of a certificate in memory, of at most ``limit`` bytes if that is not 0.

    :raises ValueError: if it is no certificate of a known version, damaged, or larger than the limit.
    """
    if len(data) < 8 or data[:5] != MAGIC or data[7] != 0:
        raise ValueError(f"{name} is not a certificate")
    if data[5] not in VERSIONS or data[6] > 1:
        raise ValueError(f"{name} has format version {data[5]}, which this program does not know")
    payload = data[8:]
    if data[6] == 1:
        try:
            stream = zlib.decompressobj()
            payload = stream.decompress(payload, limit + 1 if limit else 0)
            complete = stream.eof
        except zlib.error:
            complete = False
        if not complete and not (limit and len(payload) > limit):
            raise ValueError(f"{name} is damaged")
    if limit and len(payload) > limit:
        raise ValueError(f"{name} holds more than {limit:,} bytes of proof")
    return payload


HEAD = 1 << 20


def head_of_payload(path: Path) -> Bytes:
    """Return the first bytes of a certificate's payload, which hold its claim.

    :raises ValueError: if the file is no certificate of a known version.
    """
    with path.open("rb") as file:
        data = file.read(HEAD)
    if len(data) < 8 or data[:5] != MAGIC or data[5] not in VERSIONS or data[6] > 1:
        raise ValueError(f"{path} is not a certificate")
    try:
        return Bytes(zlib.decompressobj().decompress(data[8:], HEAD) if data[6] else data[8:])
    except zlib.error:
        raise ValueError(f"{path} is damaged") from None


class Bytes:
    """A payload read from front to back."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def byte(self) -> int:
        """Return the next byte."""
        if self.at >= len(self.data):
            raise ValueError("the certificate is truncated")
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        """Return the next number."""
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
        """Return so many numbers."""
        return [self.varint() for _ in range(count)]


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


TOPOLOGIES = ("", "hcylinder:", "vcylinder:", "torus:")


@dataclass(frozen=True)
class Claim:
    """What a certificate claims; ``free`` is a bit set of squares (Domineering only)."""

    game: str
    spec: str
    starter: str
    winner: str
    rows: int = 0
    cols: int = 0
    free: int = 0
    maker: tuple[int, ...] = ()
    breaker: tuple[int, ...] = ()

    @property
    def topology(self) -> str:
        """Return how a Domineering board closes.

        >>> Claim("domineering", "torus:3x3", "V", "V").topology
        'torus'
        """
        prefix, colon, _ = self.spec.partition(":")
        return prefix if colon else "rectangle"

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        result: dict[str, Any] = {"game": self.game, "spec": self.spec, "starter": self.starter, "winner": self.winner}
        if self.maker or self.breaker:
            result |= {"maker": list(self.maker), "breaker": list(self.breaker)}
        return result


def read_claim(payload: Bytes) -> Claim:
    """Read the claim; the payload then stands at the proof.

    :raises ValueError: if there is none.
    """
    game = payload.varint()
    if game == 1:
        topology, rows, cols = payload.varints(3)
        if topology > 3 or not 1 <= rows * cols <= 256:
            raise ValueError("the certificate's board is not possible")
        raw = bytes(payload.byte() for _ in range((rows * cols + 7) // 8))
        free = int.from_bytes(raw, "little")
        starter, winner = ("VH"[player & 1] for player in payload.varints(2))
        lines = ["".join("#."[free >> (row * cols + col) & 1] for col in range(cols)) for row in range(rows)]
        board = f"{rows}x{cols}" if free == (1 << rows * cols) - 1 else "/".join(lines)
        spec = TOPOLOGIES[topology] + board
        return Claim("domineering", spec, starter, winner, rows, cols, free)
    if game == 2:
        spec, name = ",".join(str(number) for number in payload.varints(3)), "mnk"
    elif game == 3:
        _, count = payload.varints(2)
        edges = [payload.varints(payload.varint()) for _ in range(min(count, 4096))]
        spec, name = "; ".join(" ".join(map(str, edge)) for edge in edges), "hypergraph"
    elif game == 4:
        rows, cols = payload.varints(2)
        starter, winner = ("VH"[player & 1] for player in payload.varints(2))
        return Claim("rectangle", f"{rows}x{cols}", starter, winner, rows, cols)
    else:
        from zermelo.game import games

        owner = next((one for one in games() if game in one.claim_codes), None)
        if owner is None:
            raise ValueError(f"the certificate is about game {game}, which this program does not know")
        return owner.read_claim(game, payload)
    maker, breaker = (tuple(payload.varints(payload.varint())) for _ in range(2))
    starter, winner = (("maker", "breaker")[player & 1] for player in payload.varints(2))
    return Claim(name, spec, starter, winner, maker=maker, breaker=breaker)
