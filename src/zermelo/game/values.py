"""Values of positions by the rules alone, for every game that a player loses who cannot move.

A position is the sum of its parts. The value of a part is made from the values of its options; parts with one key are
valued once. Nothing recurses.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from zermelo import _core
from zermelo._core import CancelToken, LimitReached, ValueArena
from zermelo.cgt import Value
from zermelo.cgt.value import ARENA, fraction, limits, open_limits, thermograph_of
from zermelo.game.answers import Regions, ValuedRegion
from zermelo.game.catalogue import Catalogue, Entry
from zermelo.game.limits import Clock, Limits, OnProgress, Progress
from zermelo.game.nimbers import ENTRY_BYTES, Nimbers
from zermelo.game.positions import Position
from zermelo.game.watch import Stopped, Watch
from zermelo.running import Calls, unwound

if TYPE_CHECKING:
    from zermelo.game.services import Database, Game

T = TypeVar("T")
CHEAP_MOVES = 6
"""The search replaces a part in which both players together have so few moves by its value."""
SECONDS, ALL_SECONDS = 2.0, 8.0
MEMORY = 256 << 20
LONGEST_TEXT = 120


class Ledger:
    """An arena of values, and what games know in it: the ids of the values of their parts.

    A search and the page have ledgers of their own, which they replace when they are large.
    """

    def __init__(self, arena: ValueArena | None = None) -> None:
        self.arena = arena or ValueArena()
        self.entries = 0
        """Parts with a key that are known."""
        self._known: dict[Hashable, Any] = {}

    def of(self, owner: Hashable, make: Callable[[], T]) -> T:
        """Return the values that an owner keeps in this arena; they begin empty at the first call."""
        if owner not in self._known:
            self._known[owner] = make()
        found: T = self._known[owner]
        return found

    @property
    def bytes(self) -> int:
        """About the bytes that it takes."""
        return self.entries * ENTRY_BYTES + self.arena.sizes()[2]

    @contextmanager
    def watching(self, within: Limits) -> Iterator[Watch]:
        """Keep to limits in this block, in Python and in the arena.

        :raises LimitReached: if one is reached.
        """
        watch = Watch(within)

        def tell(now: _core.Progress) -> None:
            assert within.on_progress is not None
            within.on_progress(Progress(watch.clock.nodes + now.nodes, watch.clock.seconds))

        report = None if within.on_progress is None else tell
        whole = _core.Limits(None, within.seconds, within.memory, within.cancel, report)
        self.arena.set_limits(whole, for_each=False)
        try:
            yield watch
        except Stopped:
            words = {"stopped": "cancelled", "time": "the time limit was reached"}
            reached = f"the memory limit of {within.memory >> 20} MiB was reached"
            raise LimitReached(words.get(watch.clock.reached, reached)) from None
        finally:
            self.arena.set_limits(_core.Limits(None, *open_limits()))


ALL_VALUES = Ledger(ARENA)
"""That of all values in Python."""


class PlainValues:
    """The values of a game's positions by its rules, Left being the first of its players."""

    help = "By the rules alone: positions of some twenty moves. --time limits it."
    database: Database | None = None

    def __init__(self, game: Game) -> None:
        self.game = game
        self.examples: tuple[str, ...] = game.examples
        self._nimbers = Nimbers()

    def cheap(self, position: Position) -> bool:
        """Whether the value of a part takes so little time that a search had better use it."""
        return sum(len(position.moves(player)) for player in self.game.players) <= CHEAP_MOVES

    def value(
        self, position: Position, *, cancel: CancelToken | None = None, on_progress: OnProgress | None = None
    ) -> Value:
        """Return the canonical value, within :func:`zermelo.cgt.limits`.

        :raises LimitReached: if a limit is reached, or the token is set.
        """
        with ALL_VALUES.watching(cgt_limits(cancel, on_progress)) as watch:
            return Value.from_id(self.id_in(ALL_VALUES, position, watch))

    def id_in(self, ledger: Ledger, position: Position, watch: Watch) -> int:
        """Return the id of the value in the arena of a ledger.

        :raises LimitReached: if a limit is reached in the arena.
        :raises Stopped: if one is reached elsewhere.
        """
        if self.game.impartial:
            return ledger.arena.parse(f"*{self.nimber_within(position, watch)}")
        return unwound(self._sum(ledger, position, watch))

    def nimber(
        self, position: Position, *, cancel: CancelToken | None = None, on_progress: OnProgress | None = None
    ) -> int | None:
        """Return the n of a position that is worth ``*n``; None where the value is another."""
        if not self.game.impartial:
            return self.value(position, cancel=cancel, on_progress=on_progress).nimber
        with ALL_VALUES.watching(cgt_limits(cancel, on_progress)) as watch:
            return self.nimber_within(position, watch)

    def nimber_within(self, position: Position, watch: Watch) -> int:
        """Return the nimber of a position of an impartial game; an exception of the watch ends it."""
        if self._nimbers.bytes > watch.clock.limits.memory // 2:
            self._nimbers.clear()
        return unwound(self._nimbers.nimber_of(position, watch))

    def _sum(self, ledger: Ledger, position: Position, watch: Watch) -> Calls[int]:
        total, known = 0, ledger.of(self.game, dict[str, int])
        for part in position.components:
            key = part.key()
            found = known.get(key)
            if found is None:
                found = known[key] = yield self._part(ledger, part, watch)
                ledger.entries += 1
            total = found if total == 0 else ledger.arena.add(total, found)
        return total

    def _part(self, ledger: Ledger, part: Position, watch: Watch) -> Calls[int]:
        watch.step()
        if watch.clock.nodes % 1024 == 0 and ledger.bytes > watch.clock.limits.memory:
            raise Stopped
        sides: list[set[int]] = []
        for player in self.game.players:
            sides.append(set())
            for move in part.moves(player):
                sides[-1].add((yield self._sum(ledger, part.after(move), watch)))
        return ledger.arena.make(list(sides[0]), list(sides[1]))

    # For the page

    def regions(self, position: Position, cancel: CancelToken | None = None) -> Regions:
        """Return the parts with their values, and their sum; values that would take too long are left out."""
        found, clock = [], Clock(Limits(seconds=ALL_SECONDS, cancel=cancel))
        with page_ledger() as ledger:
            total: int | None = 0
            both = zip(position.components, position.component_squares(), strict=True)
            for part, squares in sorted(both, key=lambda one: len(one[1]), reverse=True):
                value = None if clock.over else self._small(ledger, part, cancel)
                total = None if value is None or total is None else _plus(ledger, total, value)
                heat: tuple[str | None, str | None] = (None, None)
                if value is not None:
                    _, _, mean, temperature = ledger.arena.thermograph(value)
                    heat = str(fraction(mean)), str(fraction(temperature))
                found.append(ValuedRegion(tuple(squares), part.text, *printed(ledger, value), *heat))
            return Regions(tuple(found), *printed(ledger, total))

    def _small(self, ledger: Ledger, position: Position, cancel: CancelToken | None = None) -> int | None:
        """Return the id of the value within small limits; None if they do not allow it."""
        try:
            with ledger.watching(Limits(SECONDS, memory=MEMORY, cancel=cancel)) as watch:
                return self.id_in(ledger, position, watch)
        except LimitReached:
            return None

    def small_text(self, position: Position) -> str | None:
        """Return the value as text, within small limits; None if they do not allow it."""
        with page_ledger() as ledger:
            return printed(ledger, self._small(ledger, position))[0]

    def thermograph(self, position: Position) -> str:
        """Return the thermograph of a position as an SVG picture.

        :raises ValueError: if the position is too large for its value.
        """
        with page_ledger() as ledger:
            value = self._small(ledger, position)
            if value is None:
                raise ValueError("this position is too large for its value to be worked out here")
            return thermograph_of(ledger.arena, value)._repr_svg_()

    # Lists

    def catalogue(
        self, squares: int, *, at_most: bool, within: str | None, file: Path | None, worth: str | None
    ) -> Catalogue:
        """Return the positions that this game lists by size; or all parts that play from ``within`` can reach.

        :raises ValueError: if the game lists none by size.
        """
        if within is not None:
            found = list(parts_within(self.game.parse(within)))
        else:
            sizes = range(1 if at_most else squares, squares + 1)
            found = [(size, one) for size in sizes for one in self.game.small_positions(size)]
        all_found = Catalogue(Entry(part.text, size, self.value(part)) for size, part in found)
        return all_found if worth is None else all_found.worth(worth)


