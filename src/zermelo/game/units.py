"""What a campaign must know of a game: its tree as texts, what solves a work unit, how units' proofs become one.

A campaign asks ``Game.campaign_tree`` for a :class:`Tree`. Rules alone are enough: :class:`PlainTree` makes one of any
game's positions. A game that can do better has its own.
"""

from __future__ import annotations

import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple, Protocol

from zermelo._core import CancelToken
from zermelo.game import DRAW, Answer, Chooser, Game, Limits, Player, Position
from zermelo.game.search import LOSS, WIN, PlainSearch, Stopped, Watch
from zermelo.proof.container import Bytes, packed, varint
from zermelo.proof.play import ALL, FIRST_MOVE, KEEP, OVER, REF, write_strategy
from zermelo.running import Calls, unwound

KEPT_POSITIONS = 100_000


class Status(IntEnum):
    """What is known of a position, or of the campaign."""

    OPEN = 0
    PROVED = 1
    REFUTED = 2
    GIVEN_UP = 3


@dataclass(frozen=True)
class UnitResult:
    """What was found of a unit, from the solver to the store; OPEN if it reached a limit, or was interrupted."""

    status: Status
    nodes: int = 0
    seconds: float = 0.0
    certificate: bytes | None = field(default=None, repr=False)
    interrupted: bool = False
    node: int = 0
    """The unit's number in the plan."""
    worker: str = ""
    host: str = ""
    checked: bool = False


class UnitSolver(Protocol):
    """Answers whether the claimed winner wins a position. A worker keeps one, so that its tables live on."""

    def solve(
        self, position: str, *, nodes: int, certify: bool = False, cancel: CancelToken | None = None
    ) -> UnitResult:
        """Search at most about ``nodes`` positions; with ``certify`` write a certificate of the answer."""


@dataclass(frozen=True)
class KnownUnit:
    """A finished unit, as a game that plans itself is told of it."""

    position: str
    winner: str
    region: tuple[int, ...] = ()
    """What the certificate says (:meth:`Tree.region`)."""


class PlannedUnits(NamedTuple):
    """The units on which a proof rests now, the most useful first, each with its ply; who wins, if they decide it."""

    winner: str | None
    units: list[tuple[str, int]]


class Pieces(Protocol):
    """A finished plan, from which the proof of the whole is joined."""

    def units(self) -> Iterator[tuple[str, bytes]]:
        """Yield every unit of the plan that is decided as the whole is, with its proof."""

    def is_unit(self, position: str) -> bool:
        """Whether a position, or a symmetric copy of it, is a unit."""

    def unit(self, position: str) -> bytes:
        """Return a unit's proof: what follows the claim."""

    def chosen(self, position: str) -> list[str]:
        """Return the positions to one of which the winner moves, as the plan has them."""


Put = Callable[[bytes], object]


class Tree(ABC):
    """A claim about a position, and the game below it as a planner sees it.

    A position is a text that names the board and the player to move. Texts are what the store keeps, so they must
    stay readable by later versions.
    """

    name: str
    """The game's."""
    spec: str
    first: str
    """Who is said to begin; empty where the position says so."""
    winner: str
    """Who is claimed to win."""
    winners: tuple[str, str]
    """The players a claim may name."""
    rules = ""
    """What the claim takes for granted besides the rules of the game, in words."""
    shares_tables = False
    """Whether several threads may ask one unit solver at once, and have one table."""
    plans_itself = False
    """Whether the game names the units itself, by :meth:`plan`, in the order in which they are best worked on."""
    joined = ""
    """If so: the player whose wins are joined from units. The other's are proved as one unit."""

    @property
    def loser(self) -> str:
        """The player that is not claimed to win."""
        one, two = self.winners
        return two if self.winner == one else one

    def verdict(self, winner: str | None) -> Status:
        """Return what it means for the claim that a player wins; None: nobody knows."""
        return Status.OPEN if winner is None else Status.PROVED if winner == self.winner else Status.REFUTED

    @abstractmethod
    def for_winner(self, winner: str) -> Tree:
        """Return the same position with a claim about this player."""

    @abstractmethod
    def root(self) -> str:
        """Return the starting position."""

    @abstractmethod
    def key(self, position: str) -> str:
        """Return a text that is the same for all symmetric copies of a position."""

    @abstractmethod
    def mover(self, position: str) -> str:
        """Return the player to move."""

    @abstractmethod
    def decided(self, position: str) -> str | None:
        """Return the winner where the rules decide at once, or None."""

    @abstractmethod
    def children(self, position: str) -> list[str]:
        """Return the position after each move, in the order of the certificate format."""

    def ordered(self, position: str) -> list[str]:
        """Return the same, the mover's most promising first; symmetric copies may be left out."""
        return self.children(position)

    def features(self, position: str) -> tuple[float, ...]:
        """Return numbers that hint how hard it is to prove that the winner wins here."""
        return (float(len(self.children(position))), float(self.mover(position) == self.winner))

    def describe(self, position: str) -> str:
        """Return the position as people write it."""
        return position

    def known(self) -> Answer | None:
        """Return what is known of the root without a search, by rules or facts."""
        return None

    def unit_solver(self, *, memory: int, certify: bool, threads: int) -> UnitSolver:
        """Return the fastest solver; ``certify`` says that it will be asked for certificates.

        :param threads: how many threads may ask it at once; one unit may have them all where there is no other.
        """
        return PlainSolver(self)

    def position(self, text: str) -> tuple[Position, Player]:
        """Return the game's position of a text, and who is to move; what :class:`ChooserSolver` asks about."""
        raise NotImplementedError

    def plan(self, cut: int, split: Sequence[str], known: Sequence[KnownUnit]) -> PlannedUnits:
        """Name the units at the cut, and below those that are split; only asked where the game plans itself."""
        raise NotImplementedError

    def region(self, position: str, certificate: bytes) -> tuple[int, ...]:
        """Return the part of the board that a unit's certificate needs; it may answer for other units as well."""
        return ()

    # Certificates

    def claim(self, position: str) -> bytes:
        """Return a certificate's claim that the winner wins a position.

        :raises ValueError: if there are no certificates of this game.
        """
        raise ValueError(f"there are no certificates of {self.name}")

    def strategy(self, position: str, wins: Callable[[str], bool]) -> bytes | None:
        """Return a certificate of a small position that plays to the end, where the format has such; see PlainSolver.

        ``wins`` says whether the winner wins a position, and she must win this one.
        """
        return None

    def join(self, pieces: Pieces, put: Put) -> None:
        """Write the proof of the root (what follows the claim) from the proofs of the units.

        :raises ValueError: if a unit has none.
        """
        raise ValueError(f"there are no certificates of {self.name}")


