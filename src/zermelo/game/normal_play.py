"""The plain search of games that a player loses who cannot move: by the rules alone, part by part.

A position is the sum of its parts. Small parts are replaced by their values, which add up to one value; the search
goes on in the others, and in that value by its canonical options. Impartial games are searched by nimbers instead.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from zermelo._core import LimitReached
from zermelo.game.answers import Answer
from zermelo.game.limits import Limits
from zermelo.game.nimbers import ENTRY_BYTES, Nimbers
from zermelo.game.positions import Move, Player, Position
from zermelo.game.services import Game
from zermelo.game.values import Ledger
from zermelo.game.watch import Watch
from zermelo.running import Calls, unwound

Part = tuple[str, Position]
"""A part and its key."""


@dataclass(frozen=True)
class State:
    """A sum: the parts without a value, in the order of their keys, and the value of the others."""

    parts: tuple[Part, ...]
    value: int

    @property
    def key(self) -> tuple[Hashable, ...]:
        return (*(key for key, _ in self.parts), self.value)


class NormalPlayChooser:
    """Searches sums of parts with a table of sums, and of impartial games with a table of nimbers."""

    def __init__(self, game: Game, limits: Limits) -> None:
        if limits.threads > 1:
            raise ValueError(f"--threads has no effect on the plain search of {game.title}")
        self.game = game
        self._memory = limits.memory
        self._entries = max(1000, limits.memory // ENTRY_BYTES)
        self._known: dict[Hashable, bool] = {}
        """Whether the player to move wins."""
        self._ledger = Ledger()
        self._cheap: dict[str, int | None] = {}
        """The values of small parts by their keys; None for parts that are not small."""
        self._nimbers = Nimbers()
        self._one_at_a_time = threading.Lock()

    def answer(self, position: Position, first: Player, limits: Limits, *, want_move: bool = True) -> Answer:
        decided = position.decided(first)
        if decided is not None:
            return Answer(first, decided, "over", why="the game is over")
        watch = Watch(limits)
        try:
            with self._one_at_a_time, self._ledger_within(limits) as watch:
                wins, move = unwound(self._solve(position, first, watch, want_move))
        except LimitReached:
            return Answer.unknown(first, watch.clock)
        winner = first if wins else self.game.other(first)
        clock = watch.clock
        return Answer(first, winner, "search", move, "proved by search", clock.nodes, seconds=clock.seconds)

    def _solve(
        self, position: Position, first: Player, watch: Watch, want_move: bool
    ) -> Calls[tuple[bool, Move | None]]:
        """Return whether the player to move wins, and with which move."""
        watch.step()
        if not want_move:
            return (yield self._wins(position, first, watch)), None
        other, moves = self.game.other(first), position.moves(first)
        seen, afters = set[Hashable](), list[tuple[int, Move, Position]]()
        for move in moves:
            watch.look()
            after = position.after(move)
            if (key := after.key()) not in seen:
                seen.add(key)
                afters.append((len(after.moves(other)), move, after))
        # The moves after which the opponent has the fewest come first: these positions are decided soonest.
        for _, move, after in sorted(afters, key=lambda entry: entry[0]):
            if not (yield self._wins(after, other, watch)):
                return True, move
        return False, None

    def _wins(self, position: Position, player: Player, watch: Watch) -> Calls[bool]:
        if self.game.impartial:
            if self._nimbers.bytes > self._memory // 2:
                self._nimbers.clear()
            return not (yield self._nimbers.is_zero(position, watch))
        return bool((yield self._wins_sum(self._state((), 0, position, watch), player, watch)))

    def _ledger_within(self, limits: Limits) -> AbstractContextManager[Watch]:
        """Forget everything if it has become too much, and keep the values within limits."""
        if self._ledger.bytes > self._memory // 4:
            self._ledger = Ledger()
            self._known.clear()
            self._cheap.clear()
        return self._ledger.watching(limits.with_(memory=self._memory))

    def _state(self, parts: Sequence[Part], value: int, position: Position, watch: Watch) -> State:
        """Return a sum with one more position: its small parts as their values."""
        found, values = list(parts), self.game.values
        assert values is not None
        for part in position.components:
            key = part.key()
            if key not in self._cheap:
                self._cheap[key] = values.id_in(self._ledger, part, watch) if values.cheap(part) else None
            worth = self._cheap[key]
            if worth is None:
                found.append((key, part))
            elif worth:
                value = self._ledger.arena.add(value, worth)
        return State(tuple(sorted(found, key=lambda part: part[0])), value)

    def _wins_sum(self, state: State, player: Player, watch: Watch) -> Calls[bool]:
        """Whether the player to move wins a sum."""
        left = player == self.game.players[0]
        if not state.parts:
            return self._ledger.arena.outcome(state.value) in ("V1" if left else "H1")
        key = (*state.key, left)
        if (known := self._known.get(key)) is not None:
            return known
        watch.step()
        other = self.game.other(player)
        won, waiting = False, list[tuple[int, State]]()
        seen = set[Hashable]()
        for after in self._options(state, player, left, watch):
            watch.look()
            name = after.key
            if name in seen:
                continue
            seen.add(name)
            if not after.parts:
                known = self._ledger.arena.outcome(after.value) in ("H1" if left else "V1")
            else:
                known = self._known.get((*name, not left))
            if known is False:
                won = True
                break
            if known is None:
                waiting.append((sum(len(part.moves(other)) for _, part in after.parts), after))
        if not won:
            waiting.sort(key=lambda entry: entry[0])
            for _, after in waiting:
                if not (yield self._wins_sum(after, other, watch)):
                    won = True
                    break
        if len(self._known) + len(self._cheap) >= self._entries:
            self._known.clear()
            self._cheap.clear()
        self._known[key] = won
        return won

    def _options(self, state: State, player: Player, left: bool, watch: Watch) -> Iterator[State]:
        """Yield the sums after each move; a move in a number comes last, and is seldom good."""
        for at, (key, part) in enumerate(state.parts):
            if at and state.parts[at - 1][0] == key:
                continue
            rest = (*state.parts[:at], *state.parts[at + 1 :])
            for move in part.moves(player):
                yield self._state(rest, state.value, part.after(move), watch)
        arena = self._ledger.arena
        for option in (arena.left_options if left else arena.right_options)(state.value):
            yield State(state.parts, option)
