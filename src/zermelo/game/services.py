"""A game by its rules and its services, each with a plain, slow and short version that serves every game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from zermelo.game.answers import Answer, Explanation, Regions, Report, Result, Step, Written
from zermelo.game.limits import Clock, Limits, OnProgress, Progress
from zermelo.game.positions import DRAW, Move, Player, Position, Square

if TYPE_CHECKING:
    from zermelo._core import BuildProgress, BuildReport, CancelToken
    from zermelo.cgt import Value
    from zermelo.game.catalogue import Catalogue
    from zermelo.game.distance import Distance
    from zermelo.game.marking import Choice
    from zermelo.game.values import Ledger
    from zermelo.game.watch import Watch
    from zermelo.proof.container import Bytes, Claim


class Chooser(Protocol):
    """Answers questions by rules, facts, bounds or search, and owns the tables for that.

    Every door asks a chooser. Several threads may ask at once.
    """

    def answer(self, position: Position, first: Player, limits: Limits, *, want_move: bool = True) -> Answer:
        """Say who wins when ``first`` is to move; of the limits all but ``memory`` and ``threads`` count here."""


class Machine(Protocol):
    """Plays one side of a game: in the terminal, in tests, and wherever a machine has to move."""

    def reply(self, position: Position) -> Choice:
        """Return a move in any position with this side to move, and its mark."""


class Replay(Protocol):
    """Walks through the strategy of a certificate. A reader, not a checker: it follows the file and believes it."""

    @property
    def walker(self) -> Player:
        """The player whose strategy it is: the winner, or in a draw the player who does not lose by it."""

    def step(self, moves: Sequence[str]) -> Step:
        """Return the place after both players' moves; a ValueError if the strategy never plays that way."""


# Services that only some games have


class Values(Protocol):
    """Values of positions, for games that a player loses who cannot move."""

    help: str
    examples: tuple[str, ...]
    database: Database | None
    """A file of values of all small positions, where the game has one."""

    def value(
        self, position: Position, *, cancel: CancelToken | None = None, on_progress: OnProgress | None = None
    ) -> Value:
        """Return the canonical value, within :func:`zermelo.cgt.limits`."""

    def id_in(self, ledger: Ledger, position: Position, watch: Watch) -> int:
        """Return the id of the value in the arena of a ledger, within the limits of both.

        :raises LimitReached: if a limit is reached in the arena.
        :raises Stopped: if one is reached elsewhere.
        """

    def nimber(self, position: Position) -> int | None:
        """Return the n of a position that is worth ``*n``; None where the value is another."""

    def cheap(self, position: Position) -> bool:
        """Whether the value of a part takes so little time that a search had better use it."""

    def regions(self, position: Position, cancel: CancelToken | None = None) -> Regions:
        """Return the regions in which the game goes on by itself, with their values within small limits."""

    def thermograph(self, position: Position) -> str:
        """Return an SVG picture."""

    def catalogue(
        self, squares: int, *, at_most: bool, within: str | None, file: Path | None, worth: str | None
    ) -> Catalogue:
        """Return all connected positions of so many squares, or all parts of the position ``within``.

        ``worth`` is the value of those that are wanted.
        """


class Database(Protocol):
    """A file with the values of all small positions of a game."""

    def database_path(self) -> Path | None:
        """Return where the file is looked for; None where there is no cache folder."""

    def build_database(
        self,
        squares: int,
        path: Path | None = None,
        *,
        seconds: float,
        memory: int,
        on_progress: Callable[[BuildProgress], None] | None = None,
    ) -> BuildReport:
        """Build or extend the file of values of all small positions."""


class Derivation(Protocol):
    """The result of the rules for a board, and the reasons."""

    @property
    def text(self) -> Sequence[str]: ...

    @property
    def data(self) -> Mapping[str, Any]: ...


class Chart(Protocol):
    """Who wins on all boards up to a size."""

    def _repr_svg_(self) -> str: ...


