"""Misère play by the rules alone, part by part: the player who cannot move wins.

A part cannot be replaced by its value here, so a sum is remembered by the keys of its parts, and nothing cancels.
"""

from __future__ import annotations

from zermelo.game.nimbers import ENTRY_BYTES
from zermelo.game.positions import Player, Position
from zermelo.game.values import ALL_VALUES, cgt_limits
from zermelo.game.watch import Stopped, Watch
from zermelo.running import Calls, unwound

Parts = tuple[tuple[str, Position], ...]
"""The parts that have a move, each with its key, in order."""


def misere_outcome(position: Position) -> str:
    """Return the game's code for who wins; :func:`zermelo.cgt.limits` holds.

    >>> from zermelo.game import find_game
    >>> [n for n in range(1, 11) if find_game("kayles").parse(f"1x{n}").misere_outcome == "second"]
    [1, 4, 9]

    :raises ValueError: if the game does not end when a player cannot move.
    :raises LimitReached: if a limit is reached.
    """
    game = position.game
    if not game.normal_play:
        raise ValueError(f"{game.title} has no misère play: it does not end when a player cannot move")
    with ALL_VALUES.watching(cgt_limits()) as watch:
        search = Search(watch, impartial=game.impartial)
        one, two = (unwound(search.wins(position, player)) for player in game.players)
    return ("first" if one else "second") if one == two else game.players[not one]


class Search:
    """Searches sums with a table."""

    def __init__(self, watch: Watch, *, impartial: bool) -> None:
        self._watch, self._impartial = watch, impartial
        self._known: dict[tuple[str, ...], bool] = {}

    def wins(self, position: Position, player: Player) -> Calls[bool]:
        """Whether the player to move wins."""
        return self._wins(_parts([position]), player)

    def _wins(self, parts: Parts, player: Player) -> Calls[bool]:
        name = (*(key for key, _ in parts), "" if self._impartial else player)
        if (known := self._known.get(name)) is not None:
            return known
        self._watch.step()
        if len(self._known) * ENTRY_BYTES > self._watch.clock.limits.memory:
            raise Stopped
        afters = dict[tuple[str, ...], tuple[Parts, Player]]()
        for at, (key, part) in enumerate(parts):
            rest = [one for _, one in (*parts[:at], *parts[at + 1 :])]
            for move in part.moves(player) if not at or parts[at - 1][0] != key else ():
                self._watch.look()
                after, opponent = _parts([*rest, part.after(move)]), part.game.other(player)
                afters[tuple(key for key, _ in after)] = after, opponent
        won = not afters
        for _, (after, opponent) in sorted(afters.items(), key=lambda item: len(item[0])):
            if not (yield self._wins(after, opponent)):
                won = True
                break
        self._known[name] = won
        return won


def _parts(positions: list[Position]) -> Parts:
    return tuple(sorted(((part.key(), part) for one in positions for part in one.components), key=lambda part: part[0]))
