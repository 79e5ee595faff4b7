"""A tiny prover: brute force on small boards, and certificates written straight from FORMAT.md.

The oracles share nothing with the solvers. Certificates of Domineering and Cram are written by brute
force; the checker is asked only whether it would accept a leaf. The program itself writes those of positional games.
"""

from __future__ import annotations

import atexit
import importlib
import random
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import races

from zermelo.game import Limits
from zermelo.positional.position import BREAKER, MAKER, HypergraphPosition, MnkPosition, PositionalPosition
from zermelo.positional.prove import prove as prove_maker_breaker
from zermelo.positional.race import RacePosition
from zermelo.positional.threat_replay import ThreatReplay
from zermelo.proof.checking import Checker
from zermelo.proof.container import read_payload

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "tests" / "data"
SAMPLES = DATA / "certificates"


def load(name: str) -> ModuleType:
    """Import a module of checker/, which is a program and no part of the package."""
    if str(ROOT / "checker") not in sys.path:
        sys.path.insert(0, str(ROOT / "checker"))
    return importlib.import_module(name)


zcheck, zformat, zvalues = load("zcheck"), load("zformat"), load("zvalues")
zcram, zdomineering, zpositional = load("zcram"), load("zdomineering"), load("zpositional")


@cache
def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def container(payload: bytes, compressed: bool = True, level: int = 9) -> bytes:
    header = b"ZCERT" + bytes([1, compressed, 0])
    return header + (zlib.compress(payload, level) if compressed else payload)


def mutated(data: bytes, rng: random.Random, changes: Sequence[int] = (1, 2, 3), donors: Sequence[bytes] = ()) -> bytes:
    """Return some bytes with as many random changes as chance chooses; pieces of donors, or of itself, come in."""
    out = bytearray(data)
    for _ in range(rng.choice(changes)):
        at = rng.randrange(len(out)) if out else 0
        match rng.randrange(10):
            case 0 if out:
                out[at] = rng.randrange(256)
            case 1 if out:
                out[at] ^= 1 << rng.randrange(8)
            case 2 if out:
                out[at] = rng.randrange(26)
            case 3 if out:
                other = rng.randrange(len(out))
                out[at], out[other] = out[other], out[at]
            case 4:
                del out[at : at + rng.randint(1, 8)]
            case 5:
                del out[at:]
            case 6:
                out[at:at] = bytes(rng.randrange(16) for _ in range(rng.randint(1, 4)))
            case 7:
                out[at:at] = b"\xff" * rng.randint(1, 10)
            case 8:
                out[at:at] = varint(rng.choice((0, 1, 128, 2**32, 2**56)))
            case 9:
                donor = rng.choice(donors) if donors else bytes(out)
                start = rng.randrange(len(donor) + 1)
                out[at : at + rng.choice((0, 8))] = donor[start : start + rng.choice((4, 24, 200))]
    return bytes(out)


# Domineering ---------------------------------------------------------------------------------------------------