class Tables(Protocol):
    """Who wins on empty boards of any size, by rules and facts."""

    kinds: Mapping[str, str]
    """The kinds of boards, and their titles."""

    def chart(self, rows: int, cols: int, kind: str) -> Chart:
        """Return who wins on all boards up to a size."""

    def report(self, spec: str, facts: Path | None = None) -> Report:
        """Return the chart up to a size for the terminal; ``facts`` is a file in place of the shipped ones."""

    def facts(self, path: Path | None) -> Report:
        """Return the results about whole boards that the rules rest on; the shipped ones if no file is named."""

    def derive(self, board: str) -> Derivation:
        """Return the derivation of the outcome of an empty board, which is given by its size."""

    def published(self, position: Position) -> Report:
        """Return published results about a position that are not confirmed here. No answer uses them."""

    def write_derivation(
        self, board: str, first: Player, path: Path, *, squares: int | None = None, limits: Limits = Limits()
    ) -> Written:
        """Write a certificate of who wins; boards of at most ``squares`` are searched."""


@dataclass(frozen=True)
class Option:
    """An option that only this game's ``solve`` or ``explain`` has."""

    name: str
    help: str
    default: Any = None
    """None means "not given"; the type is that of ``kind``."""
    kind: Literal["text", "texts", "number", "flag"] = "text"
    choices: tuple[str, ...] = ()


