"""Search on boards too long for the fast search: a few moves, then a cut.

H, moving second on [m x n], wins if after every first move of V there is a line such that, playing never across it from
then on, she wins: the rest is the sum of two shorter boards, drawn one below the other. Where no plain cut of the board
is good enough, a cut chosen after the first move often is; where that fails too, H makes a move, V answers, and a cut
is chosen then. Sound for H only: a promise can only hurt her, so a failure proves nothing.
"""

from __future__ import annotations

from collections import Counter

from zermelo import _core
from zermelo.domineering.lattice import lattice
from zermelo.domineering.position import Move, Player, Position, core_player
from zermelo.domineering.rules.sizes import Size
from zermelo.domineering.searcher import LARGEST_SIDE as WIDEST
from zermelo.domineering.searcher import SearchOptions, component_search
from zermelo.game import Answer, Clock, Limits
from zermelo.game.marking import first_yes
from zermelo.running import run_cancellable

BUDGETS = (300, 3_000, 30_000, 300_000)
"""Nodes for one cut: tried with few first, then with ten times more."""
MEMORY = 1 << 28


def takes(size: Size) -> bool:
    """Whether two parts of the board, one below the other, fit the component search."""
    return size.topology == "rectangle" and 2 * size.rows + 1 <= WIDEST and WIDEST < size.cols <= 2 * WIDEST


def parts(position: Position, cut: int) -> str:
    """Return the spec of the two parts of a position, one below the other.

    >>> parts(Position("#../#.."), 2)
    '#./#./##/.#/.#'
    """
    lines, width = str(position).split("\n"), max(cut, position.cols - cut)
    left, right = ([line[side].ljust(width, "#") for line in lines] for side in (slice(cut), slice(cut, None)))
    return "/".join([*left, "#" * width, *right])


def middle_first(position: Position, player: Player) -> list[Move]:
    """Return a player's moves, those in the middle of the board first."""
    return sorted(position.moves(player), key=lambda move: abs(2 * move.col - 2 - position.cols))


class LongSearch:
    """Tries to show that H wins a long board moving second, within some seconds."""

    def __init__(self, size: Size, seconds: float) -> None:
        self._engine = component_search(2 * size.rows + 1, WIDEST, SearchOptions(memory=MEMORY))
        self._size = size
        self._clock = Clock(Limits(seconds))

    def run(self) -> Answer:
        """Return H as the winner, or None if the time is over or no cut is good enough."""
        empty = Position.of(lattice(self._size.rows, self._size.cols))
        # V's first moves up to mirror images.
        rows, cols = range(1, self._size.rows // 2 + 1), range(1, (self._size.cols + 1) // 2 + 1)
        firsts = (empty.after(Move("V", row, col)) for col in cols for row in rows)
        won = all(self._by_cut(after, BUDGETS[-1]) or self._by_move(after) for after in firsts)
        took, nodes = round(self._clock.seconds, 3), self._clock.nodes
        return Answer("V", "H" if won else None, "search" if won else "limit", nodes=nodes, seconds=took)

    def _by_cut(self, position: Position, last_budget: int) -> bool:
        """Whether H, to move, wins by some cut: all cuts get a small budget, then a larger one."""
        cols = position.cols
        cuts = sorted(range(max(1, cols - WIDEST), min(cols, WIDEST + 1)), key=lambda cut: abs(2 * cut - cols))
        rounds = [budget for budget in BUDGETS if budget <= last_budget]
        found = first_yes(cuts, lambda cut, nodes: self._wins(parts(position, cut), nodes), rounds, self._clock)
        return found is not None

    def _by_move(self, position: Position) -> bool:
        """Whether H, to move, has a move after which every move of V is answered by a cut."""
        refuted: Counter[Move] = Counter()  # answers of V that were too good before are tried first
        for budget in BUDGETS[1:]:
            for move in middle_first(position, "H"):
                after = position.after(move)
                for answer in sorted(middle_first(after, "V"), key=lambda each: -refuted[each]):
                    if not self._by_cut(after.after(answer), budget):
                        refuted[answer] += 1
                        break
                else:
                    return True
                if self._clock.over:
                    return False
        return False

    def _wins(self, spec: str, nodes: int) -> bool | None:
        """Whether H, to move, wins two parts; None if the nodes do not decide it."""
        board = _core.parse_spec(spec).board()
        left = max(0.001, self._clock.seconds_left)
        found = run_cancellable(lambda token: self._engine.solve(board, core_player("H"), nodes, left, token))
        self._clock.nodes += found.nodes
        return None if found.verdict == _core.Verdict.UNKNOWN else found.verdict == _core.Verdict.WIN