def parts_within(start: Position) -> Iterator[tuple[int, Position]]:
    """Yield each part that play from a position can reach, whoever moves, with the moves that both have in it."""
    seen, waiting = set[str](), [*reversed(start.components)]
    with ALL_VALUES.watching(cgt_limits()) as watch:
        while waiting:
            part = waiting.pop()
            if (key := part.key()) in seen:
                continue
            seen.add(key)
            watch.step()
            moves = [move for player in start.game.players for move in part.moves(player)]
            yield len(moves), part
            for move in moves:
                waiting += part.after(move).components


def cgt_limits(cancel: CancelToken | None = None, on_progress: OnProgress | None = None) -> Limits:
    """Return the limits of :func:`zermelo.cgt.limits`."""
    seconds, memory = open_limits()
    return Limits(None if seconds == math.inf else seconds, None, memory, 1, cancel, on_progress)


@contextmanager
def valuing(seconds: float = SECONDS) -> Iterator[None]:
    """Work with values while no other thread does, within limits for each step."""
    with _one_thread, limits(seconds=min(seconds, SECONDS), memory=MEMORY):
        yield


# One thread at a time works with limits of all values, or with the ledger of the page.
_one_thread = threading.RLock()
_page = [Ledger()]


@contextmanager
def page_ledger() -> Iterator[Ledger]:
    """Use the ledger of the page in this block. A large one makes room for a new one: no id leaves the block."""
    with _one_thread:
        if _page[0].bytes > MEMORY // 2:
            _page[0] = Ledger()
        yield _page[0]


def _plus(ledger: Ledger, one: int, other: int) -> int | None:
    try:
        with ledger.watching(Limits(SECONDS, memory=MEMORY)):
            return ledger.arena.add(one, other)
    except LimitReached:
        return None


def printed(ledger: Ledger, value: int | None) -> tuple[str | None, str | None]:
    """Return a value as text: shortened if it is very long, and in full if it can be printed."""
    if value is None:
        return None, None
    try:
        text = ledger.arena.text(value, 100_000)
    except LimitReached:
        return "too long to print", None
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 2] + " …", text
