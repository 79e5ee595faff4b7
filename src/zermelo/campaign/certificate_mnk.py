"""Certificates of m,n,k units as the campaign needs them: claims, and records counted (checker/FORMAT.md 6)."""

from __future__ import annotations

from zermelo.campaign.certificate import read_varint
from zermelo.campaign.mnk import MnkGame
from zermelo.proof.container import varint

END, PAIRS, EDGE, STEP, SUM, SWAP = range(6)
PLAYERS = ("maker", "breaker")


def claim(game: MnkGame, position: str, winner: str) -> bytes:
    """Return the claim that a player wins a position."""
    out = b"\x02" + varint(game.cols) + varint(game.rows) + varint(game.length)
    for stones in game.parse(position):
        cells = [cell for cell in range(game.rows * game.cols) if stones >> cell & 1]
        out += varint(len(cells)) + b"".join(varint(cell) for cell in cells)
    return out + bytes([PLAYERS.index(game.mover(position)), PLAYERS.index(winner)])


def edges(game: MnkGame) -> list[int]:
    """Return the lines in the order of the certificate format."""
    cols, rows, length = game.cols, game.rows, game.length
    found = []
    for row in range(rows):
        for col in range(cols):
            for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)) if length > 1 else ((1, 0),):
                last = col + (length - 1) * right
                if 0 <= last < cols and row + (length - 1) * down < rows:
                    cells = [(row + i * down) * cols + col + i * right for i in range(length)]
                    found.append(sum(1 << cell for cell in cells))
    return found


def images(game: MnkGame) -> list[list[int]]:
    """Return where each cell goes, for each symmetry of the certificate format."""
    cols, rows = game.cols, game.rows
    maps = []
    for image in range(8 if cols == rows else 4):
        cells = []
        for row in range(rows):
            for col in range(cols):
                c, r = (row, col) if image & 4 else (col, row)
                c = cols - 1 - c if image & 1 else c
                r = rows - 1 - r if image & 2 else r
                cells.append(r * cols + c)
        maps.append(cells)
    return maps


def count_records(proof: bytes) -> tuple[int, int]:
    """Return how many records a proof has, and where its END is.

    :raises ValueError: if a record is not understood.
    """
    at = count = 0

    def skip(numbers: int) -> None:
        nonlocal at
        for _ in range(numbers):
            _, at = read_varint(proof, at)

    while (tag := proof[at]) != END:
        at += 1
        count += 1
        if tag in (PAIRS, STEP, SUM):
            items, at = read_varint(proof, at)
            skip(items * (3 if tag == STEP else 2))
        elif tag in (EDGE, SWAP):
            skip(1 if tag == EDGE else 4)
        else:
            raise ValueError(f"a record of an unknown kind {tag}")
    return count, at