def domineering_claim(rows: int, cols: int, free: int, starter: int, winner: int, topology: int = 0) -> bytes:
    board = free.to_bytes((rows * cols + 7) // 8, "little")
    return b"\x01" + bytes([topology]) + varint(rows) + varint(cols) + board + bytes([starter, winner])


TOPOLOGIES = ("rectangle", "hcylinder", "vcylinder", "torus")


class Truth:
    """Who wins, by brute force; V is player 0. Rings of three squares or more wrap. In Cram both have all moves."""

    def __init__(self, rows: int, cols: int, topology: int | str = 0, *, cram: bool = False) -> None:
        kind = TOPOLOGIES.index(topology) if isinstance(topology, str) else topology
        self.full = (1 << rows * cols) - 1
        self.dominoes: tuple[list[int], list[int]] = ([], [])
        ring_rows, ring_cols = kind & 1 and cols >= 3, kind & 2 and rows >= 3
        for r in range(rows):
            for c in range(cols):
                if r + 1 < rows or ring_cols:
                    self.dominoes[0].append(1 << (r * cols + c) | 1 << ((r + 1) % rows * cols + c))
                if c + 1 < cols or ring_rows:
                    self.dominoes[1].append(1 << (r * cols + c) | 1 << (r * cols + (c + 1) % cols))
        if cram:
            both = self.dominoes[0] + self.dominoes[1]
            self.dominoes = (sorted(both, key=lambda domino: (domino & -domino, domino)),) * 2
        self.memo: dict[tuple[int, int], bool] = {}

    def moves(self, free: int, player: int) -> list[int]:
        return [d for d in self.dominoes[player] if free & d == d]

    def mover_wins(self, free: int, player: int) -> bool:
        known = self.memo.get((free, player))
        if known is None:
            known = any(not self.mover_wins(free ^ d, 1 - player) for d in self.dominoes[player] if free & d == d)
            self.memo[free, player] = known
        return known

    def winner(self, free: int, starter: int) -> int:
        return starter if self.mover_wins(free, starter) else 1 - starter


@cache
def outcome(rows: int, cols: int, topology: str = "rectangle") -> str:
    """The class of an empty board."""
    board = Truth(rows, cols, topology)
    wins = board.mover_wins(board.full, 0), board.mover_wins(board.full, 1)
    return {(True, True): "1", (False, False): "2", (True, False): "V", (False, True): "H"}[wins]


def grid(free: int, rows: int, cols: int) -> str:
    """A board as text, a row behind the other."""
    return "/".join("".join("#."[free >> (row * cols + col) & 1] for col in range(cols)) for row in range(rows))


def random_cut(rng: random.Random, rows: int, cols: int, free: int) -> bytes:
    """Return a bit for each run from the second row of a component on (FORMAT.md 5.6)."""
    runs = 0
    for part in zvalues.connected(rows, cols, free):
        lines = [line for line in zvalues.rows_of(rows, cols, part) if line]
        runs += sum((line & ~(line << 1)).bit_count() for line in lines[1:])
    bits = rng.choice((0, rng.getrandbits(runs) if runs else 0, (1 << runs) - 1))
    return int(bits).to_bytes((runs + 7) // 8, "little")


class TinyDomineering:
    """Writes the proof of one true claim, with leaves and references where `rng` likes them."""

    def __init__(self, rows: int, cols: int, free: int, starter: int, topology: int, rng: random.Random) -> None:
        self.rng = rng
        winner = Truth(rows, cols, topology).winner(free, starter)
        self.head = domineering_claim(rows, cols, free, starter, winner, topology)
        self.checker = zdomineering.Domineering(FakeReader(self.head[1:]), zformat.Budget(1e9, 8192))
        self.truth = Truth(
            self.checker.rows, self.checker.cols, (topology & 1) << 1 | topology >> 1 if winner else topology
        )
        self.known: dict[object, int] = {}
        self.plain = self.checker.plain
        self.out = bytearray(self.head)

    def payload(self) -> bytes:
        (self.winner_moves if self.checker.starts else self.loser_moves)(self.checker.free)
        return bytes(self.out)

    def leaf(self, free: int, first: bool) -> bytes | None:
        """Return a leaf that the checker accepts here, if chance finds one."""
        if self.rng.random() < 0.3:
            return None
        if cover := self.cover_leaf(free, first):
            return cover
        return self.strip_leaf(free, first) if self.plain else None

    def accepted(self, free: int, leaf: bytes, first: bool) -> bool:
        self.checker.reader = FakeReader(leaf[1:])
        try:
            self.checker.leaf(free, leaf[0], first=first)
        except zformat.Stop:
            return False
        return True

    def cover_leaf(self, free: int, first: bool) -> bytes | None:
        taken, corners, rows, cols = 0, [], self.checker.rows, self.checker.cols
        for corner in range(rows * cols) if self.rng.random() < 0.5 else ():
            row, col = divmod(corner, cols)
            places = {(r % rows, c % cols) for r in (row, row + 1) for c in (col, col + 1)}
            area = sum(1 << (r * cols + c) for r, c in places)
            if area & free == area and not area & taken and self.rng.random() < 0.7:
                taken |= area
                corners.append(corner)
        moves = self.truth.moves(free, 0)
        chosen = 0
        for index in self.rng.sample(range(len(moves)), len(moves)):
            if not moves[index] & taken:
                taken |= moves[index]
                chosen |= 1 << index
        leaf = bytes([zdomineering.COVER, len(corners), *corners])
        leaf += chosen.to_bytes((len(moves) + 7) // 8, "little")
        return leaf if self.accepted(free, leaf, first) else None

    def strip_leaf(self, free: int, first: bool) -> bytes | None:
        for _ in range(3):
            leaf = bytes([zdomineering.CUT_WON if first else zdomineering.CUT]) + self.random_cut(free)
            if self.accepted(free, leaf, first):
                return leaf
        return None

    def random_cut(self, free: int) -> bytes:
        return random_cut(self.rng, self.checker.rows, self.checker.cols, free)

    def loser_moves(self, free: int) -> None:
        key, number = self.checker.normal(free)
        if self.known.get(key, 1 << 30) <= number:
            self.out.append(zdomineering.REF)
        elif leaf := self.leaf(free, False):
            self.out += leaf
        else:
            keep = self.rng.random() < 0.8
            moves = self.truth.moves(free, 1)
            if self.plain and self.rng.random() < 0.7:
                moves = self.answers(free, moves, keep)
            else:
                self.out.append(zdomineering.KEEP if keep else zdomineering.ALL)
            for domino in moves:
                self.winner_moves(free ^ domino)
            if keep:
                self.known[key] = min(number, self.known.get(key, number))

    def answers(self, free: int, moves: list[int], keep: bool) -> list[int]:
        """Write random cuts and the moves that they answer, if chance likes them; return the others."""
        cuts = self.rng.randint(1, 3)
        self.out.append((zdomineering.CUT_KEEP if keep else zdomineering.CUT) + cuts)
        for _ in range(cuts):
            cut, answered = self.random_cut(free), 0
            for number in range(len(moves)):
                mask = (1 << number).to_bytes((len(moves) + 7) // 8, "little")
                self.checker.reader = FakeReader(cut + mask)
                try:
                    self.checker.moves_left(moves, self.checker.cut(free))
                except zformat.Stop:
                    continue
                if self.rng.random() < 0.9:
                    answered |= 1 << number
            self.out += cut + answered.to_bytes((len(moves) + 7) // 8, "little")
            moves = [domino for number, domino in enumerate(moves) if not answered >> number & 1]
        return moves

    def winner_moves(self, free: int) -> None:
        if leaf := self.leaf(free, True):
            self.out += leaf
            return
        moves = self.truth.moves(free, 0)
        good = [i for i, d in enumerate(moves) if not self.truth.mover_wins(free ^ d, 1)]
        index = self.rng.choice(good)
        self.out += varint(zdomineering.FIRST_MOVE + index)
        self.loser_moves(free ^ moves[index])


class TinyCram(TinyDomineering):
    """The same of Cram (FORMAT.md 8), which has no leaves."""

    def __init__(self, rows: int, cols: int, free: int, starter: int, rng: random.Random) -> None:
        self.rng, self.known, self.plain, self.truth = rng, {}, False, Truth(rows, cols, cram=True)
        board = free.to_bytes((rows * cols + 7) // 8, "little")
        winner = self.truth.winner(free, starter)
        self.out = bytearray(b"\x05" + varint(rows) + varint(cols) + board + bytes([starter, winner]))
        self.checker = zcram.Cram(FakeReader(bytes(self.out)[1:]), zformat.Budget(1e9, 8192))

    def leaf(self, free: int, first: bool) -> bytes | None:
        return None


class FakeReader(zformat.Reader):  # type: ignore[name-defined,misc]
    """Bytes from memory, after the container."""

    def __init__(self, data: bytes) -> None:
        self.chunk, self.at, self.passed = data, 0, 0

    def refill(self) -> bool:
        return False


# Positional games ----------------------------------------------------------------------------------------------


def positional_claim(head: bytes, maker: list[int], breaker: list[int], starter: int, winner: int) -> bytes:
    marks = b"".join(varint(len(cells)) + b"".join(map(varint, cells)) for cells in (maker, breaker))
    return head + marks + bytes([starter, winner])


def mnk_head(m: int, n: int, k: int) -> bytes:
    return b"\x02" + varint(m) + varint(n) + varint(k)


def hypergraph_head(cells: int, edges: list[list[int]]) -> bytes:
    body = b"".join(varint(len(edge)) + b"".join(map(varint, edge)) for edge in edges)
    return b"\x03" + varint(cells) + varint(len(edges)) + body


def mnk_edges(m: int, n: int, k: int) -> list[list[int]]:
    edges = []
    for row in range(n):
        for col in range(m):
            for dc, dr in ((1, 0), (0, 1), (1, 1), (-1, 1)) if k > 1 else ((1, 0),):
                if 0 <= col + (k - 1) * dc < m and row + (k - 1) * dr < n:
                    edges.append([(row + i * dr) * m + col + i * dc for i in range(k)])
    return edges


def lines_of(m: int, n: int, k: int) -> list[int]:
    return list(map(mask_of, mnk_edges(m, n, k)))


def mask_of(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


class Oracle:
    """Values of one positional board by their definition: all moves, no cleverness. Edges are bit sets."""

    def __init__(self, cells: int, edges: Iterable[int]) -> None:
        self.full, self.edges = (1 << cells) - 1, list(edges)
        self._strong: dict[tuple[int, int], int] = {}
        self._maker: dict[tuple[int, int, bool], bool] = {}

    def owns(self, marks: int) -> bool:
        return any(edge & marks == edge for edge in self.edges)

    def free(self, own: int, other: int) -> list[int]:
        left = self.full & ~own & ~other
        return [1 << v for v in range(self.full.bit_length()) if left >> v & 1]

    def strong(self, own: int, other: int) -> int:
        """1 if the owner of ``own``, who is to move, is the first to hold an edge, 0 if nobody ever is, else -1."""
        value = self._strong.get((own, other))
        if value is None:
            free = self.free(own, other)
            if self.owns(other):
                value = -1
            elif any(self.owns(own | v) for v in free):
                value = 1
            else:
                value = -1 if free else 0
                for v in free:
                    value = max(value, -self.strong(other, own | v))
                    if value == 1:
                        break
            self._strong[own, other] = value
        return value

    def maker_wins(self, maker: int, breaker: int, maker_to_move: bool) -> bool:
        """Only Maker wants an edge."""
        value = self._maker.get((maker, breaker, maker_to_move))
        if value is None:
            if self.owns(maker):
                value = True
            elif all(edge & breaker for edge in self.edges):
                value = False
            elif maker_to_move:
                value = any(self.maker_wins(maker | v, breaker, False) for v in self.free(maker, breaker))
            else:
                value = all(self.maker_wins(maker, breaker | v, True) for v in self.free(maker, breaker))
            self._maker[maker, breaker, maker_to_move] = value
        return value


def play_all(start: Any, reply: Callable[[Any], tuple[str, str]], side: str, oracle: Oracle) -> int:
    """Let the opponent try everything against a player; return how many positions there are. No half point is lost.

    ``start`` is a position of a strong game; ``reply`` returns the move and the mark of the player whose turn it is.
    The player is asked about every position once; of more than 12 cells about one of its mirror images.
    """
    other, seen, waiting = start.game.other(side), set[Any](), [start]
    while waiting:
        position = waiting.pop()
        own, theirs = marks = mask_of(position.marks(side)), mask_of(position.marks(other))
        place = position.key() if oracle.full >> 12 else marks
        if place in seen or position.decided(side) is not None:
            continue
        seen.add(place)
        if position.to_move == other:
            waiting += [position.after(move) for move in position.moves(other)]
            continue
        move, mark = reply(position)
        after = position.after(move)
        value = oracle.strong(own, theirs)
        assert oracle.strong(theirs, mask_of(after.marks(side))) == -value, (position.text, move)
        assert mark == {1: "win", 0: "draw", -1: "loss"}[value], (position.text, move, mark)
        waiting.append(after)
    return len(seen)


# Random certificates -----------------------------------------------------------------------------------------


KINDS = ("domineering", "maker-breaker", "cram", "strong", "race", "threats")


def random_payload(rng: random.Random, kind: str = "") -> bytes:
    """Return a valid payload of this kind, or of any."""
    kind = kind or rng.choice(KINDS)
    if kind == "cram":
        rows, cols = rng.choice([(2, 3), (3, 3), (3, 4), (1, 6), (4, 2)])
        return TinyCram(rows, cols, rng.getrandbits(rows * cols), rng.randrange(2), rng).payload()
    if kind == "domineering":
        rows, cols = rng.choice([(2, 3), (3, 3), (3, 4), (4, 3), (2, 5), (5, 2), (1, 6)])
        free = rng.getrandbits(rows * cols) | rng.getrandbits(rows * cols)
        topology = rng.choice((0, 0, 0, 1, 2, 3))
        return TinyDomineering(rows, cols, free, rng.randrange(2), topology, rng).payload()
    write = {"race": race_payload, "threats": threats_payload}.get(
        kind, partial(positional_payload, strong=kind == "strong")
    )
    while (payload := write(rng)) is None:
        pass
    return payload


def race_payload(rng: random.Random) -> bytes | None:
    """Return the program's payload about a small race; None if it is over."""
    position = RacePosition.read(races.random_race(rng))
    if position.decided(position.to_move) is not None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "race.zc")
        position.game.prove(position, position.to_move, path, limits=Limits(memory=1 << 22))
        return read_payload(path)


def threats_payload(rng: random.Random) -> bytes | None:
    """Return the program's payload about a small win by threats; None if chance made another game."""
    if rng.random() < 0.5:
        position: PositionalPosition = MnkPosition(*rng.choice([(3, 3, 3), (4, 3, 3), (4, 4, 3), (5, 5, 4), (6, 5, 4)]))
        for _ in range(rng.randint(0, 7)):
            moves = position.moves(str(position.to_move))
            position = position.after(rng.choice(moves)) if moves else position
    else:
        cells = rng.randint(6, 9)
        edges = {tuple(sorted(rng.sample(range(cells), rng.randint(3, 4)))) for _ in range(rng.randint(4, 12))}
        position = HypergraphPosition(tuple(map(str, range(cells))), tuple(sorted(edges)), to_move=MAKER, strong=True)
    if position.decided(str(position.to_move)) is not None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path, limits = Path(folder, "game.zc"), Limits(nodes=20_000, memory=1 << 24)
        written = position.game.prove(position, str(position.to_move), path, limits=limits)
        payload = read_payload(path) if written.path else b""
    return payload if payload and isinstance(position.game.replay(payload), ThreatReplay) else None


def positional_payload(rng: random.Random, strong: bool) -> bytes | None:
    """Return the program's payload about a small Maker-Breaker or strong game; None if chance ended the game."""
    position: PositionalPosition
    if rng.random() < 0.35:
        position = MnkPosition(*rng.choice([(3, 3, 3), (2, 3, 2), (3, 2, 2), (4, 2, 3), (3, 3, 2)]))
        for _ in range(rng.randint(0, 4)):
            if position.decided(position.to_move) is None:
                position = position.after(rng.choice(position.moves(position.to_move)))
        first = str(position.to_move)
    else:
        cells = rng.randint(2, 8)
        edges = tuple(tuple(rng.sample(range(cells), min(cells, rng.randint(2, 4)))) for _ in range(rng.randint(1, 6)))
        marks = rng.sample(range(cells), 2 * rng.randint(0, cells // 4))
        split = len(marks) // 2 if strong else rng.randint(0, len(marks))
        first = rng.choice((MAKER, BREAKER))
        parts = tuple(marks[:split]), tuple(marks[split:])
        try:
            position = HypergraphPosition(tuple(map(str, range(cells))), edges, *parts, first, strong)
        except ValueError:  # both own a whole edge
            return None
    if not position.free or (strong and position.decided(first) is not None):
        return None
    with tempfile.TemporaryDirectory() as folder:
        path, limits = Path(folder, "game.zc"), Limits(memory=1 << 24)
        if strong:
            position.game.prove(position, first, path, limits=limits)
        else:
            prove_maker_breaker(position, first, path, limits)
        return read_payload(path)


# The truth of a claim ------------------------------------------------------------------------------------------


def board_of(board: str) -> tuple[int, int, int | None]:
    """Return rows, columns and free squares of a board; None for those if they are too many for brute force."""
    if "x" in board:
        rows, cols = map(int, board.split("x"))
        return rows, cols, (1 << rows * cols) - 1 if rows * cols <= 16 else None
    lines = board.split("/")
    free = sum(1 << i for i, square in enumerate("".join(lines)) if square == ".")
    large = len(lines) * len(lines[0]) > 64 or free.bit_count() > 16
    return len(lines), len(lines[0]), None if large else free


def claim_is_true(said: dict[str, Any]) -> bool | None:
    """Judge a claim by brute force; None if it is too large."""
    if said["game"] in ("domineering", "rectangle"):
        prefix, colon, rest = said["spec"].partition(":")
        rows, cols, free = board_of(rest if colon else prefix)
        if free is None:
            return None
        starter = "VH".index(said["starter"])
        return "VH"[Truth(rows, cols, prefix if colon else 0).winner(free, starter)] == said["winner"]
    if said["game"] == "cram":
        rows, cols, free = board_of(said["spec"])
        if free is None:
            return None
        starter = "AB".index(said["starter"])
        return "AB"[Truth(rows, cols, cram=True).winner(free, starter)] == said["winner"]
    if said.get("rules") == "race":
        winner = races.truth(said["spec"])
        return None if winner is None else bool(winner == said["winner"])
    if said["game"] == "mnk":
        m, n, k = map(int, said["spec"].split(","))
        cells, edges = m * n, mnk_edges(m, n, k)
    else:
        edges = [list(map(int, edge.split())) for edge in said["spec"].split("; ") if edge]
        cells = 1 + max([c for edge in [*edges, said["maker"], said["breaker"]] for c in edge] + [0])
    if cells > 9:
        return None
    held, taken = mask_of(said["maker"]), mask_of(said["breaker"])
    truth = Oracle(cells, (mask_of(set(edge)) for edge in edges))
    if said.get("rules") == "strong":
        players = ("X", "O", "draw") if said["game"] == "mnk" else ("maker", "breaker", "draw")
        mover = players.index(said["starter"])
        value = truth.strong(*((held, taken) if mover == 0 else (taken, held)))
        return bool(said["winner"] == players[(2, mover, 1 - mover)[value]])
    return truth.maker_wins(held, taken, said["starter"] == "maker") == (said["winner"] == "maker")


FAST = Checker()
atexit.register(FAST.close)
"""The fast checker, one process for all the tests."""


def verdicts(data: bytes, file: Path, seconds: float = 20, mebibytes: float = 512) -> tuple[int, dict[str, Any]]:
    """Return the report of zcheck.py about some bytes; the fast checker must give the same verdict.

    A verified claim must be true, by brute force where the game is small enough.
    """
    file.write_bytes(data)
    verdict, said = zcheck.check(str(file), seconds, mebibytes)
    report = FAST.check(file)
    assert report.exit_code == verdict, (verdict, report, data.hex())
    assert verdict != zformat.VERIFIED or claim_is_true(said) is not False, data.hex()
    return verdict, {**said, "fast": report.said}
