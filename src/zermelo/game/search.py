"""The plain search: by the rules alone, for any game. Slow, short, and independent of the fast solvers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from zermelo.game.limits import Clock, Limits, Progress

WIN, DREW, LOSS, UNSEEN = 1, 0, -1, -2  # as the player to move sees it
REPORT_SECONDS = 0.2

Node = TypeVar("Node")


class Stopped(Exception):  # noqa: N818 (not an error: a limit)
    """A limit was reached, or the search was cancelled."""


class Watch:
    """Counts positions; stops when a limit is reached or the search is cancelled."""

    def __init__(self, limits: Limits) -> None:
        self.clock = Clock(limits)
        self._report_at = REPORT_SECONDS

    def look(self) -> None:
        """Look at the clock: also within a position, which may have a million moves.

        :raises Stopped: if the time is over.
        """
        if self.clock.seconds_left <= 0 or self.clock.limits.cancelled:
            raise Stopped

    def step(self) -> None:
        """Count one position.

        :raises Stopped: if there may be no more.
        """
        if self.clock.over:
            raise Stopped
        self.clock.nodes += 1
        tell = self.clock.limits.on_progress
        if tell is not None and self.clock.seconds > self._report_at:
            self._report_at = self.clock.seconds + REPORT_SECONDS
            tell(Progress(self.clock.nodes, self.clock.seconds))


class _Frame(Generic[Node]):
    """A position on the way: the best result so far, and the positions that are still to be tried, the next last."""

    def __init__(self, key: Hashable) -> None:
        self.key = key
        self.best = UNSEEN
        self.left: list[tuple[Node, Hashable]] = []
        self.trying: Node | None = None
        self.child: Node | None = None

    def take(self, value: int, child: Node | None) -> None:
        if value > self.best:
            self.best, self.child = value, child


class PlainSearch(Generic[Node]):
    """An AND/OR search with a memory of positions by their keys. Draws are results like others.

    A game must come to an end: no position is met twice on the way. Nothing recurses, so that it may be long.
    """

    def __init__(
        self,
        look: Callable[[Node], int | Iterable[Node]],
        key: Callable[[Node], Hashable],
        *,
        entries: int,
        worth: Callable[[Node], float] | None = None,
    ) -> None:
        """Take the rules.

        ``look`` returns the result for the player to move where the rules decide, else the positions after her moves,
        the most promising first, or in the order that ``worth`` then gives to those that are not yet known.
        """
        self._look, self._key, self._entries, self._worth = look, key, entries, worth
        self._known: dict[Hashable, int] = {}

    def value(self, root: Node, watch: Watch) -> int:
        """Return the result as the player to move sees it."""
        known = self._known.get(self._key(root))
        return self.result(root, watch)[0] if known is None else known

    def result(self, root: Node, watch: Watch) -> tuple[int, Node | None]:
        """Return the result as the player to move sees it, and where she goes to get it.

        :raises Stopped: if a limit is reached.
        """
        stack = [self._frame(root, self._key(root), watch)]
        while True:
            frame = stack[-1]
            if frame.best < WIN and frame.left:
                child, key = frame.left.pop()
                value = self._known.get(key)
                if value is None:
                    frame.trying = child
                    stack.append(self._frame(child, key, watch))
                else:
                    frame.take(-value, child)
                continue
            if len(self._known) >= self._entries:
                self._known.clear()
            self._known[frame.key] = frame.best
            stack.pop()
            if not stack:
                return frame.best, frame.child
            stack[-1].take(-frame.best, stack[-1].trying)

    def _frame(self, node: Node, key: Hashable, watch: Watch) -> _Frame[Node]:
        """Look at a position: decide it where the rules or its neighbours do, else list those that are not known."""
        watch.step()
        frame = _Frame[Node](key)
        said = self._look(node)
        if isinstance(said, int):
            frame.best = said
            return frame
        seen = set[Hashable]()
        for child in said:
            watch.look()
            child_key = self._key(child)
            if child_key in seen:
                continue
            seen.add(child_key)
            value = self._known.get(child_key)
            if value is None:
                frame.left.append((child, child_key))
                continue
            frame.take(-value, child)
            if frame.best == WIN:
                return frame
        worth = self._worth
        if worth is None:
            frame.left.reverse()
            return frame

        def watched(entry: tuple[Node, Hashable]) -> float:
            watch.look()
            return worth(entry[0])

        frame.left.sort(key=watched)
        return frame
