"""Nimbers of impartial games by the rules alone, and the question that is cheaper: is the nimber n?

A position is the sum of its parts, and nimbers add without carrying. So a sum has nimber n if its largest part has the
one that is left when the others are known. A part has nimber n if no option has it, and every smaller one is that of
an option (Lemoine and Viennot, Nimbers are inevitable, 2012). One option decides most questions.
"""

from __future__ import annotations

from zermelo.game.positions import Position
from zermelo.game.watch import Stopped, Watch
from zermelo.running import Calls

ENTRY_BYTES, POSITION_BYTES = 200, 3000
"""About the bytes of a remembered key with its place in a dictionary, and of a position."""
Parts = tuple[str, ...]
"""The keys of the parts of a position, the largest last."""


class Nimbers:
    """A table of nimbers by the keys of parts, with the values that are known to be wrong."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self._wrong: dict[str, int] = {}
        """Bits of nimbers that a part does not have."""
        self._open: dict[str, Position] = {}
        """Parts without a nimber so far."""
        self._options: dict[str, list[Parts]] = {}
        """The options of some of them."""
        self._listed = 0
        """How many options are listed."""

    @property
    def bytes(self) -> int:
        """About the bytes that it takes."""
        return (len(self.known) + self._listed) * ENTRY_BYTES + len(self._open) * POSITION_BYTES

    def clear(self) -> None:
        """Forget everything."""
        for table in (self.known, self._wrong, self._open, self._options):
            table.clear()
        self._listed = 0

    def nimber_of(self, position: Position, watch: Watch) -> Calls[int]:
        """Return the nimber of a position."""
        total = 0
        for part in self._parts(position):
            total ^= yield self._nimber(part, watch)
        return total

    def is_zero(self, position: Position, watch: Watch) -> Calls[bool]:
        """Whether the player to move loses."""
        return bool((yield self._has(self._parts(position), 0, watch)))

    def _nimber(self, part: str, watch: Watch) -> Calls[int]:
        n = 0
        while part not in self.known and not (yield self._part_has(part, n, watch)):
            n += 1
        return self.known[part]

    def _has(self, parts: Parts, n: int, watch: Watch) -> Calls[bool]:
        """Whether a sum has nimber n; the last part is the largest."""
        for part in parts[:-1]:
            known = self.known.get(part)
            n ^= (yield self._nimber(part, watch)) if known is None else known
        return (yield self._part_has(parts[-1], n, watch)) if parts else n == 0

    def _seen(self, parts: Parts, n: int) -> bool | None:
        """Whether a sum has nimber n, as far as the table says."""
        for part in parts[:-1]:
            known = self.known.get(part)
            if known is None:
                return None
            n ^= known
        if not parts:
            return n == 0
        known = self.known.get(parts[-1])
        if known is not None:
            return known == n
        return False if self._wrong.get(parts[-1], 0) >> n & 1 else None

    def _some_option(self, options: list[Parts], n: int, watch: Watch) -> Calls[bool]:
        """Whether an option has nimber n. Those that the table knows come first."""
        open_options = []
        for parts in options:
            seen = self._seen(parts, n)
            if seen:
                return True
            if seen is None:
                open_options.append(parts)
        for parts in open_options:
            if (yield self._has(parts, n, watch)):
                return True
        return False

    def _part_has(self, part: str, n: int, watch: Watch) -> Calls[bool]:
        """Whether a part has nimber n."""
        seen = self._seen((part,), n)
        if seen is not None:
            return seen
        options = self._options.get(part)
        if options is None:
            if self.bytes > watch.clock.limits.memory:
                raise Stopped
            options = self._options[part] = self._expand(self._open[part], watch)
            self._listed += len(options)
        if (yield self._some_option(options, n, watch)):
            self._wrong[part] = self._wrong.get(part, 0) | 1 << n
            return False
        # No option has n, so the nimber is the least that no option has: n, or less.
        least = 0
        while least < n and (self._wrong.get(part, 0) >> least & 1 or (yield self._some_option(options, least, watch))):
            self._wrong[part] = self._wrong.get(part, 0) | 1 << least
            least += 1
        self.known[part] = least
        self._listed -= len(self._options.pop(part, ()))
        for table in (self._wrong, self._open):
            table.pop(part, None)
        return least == n

    def _expand(self, position: Position, watch: Watch) -> list[Parts]:
        """Return the different options of a part, those with the least to do first."""
        watch.step()
        options = dict[Parts, None]()
        for move in position.moves(position.game.players[0]):
            watch.look()
            options[self._parts(position.after(move))] = None
        return sorted(options, key=lambda parts: max(map(len, parts), default=0))

    def _parts(self, position: Position) -> Parts:
        """Return the parts of a position; two that are equal are worth nothing."""
        found = dict[str, Position]()
        for part in position.components:
            key = part.key()
            if found.pop(key, None) is None:
                found[key] = part
        for key, part in found.items():
            if key not in self.known:
                self._open.setdefault(key, part)
        return tuple(sorted(found, key=lambda key: (len(key), key)))
