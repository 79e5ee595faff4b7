"""Who wins a race, and within how many moves: one question to the core's race search, or one for each player."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from zermelo import _core
from zermelo.game import DRAW, Answer, Clock, Limits, Player, Progress
from zermelo.positional.position import PositionalPosition
from zermelo.positional.race import Goal, Race
from zermelo.positional.turns import Turns
from zermelo.running import run_cancellable
from zermelo.words import counted

MOST_SOLVERS = 8
"""Solvers with their tables that a chooser keeps."""
FIRST_SHARE = 2_000
"""Nodes of the first turn when two searches take turns; each turn has four times as many."""
UNLIMITED = 2**64 - 1
YES, NO = _core.RaceAnswer.YES, _core.RaceAnswer.NO


@dataclass
class Solver:
    """A race search for one attacker, and the board and order of turns that it knows."""

    race: Race
    attacker: int
    core: _core.RaceSolver

    def knows(self, race: Race, attacker: int) -> bool:
        """Whether it answers this question: board and goals are the same, and the order of turns, begun anywhere."""
        mine = self.race
        same = attacker == self.attacker and race.vertices == mine.vertices and race.goals == mine.goals
        return same and settled(race.turns)[0] == settled(mine.turns)[0]


def settled(turns: Turns) -> tuple[Turns, int]:
    """Return one order for all orders that differ only in the place where they begin, and the place.

    >>> settled(Turns((), (1, 0)))
    (Turns(prefix=(), cycle=(0, 1)), 1)
    """
    if turns.prefix:
        return turns, 0
    cycle = turns.cycle
    least, shift = min((cycle[n:] + cycle[:n], n) for n in range(len(cycle)))
    return Turns((), least), -shift % len(cycle)


@dataclass(frozen=True)
class Found:
    """An answer to one question: whether the attacker wins, within how many moves, and with which move."""

    wins: bool | None
    within: int = 0
    move: int = -1
    carrier: tuple[int, ...] = ()


class RaceChooser:
    """Answers questions about races, and keeps the tables of the last boards. Threads may share it."""

    def __init__(self, limits: Limits) -> None:
        self._memory = limits.memory
        self._lock = threading.Lock()
        self._idle: list[Solver] = []

    @contextmanager
    def solver(self, race: Race, attacker: int) -> Iterator[Solver]:
        """Lend a solver, warm where there is one."""
        with self._lock:
            found = next((one for one in reversed(self._idle) if one.knows(race, attacker)), None)
            if found is not None:
                self._idle.remove(found)
        try:
            yield (found := found or self._made(race, attacker))
        finally:
            if found is not None:
                with self._lock:
                    self._idle = [*self._idle, found][-MOST_SOLVERS:]

    def _made(self, race: Race, attacker: int) -> Solver:
        turns, _ = settled(race.turns)
        prefix, cycle = ([int(one != attacker) for one in part] for part in (turns.prefix, turns.cycle))
        goals = [Goal() if goal is None else goal for goal in race.goals]
        wanted, other = goals[attacker].core(race.vertices), goals[1 - attacker]
        # The defender of a connection game has no goal of his own: he only stops the path.
        rival = _core.RaceGoal() if other.joins else other.core(race.vertices)
        core = _core.RaceSolver(race.vertices, wanted, rival, prefix, cycle, self._memory // 4)
        return Solver(race, attacker, core)

    def ask(
        self, race: Race, attacker: int, clock: Clock, token: _core.CancelToken, progress: _core.PositionalProgress,
        nodes: int | None = None,
    ) -> Found:  # fmt: skip
        """Ask whether a player reaches a goal in time, and first."""
        left = clock.left()
        most = min(left.nodes or UNLIMITED, nodes or UNLIMITED)
        with self.solver(race, attacker) as solver:
            result = solver.core.solve(
                race.marks[attacker], race.marks[1 - attacker], settled(race.turns)[1], race.moves_left, race.first,
                most, left.seconds or float("inf"), token, progress,
            )  # fmt: skip
        clock.nodes += result.nodes
        wins = {YES: True, NO: False}.get(result.answer)
        return Found(wins, result.within, result.move, tuple(result.carrier))

    def ask_alone(self, race: Race, attacker: int, clock: Clock, nodes: int | None) -> Found:
        """Ask one question that can be cancelled."""
        token = clock.limits.cancel or _core.CancelToken()
        return run_cancellable(
            lambda _: self.ask(race, attacker, clock, token, _core.PositionalProgress(), nodes), token
        )

    def prove(
        self, race: Race, attacker: int, clock: Clock, token: _core.CancelToken, progress: _core.PositionalProgress
    ) -> _core.RaceProof:
        """Write the proof whether a player reaches a goal in time, and first."""
        left = clock.left()
        with self.solver(race, attacker) as solver:
            proof = solver.core.prove(
                race.marks[attacker], race.marks[1 - attacker], settled(race.turns)[1], race.moves_left, race.first,
                left.nodes or UNLIMITED, left.seconds or float("inf"), token, progress,
            )  # fmt: skip
        clock.nodes += proof.nodes
        return proof

    def answer(
        self, race: Race, position: PositionalPosition, first: Player, limits: Limits, blocked: Collection[int] = (),
        keeping: int = -1, want_move: bool = True,
    ) -> Answer:  # fmt: skip
        """Say who wins a race, which may have a bound and an order of turns that the position does not have.

        :param blocked: players who are known not to win, however many moves there are.
        :param keeping: a move after which the opponent is one of them.
        """
        token = limits.cancel or _core.CancelToken()
        clock, progress = Clock(limits.with_(cancel=token)), _core.PositionalProgress()

        def report() -> None:
            if limits.on_progress is not None:
                limits.on_progress(Progress(max(progress.nodes, clock.nodes), clock.seconds, None))

        winner, one = run_cancellable(lambda _: self._winner(race, clock, token, progress, blocked), token, report)
        players = position.game.players
        if winner is None:
            remark = ""
            if one is not None and one.within:
                remark = f"{position.game.player_names[players[0]]} does not win within {counted(one.within, 'move')}"
            unknown = Answer.unknown(first, clock, remark=remark)
            return replace(unknown, details={"within": None, "question": race.within})
        name = DRAW if winner < 0 else players[winner]
        details = {"within": one.within if one and one.wins else None, "question": race.within}
        why = "proved by race search"
        if one is not None and one.wins:
            why += f": within {counted(one.within, 'move')}"
        elif race.within is not None:
            why += f": no win within {counted(race.within, 'move')}"
        move = one.move if one is not None and name == first else -1
        if move < 0 and want_move and name in (first, DRAW):
            stops = keeping >= 0 and (winner < 0 or race.goals[winner] is None)
            move = keeping if stops else self._keeping(race, winner, clock, token, progress)
        text = (
            None if move < 0 else next((m for m in position.moves(first) if m.split()[-1] == position.name(move)), None)
        )
        return Answer(first, name, "search", text, why, clock.nodes, seconds=clock.seconds, details=details)

    def _winner(
        self,
        race: Race,
        clock: Clock,
        token: _core.CancelToken,
        progress: _core.PositionalProgress,
        blocked: Collection[int] = (),
    ) -> tuple[int | None, Found | None]:
        """Return the winner (0, 1, or -1 for none), and the answer about the winner; None at a limit."""
        if race.drawless and race.within is None:
            return self._taking_turns(race, clock, token, progress)
        lost = Found(False)
        one = lost if 0 in blocked else self.ask(race, 0, clock, token, progress)
        if one.wins is None:
            return None, one
        if one.wins:
            return 0, one
        if race.goals[1] is None:
            return 1, one
        two = lost if 1 in blocked else self.ask(race, 1, clock, token, progress)
        if two.wins is None:
            return None, one
        return (1, two) if two.wins else (-1, None)

    def _taking_turns(
        self, race: Race, clock: Clock, token: _core.CancelToken, progress: _core.PositionalProgress
    ) -> tuple[int | None, Found | None]:
        """Ask for both players by turns, with more and more nodes: one of them wins, and that is quick to prove."""
        share, found = FIRST_SHARE, Found(None)
        while True:
            for player in (race.turns.next, 1 - race.turns.next):
                found = self.ask(race, player, clock, token, progress, share)
                if found.wins:
                    return player, found
                if found.wins is False:
                    return 1 - player, found
                if clock.over:
                    return None, None
            share *= 4

    def _keeping(
        self, race: Race, winner: int, clock: Clock, token: _core.CancelToken, progress: _core.PositionalProgress
    ) -> int:
        """Return a move after which the result is the same; -1 if a limit comes first."""
        mover = race.turns.next
        marked = {v for marks in race.marks for v in marks}
        goals = [goal for goal in race.goals if goal is not None and not goal.joins]
        weight = [sum(v in one for goal in goals for one in goal.sets) for v in range(race.vertices)]
        for v in sorted(race.first or range(race.vertices), key=lambda v: -weight[v]):
            if v in marked:
                continue
            marks = tuple((*own, v) if player == mover else own for player, own in enumerate(race.marks))
            within = None if race.within is None else race.within - 1
            after = replace(race, marks=(marks[0], marks[1]), turns=race.turns.advanced(), within=within, first=())
            for player, goal in enumerate(race.goals):  # the move itself may end the game
                own = sum(1 << u for u in after.marks[player])
                if goal is not None and goal.reached(own):
                    found: int | None = player
                    break
            else:
                found = self._winner(after, clock, token, progress)[0]
            if found == winner:
                return v
            if found is None:
                return -1
        return -1
