"""Who wins a positional game: one chooser for both games and both sets of rules.

The order: the game is over; a hyperedge is completed at once; the Maker-Breaker search, which finds pairings too; a
short search for a win by threats; the strong-game search, where that is not enough. Where this takes long, the
Maker-Breaker search gives way after its first nodes, and later the searches take turns. Every door asks a
:class:`PositionalChooser`.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from zermelo import _core
from zermelo.game import DRAW, Answer, Clock, Limits, Player, Position, Progress
from zermelo.game.resume import MOST_RESULTS
from zermelo.positional.any_size import WideBoard, drawing_move
from zermelo.positional.dominoes import DominoPosition
from zermelo.positional.position import (
    MAX_RACE_VERTICES,
    MAX_SEARCHED,
    Board,
    PositionalPosition,
    bits,
    edges_board,
    marks_of,
    masks_of,
)
from zermelo.positional.race import Race, RaceBoard
from zermelo.positional.race_solve import RaceChooser
from zermelo.running import run_cancellable
from zermelo.words import counted

UNLIMITED = 2**64 - 1
SWITCHES: tuple[str, ...] = tuple(_core.maker_breaker_switches())
"""The names that ``without`` takes: ideas of the Maker-Breaker search (docs/theory-positional.md)."""
MOST_PAIRS = 200
"""Pairs that an answer lists; ``explain`` shows more."""
FIRST_BLOCKING = 400_000
"""Nodes times hyperedges of the first Maker-Breaker search: it decides small draws alone."""
FIRST_THREATS = 3_000
"""Nodes of the first search by threats: a few milliseconds."""
FIRST_TURN = 60.0
"""Seconds after which the search by threats has its first turn beside the others; their turns double."""
SHARE, PROMISING_SHARE = 0.25, 4.0
"""Seconds of the search by threats for each second of the others; more if it has won after a pass or a reply."""
WIDE, SHORT_TURN = 100, 1.0
"""On boards of more vertices the other searches are mostly in vain: there the first turn comes soon, and is long."""
BLOCKED_NODES, BLOCKED_NODES_OF_RACE = 20_000, 500
"""Nodes to find out whether a player can be blocked for ever, before a search for a win in time: on a board of its own
game, and of a race; with more, published files take longer."""
PAGE = 4096
"""Bytes that a searched node takes at most while a table fills: the page where its entry lies."""


def make_options(without: Sequence[str] = (), threads: int = 1) -> _core.MakerBreakerOptions:
    """Return the switches of the Maker-Breaker search with the named ones off.

    :raises ValueError: if there is no such switch.
    """
    options = _core.MakerBreakerOptions()
    for name in without:
        if name not in SWITCHES:
            raise ValueError(f"no such switch: {name}; there are {', '.join(SWITCHES)}")
        setattr(options, name, False)
    options.threads = threads
    return options


def winner_name(winner: _core.PositionalWinner) -> str:
    """Return ``maker``, ``breaker`` or ``unknown``."""
    return str(winner.name).lower()


def weights(board: Board, own: int, other: int) -> dict[int, int]:
    """Return how good each free vertex looks to one side: on hyperedges that either may still complete, soon."""
    value = {v: 1 for v in range(board.vertices) if not (own | other) >> v & 1}
    edges = board.edges or (board.lines if board.vertices <= MAX_RACE_VERTICES else ())
    for edge, mask in zip(edges, board.masks or map(bits, edges), strict=True):
        mine, theirs = (mask & own).bit_count(), (mask & other).bit_count()
        if not (mine and theirs):
            for v in edge:
                if v in value:
                    value[v] += 8 ** (mine + theirs) * (2 if mine else 1)
    return value


@dataclass
class BoardSolver:
    """The core's searches on one board, with the tables that they have filled. One question at a time."""

    board: Board
    core: _core.PositionalSolver
    memory: int
    """Bytes of each of its tables at most; only the part that is used is taken from the system."""
    prover: _core.PositionalProver | None = None
    """Answers the Maker-Breaker questions instead, if the results are to be proved."""
    nodes: int = 0
    """Nodes searched so far: the tables hold them."""


