"""The results of a game's services: answers, explanations, reports, certificates, places in a proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from zermelo.draw.board import Area, view_svg
from zermelo.game.limits import Clock, Limit, unknown_words
from zermelo.game.positions import DESCRIBED, DRAW, Move, Player, Position, Square, View

if TYPE_CHECKING:
    from zermelo.game.resume import ResumeFile

Mark = Literal["win", "draw", "loss", "unknown"]
Source = Literal["over", "rules", "fact", "search", "symmetry", "limit"]
"""Where an answer comes from: the game is over, the rules for boards of any size, a fact that ships with the package,
a search, the other starter's answer turned round, or nothing: a limit was reached (:attr:`Answer.limit`)."""


@dataclass(frozen=True)
class Answer:
    """Who wins a position when ``first`` is to move."""

    first: Player
    winner: Player | None
    """A player, :data:`DRAW`, or None where a limit was reached."""
    by: Source
    move: Move | None = None
    """A move with which ``first`` gets that result, where she wins or draws and one is known."""
    why: str = ""
    """The source in words: "proved by search", "by the rules: ...", "unknown within 20 s"."""
    nodes: int = 0
    evaluations: int = 0
    seconds: float = 0.0
    certificate: str | None = None
    """The hash of a certificate that was verified, where the source is a fact that has one."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Details of this game only (pairs, zone, rule steps): plain data for ``--json``."""
    limit: Limit | None = None
    """The limit that left the question open; None where the winner is known."""
    remark: str = ""
    """Partial knowledge where the winner is unknown: "the rules say only that ..."; the end of :attr:`why`."""

    @classmethod
    def unknown(cls, first: Player, clock: Clock, *, limit: Limit | None = None, remark: str = "") -> Answer:
        """Return the answer of a search that a limit cut short, with the nodes and seconds of its clock."""
        limit = limit or clock.reached
        why = "; ".join(filter(None, (unknown_words(clock.limits, limit), remark)))
        return cls(first, None, "limit", None, why, clock.nodes, seconds=clock.seconds, limit=limit, remark=remark)

    @property
    def mark(self) -> Mark:
        """The result as ``first`` sees it."""
        if self.winner is None:
            return "unknown"
        return "draw" if self.winner == DRAW else "win" if self.winner == self.first else "loss"

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        return {
            "winner": self.winner,
            "move": None if self.move is None else str(self.move),
            "by": self.by,
            "limit": self.limit,
            "why": self.why,
            "nodes": self.nodes,
            "evaluations": self.evaluations,
            "seconds": round(self.seconds, 6),
            "certificate": self.certificate,
            **self.details,
        }


@dataclass(frozen=True)
class Result:
    """Who wins a position: one answer for each starter that was asked for."""

    game: str
    spec: str
    starts: Mapping[Player, Answer]
    outcome: str | None
    """The game's code for the result (:attr:`Game.outcomes`), ``unknown``, or None if one starter was left out."""
    threads: int = 1
    version: str = ""
    resume: ResumeFile | None = None
    """The file from which the search was resumed, if it was."""

    @property
    def nodes(self) -> int:
        """Positions entered, all starters together."""
        return sum(answer.nodes for answer in self.starts.values())

    @property
    def seconds(self) -> float:
        """Wall-clock seconds, all starters together."""
        return sum(answer.seconds for answer in self.starts.values())

    @property
    def known(self) -> bool:
        """Whether every answer has a winner, or is a draw."""
        return all(answer.winner is not None for answer in self.starts.values())

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        return {
            "game": self.game,
            "spec": self.spec,
            "outcome": self.outcome,
            "starts": {player: answer.to_json() for player, answer in self.starts.items()},
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "threads": self.threads,
            "version": self.version,
            **({} if self.resume is None else {"resume": self.resume.to_json()}),
        }


@dataclass(frozen=True)
class Explanation:
    """Why somebody wins or a bound decides: words, a picture over the board, plain data."""

    lines: tuple[str, ...]
    """The explanation in full, for the terminal."""
    caption: tuple[str, ...] = ()
    """The same in a sentence or two, for a picture."""
    areas: tuple[Area, ...] = ()
    view: View | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    players: tuple[Player, ...] = ()
    """The players of the pieces in the picture: each has a colour."""
    words: tuple[str, ...] = ()
    """The same for everybody, without formulas. If empty, the caption is enough."""
    winner: str | None = None
    """The player who wins by this explanation, or :data:`DRAW` if it only stops one; None if it decides nothing."""
    limited: bool = False
    """Whether a limit cut the explanation short."""

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _repr_svg_(self) -> str | None:
        if self.view is None:
            return None
        title = self.lines[0] if self.lines else "explanation"
        return view_svg(self.view, players=self.players, areas=self.areas, caption=self.caption, title=title)


@dataclass(frozen=True)
class Report:
    """The result of a service that only some games have."""

    lines: tuple[str, ...]
    data: Mapping[str, Any]
    picture: Callable[[], str] | None = None
    """Makes an SVG picture."""
    csv: Callable[[], str] | None = None


@dataclass(frozen=True)
class ValuedRegion:
    """A region in which the game goes on by itself, and its value where the limits allowed it."""

    squares: tuple[Square, ...]
    spec: str
    """The region with everything else blocked."""
    value: str | None
    """The canonical form, shortened if it is very long; none if it is too large to work out here."""
    value_full: str | None
    """The canonical form in full, if it can be printed; other programs of the field read it."""
    mean: str | None
    temperature: str | None

    __pydantic_config__ = DESCRIBED


@dataclass(frozen=True)
class Regions:
    """The regions with a move for somebody, largest first. ``sum`` is the value of the whole position."""

    regions: tuple[ValuedRegion, ...]
    sum: str | None
    sum_full: str | None


@dataclass(frozen=True)
class Written:
    """A certificate that was written, or why none was: ``winner`` is None when a limit was reached."""

    winner: str | None
    path: Path | None
    size: int = 0
    positions: int = 0
    nodes: int = 0


@dataclass(frozen=True)
class Step:
    """One place in the strategy of a certificate."""

    position: Position
    to_move: Player
    text: str
    """The move of the strategy, in a sentence."""
    moves: tuple[str, ...] = ()
    """The moves that can be followed: the winner's answer, or the loser's moves."""
    areas: tuple[Area, ...] = ()
    """The squares that a leaf counts, over the board."""
    caption: tuple[str, ...] = ()
    leaf: bool = False
    words: tuple[str, ...] = ()
    """The meaning of the areas, for everybody; the caption then has the formulas."""
