"""Domineering for the planner: a board as one integer, so that planning visits some 100,000 positions a second.

A position's text is the mover's letter and the blocked squares in hexadecimal; its key is the text of its
smallest mirror image (bit 0 is the upper left square, rows follow each other):

    V0          empty board, V to move
    H101        3x..., squares 0 and 8 blocked, H to move
"""

from __future__ import annotations

from zermelo.domineering.position import Player, Position, opponent


class DomineeringGame:
    """Domineering on a rectangle, possibly with blocked squares; ``spec`` may name moves played."""

    name = "domineering"

    def __init__(self, spec: str, first: Player = "V", winner: Player = "V") -> None:
        """Take the board to prove something about, who starts, and who is claimed to win.

        :raises ValueError: if the spec is wrong or the board wraps around.
        """
        position = Position.from_text(spec)
        if position.topology != "rectangle":
            raise ValueError(f"campaigns play on rectangles, not on a {position.topology}")
        self.spec = spec
        self.first = first
        self.winner = winner
        self.rows, self.cols = position.rows, position.cols
        rows, cols = self.rows, self.cols
        self._full = (1 << rows * cols) - 1
        self._row = (1 << cols) - 1
        first_col = sum(1 << row * cols for row in range(rows))
        self._not_first_col = self._full & ~first_col
        self._not_last_col = self._full & ~(first_col << cols - 1)
        self._turned = [int(f"{bits:0{cols}b}"[::-1], 2) for bits in range(1 << cols)]
        self._dominoes = {
            player: [1 << square | 1 << square + step for square in range(rows * cols)]
            for player, step in (("V", cols), ("H", 1))
        }
        free = sum(1 << square for square in position.board.free_squares())
        self._start = self._full & ~free
        self._site = {player: self._site_values(player) for player in ("V", "H")}

    def for_winner(self, winner: Player) -> DomineeringGame:
        """Return the same game with a claim about this player."""
        return DomineeringGame(self.spec, self.first, winner)

    # Positions as text

    def key(self, position: str) -> str:
        mover, blocked = self.parse(position)
        return f"{mover}{min(self._images(blocked)):x}"

    def _images(self, blocked: int) -> tuple[int, int, int, int]:
        """Return the squares, turned upside down, turned left to right, and both."""
        lines = [blocked >> self.cols * row & self._row for row in range(self.rows)]
        sideways = [self._turned[line] for line in lines]
        down, up, down_turned, up_turned = 0, 0, 0, 0
        for line in lines:
            up = up << self.cols | line
        for line in reversed(lines):
            down = down << self.cols | line
        for line in sideways:
            up_turned = up_turned << self.cols | line
        for line in reversed(sideways):
            down_turned = down_turned << self.cols | line
        return down, up, down_turned, up_turned

    @staticmethod
    def parse(position: str) -> tuple[Player, int]:
        """Return the mover and the blocked squares."""
        return ("V" if position[0] == "V" else "H"), int(position[1:], 16)

    def root(self) -> str:
        return f"{self.first}{self._start:x}"

    def winners(self) -> tuple[str, ...]:
        return ("V", "H")

    def mover(self, position: str) -> str:
        return position[0]

    def describe(self, position: str) -> str:
        _, blocked = self.parse(position)
        rows = [
            "".join("#" if blocked >> row * self.cols + col & 1 else "." for col in range(self.cols))
            for row in range(self.rows)
        ]
        return "/".join(rows)

    # Rules

    def sites(self, player: str, blocked: int) -> int:
        """Return the upper or left squares of the player's moves, as a set."""
        free = self._full & ~blocked
        if player == "V":
            return free & free >> self.cols
        return free & free >> 1 & self._not_last_col

    def decided(self, position: str) -> str | None:
        mover, blocked = self.parse(position)
        return None if self.sites(mover, blocked) else opponent(mover)

    def children(self, position: str) -> list[str]:
        mover, blocked = self.parse(position)
        other = opponent(mover)
        dominoes = self._dominoes[mover]
        return [f"{other}{blocked | dominoes[square]:x}" for square in self._moves(mover, blocked)]

    def _moves(self, mover: Player, blocked: int) -> list[int]:
        """Return the squares of the mover's moves, in the order of the certificate format."""
        sites = self.sites(mover, blocked)
        squares = []
        while sites:
            site = sites & -sites
            sites ^= site
            squares.append(site.bit_length() - 1)
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
        return sum(self.counts(player, blocked)) - sum(self.counts(opponent(player), blocked))

    def counts(self, player: Player, blocked: int) -> tuple[int, int]:
        """Return the player's real moves (disjoint, greedy by line) and safe moves among them.

        >>> DomineeringGame("4x4").counts("V", 0)
        (8, 0)
        """
        free = self._full & ~blocked
        cols = self.cols
        if player == "V":
            exposed = (free << 1 & self._not_first_col) | (free >> 1 & self._not_last_col)
            step = cols
        else:
            exposed = free << cols | free >> cols
            step = 1
        sheltered = free & ~exposed
        return self._packed(free, step), self._packed(sheltered, step)

    def _packed(self, squares: int, step: int) -> int:
        """Count the dominoes of one direction that fit side by side: half of each run."""
        count = 0
        usable = squares if step != 1 else squares & self._not_last_col
        heads = usable & squares >> step
        while heads:
            # Runs' first squares: not continued from before.
            before = heads << step
            if step == 1:
                before &= self._not_first_col
            first = heads & ~before
            count += first.bit_count()
            taken = first | first << step
            heads &= ~taken
        return count

    def _site_values(self, player: str) -> list[int]:
        """Return Obsequi's kind of positional value: best on the second line at odd offsets from the corner."""
        across, along = (self.cols, self.rows) if player == "V" else (self.rows, self.cols)
        values = [0] * (self.rows * self.cols)
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

    def features(self, position: str, winner: str) -> tuple[float, ...]:
        mover, blocked = self.parse(position)
        balance = self._balance("V" if winner == "V" else "H", blocked)
        free = self.rows * self.cols - blocked.bit_count()
        return (float(free), float(balance), float(mover == winner))
