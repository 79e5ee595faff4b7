"""Answers without a search of the board: of empty boards by rules and facts, of others by the regions of a strategy."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import cast

from zermelo import _core
from zermelo.cgt import Value
from zermelo.domineering.lattice import Lattice
from zermelo.domineering.position import LARGEST_BOARD, Move, Player, Position, opponent
from zermelo.domineering.rules.facts import Fact
from zermelo.domineering.rules.knowledge import shipped
from zermelo.domineering.rules.outcomes import WORDS
from zermelo.domineering.rules.rulebook import MIRROR
from zermelo.domineering.solve import DomineeringChooser
from zermelo.domineering.strategy import strategies
from zermelo.domineering.values import domineering_value
from zermelo.game import Answer, Clock, Limits
from zermelo.game.values import valuing
from zermelo.game.watch import Stopped
from zermelo.running import Cache

PLANNED_SQUARES = 250_000
"""Squares of a board that can be cut into regions in a second."""
REGION_MEMORY, REGION_SIZES, KNOWN_REGIONS = 1 << 22, 64, 200_000
REGION_NODES = 200_000
"""A region of a strategy is small: a search of more nodes than this is not worth the time."""


def answer_by_rules(position: Position, first: Player, clock: Clock, want_move: bool) -> Answer | None:
    """Return who wins, if the rules, the facts or a strategy decide it."""
    if not position.is_empty:
        return _answer_by_regions(position, first, clock)
    size = position.lattice
    try:
        with shipped().within(clock.seconds_left) as rules:
            known = rules.decide(size)
    except Stopped:
        known = shipped().by_facts_alone(size)
        if known.winner(first) is None:
            return Answer.unknown(first, clock, limit="time")
    winner, step = known.winner(first), known.step
    if winner is None or step is None:
        return None
    fact = step.premises[0].fact if step.rule is MIRROR else step.fact
    move = None if fact is None or winner != first or not want_move else _first_move(fact, size, first)
    if move is None and winner == first and want_move and clock.seconds_left * PLANNED_SQUARES > size.area:
        found = (each.move(position, RegionSearch(clock)) for each in strategies(size, (first,)))
        move = next(filter(None, found), None)
    took = clock.seconds
    if fact is None:
        lines = (step,) if step.rule else step.premises  # a line such as "both 12 and 1h" explains little
        why = f"by the rules: {known.statement or '; '.join(line.reason for line in lines)}"
        details = {} if size.area <= LARGEST_BOARD else {"searchable": False}
        return Answer(first, winner, "rules", move, why, 0, 0, took, details=details)
    starter = first if fact.size == size else opponent(first)
    hashes = dict(fact.certificates)
    digest = hashes.get(starter) or (next(iter(hashes.values()), None) if size == size.transposed else None)
    return Answer(first, winner, "fact", move, f"shipped fact: {fact.evidence()}", 0, 0, took, digest)


def known_in_part(position: Position) -> str:
    """Return the partial knowledge of the rules about a board, in words, or an empty text."""
    known = shipped().decide(position.lattice).outcomes if position.is_empty else None
    return f"only that {WORDS[known]}" if known in WORDS else ""


def _first_move(fact: Fact, size: Lattice, first: Player) -> Move | None:
    """Return the winning first move that comes with a fact, turned if the fact is about the mirror image."""
    moves = dict(fact.moves)
    if fact.size == size and first in moves:
        return Move.parse(moves[first])
    if fact.size == size.transposed and opponent(first) in moves:
        move = Move.parse(moves[opponent(first)])
        return Move(first, move.col, move.row)
    return None


def _answer_by_regions(position: Position, first: Player, clock: Clock) -> Answer | None:
    """Return who wins a position of a large board by a strategy for it, if one still holds."""
    search = RegionSearch(clock)
    if clock.seconds_left * PLANNED_SQUARES < position.lattice.area:
        return None
    for each in strategies(position.lattice):
        move = each.move(position, search) if each.player == first else None
        if move is not None or (each.player != first and each.holds(position, search)):
            why = f"by the rules: {each.player} wins every region of the board moving second"
            return Answer(first, each.player, "rules", move, why, clock.nodes, 0, clock.seconds)
        if clock.over:
            break
    return None


@cache
def _region_chooser() -> DomineeringChooser:
    return DomineeringChooser(Limits(memory=REGION_MEMORY), {"method": "search"}, sizes=REGION_SIZES)


_answers = Cache[tuple[Position, Player, bool], tuple["Player | None", "Move | None"]](KNOWN_REGIONS)


class RegionSearch:
    """Says who wins a region, or its value, within the rest of a clock. Winners are remembered."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def __call__(self, region: Position, first: Player, want_move: bool) -> tuple[Player | None, Move | None]:
        """Search a region; None if a limit was reached."""
        clock, key = self._clock, (region, first, want_move)
        known = _answers.get(key)
        if known is not None:
            return known
        if clock.over or region.lattice.area > LARGEST_BOARD:
            return None, None
        limits = clock.left()
        limits = limits.with_(nodes=min(REGION_NODES, limits.nodes or REGION_NODES), on_progress=None)
        found = _region_chooser().answer(region, first, limits, want_move=want_move)
        clock.nodes += found.nodes
        result = cast("Player | None", found.winner), cast("Move | None", found.move)
        if found.winner is not None:
            _answers.put(key, result)
        return result

    def value(self, region: Position) -> Value:
        """Return the exact value of a region.

        :raises LimitReached: if it takes too long.
        """
        with self.valuing():
            return domineering_value(region)

    def valuing(self) -> AbstractContextManager[None]:
        """Work with values within the rest of the clock.

        :raises LimitReached: if no time is left.
        """
        if self._clock.seconds_left <= 0:
            raise _core.LimitReached("the value of a region takes too long")
        return valuing(self._clock.seconds_left)
