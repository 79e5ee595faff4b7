"""Cram: both players place dominoes either way, and who cannot move loses. A game in one file: rules and picture."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from zermelo.game import Game, Piece, Player, Position, Square, View, join_sets

LARGEST = 256  # squares, as in the certificate format


@dataclass(frozen=True)
class Domino:
    """A move: a domino by its upper or left square, rows and columns from 1; ``h1,2`` lies across, ``v1,2`` down."""

    row: int
    col: int
    across: bool

    def __str__(self) -> str:
        return f"{'h' if self.across else 'v'}{self.row},{self.col}"

    @property
    def squares(self) -> tuple[Square, Square]:
        """The two squares that it covers."""
        return (self.row, self.col), (self.row + (not self.across), self.col + self.across)


@dataclass(frozen=True)
class CramPosition(Position):
    """The lines of the board (``.`` free, ``#`` taken), and where they come from: the board at first, and the moves."""

    lines: tuple[str, ...]
    given: tuple[str, ...]
    played: tuple[Domino, ...] = ()

    @property
    def game(self) -> Game:
        return GAME

    @property
    def history(self) -> tuple[str, tuple[str, ...]]:
        full = not any("#" in line for line in self.given)
        board = f"{len(self.given)}x{len(self.given[0])}" if full else "/".join(self.given)
        return board, tuple(map(str, self.played))

    @property
    def text(self) -> str:
        board, moves = self.history
        return f"{board}:{';'.join(moves)}" if moves else board

    @cached_property
    def legal(self) -> tuple[Domino, ...]:
        """The moves in the order of the certificate format: by upper left square, across before down."""
        found = []
        for row, (line, below) in enumerate(zip(self.lines, (*self.lines[1:], "#" * len(self.lines[0])), strict=True)):
            for col, square in enumerate(line):
                if square == "." and line[col + 1 : col + 2] == ".":
                    found.append(Domino(row + 1, col + 1, across=True))
                if square == "." and below[col] == ".":
                    found.append(Domino(row + 1, col + 1, across=False))
        return tuple(found)

    def moves(self, player: Player) -> tuple[Domino, ...]:
        return self.legal

    def after(self, move: object) -> CramPosition:
        domino = next((one for one in self.legal if move in (one, str(one))), None)
        if domino is None:
            raise ValueError(f"{str(move)[:20]!r} is not a legal move here: write h1,2 (across) or v1,2 (down)")
        lines = list(self.lines)
        for row, col in domino.squares:
            lines[row - 1] = lines[row - 1][: col - 1] + "#" + lines[row - 1][col:]
        return CramPosition(tuple(lines), self.given, (*self.played, domino))

    def key(self) -> str:
        """Return the least of the board's images, without the free squares that no domino can use."""
        useful = {square for domino in self.legal for square in domino.squares}
        rows, cols = range(1, len(self.lines) + 1), range(1, len(self.lines[0]) + 1)
        lines = ["".join("#."[(row, col) in useful] for col in cols) for row in rows]
        ways = [lines, ["".join(column) for column in zip(*lines, strict=True)]]
        ways += [[line[::-1] for line in way] for way in ways]
        return min("/".join(image) for way in ways for image in (way, way[::-1]))

    @property
    def components(self) -> tuple[CramPosition, ...]:
        """The parts, each on the least board around it."""
        return tuple(map(self._part, self.component_squares()))

    def component_squares(self) -> list[list[Square]]:
        return join_sets(domino.squares for domino in self.legal)

    def _part(self, region: list[Square]) -> CramPosition:
        rows, cols = (range(min(side), max(side) + 1) for side in zip(*region, strict=True))
        lines = tuple("".join("#."[(row, col) in region] for col in cols) for row in rows)
        return CramPosition(lines, lines)

    def decided(self, player: Player) -> Player | None:
        return None if self.legal else GAME.other(player)

    def view(self) -> View:
        rows, cols, last = len(self.lines), len(self.lines[0]), len(self.played) - 1
        return View(
            rows,
            cols,
            tuple(str(row) for row in range(1, rows + 1)),
            tuple(str(col) for col in range(1, cols + 1)),
            # Nobody owns a domino in Cram; the colours take turns.
            tuple(Piece(GAME.players[i % 2], domino.squares, i == last) for i, domino in enumerate(self.played)),
            tuple((r, c) for r, line in enumerate(self.given, 1) for c, square in enumerate(line, 1) if square == "#"),
        )


class Cram(Game):
    """Cram by its rules; every service is the plain one."""

    name = "cram"
    title = "Cram"
    players = ("A", "B")
    player_names: Mapping[Player, str] = {"A": "A", "B": "B"}
    rules = "Players take turns. Each places a domino, across or down, on two free squares. Who cannot move loses."
    spec_help = "rows x columns (5x5), or lines with # for blocked squares (.../.#./...); then moves (5x5:h1,2;v3,4)"
    examples = ("4x5", "5x5", "3x3", ".../.#./...")
    outcomes: Mapping[str, str] = {
        "first": "the first player wins",
        "second": "the second player wins",
        "unknown": "a limit was reached",
    }
    impartial = normal_play = True
    claim_codes = (5,)

    def parse(self, text: str) -> CramPosition:
        board, _, moves = text.strip().partition(":")
        size = re.fullmatch(r"(\d{1,3})x(\d{1,3})", board)
        lines = ("." * int(size[2]),) * int(size[1]) if size else tuple(board.split("/"))
        if not (size or re.fullmatch("[.#/]+", board)) or len({len(line) for line in lines}) != 1:
            raise ValueError(f"{board[:40]!r} is not a board: write {self.spec_help}")
        if not 1 <= len(lines) * len(lines[0]) <= LARGEST:
            raise ValueError(f"a board has 1 to {LARGEST} squares, not {len(lines) * len(lines[0]) if lines else 0}")
        position = CramPosition(lines, lines)
        for move in filter(None, moves.split(";")):
            position = position.after(move)
        return position


GAME = Cram()
