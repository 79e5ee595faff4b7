"""Values, nimbers and outcomes of games by local rules: questions to the core, within limits."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, cast

from zermelo import _core
from zermelo._core import CancelToken
from zermelo.game.answers import Answer
from zermelo.game.limits import STOPPED, Clock, Limits
from zermelo.game.local import LocalGame, LocalPosition
from zermelo.game.positions import Move, Player, Position
from zermelo.game.values import Ledger, PlainValues
from zermelo.game.watch import Stopped, Watch
from zermelo.running import run_cancellable

if TYPE_CHECKING:
    from collections.abc import Callable

CHEAP_CELLS = 12
"""A search of sums replaces a part with so many cells by its value."""


class Searches:
    """Searches with tables, one for each frame."""

    def __init__(self) -> None:
        self._known: dict[_core.LocalGame, _core.LocalSearch] = {}

    def of(self, position: LocalPosition) -> _core.LocalSearch:
        """Return the search on the frame of a position."""
        core = position.core
        if core not in self._known:
            self._known[core] = core.search()
        return self._known[core]


class LocalValues(PlainValues):
    """Values by the core."""

    help = "By the core. It takes far longer than finding the winner; --time limits it."

    def __init__(self, game: LocalGame) -> None:
        super().__init__(game)
        self._searches = Searches()

    def cheap(self, position: Position) -> bool:
        one, two = cast(LocalPosition, position).words
        return (one | two).bit_count() <= CHEAP_CELLS

    def id_in(self, ledger: Ledger, position: Position, watch: Watch) -> int:
        if self.game.impartial:
            return super().id_in(ledger, position, watch)
        local = cast(LocalPosition, position)
        return ledger.of(local.core, lambda: local.core.values(ledger.arena)).value(local.words)

    def nimber_within(self, position: Position, watch: Watch) -> int:
        local, limits = cast(LocalPosition, position), watch.clock.left()
        search = self._searches.of(local)
        found = run_cancellable(lambda token: search.nimber(local.words, limits.of_core(token)), limits.cancel)
        if found.result is None:
            raise Stopped
        return found.result


class LocalChooser:
    """Searches sums of parts in the core; the table of a game serves all questions."""

    def __init__(self, game: LocalGame, limits: Limits) -> None:
        if limits.threads > 1:
            raise ValueError(f"--threads has no effect on the search of {game.title}")
        self.game, self._memory = game, limits.memory
        self._searches = Searches()

    def answer(self, position: Position, first: Player, limits: Limits, *, want_move: bool = True) -> Answer:
        decided = position.decided(first)
        if decided is not None:
            return Answer(first, decided, "over", why="the game is over")
        return run_cancellable(
            lambda token: self._answer(cast(LocalPosition, position), first, limits, token, want_move), limits.cancel
        )

    def _answer(
        self, position: LocalPosition, first: Player, limits: Limits, token: CancelToken, want_move: bool
    ) -> Answer:
        clock = Clock(limits.with_(cancel=token, memory=self._memory))

        search = self._searches.of(position)

        def wins(here: LocalPosition, player: Player) -> _core.LocalFound:
            right = player != self.game.players[0]
            found = search.wins(here.words, right, clock.left().of_core(token))
            clock.nodes += found.nodes
            return found

        won = wins(position, first)
        if won.result is None:
            return Answer.unknown(first, clock, limit=STOPPED[won.stopped])
        move = self._winning_move(position, first, wins) if won.result and want_move else None
        winner = first if won.result else self.game.other(first)
        why = "proved by search"
        return Answer(first, winner, "search", move, why, clock.nodes, seconds=clock.seconds)

    def _winning_move(
        self, position: LocalPosition, first: Player, wins: Callable[[LocalPosition, Player], _core.LocalFound]
    ) -> Move | None:
        """Return a move after which the opponent loses; the table knows most answers. None if a limit is reached."""
        seen = set[Hashable]()
        for move in position.moves(first):
            after = position.after(move)
            if (key := after.key()) in seen:
                continue
            seen.add(key)
            reply = wins(after, self.game.other(first))
            if not reply.result:
                return None if reply.result is None else move
        return None
