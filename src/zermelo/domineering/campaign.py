"""Domineering for campaigns: a board as one integer, so that planning visits some 100,000 positions a second.

A position's text is the mover's letter and the blocked squares in hexadecimal; its key is the text of its
smallest mirror image (bit 0 is the upper left square, rows follow each other):

    V0          empty board, V to move
    H101        3x..., squares 0 and 8 blocked, H to move
"""

from __future__ import annotations

import contextlib

from zermelo import _core
from zermelo.domineering.lattice import squares_of
from zermelo.domineering.position import LARGEST_BOARD, PLAYERS, Player, Position, core_player, opponent
from zermelo.domineering.prove import claim_bytes, proof_chooser
from zermelo.domineering.replay import CUT, kept
from zermelo.domineering.searcher import LARGEST_SIDE
from zermelo.domineering.solve import DomineeringChooser
from zermelo.game import Answer, Limits
from zermelo.game.units import ChooserSolver, PlayTree


class DomineeringTree(PlayTree):
    """Domineering on a rectangle, possibly with blocked squares; ``spec`` may name moves played."""

    name = "domineering"
    winners = ("V", "H")
    shares_tables = True

    def __init__(self, spec: str, first: str = "", winner: str = "") -> None:
        """Take the board to prove something about, who starts (V if left out), and who is claimed to win (the same).

        :raises ValueError: if the spec or a player is wrong, or the board wraps around or is too large.
        """
        position = Position(spec)
        on = position.lattice
        if on.topology != "rectangle" or max(position.size) > LARGEST_SIDE or on.area > LARGEST_BOARD:
            largest = f"sides up to {LARGEST_SIDE} and {LARGEST_BOARD} squares"
            raise ValueError(f"campaigns play on rectangles with {largest} at most, not on {on.name}")
        self.spec = spec
        self.first = first or "V"
        self.winner = winner or self.first
        for player in (self.first, self.winner):
            core_player(player)
        self.lattice = on
        self.rows, self.cols = on.rows, on.cols
        self._start = position.blocked
        self._dominoes = {player: [on.domino(player, square) for square in range(on.area)] for player in PLAYERS}
        self._site = {player: self._site_values(player) for player in PLAYERS}

    def for_winner(self, winner: str) -> DomineeringTree:
        return DomineeringTree(self.spec, self.first, winner)

    # Positions as text

    def key(self, position: str) -> str:
        mover, blocked = self.parse(position)
        return f"{mover}{self.lattice.least(blocked):x}"

    @staticmethod
    def parse(position: str) -> tuple[Player, int]:
        """Return the mover and the blocked squares."""
        return ("V" if position[0] == "V" else "H"), int(position[1:], 16)

    def position(self, text: str) -> tuple[Position, Player]:
        mover, blocked = self.parse(text)
        return Position.of(self.lattice, blocked), mover

    def root(self) -> str:
        return f"{self.first}{self._start:x}"

    def mover(self, position: str) -> str:
        return position[0]

    def describe(self, position: str) -> str:
        return self.lattice.grid(self.parse(position)[1], "/")

    # Rules

    def decided(self, position: str) -> str | None:
        mover, blocked = self.parse(position)
        return None if self.lattice.sites(mover, self.lattice.full & ~blocked) else opponent(mover)

    def children(self, position: str) -> list[str]:
        mover, blocked = self.parse(position)
        other = opponent(mover)
        dominoes = self._dominoes[mover]
        return [f"{other}{blocked | dominoes[square]:x}" for square in self._moves(mover, blocked)]

    def _moves(self, mover: Player, blocked: int) -> list[int]:
        """Return the squares of the mover's moves, in the order of the certificate format."""
        squares = list(squares_of(self.lattice.sites(mover, self.lattice.full & ~blocked)))
        if self.winner == "H":
            squares.sort(key=lambda square: (square % self.cols, square))
        return squares

    def ordered(self, position: str) -> list[str]:
        mover, blocked = self.parse(position)
        other = opponent(mover)
        values = self._site[mover]
        dominoes = self._dominoes[mover]
        scored: dict[int, int] = {}
        for square in self._moves(mover, blocked):
            after = blocked | dominoes[square]
            scored[after] = 128 * self._balance(mover, after) + values[square]
        return [f"{other}{after:x}" for after in sorted(scored, key=lambda a: -scored[a])]

    # How good a position looks: Breuker, Uiterwijk and Van den Herik's real and safe moves

    def _balance(self, player: Player, blocked: int) -> int:
        """Return (real + safe of the player) - (the same of the opponent)."""
        board, me, other = Position.of(self.lattice, blocked).board, core_player(player), core_player(opponent(player))
        mine = _core.real_moves(board, me) + _core.safe_moves(board, me)
        return mine - _core.real_moves(board, other) - _core.safe_moves(board, other)

    def _site_values(self, player: str) -> list[int]:
        """Return Obsequi's kind of positional value: best on the second line at odd offsets from the corner."""
        across, along = (self.cols, self.rows) if player == "V" else (self.rows, self.cols)
        values = [0] * (self.lattice.area)
        for row in range(self.rows):
            for col in range(self.cols):
                line, offset = (col, row) if player == "V" else (row, col)
                if offset >= along - 1:
                    continue
                line = min(line, across - 1 - line)
                offset = min(offset, along - 2 - offset)
                values[row * self.cols + col] = (
                    (32 if line == 1 else 0) + (16 if offset % 2 == 0 else 0) - 2 * line - offset
                )
        return values

    def features(self, position: str) -> tuple[float, ...]:
        mover, blocked = self.parse(position)
        balance = self._balance("V" if self.winner == "V" else "H", blocked)
        free = self.lattice.area - blocked.bit_count()
        return (float(free), float(balance), float(mover == self.winner))

    # Units and certificates

    def known(self) -> Answer | None:
        position = Position(self.spec)
        if position.blocked:
            return None
        with contextlib.suppress(ValueError):  # they do not decide it
            return DomineeringChooser(Limits(), {"method": "rules"}).answer(position, self.first, Limits())
        return None

    def unit_solver(self, *, memory: int, certify: bool, threads: int) -> ChooserSolver:
        limits = Limits(memory=memory)
        chooser = proof_chooser(limits) if certify else DomineeringChooser(limits, {"method": "search"})
        return ChooserSolver(self, chooser, limits)

    def claim(self, position: str) -> bytes:
        return claim_bytes(*self.position(position), self.winner)

    def remembered(self, tag: int) -> int | None:
        """Return the tag with which the loser's position is remembered, None if it is a leaf.

        >>> [DomineeringTree("4x4").remembered(tag) for tag in (0, 1, 2, 7, 16, 17, 31)]
        [1, 1, 2, None, None, 25, 31]
        """
        if tag >= CUT:
            return None if tag == CUT else kept(tag)
        return super().remembered(tag)