# Proofs in the order of play


class PlayTree(Tree):
    """A tree whose certificates are written in the order of play: the loser's positions may be referred to."""

    def remembered(self, tag: int) -> int | None:
        """Return the tag with which the loser's position is remembered, None if it cannot be referred to."""
        return {ALL: KEEP, KEEP: KEEP, REF: REF}.get(tag)

    def strategy(self, position: str, wins: Callable[[str], bool]) -> bytes | None:
        def answer(here: str) -> tuple[bytes, str | None]:
            if self.decided(here) == self.winner:
                return bytes([OVER]), None
            number, child = next(each for each in enumerate(self.children(here)) if wins(each[1]))
            return varint(FIRST_MOVE + number), child

        losers_turn = self.mover(position) != self.winner
        proof, _ = write_strategy(position, losers_turn, answer=answer, replies=self.children, key=self.key)
        return packed(self.claim(position) + b"".join(proof))

    def join(self, pieces: Pieces, put: Put) -> None:
        """Write the plan's tree with the units' proofs at its leaves, each where the walk meets it first.

        The planner stores units in just the copy that the walk meets (numbers rise ply by ply in its order), so that
        only repairs and splits make exceptions, which are proved again.
        """
        known: set[str] = set()
        answers: dict[str, str] = {}  # unit where the winner moves -> key after her move

        def winner_moves(here: str) -> Calls[None]:
            key = self.key(here)
            if key in answers:
                put_move(here, {answers[key]})
                put(bytes([REF]))
            elif pieces.is_unit(here):
                proof = bytearray(pieces.unit(here))
                reader = Bytes(bytes(proof))
                tag = reader.varint()
                if tag >= FIRST_MOVE and (again := self.remembered(proof[reader.at])) is not None:
                    # The position after her move can be referred to from now on.
                    proof[reader.at] = again
                    answers[key] = self.key(self.children(here)[tag - FIRST_MOVE])
                    known.add(answers[key])
                put(bytes(proof))
            elif self.decided(here) == self.winner:
                put(bytes([OVER]))
            else:
                yield loser_moves(put_move(here, {self.key(child) for child in pieces.chosen(here)}))

        def put_move(here: str, wanted: set[str]) -> str:
            for number, child in enumerate(self.children(here)):
                if self.key(child) in wanted:
                    put(varint(FIRST_MOVE + number))
                    return child
            raise ValueError(f"no move from {self.describe(here)} to the planned position")

        def loser_moves(here: str) -> Calls[None]:
            key = self.key(here)
            if key in known:
                put(bytes([REF]))
            elif pieces.is_unit(here):
                proof = bytearray(pieces.unit(here))
                if (again := self.remembered(proof[0])) is not None:
                    proof[0] = again
                    known.add(key)
                put(bytes(proof))
            else:
                put(bytes([KEEP]))
                for child in self.children(here):
                    yield winner_moves(child)
                known.add(key)

        root = self.root()
        unwound((winner_moves if self.mover(root) == self.winner else loser_moves)(root))


# The plain solver


