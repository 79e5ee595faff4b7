"""The one chooser: every door that wants a Domineering answer asks it.

It owns the tables and the memory. In turn it asks whether the game is over, the rules and the facts for empty boards
of any size, and a search; small boards are searched first, because that takes a blink and shows nodes and a move.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, cast

from zermelo import _core, game
from zermelo.domineering.engine import (
    BOUNDS,
    COVER_FEATURES,
    REPLACEMENTS,
    SEARCH_FEATURES,
    SearchOptions,
    checked_names,
    component_engine,
    component_search_takes,
    search,
    winner_of,
    winning_move,
)
from zermelo.domineering.position import LARGEST_BOARD, Move, Player, Position, opponent
from zermelo.game import Answer, Limits, OnProgress

METHODS = ("auto", "search", "rules")
SMALL = 64
"""Boards of at most so many squares are searched before the rules are asked."""
KEPT_SEARCHES = 3
"""Sizes of boards whose searches, with their tables, are kept."""
STOPPED = {
    _core.StopReason.NODES: "the node limit was reached",
    _core.StopReason.TIME: "the time was over",
    _core.StopReason.CANCELLED: "the search was cancelled",
}


class DomineeringChooser:
    """Answers questions about Domineering positions; several threads may ask at once."""

    def __init__(
        self, limits: Limits, options: Mapping[str, Any] | None = None, *, largest_table: int | None = None
    ) -> None:
        """Take memory and threads from the limits; ``largest_table`` is for certificates: squares of strip patterns.

        :raises ValueError: if an option is bad, or has no effect with the others.
        """
        given = {name: value for name, value in (options or {}).items() if value not in (None, (), [], "")}
        self.memory, self.threads, self.largest_table = limits.memory, limits.threads, largest_table
        self.method = given.pop("method", "auto")
        checked_names((self.method,), METHODS, "method")
        if self.method == "rules" and (given or limits.threads > 1):
            name = next(iter(given), "threads")
            raise ValueError(f"--{name} belongs to --method search: the rules do not search")
        if given and self.method == "auto":
            self.method = "search"
        self._bounds = given.get("bounds")
        if self._bounds is not None:
            checked_names(self._bounds, BOUNDS, "bound")
        self._features = {name: tuple(given[name]) for name in ("without", "with") if name in given}
        for names in self._features.values():
            checked_names(names, [*COVER_FEATURES, *SEARCH_FEATURES], "feature")
        self._replacement = given.get("replacement")
        if self._replacement is not None:
            checked_names((self._replacement,), REPLACEMENTS, "replacement scheme")
        self._lock = threading.Lock()
        self._searches: OrderedDict[tuple[int, int], _core.ComponentSearch] = OrderedDict()

    # Which search

    def search_options(self, position: Position) -> SearchOptions:
        """Return how a position is searched.

        :raises ValueError: if an option has no effect on the search that takes the board.
        """
        by_strips = component_search_takes(position.board)
        bounds = frozenset(self._bounds or (["strip"] if by_strips else ["real", "cover"]))
        if "strip" in bounds and not by_strips:
            raise ValueError(f"strip bounds are for rectangles with sides up to 16, not for {position.lattice.name}")
        if "strip" in bounds and len(bounds) > 1:
            raise ValueError("strip bounds have a search of their own: --bounds strip, or --bounds real,cover")
        named = [*self._features, *(["replacement"] if self._replacement else [])]
        if "strip" in bounds and named:
            raise ValueError(f"--{named[0]} belongs to the search of the papers: add --bounds real,cover")
        for names in self._features.values():
            for name in names:
                if name in COVER_FEATURES and "cover" not in bounds:
                    raise ValueError(f"{name} belongs to the cover bound: add it to --bounds")
        made = SearchOptions(bounds=bounds, replacement=self._replacement or "find-first", memory=self.memory)
        return made.leaving_out(*self._features.get("without", ())).adding(*self._features.get("with", ()))

    def component_search(self, position: Position, options: SearchOptions) -> _core.ComponentSearch:
        """Return the search for boards of a size; the size wanted least lately goes, so that memory stays bounded."""
        wanted = position.rows, position.cols
        with self._lock:
            if wanted not in self._searches:
                while len(self._searches) >= KEPT_SEARCHES:
                    self._searches.popitem(last=False)
                self._searches[wanted] = component_engine(
                    position.board, options, self.threads, largest_table=self.largest_table
                )
            self._searches.move_to_end(wanted)
            return self._searches[wanted]

    # Answers

    def answer(
        self,
        position: game.Position,
        first: str,
        limits: Limits,
        *,
        cancel: _core.CancelToken | None = None,
        on_progress: OnProgress | None = None,
        want_move: bool = True,
    ) -> Answer:
        """Say who wins when ``first`` is to move, and by what it is known."""
        position, first = cast(Position, position), cast(Player, first)
        begin = time.monotonic()
        if self.method != "rules" and position.blocked:
            winner = position.decided(first)
            if winner is not None:
                return Answer(first, winner, "over", why=f"the game is over: {first} cannot move")
        large = position.lattice.area > SMALL
        if self.method == "rules" or (self.method == "auto" and large):
            answer = self._by_rules(position, first, want_move)
            if answer is not None:
                return answer
        if self.method == "rules":
            raise ValueError(
                f"the rules do not decide {position.text}: zermelo why {position.text} shows what is known"
            )
        if position.lattice.area > LARGEST_BOARD:
            if self.method == "search":
                raise ValueError(
                    f"a board of {position.lattice.name} cannot be searched: at most {LARGEST_BOARD} squares"
                )
            why = f"unknown: the rules do not decide it, and it is too large to search (over {LARGEST_BOARD} squares)"
            return Answer(first, None, "limit", why=why, seconds=time.monotonic() - begin)
        answer = self._by_search(position, first, limits, cancel, on_progress, want_move)
        if answer.winner is None and self.method == "auto" and not large:
            return self._by_rules(position, first, want_move) or answer
        return answer

    def _by_rules(self, position: Position, first: Player, want_move: bool) -> Answer | None:
        """Return what the rules and the facts know of an empty board."""
        if position.blocked:
            if self.method == "rules":
                raise ValueError("the rules know empty boards given by their size only, such as 3x1000")
            return None
        from zermelo.domineering.rules.knowledge import shipped
        from zermelo.domineering.rules.sizes import Size
        from zermelo.domineering.rules.why import reason
        from zermelo.domineering.strategy.result import winning_move as move_by_rules

        begin = time.monotonic()
        size = Size(position.rows, position.cols, position.topology)
        known = shipped().decide(size)
        winner = known.winner(first)
        if winner is None:
            return None
        found = move_by_rules(size, first) if winner == first and want_move else None
        move = None if found is None else str(found)
        took = time.monotonic() - begin
        step = known.step
        fact = None if step is None else step.fact
        if fact is not None:
            hashes = dict(fact.certificates)
            digest = hashes.get(first) or (next(iter(hashes.values()), None) if size == size.transposed else None)
            why = f"shipped fact: {fact.evidence()}"
            return Answer(first, winner, "fact", move, why, 0, 0, took, digest)
        why = f"by the rules: {known.eventual or (step and reason(step))}"
        return Answer(first, winner, "rules", move, why, 0, 0, took)

    def _by_search(
        self,
        position: Position,
        first: Player,
        limits: Limits,
        cancel: _core.CancelToken | None,
        on_progress: OnProgress | None,
        want_move: bool,
    ) -> Answer:
        begin = time.monotonic()
        options = self.search_options(position)
        engine = self.component_search(position, options) if "strip" in options.bounds else None
        loaded = time.monotonic() - begin
        seconds = None if limits.seconds is None else limits.seconds - loaded
        if seconds is not None and seconds <= 0:
            why = f"unknown within {limits.seconds:g} s: loading the tables took {loaded:.1f} s"
            return Answer(first, None, "limit", why=why, seconds=loaded)
        report = None if on_progress is None else lambda told: on_progress(_progress(told))
        found = search(
            position.board,
            first,
            options,
            threads=self.threads,
            seconds=seconds,
            nodes=limits.nodes,
            on_progress=report,
            cancel=cancel,
            engine=engine,
        )
        winner = winner_of(found, first)
        move = found.move if winner == first else None
        if winner == first and move is None and want_move:
            left = None if limits.seconds is None else limits.seconds - (time.monotonic() - begin)
            move = winning_move(
                position.board, first, options, threads=self.threads, seconds=left, cancel=cancel, engine=engine
            )
        if winner is None:
            why = f"unknown: {STOPPED[found.stopped]}"
            if found.stopped == _core.StopReason.TIME and limits.seconds is not None:
                why = f"unknown within {limits.seconds:g} s"
        else:
            why = "proved by search"
        return Answer(
            first=first,
            winner=winner,
            by="limit" if winner is None else "search",
            move=None if move is None else str(Move.from_core(move)),
            why=why,
            nodes=found.nodes,
            evaluations=found.evaluations,
            seconds=found.seconds,
        )


def _progress(told: _core.Progress) -> game.Progress:
    share = told.root_moves_done / told.root_moves if told.root_moves else None
    return game.Progress(told.nodes, told.seconds, share)


def turned_answer(answer: Answer) -> Answer:
    """Turn the answer for one starter of a position that equals its own transpose into the other's."""
    move = None
    if answer.move is not None:
        old = Move.parse(answer.move)
        move = str(Move(opponent(old.player), old.col, old.row))
    winner = None if answer.winner is None else opponent(answer.winner)
    why = f"as with {answer.first} first, the players exchanged"
    return Answer(opponent(answer.first), winner, "symmetry" if winner else answer.by, move, why)
