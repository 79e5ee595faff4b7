"""The chooser: command line, page and Python all ask it who wins at Domineering.

It owns the tables and the memory. It asks in this order: whether the game is over, the rules and the shipped facts
(empty boards of any size), the regions of a strategy (positions of such boards), a search. Small boards are searched
first: that takes no time, and shows nodes and a winning move.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from zermelo import _core, game
from zermelo.domineering.position import LARGEST_BOARD, Move, Player, Position, core_player, opponent
from zermelo.domineering.searcher import (
    BOUNDS,
    COVER_FEATURES,
    LARGEST_SIDE,
    PAPER_FEATURES,
    REPLACEMENTS,
    Way,
    checked_names,
    component_search,
    features,
    obsequi_settings,
    search,
    takes_components,
    winner_of,
)
from zermelo.game import Answer, Clock, Limits
from zermelo.game.limits import STOPPED
from zermelo.game.marking import allowances
from zermelo.running import run_cancellable

SMALL = 64
"""Boards of at most this many squares, with sides up to LARGEST_SIDE, are searched before the rules are asked."""
SIZES = 3
"""A chooser keeps the searches, with their tables, for this many sizes of boards."""


class DomineeringChooser:
    """Answers questions about Domineering positions; several threads may ask at once."""

    def __init__(
        self, limits: Limits, options: Mapping[str, Any] = {}, *, for_proof: bool = False, sizes: int = SIZES
    ) -> None:
        """Take memory and threads from the limits, and how to search from the options.

        :param for_proof: whether its searches must be such that a certificate can be written from them.
        :param sizes: for how many sizes of boards it keeps searches.
        :raises ValueError: if an option is bad, or has no effect with the others.
        """
        given = dict(options)
        self.limits, self.for_proof, self._sizes = limits, for_proof, sizes
        self.method: str = given.pop("method", "auto")
        if self.method == "rules" and (given or limits.threads > 1):
            raise ValueError(f"--{next(iter(given), 'threads')} belongs to --method search: the rules search nothing")
        if given and self.method == "auto":
            self.method = "search"  # the options are those of a search
        self._bounds = checked_names(given.get("bounds", ()), BOUNDS, "bound")
        self._features = features(given.get("without", ()), given.get("with", ()))
        checked_names(filter(None, [given.get("replacement")]), REPLACEMENTS, "replacement scheme")
        self._given = given
        self._lock = threading.Lock()
        self._searches: OrderedDict[tuple[int, int], _core.ComponentSearch] = OrderedDict()

    # Which search

    def papers_settings(self, position: Position) -> _core.ObsequiSettings | None:
        """Return how the search of the papers takes a position; None if it is searched by strips.

        :raises ValueError: if an option has no effect on the search that takes the board.
        """
        by_strips = takes_components(position.board)
        bounds = self._bounds or frozenset(["strip"] if by_strips else ["real", "cover"])
        given = {name: self._given[name] for name in ("without", "with", "replacement") if self._given.get(name)}
        if "strip" in bounds:
            if not by_strips:
                raise ValueError(
                    f"strip bounds are for rectangles with sides up to {LARGEST_SIDE}, not for {position.lattice.spec}"
                )
            if len(bounds) > 1:
                raise ValueError("strip bounds have a search of their own: --bounds strip, or --bounds real,cover")
            for name in given:
                raise ValueError(f"--{name} belongs to the search of the papers: add --bounds real,cover")
            return None
        without, added = set(given.get("without", ())), set(given.get("with", ()))
        for feature in sorted((without - PAPER_FEATURES) | (added & PAPER_FEATURES)):
            raise ValueError(f"{feature} is {'on' if feature in PAPER_FEATURES else 'off'} already")
        for feature in sorted(without | added):
            if feature in COVER_FEATURES and "cover" not in bounds:
                raise ValueError(f"{feature} belongs to the cover bound, which is not among --bounds")
        return obsequi_settings(bounds, self._features, given.get("replacement", "find-first"), self.limits)

    def component_search(self, position: Position) -> _core.ComponentSearch:
        """Return the search for boards of a size. The size that was used longest ago is dropped to bound the memory."""
        wanted = position.rows, position.cols
        with self._lock:
            if wanted not in self._searches:
                while len(self._searches) >= self._sizes:
                    self._searches.popitem(last=False)
                self._searches[wanted] = component_search(*wanted, self.limits, for_proof=self.for_proof)
            self._searches.move_to_end(wanted)
            return self._searches[wanted]

    def resumable(self, position: game.Position) -> _core.ComponentSearch:
        """Return the search by strips, which alone can be resumed; the rules are not asked from now on.

        :raises ValueError: if the position is searched in another way.
        """
        position = cast(Position, position)
        if self.method == "rules":
            raise ValueError("--resume belongs to --method search: the rules search nothing")
        if position.lattice.area > LARGEST_BOARD or self.papers_settings(position) is not None:
            name = position.lattice.spec
            raise ValueError(f"only the search by strips can be resumed, and {name} is not searched that way here")
        self.method = "search"
        return self.component_search(position)

    # Answers

    def answer(self, position: game.Position, first: str, limits: Limits, *, want_move: bool = True) -> Answer:
        position, first, clock = cast(Position, position), cast(Player, first), Clock(limits)
        if self.method == "rules" and not position.is_empty:
            raise ValueError("the rules know empty boards given by their size only, such as 3x1000")
        area = position.lattice.area
        if area <= LARGEST_BOARD or not position.is_empty:
            over = position.decided(first)
            if over is not None:
                return Answer(first, over, "over", why=f"the game is over: {first} cannot move")
        if self.method == "search" and area > LARGEST_BOARD:
            rules = "the rules may know it: zermelo why, zermelo proof derive"
            raise ValueError(f"{position.lattice.spec} cannot be searched: at most {LARGEST_BOARD} squares; {rules}")
        small = area <= SMALL and max(position.size) <= LARGEST_SIDE
        if self.method == "rules" or (self.method == "auto" and not small):
            from zermelo.domineering.by_rules import answer_by_rules

            answer = answer_by_rules(position, first, clock, want_move)
            if answer is not None:
                return answer
        if self.method == "rules":
            spec = position.text
            raise ValueError(f"the rules do not decide {spec}: zermelo why {spec} shows the known part")
        if self.method == "auto" and area > SMALL and position.topology == "rectangle" and not position.is_empty:
            inner, down, right = position.framed()
            if inner.lattice.area < area and (inner.is_empty or area > LARGEST_BOARD):
                found = self.answer(inner, first, clock.left(), want_move=want_move)
                move = cast("Move | None", found.move)
                return replace(found, move=move and Move(first, move.row + down, move.col + right))
        if area > LARGEST_BOARD:
            from zermelo.domineering.by_rules import known_in_part

            said = f"the rules say {known_in_part(position) or 'nothing of it'}"
            why = f"unknown: {said}, and over {LARGEST_BOARD} squares nothing is searched"
            return Answer(first, None, "limit", why=why, seconds=clock.seconds, limit="size", remark=said)
        answer = self._by_search(position, first, clock, want_move)
        if answer.winner is not None or self.method != "auto":
            return answer
        from zermelo.domineering.by_rules import answer_by_rules, known_in_part

        if small:
            known = answer_by_rules(position, first, clock, want_move=False)
            return answer if known is None or known.winner is None else known
        said = known_in_part(position)
        if not said:
            return answer
        remark = "; ".join(filter(None, (answer.remark, f"the rules say {said}")))
        return replace(answer, why=f"{answer.why}; the rules say {said}", remark=remark)

    def _by_search(self, position: Position, first: Player, clock: Clock, want_move: bool) -> Answer:
        if position.topology == "torus" and position.is_empty:
            return self._by_only_move(position, first, clock)
        way = self.papers_settings(position) or self.component_search(position)
        found = search(position.board, first, way, clock.left(), want_move)
        winner = winner_of(found, first)
        if winner is None:
            limit = STOPPED.get(found.stopped, "memory")
            remark = (
                "the tables of this board were not ready in that time" if limit == "time" and not found.nodes else ""
            )
            answer = Answer.unknown(first, clock, limit=limit, remark=remark)
            return replace(answer, nodes=found.nodes, evaluations=found.evaluations, seconds=found.seconds)
        move = None if winner != first or found.move is None else Move.from_core(found.move)
        if winner == first and move is None and want_move:
            move = self._winning_move(position, first, clock, way)
        return Answer(first, winner, "search", move, "proved by search", found.nodes, found.evaluations, found.seconds)

    def _by_only_move(self, torus: Position, first: Player, clock: Clock) -> Answer:
        """Search an empty torus after its first move: shifting the torus along itself carries each to every other.

        One in the middle leaves the most mirror images.
        """
        down = torus.rows // 2 if first == "V" else (torus.rows + 1) // 2
        right = torus.cols // 2 if first == "H" else (torus.cols + 1) // 2
        move = Move(first, down, right)
        found = self._by_search(torus.after(move), opponent(first), clock, want_move=False)
        return replace(found, first=first, move=move if found.winner == first else None)

    def _winning_move(self, position: Position, first: Player, clock: Clock, way: Way) -> Move | None:
        """Find a winning move where a bound decided before any move was tried; None if a limit was reached."""
        if isinstance(way, _core.ComponentSearch):
            left = clock.left().with_(nodes=None, on_progress=None)
            found = run_cancellable(
                lambda token: way.winning_move(position.board, core_player(first), left.of_core(token)), left.cancel
            )
            return None if found is None else Move.from_core(found)
        moves = position.moves(first)
        for nodes in allowances(None):
            undecided = []
            for move in moves:
                left = clock.left().with_(nodes=nodes, on_progress=None)
                reply = self.answer(position.after(move), opponent(first), left, want_move=False)
                if reply.winner == first:
                    return move
                if clock.over:
                    return None
                if reply.winner is None:
                    undecided.append(move)
            moves = undecided
        return None