class PlainSolver:
    """Solves units by the rules alone; the fast solvers may be checked with it."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._search = PlainSearch[str](self._look, tree.key, entries=KEPT_POSITIONS)

    def solve(
        self, position: str, *, nodes: int, certify: bool = False, cancel: CancelToken | None = None
    ) -> UnitResult:
        limits = Limits(nodes=nodes, cancel=cancel)
        watch = Watch(limits)
        try:
            wins = self._wins(position, watch)
        except Stopped:
            return UnitResult(Status.OPEN, watch.clock.nodes, watch.clock.seconds, interrupted=limits.cancelled)
        status, certificate = Status.PROVED if wins else Status.REFUTED, None
        if certify:
            tree, endless = self.tree if wins else self.tree.for_winner(self.tree.loser), Watch(Limits())
            certificate = tree.strategy(position, lambda here: self._wins(here, endless) == wins)
        return UnitResult(status, watch.clock.nodes, watch.clock.seconds, certificate)

    def _look(self, position: str) -> int | list[str]:
        decided = self.tree.decided(position)
        if decided is None:
            return self.tree.ordered(position)
        return WIN if decided == self.tree.mover(position) else LOSS

    def _wins(self, position: str, watch: Watch) -> bool:
        """Whether the winner of the claim wins."""
        return (self._search.value(position, watch) == WIN) == (self.tree.mover(position) == self.tree.winner)


# Any game


class PlainTree(PlayTree):
    """Any game by its positions: a text is the player to move and the position's own text, ``A 5x5:h1,2``."""

    def __init__(self, game: Game, spec: str, first: str = "", winner: str = "") -> None:
        """Take a position, who begins and who is claimed to win; whoever begins if nobody is named.

        :raises ValueError: if the spec or a player is wrong, or the game may end in a draw.
        """
        if DRAW in game.outcomes:
            raise ValueError(f"there are no campaigns of {game.title}, which may end in a draw")
        start = game.parse(spec)
        self.game, self.name, self.spec, self.winners = game, game.name, spec, game.players
        self.first = game.starters(start, first or None)[0]
        self.winner = winner or self.first
        game.other(self.winner)
        self._start = start.turn_of(self.first)
        self._positions = {self._start.text: self._start}

    def for_winner(self, winner: str) -> PlainTree:
        return PlainTree(self.game, self.spec, self.first, winner)

    def position(self, text: str) -> tuple[Position, Player]:
        player, _, spec = text.partition(" ")
        found = self._positions.get(spec)
        return self.game.parse(spec).turn_of(player) if found is None else found, player

    def root(self) -> str:
        return f"{self.first} {self._start.text}"

    def key(self, position: str) -> str:
        here, player = self.position(position)
        return f"{player} {here.key()}"

    def mover(self, position: str) -> str:
        return position.partition(" ")[0]

    def decided(self, position: str) -> str | None:
        here, player = self.position(position)
        return here.decided(player)

    def children(self, position: str) -> list[str]:
        here, player = self.position(position)
        after = [here.after(move) for move in here.moves(player)]
        if len(self._positions) > KEPT_POSITIONS:
            self._positions.clear()
        self._positions |= {child.text: child for child in after}
        return [f"{self.game.other(player)} {child.text}" for child in after]

    def describe(self, position: str) -> str:
        return position.partition(" ")[2]

    def claim(self, position: str) -> bytes:
        here, player = self.position(position)
        return self.game.claim_bytes(here, player, self.winner)

    def join(self, pieces: Pieces, put: Put) -> None:
        if type(self.game).prove is not Game.prove:
            raise ValueError(f"{self.name} writes certificates of its own, and does not say how they are joined")
        super().join(pieces, put)

    def unit_solver(self, *, memory: int, certify: bool, threads: int) -> UnitSolver:
        limits = Limits(memory=memory)
        chooser = self.game.proof_chooser(limits) if certify else self.game.chooser(limits)
        return ChooserSolver(self, chooser, limits)


class ChooserSolver:
    """Solves units with the game's own chooser, and writes certificates with its own prover."""

    def __init__(self, tree: Tree, chooser: Chooser, limits: Limits) -> None:
        self.tree, self._chooser, self._limits = tree, chooser, limits

    def solve(
        self, position: str, *, nodes: int, certify: bool = False, cancel: CancelToken | None = None
    ) -> UnitResult:
        begin, limits = time.perf_counter(), Limits(nodes=nodes, cancel=cancel)
        here, player = self.tree.position(position)
        answer = self._chooser.answer(here, player, limits, want_move=False)
        winner, certificate = answer.winner, None
        if certify and winner is not None:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "unit.zcert")
                within, chooser = self._limits.with_(cancel=cancel), self._chooser
                written = here.game.prove(here, player, path, within, chooser, answer)
                winner = written.winner
                certificate = path.read_bytes() if winner is not None else None
        verdict, interrupted = self.tree.verdict(winner), winner is None and limits.cancelled
        return UnitResult(verdict, answer.nodes, time.perf_counter() - begin, certificate, interrupted)
