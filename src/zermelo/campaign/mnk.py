"""m,n,k games as Maker-Breaker games for the planner: stones as two integers.

A claim names ``maker`` (the first player gets k in a row) or ``breaker`` (the second prevents that, so that the
m,n,k game is a draw). A position's text is ``maker/breaker`` in hexadecimal; bit 0 is a1, then b1.
"""

from __future__ import annotations

from zermelo import positional


class MnkGame:
    """Maker moves first and wants k in a row on m columns and n rows."""

    name = "mnk"

    def __init__(self, spec: str) -> None:
        """Take ``m,n,k``, or ``m,n,k:moves`` with moves in turn.

        :raises ValueError: if the spec is wrong.
        """
        game = positional.MnkGame.from_text(spec)
        self.spec = spec
        self.cols, self.rows, self.length = game.columns, game.rows, game.k
        self._full = (1 << self.rows * self.cols) - 1
        self._lines = self._all_lines()
        self._through = [
            [line for line in self._lines if line >> square & 1] for square in range(self.rows * self.cols)
        ]
        self._images = self._symmetries()
        self._start = (sum(1 << s for s in game.first), sum(1 << s for s in game.second))

    def _all_lines(self) -> list[int]:
        lines = []
        for row in range(self.rows):
            for col in range(self.cols):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    last_row = row + down * (self.length - 1)
                    last_col = col + right * (self.length - 1)
                    if last_row < self.rows and 0 <= last_col < self.cols:
                        lines.append(
                            sum(1 << (row + down * i) * self.cols + col + right * i for i in range(self.length))
                        )
        return sorted(set(lines))

    def _symmetries(self) -> list[list[int]]:
        """Return for each symmetry of the board where each square goes."""
        maps = []
        for turn in (False, True) if self.rows == self.cols else (False,):
            for flip_row in (False, True):
                for flip_col in (False, True):
                    image = []
                    for row in range(self.rows):
                        for col in range(self.cols):
                            r, c = (col, row) if turn else (row, col)
                            r = self.rows - 1 - r if flip_row else r
                            c = self.cols - 1 - c if flip_col else c
                            image.append(r * self.cols + c)
                    maps.append(image)
        return maps

    def key(self, position: str) -> str:
        first, second = self.parse(position)
        squares = [square for square in range(self.rows * self.cols) if (first | second) >> square & 1]
        best: tuple[int, int] | None = None
        for image in self._images:
            copy = [0, 0]
            for square in squares:
                copy[second >> square & 1] |= 1 << image[square]
            best = (copy[0], copy[1]) if best is None else min(best, (copy[0], copy[1]))
        assert best is not None
        return f"{best[0]:x}/{best[1]:x}"

    @staticmethod
    def parse(position: str) -> tuple[int, int]:
        """Return the first and the second player's stones."""
        first, second = position.split("/")
        return int(first, 16), int(second, 16)

    def root(self) -> str:
        return f"{self._start[0]:x}/{self._start[1]:x}"

    def winners(self) -> tuple[str, ...]:
        return ("maker", "breaker")

    def mover(self, position: str) -> str:
        first, second = self.parse(position)
        return "maker" if first.bit_count() == second.bit_count() else "breaker"

    def decided(self, position: str) -> str | None:
        maker, breaker = self.parse(position)
        if any(line & maker == line for line in self._lines):
            return "maker"
        return None if any(not line & breaker for line in self._lines) else "breaker"

    def after(self, position: str, square: int) -> str:
        """Return the position after the mover's stone on a square."""
        first, second = self.parse(position)
        if self.mover(position) == "maker":
            return f"{first | 1 << square:x}/{second:x}"
        return f"{first:x}/{second | 1 << square:x}"

    def moves(self, position: str) -> list[tuple[int, str]]:
        """Return every free square and the position after the mover's stone on it."""
        first, second = self.parse(position)
        free = self._full & ~(first | second)
        squares = range(self.rows * self.cols)
        return [(square, self.after(position, square)) for square in squares if free >> square & 1]

    def children(self, position: str) -> list[str]:
        return [child for _, child in self.moves(position)]

    def ordered(self, position: str) -> list[str]:
        first, second = self.parse(position)
        children = {child: square for square, child in self.moves(position)}

        def value(square: int) -> int:
            """Lines still open to one side count more the more stones they hold."""
            total = 0
            for line in self._through[square]:
                mine, theirs = (line & first).bit_count(), (line & second).bit_count()
                if not (mine and theirs):
                    total += 8 ** (mine + theirs)
            return total

        return sorted(children, key=lambda text: (-value(children[text]), text))

    def features(self, position: str, winner: str) -> tuple[float, ...]:
        first, second = self.parse(position)
        free = (self._full & ~(first | second)).bit_count()
        alive = sum(not line & second for line in self._lines)
        return (float(free), float(alive), float(self.mover(position) == winner))

    def describe(self, position: str) -> str:
        stones = self.parse(position)
        squares = [[s for s in range(self.rows * self.cols) if side >> s & 1] for side in stones]
        moves = tuple(squares[i % 2][i // 2] for i in range(len(squares[0]) + len(squares[1])))
        return positional.MnkGame(self.cols, self.rows, self.length, moves).text