def left_right_outcomes(players: tuple[Player, Player]) -> Mapping[str, str]:
    """Return the codes of results of a game whose players are Left and Right, and what they mean."""
    return {
        players[0]: "Left wins, whoever starts",
        players[1]: "Right wins, whoever starts",
        "first": "whoever moves first wins",
        "second": "whoever moves second wins",
        "unknown": "a limit was reached",
    }


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
    """The form of a spec, with examples, in one line."""
    examples: tuple[str, ...]
    """Specs to begin with, the most natural first."""
    outcomes: Mapping[str, str]
    """Every code of a result, with its meaning in words."""
    outcome_labels: Mapping[str, str] = {}
    """One character for each outcome that a table shows."""
    rules_example: str = ""
    """A spec with a few moves for the picture beside the rules; the first of the examples if empty."""
    glossary: Mapping[str, str] = {}
    """Words that its answers use, each explained in a sentence or two."""
    shapes: Mapping[str, str] = {}
    """Starts worth trying, by the name that people know them by."""
    famous: Mapping[str, str] = {}
    """Starts that people take for games of their own, by name: tic-tac-toe among the m,n,k games."""
    aliases: Mapping[str, str] = {}
    """Well-known names, in small letters, and their specs."""
    needs_name: bool = False
    """Whether its specs look like those of another game, so that commands need its name."""
    theory: Mapping[str, str] = {}
    """Pages of the documentation with its theorems, and their titles."""
    solve_options: tuple[Option, ...] = ()
    explain_options: tuple[Option, ...] = ()
    rule_options: tuple[Option, ...] = ()
    """Options that make another game of a position, for every command that takes one."""
    explanations: Mapping[str, str] = {"moves": "Who wins, and with which moves"}
    """The kinds of explanation, and their titles."""
    impartial: bool = False
    """Whether both players always have the same moves, so that it matters only who moves next."""
    largest_page_board: int = 144
    """Squares of the largest board that the page takes."""
    explain_examples: tuple[str, ...] = ()
    """Specs for the help of ``explain``; :attr:`examples` if empty."""
    normal_play: bool = False
    """Whether the player who cannot move loses. Then positions have values and sums, and name no player to move.

    Positions with one key have one value then, and :attr:`Position.components` may say how a position falls apart.
    """
    reshapes: bool = False
    """Whether squares of a start can be taken away and given back: :meth:`reshaped`."""

    @cached_property
    def values(self) -> Values | None:
        """The values of its positions: by the rules alone, where it is lost by the player who cannot move."""
        from zermelo.game.values import PlainValues

        return PlainValues(self) if self.normal_play else None

    @property
    def tables(self) -> Tables | None:
        """Who wins on empty boards of any size, where rules say it."""
        return None

    # Rules

    @abstractmethod
    def parse(self, text: str) -> Position:
        """Read a position, or raise a ValueError of one sentence: the mistake, and the right form."""

    def read(self, text: str) -> Position:
        """Read a spec, or the file of that name. Only commands use it: a server must open no file."""
        return self.parse(text)

    def other(self, player: Player) -> Player:
        """Return the opponent; a ValueError if there is no such player."""
        one, two = self.players
        if player not in self.players:
            raise ValueError(f"player {player!r} is not known: {one} or {two}")
        return two if player == one else one

    def outcome(self, starts: Mapping[Player, Answer]) -> str | None:
        """Return the code of the result that the answers for some starters make together.

        It is a player who wins whoever starts, ``first``, ``second`` or ``unknown``; None if a starter is missing.
        """
        if self.impartial:
            marks = {answer.mark for answer in starts.values()}
            return "first" if "win" in marks else "second" if "loss" in marks else "unknown"
        if len(starts) < 2:
            return None
        one, two = (starts[player].winner for player in self.players)
        if one is None or two is None:
            return "unknown"
        return one if one == two else "first" if one == self.players[0] else "second"

    def detail_line(self, name: str, text: str) -> str:
        """Say one of an answer's details in a line of its own."""
        return f"{name.replace('_', ' ')}: {text}"

    def winner_words(self, winner: Player | None) -> str:
        """Say who wins in words."""
        if winner is None:
            return "unknown"
        return "a draw" if winner == DRAW else f"{self.player_names[winner]} wins"

    def notations(self, position: Position) -> Mapping[str, str]:
        """Return the position as other programs write it, by their names."""
        return {}

    def rules_of(self, position: Position) -> str:
        """Return the rules in the words of one board; the rules of the game as a whole unless it knows better."""
        return self.rules

    def ending(self, position: Position, player: Player) -> str:
        """Say in one sentence why the game is over with ``player`` to move."""
        winner = position.decided(player)
        if winner == self.other(player) and not position.moves(player):
            return f"{self.player_names[player]} has no move left."
        return "No move is left." if winner == DRAW else "The game is over."

    def likely(self, position: Position, player: Player, moves: Sequence[Move]) -> Move:
        """Return the move that looks best, by :meth:`move_worth`; of very many moves only a few are looked at."""
        looks = min(200, 40_000 // len(moves))
        if looks < 2:
            return moves[len(moves) // 2]
        return max(moves[:: -(-len(moves) // looks)], key=self.move_worth(position, player))

    def move_worth(self, position: Position, player: Player) -> Callable[[Move], Any]:
        """Return a function that says how promising a move looks: more moves than the opponent, then the middle."""
        (rows, cols), other = position.size, self.other(player)

        def worth(move: Move) -> tuple[int, float]:
            after = position.after(move)
            ahead = len(after.moves(player)) - len(after.moves(other)) if after.to_move is None else 0
            squares = position.move_view(move).squares
            off = sum(abs(2 * row - rows - 1) + abs(2 * col - cols - 1) for row, col in squares)
            return ahead, -off / max(1, len(squares))

        return worth

    def small_positions(self, size: int) -> Iterable[Position]:
        """Return all positions of a size that do not fall apart, for lists of values."""
        raise ValueError(f"{self.title} lists no positions by size: name one with --within, and its parts are listed")

    def reshaped(self, position: Position, square: Square) -> Position:
        """Return the start of a position with one square taken away or given back, where the game allows it."""
        raise ValueError(f"boards of {self.title} have a fixed shape")

    def to_json(self, result: Result) -> dict[str, Any]:
        """Return the stable JSON form of a result; a game adds its own keys here."""
        return result.to_json()

    def options_given(self, options: Mapping[str, Any], known: Sequence[Option] | None = None) -> dict[str, Any]:
        """Return the options that are set; a ValueError if a name or a choice is not known."""
        known = self.solve_options if known is None else known
        unset: tuple[Any, ...] = (None, (), [], "")
        given = {name: value for name, value in options.items() if value is not False and value not in unset}
        for name, value in given.items():
            choices = {option.name: option.choices for option in known}
            if name not in choices:
                raise ValueError(f"no option {name!r} for {self.title}: {', '.join(choices) or 'there are none'}")
            for word in (value,) if isinstance(value, str) else value if choices[name] else ():
                if choices[name] and word not in choices[name]:
                    raise ValueError(f"{name} {str(word)[:40]!r} is not known: {', '.join(choices[name])}")
        return given

    def apply_rules(self, position: Position, options: Mapping[str, Any], first: Player | None = None) -> Position:
        """Return the position by the rules that :attr:`rule_options` choose, with ``first`` to move."""
        return position

    # Services: each is the plain version unless the game overrides it

    def chooser(self, limits: Limits, options: Mapping[str, Any] = {}) -> Chooser:
        """Return a chooser with these tables and threads. Options without effect are refused, not ignored."""
        from zermelo.game.normal_play import NormalPlayChooser
        from zermelo.game.plain import PlainChooser

        self.options_given(options)
        return NormalPlayChooser(self, limits) if self.normal_play else PlainChooser(self, limits)

    def solve(
        self,
        position: Position | str,
        *,
        first: Player | None = None,
        limits: Limits = Limits(),
        options: Mapping[str, Any] = {},
        chooser: Chooser | None = None,
        on_progress: Callable[[Player, Progress], None] | None = None,
        resume: str | Path | None = None,
    ) -> Result:
        """Say who wins: for ``first``, or for each player who may begin. The starters share the limits.

        :param resume: a file from which the search goes on, and in which it saves its results.
        :raises ValueError: if an option is bad, or the file is damaged or of another question.
        """
        from zermelo import __version__

        position = self.parse(position) if isinstance(position, str) else position
        if resume is not None:
            return self._resumed(position, first, limits, chooser or self.chooser(limits, options), on_progress, resume)
        clock, starts = Clock(limits), dict[Player, Answer]()
        starters = self.starters(position, first)
        for player in starters:
            answer = self.turned_round(position, player, starts)
            open_before = next((one for one in starts.values() if one.winner is None), None)
            if answer is None and open_before and self._follows(position, player, open_before.first):
                answer = replace(open_before, first=player, nodes=0, seconds=0.0)
            elif answer is None:
                waiting = [other for other in starters if other not in (*starts, player)]
                parts = 1 + sum(not self._follows(position, other, player) for other in waiting)
                # Each starter gets a new chooser: the nodes for one do not depend on the other.
                own = chooser or self.chooser(limits, options)
                report = None if on_progress is None else partial(on_progress, player)
                answer = own.answer(position, player, clock.left(parts).with_(on_progress=report))
            clock.nodes += answer.nodes
            starts[player] = answer
        return Result(self.name, position.text, starts, self.outcome(starts), limits.threads, __version__)

    def _resumed(
        self,
        position: Position,
        first: Player | None,
        limits: Limits,
        chooser: Chooser,
        on_progress: Callable[[Player, Progress], None] | None,
        path: str | Path,
    ) -> Result:
        """Solve with a file of results; both starters share the search."""
        from zermelo.game.resume import ResumableChooser, ResumeFile

        self.starters(position, first)  # refuses a bad starter before the file is made
        if not isinstance(chooser, ResumableChooser):
            raise ValueError(f"a search of {self.title} cannot be resumed")
        with ResumeFile(path, position, chooser.resumable(position)) as file:
            nodes = dict[Player, int]()

            def report(player: Player, progress: Progress) -> None:
                nodes[player] = progress.nodes
                file.nodes = sum(nodes.values())
                if on_progress is not None:
                    on_progress(player, progress)

            result = self.solve(position, first=first, limits=limits, chooser=chooser, on_progress=report)
            file.nodes = result.nodes
        return replace(result, resume=file)

    def _follows(self, position: Position, player: Player, known: Player) -> bool:
        """Whether the answer for one starter follows from any answer for the other."""
        answers = (Answer(known, winner, "search") for winner in self.players)
        return all(self.turned_round(position, player, {known: answer}) is not None for answer in answers)

    def starters(self, position: Position, first: Player | None) -> tuple[Player, ...]:
        """Return the players who may begin: ``first`` (a ValueError if it cannot), the player to move, or both."""
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
        self, position: Position, kind: str, *, limits: Limits = Limits(seconds=5), options: Mapping[str, Any] = {}
    ) -> Explanation:
        """Explain a position in one of the ways of :attr:`explanations`; a ValueError if there is nothing to say."""
        from zermelo.game.plain import explain

        self.options_given(options, self.explain_options)
        if kind not in self.explanations:
            raise ValueError(f"explanation {kind!r} is not known: {', '.join(self.explanations)}")
        return explain(self, position, limits)

    def distances(
        self, position: Position, player: Player, winners: Mapping[Move, Player], limits: Limits = Limits()
    ) -> dict[Move, Distance]:
        """Return in how many moves the game is over after each move; ``winners`` are the known winners after them."""
        from zermelo.game.distance import distances

        return distances(position, player, winners, limits)

    def machine(self, position: Position, player: Player, limits: Limits, chooser: Chooser) -> Machine:
        """Return a player for one side from this position on; the limits count for each move."""
        from zermelo.game.marking import MarkingMachine

        return MarkingMachine(player, limits, chooser)

    def proof_chooser(self, limits: Limits, options: Mapping[str, Any] = {}, folder: Path | None = None) -> Chooser:
        """Return a chooser that :meth:`prove` writes from without a second search; its files are in the folder."""
        return self.chooser(limits, options)

    def prove(
        self,
        position: Position,
        first: Player,
        path: Path,
        limits: Limits = Limits(),
        chooser: Chooser | None = None,
        answer: Answer | None = None,
    ) -> Written:
        """Write the certificate of who wins when ``first`` is to move; ``answer`` is the answer of the chooser."""
        from zermelo.game.plain import prove

        return prove(self, position, first, path, limits, chooser, answer)

    # Certificates: which the game writes and reads

    claim_codes: tuple[int, ...] = ()
    """The game bytes of checker/FORMAT.md that belong to this game."""

    @property
    def has_certificates(self) -> bool:
        """Whether the checkers know its rules, or those of a game that it is written as: Hex as a race."""
        return bool(self.claim_codes) or type(self).prove is not Game.prove

    def claim_bytes(self, position: Position, starter: Player, winner: Player) -> bytes:
        """Return the claim as the format writes it, with its game byte."""
        from zermelo.game.plain import grid_claim

        return grid_claim(self, position, starter, winner)

    def read_claim(self, code: int, payload: Bytes) -> Claim:
        """Read a claim after its game byte ``code``; the payload then stands at the proof."""
        from zermelo.game.plain import read_grid_claim

        return read_grid_claim(self, payload)

    def claim_words(self, claim: Claim) -> str:
        """Return the claim of a certificate in one sentence."""
        one, two = (self.player_names.get(name, name.capitalize()) for name in (claim.winner, claim.starter))
        return f"{one} wins {claim.spec} when {two} begins."

    def replay(self, payload: bytes, *, limits: Limits = Limits()) -> Replay:
        """Return a walk through a certificate's payload; a ValueError if it is malformed, or beyond the limits."""
        from zermelo.game.plain import PlainReplay

        return PlainReplay(self, payload, limits)

    def proof_counts(self, payload: bytes) -> Mapping[str, int]:
        """Count the records of a certificate, by kind."""
        from zermelo.game.plain import PlainReplay

        return PlainReplay(self, payload, Limits()).counts

    def trimmed_proof(self, payload: bytes) -> bytes:
        """Return the payload without its superfluous records, where the format allows some."""
        raise ValueError(f"certificates of {self.title} are written without anything superfluous; nothing to trim")

    def merged_proof(self, parts: Sequence[bytes], root: Position, starter: Player, winner: Player) -> bytes:
        """Join the payloads of certificates after moves into one of the position before them."""
        raise ValueError(f"certificates of {self.title} cannot be joined")

    # Campaigns, which plan a strategy move by move and join the certificates of its parts

    def certificate_moves(self, position: Position, player: Player, winner: Player) -> Sequence[Move]:
        """Return the player's moves in the order of a certificate in which ``winner`` wins."""
        return position.moves(player)

    def kept_tag(self, tag: int) -> int | None:
        """Return the tag of a position of the loser that may be referred to; None if ``tag`` can have no references."""
        from zermelo.proof.play import ALL, KEEP, REF

        return {ALL: KEEP, KEEP: KEEP, REF: REF}.get(tag)