@dataclass(frozen=True)
class Attack:
    """Whether a player can complete a hyperedge first; None at a limit."""

    wins: bool | None
    move: int = -1
    """With which the player to move gets what he wants; -1 if none is known."""
    blocked: _core.MakerBreakerResult | None = None
    """The Maker-Breaker game, if it was searched."""
    proved_by: str = "Maker-Breaker search"


@dataclass
class Inquiry:
    """Questions about one position and those after it, to one solver, under common limits."""

    solver: BoardSolver
    clock: Clock
    token: _core.CancelToken
    """Cancels every search; the limits of the clock have the same."""
    seen: dict[tuple[str, Player], bool | None] = field(default_factory=dict)
    """Whether a player can win a position, by its key."""
    progress: _core.PositionalProgress = field(default_factory=_core.PositionalProgress)
    """How far the first search has come."""
    searches: int = 0

    def blocking(
        self, maker: Sequence[int], breaker: Sequence[int], maker_to_move: bool, limits: _core.Limits | None = None
    ) -> _core.MakerBreakerResult:
        """Search who wins when one player wants a hyperedge and the other need only block; the players' marks."""
        side = _core.PositionalSide.MAKER if maker_to_move else _core.PositionalSide.BREAKER
        progress = None if self.searches else self.progress
        self.searches += 1
        solver = self.solver.prover or self.solver.core
        result = solver.solve(maker, breaker, side, limits or self.limits(), progress)
        self.count(result.nodes)
        return result

    def racing(
        self,
        attacker: Sequence[int],
        defender: Sequence[int],
        attacker_to_move: bool,
        limits: _core.Limits | None = None,
    ) -> _core.StrongResult:
        """Search whether the attacker can own a hyperedge first when both players want one; the players' marks."""
        result = self.solver.core.solve_strong(attacker, defender, attacker_to_move, limits or self.limits())
        self.count(result.nodes)
        return result

    def threatening(
        self, attacker: Sequence[int], defender: Sequence[int], attacker_to_move: bool, limits: _core.Limits
    ) -> _core.ThreatResult:
        """Search for a win of the attacker by threats, with its proof; the same question goes on where it was left."""
        level, progress = _core.ThreatLevel.QUIET, self.progress if self.searches else None
        result = self.solver.core.solve_threats(attacker, defender, attacker_to_move, level, limits, progress)
        self.count(result.nodes)
        return result

    def attack(self, attacker: Sequence[int], defender: Sequence[int], attacker_to_move: bool) -> Attack:
        """Search whether the attacker can own a hyperedge first: the cheapest way first, then the ways in turns."""
        question = attacker, defender, attacker_to_move
        blocked = self.blocking(*question, self.limits(FIRST_BLOCKING // max(1, len(self.solver.board.edges))))
        if blocked.winner == _core.PositionalWinner.BREAKER:
            return Attack(False, blocked.reply.vertex, blocked)
        found = self.threatening(*question, self.limits(FIRST_THREATS))
        wide = self.solver.board.vertices > WIDE
        turn = SHORT_TURN if wide else FIRST_TURN
        while not found.won and not self.clock.over:
            if found.tried_all:
                turn = math.inf
            if blocked.winner == _core.PositionalWinner.UNKNOWN:
                blocked = self.blocking(*question, self.limits(seconds=turn))
            if blocked.winner == _core.PositionalWinner.BREAKER:
                return Attack(False, blocked.reply.vertex, blocked)
            if blocked.winner == _core.PositionalWinner.MAKER:
                strong = self.racing(*question, self.limits(seconds=turn))
                if strong.answer != _core.StrongAnswer.UNKNOWN:
                    return Attack(ATTACKER_WINS[strong.answer], strong.move, blocked, "strong-game search")
            if not self.clock.over:
                share = PROMISING_SHARE if found.promising or wide else SHARE
                found = self.threatening(*question, self.limits(seconds=share * turn))
                turn *= 2
        return Attack(True, found.move, blocked, "threats") if found.won else Attack(None, -1, blocked)

    @property
    def prover(self) -> _core.PositionalProver:
        """The search that records its results, of a solver that a recorder lends."""
        assert self.solver.prover is not None
        return self.solver.prover

    def record(
        self, maker: Sequence[int], breaker: Sequence[int], maker_begins: bool, raw: Path
    ) -> _core.PositionalProofResult:
        """Search like :meth:`blocking`, and write the proof to a file."""
        side = _core.PositionalSide.MAKER if maker_begins else _core.PositionalSide.BREAKER
        result = self.prover.prove(maker, breaker, side, str(raw), self.limits())
        self.count(result.nodes)
        return result

    def limits(self, nodes: int = UNLIMITED, seconds: float = math.inf) -> _core.Limits:
        """Return the rest of the limits, at most so many nodes and seconds, as the core takes it."""
        left = self.clock.left()
        within = min(left.nodes or UNLIMITED, nodes), min(left.seconds or math.inf, seconds)
        return _core.Limits(*within, self.solver.memory, self.token)

    def count(self, nodes: int) -> None:
        """Add the nodes of a search."""
        self.clock.nodes += nodes
        self.solver.nodes += nodes

    def describe(self, position: PositionalPosition, maker: Player) -> _core.PositionalDescription:
        """Return the facts that need no search, with ``maker`` as Maker."""
        return self.solver.core.describe(*marks_of(position, maker))

    def report(self) -> None:
        """Report how far the search has come."""
        on_progress = self.clock.limits.on_progress
        if on_progress is not None:
            nodes = max(self.progress.nodes, self.clock.nodes)
            on_progress(Progress(nodes, self.clock.seconds, self.progress.fraction or None))

    def can_win(self, position: PositionalPosition, player: Player, to_move: Player) -> bool | None:
        """Say whether a player can win; None at a limit."""
        over = position.decided(to_move)
        if over is not None:
            return over == player
        key = (position.key(), player)
        if self.seen.get(key) is None:
            self.seen[key] = self._search(position, player, to_move)
        return self.seen[key]

    def _search(self, position: PositionalPosition, player: Player, to_move: Player) -> bool | None:
        if position.strong and (soon := _soon_won(position, to_move)):
            return soon[0] == player
        question = *marks_of(position, player), to_move == player
        return self.attack(*question).wins if position.strong else MAKER_WINS[self.blocking(*question).winner]

    def move_keeping(
        self, position: PositionalPosition, player: Player, good: Callable[[PositionalPosition], bool | None]
    ) -> int | None:
        """Return a vertex after which ``good`` holds, the best-looking first; None if a limit came before one."""
        value, tried = weights(position.board, *masks_of(position, player)), set[str]()
        for v in sorted(value, key=lambda v: -value[v]):
            if self.clock.over:
                return None
            child = position.turn_of(player).after(position.name(v))
            key = child.key()
            if key not in tried and good(child):
                return v
            tried.add(key)
        return None


MAKER_WINS = {
    _core.PositionalWinner.MAKER: True,
    _core.PositionalWinner.BREAKER: False,
    _core.PositionalWinner.UNKNOWN: None,
}
ATTACKER_WINS = {_core.StrongAnswer.YES: True, _core.StrongAnswer.NO: False, _core.StrongAnswer.UNKNOWN: None}


class PositionalChooser:
    """Answers questions about positional games, and keeps tables warm between them. Threads may share it.

    :param recording: a folder for the records of its results, if these are to be proved.
    :param shortest: say within how many moves a player wins.
    """

    def __init__(
        self, limits: Limits, without: Sequence[str] = (), recording: Path | str | None = None, shortest: bool = False
    ) -> None:
        self.limits, self._recording, self._resumed = limits, recording, False
        self.shortest, self.races = shortest, RaceChooser(limits)
        self._options = make_options(without, limits.threads)
        self._lock = threading.Lock()
        self._idle: list[BoardSolver] = []

    @contextmanager
    def solver(self, board: Board) -> Iterator[BoardSolver]:
        """Lend a solver for this board, warm where there is one; each thread has its own."""
        with self._lock:
            found = next((solver for solver in reversed(self._idle) if solver.board is board), None)
            if found is not None:
                self._idle.remove(found)
        memory = self.limits.memory
        solver = found or BoardSolver(board, _core.PositionalSolver(board.graph, self._options, memory), memory)
        if self._recording and solver.prover is None:
            file = str(Path(self._recording, "recorded"))  # it never has this name: the file is unnamed
            solver.prover = _core.PositionalProver(board.graph, self._options, memory, file)
            if self._resumed:
                solver.prover.load(solver.core.save(MOST_RESULTS))
        try:
            yield solver
        finally:
            with self._lock:
                self._idle.append(solver)
                # Tables take memory only where they were used. The oldest go first.
                while sum(one.nodes * PAGE for one in self._idle) > memory and len(self._idle) > 1:
                    del self._idle[0]

    @contextmanager
    def inquiry(self, board: Board, limits: Limits) -> Iterator[Inquiry]:
        """Lend a solver with limits; they have a token, so that a search in another thread can be cancelled."""
        token = limits.cancel or _core.CancelToken()
        with self.solver(board) as solver:
            yield Inquiry(solver, Clock(limits.with_(cancel=token)), token)

    def resumable(self, position: Position) -> _core.PositionalSolver:
        """Return the searches on a board. They record nothing from now on: a proof searches again, with their hints."""
        assert isinstance(position, PositionalPosition)
        self._recording, self._resumed = None, True
        with self.solver(position.board) as warm:
            return warm.core

    @contextmanager
    def recorder(self, board: Board, folder: Path) -> Iterator[PositionalChooser]:
        """Lend a chooser that records the results of its Maker-Breaker searches; it has the tables of this one."""
        if self._recording:
            yield self
            return
        with self.solver(board) as warm:
            recorder = PositionalChooser(self.limits, recording=folder)
            recorder._options, recorder._idle, recorder._resumed = self._options, [warm], self._resumed
            try:
                yield recorder
            finally:
                warm.prover = None

    def answer(self, position: Position, first: Player, limits: Limits, *, want_move: bool = True) -> Answer:
        """Say who wins when ``first`` is to move, and with which move she keeps that result."""
        assert isinstance(position, PositionalPosition)
        position.game.starters(position, first)  # refuses a player whose turn it is not
        over = position.decided(first)
        if over is not None:
            return Answer(first, over, "over", why="the game is over", details=_details(position))
        if isinstance(position, DominoPosition):
            return position.solved(limits)
        if (race := self.race_of(position, first)) is not None:
            return self._answer_race(race, position, first, limits, want_move)
        if isinstance(position.board, WideBoard):
            return _answer_by_pairs(position, position.board, first, Clock(limits), want_move)
        ask = _strong_answer if position.strong else _maker_breaker_answer
        with self.inquiry(position.board, limits) as inquiry:
            answer = run_cancellable(lambda _: ask(inquiry, position, first, want_move), inquiry.token, inquiry.report)
        if answer.winner is None:
            share = inquiry.progress.fraction
            remark = f"about {100 * share:.2g} % of the tree searched" if 0 < share < 1 else ""
            return replace(Answer.unknown(first, inquiry.clock, remark=remark), details=answer.details)
        return replace(answer, nodes=inquiry.clock.nodes, seconds=inquiry.clock.seconds)

    def race_of(self, position: PositionalPosition, first: Player) -> Race | None:
        """Return the race that answers the question; None if another search does."""
        return position.race(first) if self.shortest or position.by_race else None

    def _answer_race(
        self, race: Race, position: PositionalPosition, first: Player, limits: Limits, want_move: bool
    ) -> Answer:
        """Answer by the race search. A player whom the other can block for ever does not win in time, either."""
        blocked, clock, keeping, of_race = set[int](), Clock(limits), -1, isinstance(position.board, RaceBoard)
        for number, goal in enumerate(race.goals if race.turns.alternate else ()):
            # A first move that is restricted must be that of the player who is to be blocked.
            if goal is None or not goal.searched(race.vertices) or (race.first and race.turns.next != number):
                continue
            board = edges_board(race.vertices, goal.sets) if of_race else position.board
            left, most = clock.left(), BLOCKED_NODES_OF_RACE if of_race else BLOCKED_NODES
            most = min(most, FIRST_BLOCKING // max(1, len(goal.sets)))
            with self.inquiry(board, left.with_(nodes=min(left.nodes or UNLIMITED, most))) as inquiry:
                own, theirs = race.marks[number], race.marks[1 - number]
                result = inquiry.blocking(own, theirs, race.turns.next == number)
                clock.nodes += inquiry.clock.nodes
            if result.winner == _core.PositionalWinner.BREAKER:
                blocked.add(number)
                keeping = keeping if race.turns.next == number else result.reply.vertex
        answer = self.races.answer(race, position, first, clock.left(), blocked, keeping, want_move)
        clock.nodes += answer.nodes
        if answer.winner is None:
            answer = replace(Answer.unknown(first, clock, remark=answer.remark), details=answer.details)
        return replace(answer, nodes=clock.nodes, seconds=clock.seconds)


def _details(
    position: PositionalPosition,
    maker_breaker: str = "unknown",
    proved_by: str | None = None,
    pairs: Sequence[tuple[int, int]] = (),
) -> dict[str, Any]:
    proof = {"proved_by": proved_by, "pairs": position.name_pairs(pairs)}
    return {"maker_breaker": maker_breaker, **proof} if position.strong else proof


def _answer_by_pairs(
    position: PositionalPosition, board: WideBoard, first: Player, clock: Clock, want_move: bool
) -> Answer:
    """Answer without a search: a line completed now or next turn, or a pairing with which both stop each other."""
    own, theirs = masks_of(position, first)
    if soon := _soon_won(position, first):
        winner, vertex = soon
        why = "two threats at once" if vertex is None else "completed at once"
        move = _named(position, first, vertex)
        return Answer(first, winner, "rules", move, why, seconds=clock.seconds, details=_details(position))
    by_blocking = "breaker" if board.blocked(*masks_of(position, position.game.players[0])) else "unknown"
    last = position.marks(position.game.other(first))[-1:]
    vertex = drawing_move(board, own, theirs, last)
    if not board.blocked(own, theirs) or (vertex is None and not board.blocked(theirs, own)):
        remark = f"over {MAX_SEARCHED} squares nothing is searched, and no pairing is known to stop both players"
        why, details = f"unknown: {remark}", _details(position, by_blocking)
        return Answer(first, None, "limit", None, why, details=details, limit="size", remark=remark)
    move = _named(position, first, vertex) if want_move else None
    pairs = board.pairs(own, theirs)
    details = _details(position, by_blocking, "pairing strategy", pairs if len(pairs) <= MOST_PAIRS else ())
    why = f"proved by a pairing strategy of {counted(len(pairs), 'pair')}"
    return Answer(first, DRAW, "rules", move, why, seconds=clock.seconds, details=details)


def _soon_won(position: PositionalPosition, mover: Player) -> tuple[Player, int | None] | None:
    """Return who completes a hyperedge now or next turn, whatever the other does, and the mover's vertex for it."""
    own, theirs = masks_of(position, mover)
    if wins := position.board.completions(own, theirs):
        return mover, wins[0]
    threats = position.board.completions(theirs, own)
    return (position.game.other(mover), None) if len(threats) > 1 else None


def _pairing(result: _core.MakerBreakerResult) -> Sequence[tuple[int, int]] | None:
    """Return the pairs that answer every move, perhaps after a first reply; None if a search does."""
    return result.pairs if result.by_pairing else result.reply.pairs if result.reply.by_pairing else None


def _named(position: PositionalPosition, first: Player, vertex: int | None) -> str | None:
    """Name a move as :meth:`Position.moves` does."""
    if vertex is None or vertex < 0:
        return None
    return position.name(vertex) if position.to_move else f"{first} {position.name(vertex)}"


def _maker_breaker_answer(inquiry: Inquiry, position: PositionalPosition, first: Player, want_move: bool) -> Answer:
    maker, breaker = position.game.players
    result = inquiry.blocking(*marks_of(position, maker), first == maker)
    won = MAKER_WINS[result.winner]
    if won is None:
        return Answer(first, None, "limit", details=_details(position))
    winner = maker if won else breaker
    pairs = None if won else _pairing(result)
    proved_by = "Maker-Breaker search" if pairs is None else "pairing strategy"
    move: int | None = None
    if want_move and winner == first:
        move = result.maker_move if won else result.reply.vertex
        if move < 0:
            other = position.game.other(first)
            move = inquiry.move_keeping(position, first, lambda child: inquiry.can_win(child, maker, other) == won)
    details = _details(position, winner, proved_by, pairs or ())
    return Answer(first, winner, "search", _named(position, first, move), f"proved by {proved_by}", details=details)


def _strong_answer(inquiry: Inquiry, position: PositionalPosition, first: Player, want_move: bool) -> Answer:
    game, (own, theirs) = position.game, masks_of(position, first)
    one, other = game.players[0], game.other(first)
    # 1. A hyperedge is completed now or next turn.
    if soon := _soon_won(position, first):
        winner, completing = soon
        why = "two threats at once" if completing is None else "completed at once"
        details = _details(position, "maker" if winner == one else "unknown", why)
        return Answer(first, winner, "search", _named(position, first, completing), why, details=details)
    # 2. Can either player win? Without marks only the first: a second player's strategy could be stolen.
    attacks: dict[Player, Attack] = {}
    empty = not own and not theirs
    for player in (first,) if empty else game.players:
        attacks[player] = inquiry.attack(*marks_of(position, player), player == first)
        if attacks[player].wins is not False:
            break
    winner = next((player for player, attack in attacks.items() if attack.wins), DRAW)
    blocked = attacks[one].blocked if one in attacks else None
    maker_breaker = "maker" if winner == one else winner_name(blocked.winner) if blocked else "unknown"
    if any(attack.wins is None for attack in attacks.values()):
        return Answer(first, None, "limit", details=_details(position, maker_breaker))
    # 3. A move that keeps the result, and how it was proved.
    draws = [attack.blocked for attack in attacks.values() if attack.blocked]
    pairs = _pairing(draws[0]) if winner == DRAW else None
    move: int | None = None
    if want_move and winner == first:
        move = attacks[first].move
        if move < 0:
            move = inquiry.move_keeping(position, first, lambda child: inquiry.can_win(child, first, other))
    elif want_move and winner == DRAW:
        move = attacks[other].move if other in attacks else -1
        if empty:
            value = weights(position.board, own, theirs)
            move = max(value, key=value.__getitem__)
        elif move < 0:
            move = inquiry.move_keeping(position, first, lambda child: inquiry.can_win(child, other, other) is False)
    ways = {attack.proved_by for attack in attacks.values()}
    proved_by = "Maker-Breaker search" if pairs is None else "pairing strategy"
    proved_by = max(ways) if ways != {"Maker-Breaker search"} else proved_by
    details = _details(position, maker_breaker, proved_by, pairs or ())
    return Answer(first, winner, "search", _named(position, first, move), f"proved by {proved_by}", details=details)
