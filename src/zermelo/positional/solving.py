"""Who wins a positional game: the Maker-Breaker search first, the real rules where that is not enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from zermelo import _core
from zermelo.positional.files import HypergraphGame
from zermelo.positional.mnk import MnkGame
from zermelo.running import run_cancellable

UNLIMITED = 2**64 - 1
DEFAULT_MEMORY = 1 << 30

#: What ``without`` may name, and what it switches off (the full search; see docs/theory-positional.md).
SWITCHES: tuple[str, ...] = tuple(_core.maker_breaker_switches())


@dataclass(frozen=True)
class MnkResult:
    """Who wins an m,n,k game, and how that was proved.

    ``outcome`` is ``first``, ``draw``, ``second`` (only after moves) or ``unknown``; ``maker_breaker`` says who
    wins when the second player need only block: ``maker``, ``breaker`` or ``unknown``. ``pairs`` is the drawing
    strategy when one pairing is enough.
    """

    game: MnkGame
    outcome: str
    maker_breaker: str
    proved_by: str
    nodes: int
    seconds: float
    threads: int = 1
    pairs: tuple[tuple[int, int], ...] = ()
    zone: tuple[int, ...] = ()
    move: int | None = None


@dataclass(frozen=True)
class HypergraphResult:
    """Who wins a Maker-Breaker game: for each starter ``maker``, ``breaker`` or ``unknown``."""

    game: HypergraphGame
    maker_first: str
    breaker_first: str
    nodes: int
    seconds: float
    pairs: tuple[tuple[int, int], ...] = ()


def make_options(without: Sequence[str] = (), threads: int = 1) -> _core.MakerBreakerOptions:
    """Return the switches of the full search with the named ones off.

    :raises ValueError: if there is no such switch.
    """
    options = _core.MakerBreakerOptions()
    for name in without:
        if name not in SWITCHES:
            raise ValueError(f"no such switch: {name}; there are {', '.join(SWITCHES)}")
        setattr(options, name, False)
    if not 1 <= threads <= 256:
        raise ValueError("the number of threads must be between 1 and 256")
    options.threads = threads
    return options


def make_solver(
    game: MnkGame | HypergraphGame, *, without: Sequence[str] = (), threads: int = 1, memory: int | None = None
) -> _core.PositionalSolver:
    """Return a solver for this board; it keeps what it learns between questions."""
    if isinstance(game, MnkGame):
        graph = _core.Hypergraph.mnk(game.columns, game.rows, game.k)
    else:
        graph = _core.Hypergraph.from_edges(len(game.vertices), [list(edge) for edge in game.edges])
    return _core.PositionalSolver(graph, make_options(without, threads), memory or DEFAULT_MEMORY)


def winner_name(winner: _core.PositionalWinner) -> str:
    """Return ``maker``, ``breaker`` or ``unknown``."""
    return str(winner.name).lower()


def ask(
    solver: _core.PositionalSolver,
    maker: Sequence[int],
    breaker: Sequence[int],
    side: _core.PositionalSide,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    cancel: _core.CancelToken | None = None,
    progress: _core.PositionalProgress | None = None,
) -> _core.MakerBreakerResult:
    """Ask who wins after these marks; Ctrl-C stops the search at once. ``progress`` may be read meanwhile."""
    return run_cancellable(
        lambda token: solver.solve(
            maker=list(maker),
            breaker=list(breaker),
            side=side,
            nodes=nodes or UNLIMITED,
            seconds=seconds or math.inf,
            cancel=token,
            progress=progress,
        ),
        cancel,
    )


def solve_mnk(
    game: MnkGame | str,
    *,
    threads: int = 1,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = None,
    without: Sequence[str] = (),
    cancel: _core.CancelToken | None = None,
    progress: _core.PositionalProgress | None = None,
) -> MnkResult:
    """Say who wins an m,n,k game.

    ``progress`` tells another thread how far the Maker-Breaker search has come.

    >>> solve_mnk("5,5,5").outcome
    'draw'
    """
    if isinstance(game, str):
        game = MnkGame.from_text(game)
    over = game.winner()
    if over is not None:
        return MnkResult(game, over, "unknown", "the game is over", 0, 0.0, threads)
    search = _Search(game, threads, seconds, nodes, memory or DEFAULT_MEMORY, without, cancel)
    search.progress = progress
    first = search.can_win(game.first, game.second, game.first_to_move)
    maker_breaker = winner_name(search.last.winner)
    blocked = search.last
    outcome, move = "unknown", search.move
    if first is True:
        outcome = "first"
    elif first is False and not game.moves:
        outcome = "draw"  # strategy stealing: from the empty board the second player cannot win
    elif first is False:
        second = search.can_win(game.second, game.first, not game.first_to_move)
        outcome = "unknown" if second is None else "second" if second else "draw"
        move = search.move if second else move
    by_pairing = blocked.by_pairing or blocked.reply.by_pairing
    pairs = (blocked.pairs if blocked.by_pairing else blocked.reply.pairs) if by_pairing else []
    proved_by = ""
    if outcome != "unknown":
        proved_by = (
            "strong-game search" if search.strong else "pairing strategy" if by_pairing else "Maker-Breaker search"
        )
    return MnkResult(
        game=game,
        outcome=outcome,
        maker_breaker=maker_breaker,
        proved_by=proved_by,
        nodes=search.nodes,
        seconds=search.seconds,
        threads=threads,
        pairs=tuple(pairs),
        zone=tuple(blocked.zone) if maker_breaker == "breaker" else (),
        move=move,
    )


class _Search:
    """Questions about one position under common limits: Maker-Breaker first, the strong game where that says Maker."""

    def __init__(
        self,
        game: MnkGame,
        threads: int,
        seconds: float | None,
        nodes: int | None,
        memory: int,
        without: Sequence[str],
        cancel: _core.CancelToken | None,
    ) -> None:
        self._solver = make_solver(game, without=without, threads=threads, memory=memory)
        self._seconds, self._nodes, self._memory, self._cancel = seconds, nodes, memory, cancel
        self.nodes, self.seconds = 0, 0.0
        self.progress: _core.PositionalProgress | None = None
        self.strong = False
        self.move: int | None = None
        self.last: _core.MakerBreakerResult

    def _left(self) -> tuple[int, float]:
        nodes = UNLIMITED if self._nodes is None else max(1, self._nodes - self.nodes)
        seconds = math.inf if self._seconds is None else max(1e-9, self._seconds - self.seconds)
        return nodes, seconds

    def can_win(self, own: tuple[int, ...], other: tuple[int, ...], to_move: bool) -> bool | None:
        """Say whether the owner of ``own`` can force a win; None at a limit."""
        side = _core.PositionalSide.MAKER if to_move else _core.PositionalSide.BREAKER
        nodes, seconds = self._left()
        self.last = ask(
            self._solver, own, other, side, nodes=nodes, seconds=seconds, cancel=self._cancel, progress=self.progress
        )
        self.progress = None  # a second question would start at 0 again
        self.nodes += self.last.nodes
        self.seconds += self.last.seconds
        self.move = self.last.reply.vertex if self.last.reply.vertex >= 0 else None
        if self.last.winner == _core.PositionalWinner.BREAKER:
            return False
        if self.last.winner == _core.PositionalWinner.UNKNOWN:
            return None
        nodes, seconds = self._left()
        result = run_cancellable(
            lambda token: self._solver.solve_strong(
                attacker=list(own),
                defender=list(other),
                attacker_to_move=to_move,
                nodes=nodes,
                seconds=seconds,
                memory=self._memory,
                cancel=token,
            ),
            self._cancel,
        )
        self.strong = True
        self.nodes += result.nodes
        self.seconds += result.seconds
        if result.answer == _core.StrongAnswer.UNKNOWN:
            return None
        if result.answer == _core.StrongAnswer.YES:
            self.move = result.move if result.move >= 0 else None
            return True
        return False


def solve_hypergraph(
    game: HypergraphGame,
    *,
    threads: int = 1,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = None,
    without: Sequence[str] = (),
    cancel: _core.CancelToken | None = None,
) -> HypergraphResult:
    """Say who wins the Maker-Breaker game on a hypergraph, whoever starts."""
    solver = make_solver(game, without=without, threads=threads, memory=memory)
    winners: dict[str, str] = {}
    total_nodes, total_seconds = 0, 0.0
    pairs: tuple[tuple[int, int], ...] = ()
    for side in (_core.PositionalSide.MAKER, _core.PositionalSide.BREAKER):
        if side == _core.PositionalSide.BREAKER and winners["MAKER"] == "breaker":
            winners["BREAKER"] = "breaker"  # a move more never hurts
            break
        result = ask(
            solver,
            game.maker,
            game.breaker,
            side,
            nodes=None if nodes is None else max(1, nodes - total_nodes),
            seconds=None if seconds is None else max(1e-9, seconds - total_seconds),
            cancel=cancel,
        )
        winners[str(side.name)] = winner_name(result.winner)
        total_nodes += result.nodes
        total_seconds += result.seconds
        if result.by_pairing:
            pairs = tuple(result.pairs)
    return HypergraphResult(game, winners["MAKER"], winners["BREAKER"], total_nodes, total_seconds, pairs)
