"""Who wins: one call for both starters, by rules, by symmetry or by search."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from zermelo import __version__, _core
from zermelo.domineering.engine import (
    DEFAULT_OPTIONS,
    SearchOptions,
    component_engine,
    search,
    uses_components,
    winner_of,
    winning_move,
)
from zermelo.domineering.position import PLAYERS, Move, Player, Position, opponent

Outcome = Literal["V", "H", "1", "2", "unknown"]
Progress = Callable[[Player, _core.Progress], None]


@dataclass(frozen=True)
class Start:
    """The answer for one starter; ``winner`` is None when a limit was reached."""

    first: Player
    winner: Player | None
    move: Move | None
    nodes: int
    evaluations: int
    seconds: float
    by: str

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        return {
            "winner": self.winner,
            "move": None if self.move is None else [self.move.row, self.move.col],
            "nodes": self.nodes,
            "evaluations": self.evaluations,
            "seconds": round(self.seconds, 6),
            "by": self.by,
        }


@dataclass(frozen=True)
class Result:
    """Who wins a position: per starter, and the outcome if both starters were asked for."""

    spec: str
    starts: Mapping[Player, Start]
    threads: int
    version: str = __version__

    @property
    def outcome(self) -> Outcome | None:
        """``V``, ``H``, ``1``, ``2`` or ``unknown``; None if only one starter was asked for."""
        if len(self.starts) < 2:
            return None
        return outcome_of(self.starts["V"].winner, self.starts["H"].winner)

    @property
    def nodes(self) -> int:
        """Positions entered, both starters together."""
        return sum(start.nodes for start in self.starts.values())

    @property
    def seconds(self) -> float:
        """Wall-clock seconds, both starters together."""
        return sum(start.seconds for start in self.starts.values())

    @property
    def known(self) -> bool:
        """Whether every starter that was asked for has a winner."""
        return all(start.winner is not None for start in self.starts.values())

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        return {
            "game": "domineering",
            "spec": self.spec,
            "outcome": self.outcome,
            "starts": {player: start.to_json() for player, start in self.starts.items()},
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "threads": self.threads,
            "version": self.version,
        }


def outcome_of(if_v_starts: Player | None, if_h_starts: Player | None) -> Outcome:
    """Combine the winners for both starters.

    >>> outcome_of("V", "H"), outcome_of("H", "V"), outcome_of("V", "V"), outcome_of(None, "V")
    ('1', '2', 'V', 'unknown')
    """
    if if_v_starts is None or if_h_starts is None:
        return "unknown"
    if if_v_starts == if_h_starts:
        return if_v_starts
    return "1" if if_v_starts == "V" else "2"


def transposed_start(start: Start) -> Start:
    """Turn the answer for one starter of a position that equals its own transpose into the other's."""
    move = start.move
    return Start(
        first=opponent(start.first),
        winner=None if start.winner is None else opponent(start.winner),
        move=None if move is None else Move(opponent(move.player), move.col, move.row),
        nodes=0,
        evaluations=0,
        seconds=0.0,
        by="symmetry",
    )


def solve(
    position: Position | str,
    *,
    first: Player | Literal["both"] = "both",
    options: SearchOptions = DEFAULT_OPTIONS,
    threads: int = 1,
    seconds: float | None = None,
    nodes: int | None = None,
    on_progress: Progress | None = None,
    cancel: _core.CancelToken | None = None,
    engine: _core.ComponentSearch | None = None,
) -> Result:
    """Find who wins, for one starter or both, with a winning move for a starter who wins.

    Limits count for the call as a whole; what they cut off is unknown, never guessed. An ``engine`` that is given keeps
    what it finds, for a certificate.

    >>> result = solve("4x4")
    >>> result.outcome, result.starts["V"].winner
    ('1', 'V')

    :raises ValueError: if the position or an option is bad.
    """
    if isinstance(position, str):
        position = Position.from_text(position)
    if first not in ("V", "H", "both"):
        raise ValueError(f"starter {first!r} is not known: V, H or both")
    if threads < 1 or threads > 256:
        raise ValueError(f"{threads} threads are not possible: 1 to 256")
    if seconds is not None and not seconds > 0:
        raise ValueError("the time limit must be more than 0 seconds")
    if nodes is not None and nodes < 1:
        raise ValueError("the node limit must be at least 1")
    wanted: tuple[Player, ...] = PLAYERS if first == "both" else (first,)
    symmetric = position.transposed() == position
    starts: dict[Player, Start] = {}
    begin = time.monotonic()
    for player in wanted:
        earlier = starts.get(opponent(player))
        if symmetric and earlier is not None:
            starts[player] = transposed_start(earlier)
            continue
        used = sum(start.nodes for start in starts.values())
        starts[player] = _search_start(
            position,
            player,
            options,
            threads=threads,
            seconds=None if seconds is None else max(0.001, seconds - (time.monotonic() - begin)),
            nodes=None if nodes is None else max(1, nodes - used),
            on_progress=on_progress,
            cancel=cancel,
            engine=engine,
        )
    return Result(spec=position.spec, starts=starts, threads=threads)


def _search_start(
    position: Position,
    first: Player,
    options: SearchOptions,
    *,
    threads: int,
    seconds: float | None,
    nodes: int | None,
    on_progress: Progress | None,
    cancel: _core.CancelToken | None,
    engine: _core.ComponentSearch | None,
) -> Start:
    report = None if on_progress is None else lambda progress: on_progress(first, progress)
    begin = time.monotonic()
    if engine is None and uses_components(position.board, options):
        engine = component_engine(position.board, options, threads)
    found = search(
        position.board,
        first,
        options,
        threads=threads,
        seconds=seconds,
        nodes=nodes,
        on_progress=report,
        cancel=cancel,
        engine=engine,
    )
    winner = winner_of(found, first)
    move = found.move
    if winner == first and move is None:
        move = winning_move(
            position.board,
            first,
            options,
            threads=threads,
            seconds=None if seconds is None else seconds - (time.monotonic() - begin),
            cancel=cancel,
            engine=engine,
        )
    return Start(
        first=first,
        winner=winner,
        move=Move.from_core(move) if winner == first and move is not None else None,
        nodes=found.nodes,
        evaluations=found.evaluations,
        seconds=found.seconds,
        by="search" if winner is not None else found.stopped.name.lower() + " limit",
    )
