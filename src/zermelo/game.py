"""What a game is: positions, answers, and the services that every door is written against.

A game is one object, found by name in the registry (entry points of the group ``zermelo.games``). Rules and a picture
are enough: :class:`Game` has a plain, slow and short version of every service. A game that can do better says so by
overriding it. Nothing outside a game's own folder knows a game by name.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from zermelo._core import CancelToken

if TYPE_CHECKING:
    from zermelo.draw.board import Area
    from zermelo.marking import Choice
    from zermelo.proof.container import Bytes, Claim
    from zermelo.units import Tree

Player = str
"""A player by the short name that texts and files use: ``V``, ``X``."""
DRAW = "draw"
"""Stands where a winner's name would, in games that can end so."""
Mark = Literal["win", "draw", "loss", "unknown"]
Square = tuple[int, int]
"""Row and column of a picture, both from 1, rows from the top."""


# Limits and progress


@dataclass(frozen=True)
class Limits:
    """What an answer may cost. A limit that is reached gives "unknown", never a guess."""

    seconds: float | None = None
    nodes: int | None = None
    memory: int = 1 << 30
    """Bytes for tables."""
    threads: int = 1

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError("the time limit must be more than 0 seconds")
        if self.nodes is not None and self.nodes < 1:
            raise ValueError("the node limit must be at least 1")
        if not 1 <= self.threads <= 256:
            raise ValueError(f"{self.threads} threads are not possible: 1 to 256")

    def with_(self, **changes: Any) -> Limits:
        """Return the same limits with some of them changed."""
        return replace(self, **changes)


class Clock:
    """What is left of some limits: started once, asked wherever work goes on."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._begin = time.monotonic()
        self._end = math.inf if limits.seconds is None else self._begin + limits.seconds
        self.nodes = 0
        """Nodes spent so far; whoever searches adds to it."""

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._begin

    @property
    def seconds_left(self) -> float:
        """Seconds until the time limit, infinity without one, at least 0."""
        return max(0.0, self._end - time.monotonic())

    @property
    def over(self) -> bool:
        """Whether the time or the nodes are spent."""
        spent = self.limits.nodes is not None and self.nodes >= self.limits.nodes
        return spent or self.seconds_left <= 0

    def left(self) -> Limits:
        """Return what is left, at least a little of each."""
        seconds = None if self.limits.seconds is None else max(0.001, self.seconds_left)
        nodes = None if self.limits.nodes is None else max(1, self.limits.nodes - self.nodes)
        return self.limits.with_(seconds=seconds, nodes=nodes)


@dataclass(frozen=True)
class Progress:
    """How far a search has come; ``share`` is a guess of the finished part, where there is one."""

    nodes: int
    seconds: float
    share: float | None = None
    note: str = ""


OnProgress = Callable[[Progress], None]


def unknown_words(limits: Limits, cancel: CancelToken | None = None) -> str:
    """Say which limits left a question open.

    >>> unknown_words(Limits(seconds=20, nodes=40_640))
    'unknown within 20 s and 40,640 nodes'
    """
    if cancel is not None and cancel.cancelled:
        return "unknown: stopped"
    words = [] if limits.seconds is None else [f"{limits.seconds:g} s"]
    if limits.nodes is not None:
        words.append(f"{limits.nodes:,} node{'' if limits.nodes == 1 else 's'}")
    return f"unknown within {' and '.join(words) or 'the memory'}"


# Answers

Source = Literal["over", "rules", "fact", "search", "symmetry", "limit"]
"""Where an answer comes from: the game is over, the rules for boards of any size, a fact that ships with the package,
a search, the other starter's answer turned round, or nothing: a limit was reached."""


@dataclass(frozen=True)
class Answer:
    """Who wins a position when ``first`` is to move."""

    first: Player
    winner: Player | None
    """A player, :data:`DRAW`, or None where a limit was reached."""
    by: Source
    move: str | None = None
    """A move with which ``first`` gets that result, where she wins or draws and one is known."""
    why: str = ""
    """The source in words: "proved by search", "by the rules: ...", "unknown within 20 s"."""
    nodes: int = 0
    evaluations: int = 0
    seconds: float = 0.0
    certificate: str | None = None
    """The hash of a certificate that was verified, where the source is a fact that has one."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What only this game can say (pairs, zone, rule steps), plain data for ``--json``."""

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
            "move": self.move,
            "by": self.by,
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
    """The game's code for the result (:attr:`Game.outcomes`), ``unknown``, or None if a starter was not asked for."""
    threads: int = 1
    version: str = ""

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
        """Whether every starter that was asked for has a result."""
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
        }


