"""How checking stops, and the container of a certificate: header, zlib stream, bytes and varints (FORMAT.md 2)."""

from __future__ import annotations

import tempfile
import time
import zlib
from pathlib import Path
from typing import BinaryIO

VERIFIED, REJECTED, MALFORMED, UNFINISHED = 0, 1, 2, 3
MAX_CELLS = 256
VERSION = 1


class Stop(Exception):  # noqa: N818 (not an error: a verdict)
    """Checking ends here, with this verdict and this reason."""

    def __init__(self, verdict: int, reason: str) -> None:
        super().__init__(reason)
        self.verdict = verdict
        self.reason = reason


def reject(reason: str) -> Stop:
    return Stop(REJECTED, reason)


def malformed(reason: str) -> Stop:
    return Stop(MALFORMED, reason)


class Budget:
    """Limits of time and memory; memory is counted in units of about a hundred bytes."""

    def __init__(self, seconds: float, mebibytes: float) -> None:
        self.deadline = time.monotonic() + seconds
        self.units = int(min(mebibytes, 1e12) * (1 << 20) / 100)
        self.ticks = 0

    def tick(self) -> None:
        self.ticks += 1
        if self.ticks & 1023 == 0:
            self.look()

    def look(self) -> None:
        if time.monotonic() > self.deadline:
            raise Stop(UNFINISHED, "the time limit was reached")

    def store(self, units: int) -> None:
        self.units -= units
        if self.units < 0:
            raise Stop(UNFINISHED, "the memory limit was reached")


def copy_of(pipe: BinaryIO, budget: Budget) -> BinaryIO:
    """Copy a pipe to a file without a name, which can be read twice, and close the pipe."""
    copy = tempfile.TemporaryFile()  # noqa: SIM115 (the caller closes it)
    with pipe:
        while chunk := pipe.read(65536):
            budget.look()
            copy.write(chunk)
    copy.seek(0)
    return copy


class Reader:
    """The payload, byte by byte; never more than a chunk of it in memory."""

    def __init__(self, path: str, budget: Budget) -> None:
        self.file: BinaryIO = Path(path).open("rb")  # noqa: SIM115 (closed here or in check)
        try:
            if not self.file.seekable():  # a pipe cannot be read twice
                self.file = copy_of(self.file, budget)
            self.open()
            while self.refill():  # a whole pass first: a damaged container is malformed anyway
                budget.look()
            self.file.seek(0)
            self.open()
        except BaseException:
            self.file.close()
            raise

    def open(self) -> None:
        header = self.file.read(8)
        if len(header) < 8 or header[:5] != b"ZCERT" or header[7] != 0:
            raise malformed("this is not a certificate")
        if header[5] != VERSION:
            raise malformed(f"the format version is {header[5]}, not {VERSION}")
        if header[6] > 1:
            raise malformed(f"unknown compression {header[6]}")
        self.inflate = zlib.decompressobj() if header[6] else None
        self.chunk = b""
        self.at = 0
        self.passed = 0

    def refill(self) -> bool:
        """Fetch the next chunk; False at the end of the payload."""
        self.passed += len(self.chunk)
        self.chunk, self.at = b"", 0
        while not self.chunk:
            if self.inflate is None:
                self.chunk = self.file.read(65536)
                return bool(self.chunk)
            if self.inflate.eof:
                if self.inflate.unused_data or self.file.read(1):
                    raise malformed("bytes follow the compressed payload")
                return False
            raw = self.inflate.unconsumed_tail or self.file.read(65536)
            if not raw:
                raise malformed("the compressed payload is truncated")
            try:
                self.chunk = self.inflate.decompress(raw, 65536)
            except zlib.error:
                raise malformed("the compressed payload is damaged") from None
        return True

    def byte(self) -> int:
        if self.at >= len(self.chunk) and not self.refill():
            raise malformed("the payload is truncated")
        value = self.chunk[self.at]
        self.at += 1
        return value

    def varint(self) -> int:
        """Seven bits a byte, lowest first; at most nine bytes, and no needless ones."""
        value = shift = 0
        while True:
            part = self.byte()
            value |= (part & 127) << shift
            if part < 128:
                if part == 0 and shift:
                    raise malformed("a number with needless bytes")
                return value
            shift += 7
            if shift > 56:
                raise malformed("a number that is too large")

    def number(self, below: int, what: str) -> int:
        value = self.varint()
        if value >= below:
            raise malformed(f"{what} {value} is out of range")
        return value

    def board(self) -> tuple[int, int, int, str]:
        """Return rows, columns and free squares of a board, and its spec."""
        rows, cols = self.number(MAX_CELLS + 1, "rows"), self.number(MAX_CELLS + 1, "columns")
        if not 1 <= rows * cols <= MAX_CELLS:
            raise malformed("the board must have 1 to 256 squares")
        free = int.from_bytes(bytes(self.byte() for _ in range((rows * cols + 7) // 8)), "little")
        if free >> (rows * cols):
            raise malformed("free squares outside the board")
        grid = "/".join("".join("#."[free >> (r * cols + c) & 1] for c in range(cols)) for r in range(rows))
        return rows, cols, free, f"{rows}x{cols}" if free == (1 << (rows * cols)) - 1 else grid

    def end(self) -> None:
        if self.at < len(self.chunk) or self.refill():
            raise malformed("bytes follow the proof")

    def offset(self) -> int:
        return self.passed + self.at