# Positions


class Move(Hashable, Protocol):
    """A move: anything that can be compared and hashed, and whose text is what people type."""

    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Piece:
    """What a move has put on the board."""

    player: Player
    squares: tuple[Square, ...]
    last: bool = False


@dataclass(frozen=True)
class MoveView:
    """A legal move as the page and pictures show it."""

    id: str
    squares: tuple[Square, ...]


@dataclass(frozen=True)
class View:
    """A position as plain data, for the page, the terminal and pictures: a grid of squares.

    ``wraps_rows``: the rows are rings, so that a piece may go over the left and right edge; ``wraps_cols``: the columns
    are. ``texts`` are words on squares (names of vertices); ``edges`` are sets of squares that belong together (the
    winning sets of a hypergraph).
    """

    rows: int
    cols: int
    row_labels: tuple[str, ...]
    col_labels: tuple[str, ...]
    pieces: tuple[Piece, ...] = ()
    blocked: tuple[Square, ...] = ()
    wraps_rows: bool = False
    wraps_cols: bool = False
    texts: Mapping[Square, str] = field(default_factory=dict)
    edges: tuple[tuple[Square, ...], ...] = ()


class Position(ABC):
    """One position of a game: immutable, hashable, picklable, equal by content."""

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game it is a position of."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The spec that :meth:`Game.parse` reads; it keeps the moves it was given."""

    @property
    def to_move(self) -> Player | None:
        """Whose turn it is, where the position says so; None where either may begin."""
        return None

    @property
    def history(self) -> tuple[str, tuple[str, ...]]:
        """The text of the start and the moves since, where the text keeps them; else the text itself and no moves."""
        return self.text, ()

    @abstractmethod
    def moves(self, player: Player) -> Sequence[Move]:
        """Return the player's legal moves in the order of the certificate format; none where the game is over."""

    @abstractmethod
    def after(self, move: Move | str) -> Position:
        """Return the position after a move.

        :raises ValueError: if it is not legal.
        """

    def turn_of(self, player: Player) -> Position:
        """Return the position with the player to move, for games in which a position can tell; else just itself.

        It makes a move such as ``a`` clear where either player may begin and both have the same moves.
        """
        return self

    @abstractmethod
    def key(self) -> str:
        """Return a text that is the same for all images of the position under its symmetries."""

    @abstractmethod
    def decided(self, player: Player) -> Player | None:
        """Return the winner, or :data:`DRAW`, where the game is over with ``player`` to move; else None."""

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of the picture."""
        view = self.view()
        return view.rows, view.cols

    @abstractmethod
    def view(self) -> View:
        """Return the position as plain data."""

    def move_view(self, move: Move) -> MoveView:
        """Return the squares of a legal move; the pieces that it adds to the view, unless a game knows better."""
        before = {square for piece in self.view().pieces for square in piece.squares}
        added = [square for piece in self.after(move).view().pieces for square in piece.squares]
        return MoveView(str(move), tuple(square for square in added if square not in before))

    def __str__(self) -> str:
        from zermelo.draw.text import grid

        return grid(self.view())

    def _repr_svg_(self) -> str:
        from zermelo.draw.board import view_svg

        return view_svg(self.view(), players=self.game.players, title=f"{self.game.title}: {self.text}")


# Services


class Chooser(Protocol):
    """Owns tables and memory, and answers many questions with them: by rules, facts, bounds or search.

    Every door asks one of these. Several threads may ask at once.
    """

    def answer(
        self,
        position: Position,
        first: Player,
        limits: Limits,
        *,
        cancel: CancelToken | None = None,
        on_progress: OnProgress | None = None,
        want_move: bool = True,
    ) -> Answer:
        """Say who wins when ``first`` is to move; only ``seconds`` and ``nodes`` of the limits count here."""


class Machine(Protocol):
    """Plays one side of a game: in the terminal, in tests, and wherever a machine has to move."""

    def reply(self, position: Position) -> Choice:
        """Return a move in a position in which it is this side's turn, and what is known of it.

        The position may be any that can come up, also after moves were taken back.
        """


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
    """Whose pieces the picture shows: each has its colour."""

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _repr_svg_(self) -> str | None:
        from zermelo.draw.board import view_svg

        if self.view is None:
            return None
        title = self.lines[0] if self.lines else "explanation"
        return view_svg(self.view, players=self.players, areas=self.areas, caption=self.caption, title=title)


@dataclass(frozen=True)
class Report:
    """What a service that only some games have has to say."""

    lines: tuple[str, ...]
    data: Mapping[str, Any]
    picture: Callable[[], str] | None = None
    """Makes an SVG picture."""
    csv: Callable[[], str] | None = None
    sound: bool = True
    """False where something that was to be confirmed was not."""


@dataclass(frozen=True)
class Written:
    """A certificate that was written, or why none was: ``winner`` is None when a limit was reached."""

    winner: str | None
    path: Path | None
    size: int = 0
    positions: int = 0
    nodes: int = 0
    solving_seconds: float = 0.0
    proof_seconds: float = 0.0
    searched_again: int = 0


@dataclass(frozen=True)
class Step:
    """One place in the strategy of a certificate."""

    position: Position
    to_move: Player
    text: str
    """What the strategy does here, in a sentence."""
    moves: tuple[str, ...] = ()
    """The moves that can be followed: the winner's answer, or the loser's moves."""
    areas: tuple[Area, ...] = ()
    """What a leaf counts, over the board."""
    caption: tuple[str, ...] = ()
    leaf: bool = False


class Replay(Protocol):
    """Walks through the strategy of a certificate. A reader, not a checker: it follows the file and believes it."""

    def step(self, moves: Sequence[str]) -> Step:
        """Return the place after some moves, both players' in turn.

        :raises ValueError: if the strategy never plays that way.
        """


@dataclass(frozen=True)
class Option:
    """One thing that only this game's ``solve`` or ``explain`` can be told, as the command line offers it."""

    name: str
    help: str
    default: Any = None
    """None means "not given"; the type is that of ``kind``."""
    kind: Literal["text", "texts", "number", "flag"] = "text"
    choices: tuple[str, ...] = ()


class Game(ABC):
    """A game by its rules, and the services that come with it."""

    name: str
    """As in ``zermelo solve NAME SPEC``."""
    title: str
    players: tuple[Player, Player]
    player_names: Mapping[Player, str]
    rules: str
    """The rules in three sentences."""
    spec_help: str
    """What a spec looks like, with examples, in one line."""
    examples: tuple[str, ...]
    """Specs to begin with, the most natural first."""
    outcomes: Mapping[str, str]
    """Every code of a result and what it means in words."""
    solve_options: tuple[Option, ...] = ()
    explain_options: tuple[Option, ...] = ()
    explanations: Mapping[str, str] = {"moves": "Who wins, and with which moves"}
    """The kinds of explanation, and their titles."""
    impartial: bool = False
    """Whether both players always have the same moves, so that it matters only who moves next."""
    largest_page_board: int = 144
    """Squares of the largest board that the page takes."""

    # Rules

    @abstractmethod
    def parse(self, text: str) -> Position:
        """Read a position.

        :raises ValueError: with one sentence that says what is wrong and what would be right.
        """

    def read(self, text: str) -> Position:
        """Read what a person typed on this machine: a spec, or the name of a file where the game has some.

        A server takes :meth:`parse`, which opens no file.
        """
        return self.parse(text)

    def other(self, player: Player) -> Player:
        """Return the opponent.

        :raises ValueError: if there is no such player.
        """
        one, two = self.players
        if player not in self.players:
            raise ValueError(f"player {player!r} is not known: {one} or {two}")
        return two if player == one else one

    @abstractmethod
    def outcome(self, starts: Mapping[Player, Answer]) -> str | None:
        """Return the code of the result that the answers for some starters make together."""

    def detail_line(self, name: str, text: str) -> str:
        """Say one of an answer's details in a line of its own."""
        return f"{name.replace('_', ' ')}: {text}"

    def winner_words(self, winner: Player | None) -> str:
        """Say who wins in words."""
        if winner is None:
            return "unknown"
        return "a draw" if winner == DRAW else f"{self.player_names[winner]} wins"

    def ending(self, position: Position, player: Player) -> str:
        """Say in one sentence why the game is over with ``player`` to move."""
        winner = position.decided(player)
        if winner == self.other(player) and not position.moves(player):
            return f"{self.player_names[player]} has no move left."
        return "No move is left." if winner == DRAW else "The game is over."

    def likely(self, position: Position, player: Player, moves: Sequence[Move]) -> Move:
        """Return the one that looks best of some moves between which no proof decides.

        The plain version keeps more moves than the opponent has, where both may move, and then likes the middle.
        """
        view, other = position.view(), self.other(player)

        def worth(move: Move) -> tuple[int, float]:
            after = position.after(move)
            ahead = len(after.moves(player)) - len(after.moves(other)) if after.to_move is None else 0
            squares = position.move_view(move).squares
            off = sum(abs(2 * row - view.rows - 1) + abs(2 * col - view.cols - 1) for row, col in squares)
            return ahead, -off / max(1, len(squares))

        return max(moves[:: 1 + len(moves) // 200], key=worth)

    def to_json(self, result: Result) -> dict[str, Any]:
        """Return the stable JSON form of a result; a game adds its own keys here."""
        return result.to_json()

    # Services: each is the plain version unless the game overrides it

    def chooser(self, limits: Limits, options: Mapping[str, Any] | None = None) -> Chooser:
        """Return what answers questions with these tables and threads; ``options`` are of :attr:`solve_options`.

        :raises ValueError: if an option is bad, or has no effect with the others: nothing is ignored.
        """
        from zermelo.plain import PlainChooser

        return PlainChooser(self, limits, options)

    def solve(
        self,
        position: Position | str,
        *,
        first: Player | None = None,
        limits: Limits | None = None,
        options: Mapping[str, Any] | None = None,
        chooser: Chooser | None = None,
        cancel: CancelToken | None = None,
        on_progress: Callable[[Player, Progress], None] | None = None,
    ) -> Result:
        """Say who wins: for ``first``, or for whoever may begin. Limits count for the call as a whole."""
        from zermelo import __version__

        position = self.parse(position) if isinstance(position, str) else position
        limits = limits or Limits()
        clock, starts = Clock(limits), dict[Player, Answer]()
        for player in self.starters(position, first):
            report = None if on_progress is None else _for_player(on_progress, player)
            answer = self.turned_round(position, player, starts)
            if answer is None:
                # A chooser of our own starts afresh for each starter: what one costs does not depend on the other.
                asked = chooser or self.chooser(limits, options)
                answer = asked.answer(position, player, clock.left(), cancel=cancel, on_progress=report)
            clock.nodes += answer.nodes
            starts[player] = answer
        return Result(self.name, position.text, starts, self.outcome(starts), limits.threads, __version__)

    def starters(self, position: Position, first: Player | None) -> tuple[Player, ...]:
        """Return who begins: the one that is asked for, the one whose turn it is, or either.

        :raises ValueError: if the one that is asked for cannot begin here.
        """
        if first is not None:
            self.other(first)
            if position.to_move not in (None, first):
                raise ValueError(f"it is the turn of {position.to_move} in {position.text}, not of {first}")
            return (first,)
        return self.players if position.to_move is None else (position.to_move,)

    def turned_round(self, position: Position, player: Player, starts: Mapping[Player, Answer]) -> Answer | None:
        """Return the answer that follows from the other starter's by a symmetry that exchanges the players."""
        known = starts.get(self.other(player))
        if not self.impartial or known is None or known.winner is None:
            return None
        winner = DRAW if known.winner == DRAW else self.other(known.winner)
        why = f"as when {self.other(player)} begins: both have the same moves"
        return Answer(player, winner, "symmetry", known.move, why, certificate=known.certificate)

    def explain(
        self,
        position: Position,
        kind: str,
        *,
        limits: Limits | None = None,
        options: Mapping[str, Any] | None = None,
        cancel: CancelToken | None = None,
    ) -> Explanation:
        """Explain a position in one of the ways of :attr:`explanations`.

        :raises ValueError: if there is nothing to say, or an option is bad.
        """
        from zermelo.plain import explain

        if kind not in self.explanations or any(value is not None for value in (options or {}).values()):
            raise ValueError(f"{self.title} is explained by {' or '.join(self.explanations)}, and without options")
        return explain(self, position, limits or Limits(seconds=5), cancel)

    def machine(self, position: Position, player: Player, limits: Limits, chooser: Chooser) -> Machine:
        """Return what plays one side from this position on; the limits count for each move.

        The plain version asks the chooser and marks moves. A game that has strategies for boards that nobody can search
        overrides it.
        """
        from zermelo.marking import MarkingMachine

        return MarkingMachine(player, limits, chooser)

    def proof_chooser(self, limits: Limits, options: Mapping[str, Any] | None = None) -> Chooser:
        """Return a chooser from whose answers :meth:`prove` then writes without a second search.

        :raises ValueError: if an option is bad, or there are no certificates of what it finds.
        """
        return self.chooser(limits, options)

    def prove(
        self,
        position: Position,
        first: Player,
        path: Path,
        *,
        limits: Limits | None = None,
        options: Mapping[str, Any] | None = None,
        chooser: Chooser | None = None,
        cancel: CancelToken | None = None,
        on_progress: OnProgress | None = None,
    ) -> Written:
        """Say who wins when ``first`` is to move, and write the certificate; a chooser that knows saves the search."""
        from zermelo.plain import prove

        return prove(
            self, position, first, path, limits or Limits(), chooser=chooser, cancel=cancel, on_progress=on_progress
        )

    # Certificates: which the game writes and reads

    claim_codes: tuple[int, ...] = ()
    """The game bytes of checker/FORMAT.md that belong to this game."""

    def claim_bytes(self, position: Position, starter: Player, winner: Player) -> bytes:
        """Return the claim as the format writes it, with its game byte.

        :raises ValueError: if there are no certificates of such a position.
        """
        from zermelo.plain import grid_claim

        return grid_claim(self, position, starter, winner)

    def read_claim(self, code: int, payload: Bytes) -> Claim:
        """Read a claim after its game byte ``code``; the payload then stands at the proof.

        :raises ValueError: if it is malformed.
        """
        from zermelo.plain import read_grid_claim

        return read_grid_claim(self, payload)

    def claim_words(self, claim: Claim) -> str:
        """Say in one sentence what a certificate claims."""
        one, two = (self.player_names.get(name, name.capitalize()) for name in (claim.winner, claim.starter))
        return f"{one} wins {claim.spec} when {two} begins."

    def replay(self, payload: bytes, *, limits: Limits | None = None, cancel: CancelToken | None = None) -> Replay:
        """Return a walk through the strategy of a certificate's payload.

        :raises ValueError: if it is malformed, or too large for the limits.
        """
        from zermelo.plain import PlainReplay

        return PlainReplay(self, payload, limits or Limits(), cancel)

    def proof_counts(self, payload: bytes) -> Mapping[str, int]:
        """Count what a certificate holds, by kind."""
        from zermelo.plain import PlainReplay

        return PlainReplay(self, payload, Limits()).counts

    def trimmed_proof(self, payload: bytes) -> bytes:
        """Return the payload without what nothing in it rests on.

        :raises ValueError: if such certificates have nothing superfluous.
        """
        raise ValueError(f"certificates of {self.title} are written without anything superfluous; nothing to trim")

    def merged_proof(self, parts: Sequence[bytes], root: Position, starter: Player, winner: Player) -> bytes:
        """Join the payloads of certificates after moves into one of the position before them.

        :raises ValueError: if a part is missing, or certificates of this game cannot be joined.
        """
        raise ValueError(f"certificates of {self.title} cannot be joined")

    # Campaigns

    def campaign_tree(self, spec: str, first: Player, winner: Player) -> Tree:
        """Return a claim and the game below it as a campaign plans, solves and joins it; see :mod:`zermelo.units`.

        Empty names stand for whoever begins here, and for whom it is natural to claim a win.

        :raises ValueError: if the claim is wrong, or there are no campaigns of such positions.
        """
        from zermelo.units import PlainTree

        return PlainTree(self, spec, first, winner)


def _for_player(report: Callable[[Player, Progress], None], player: Player) -> OnProgress:
    return lambda progress: report(player, progress)


# The registry


@cache
def _entries() -> dict[str, Any]:
    from importlib.metadata import entry_points  # slow to load, and help needs no game

    found = sorted(entry_points(group="zermelo.games"), key=lambda entry: entry.name)
    ours = [entry for entry in found if entry.value.startswith("zermelo.")]
    return {entry.name: entry for entry in [*ours, *(entry for entry in found if entry not in ours)]}


def game_names() -> tuple[str, ...]:
    """Return the names of all games that are installed, ours first; nothing is loaded."""
    return tuple(_entries())


@cache
def find_game(name: str) -> Game:
    """Return the game of that name.

    :raises ValueError: if there is none; the message lists those that are.
    """
    entry = _entries().get(name)
    if entry is None:
        raise ValueError(f"game {name[:40]!r} is not known: {', '.join(game_names())}")
    game: Game = entry.load()
    return game


def games() -> Iterator[Game]:
    """Load and return all games that are installed."""
    return (find_game(name) for name in game_names())


def games_with(service: str) -> Iterator[Game]:
    """Return the games that offer a service beyond those that all have, such as ``derive`` or ``value``."""
    return (game for game in games() if hasattr(game, service))
