"""Domineering as published files ask about it: Maker wins if it is Breaker's turn in time, and Breaker cannot move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from zermelo.game import Answer, Clock, Game, Limits, Move, MoveView, Player, Position, Square, View, Written, find_game
from zermelo.game.plain import PlainChooser
from zermelo.positional.position import BREAKER, MAKER, PositionalPosition
from zermelo.positional.race import Goal, Race, RaceBoard
from zermelo.positional.turns import Turns

INNER = "domineering"
"""The game that knows the moves, and who wins if there is no bound."""


@dataclass(frozen=True)
class DominoPosition(PositionalPosition):
    """A position of Domineering with a bound on the turns, that in which a player cannot move included.

    >>> position = DominoPosition.read("dominoes: 2x3 : maker V, within 4")
    >>> position.moves("maker"), position.after("V1,2").text
    (('V1,1', 'V1,2', 'V1,3'), 'dominoes: 2x3:V1,2 : maker V, breaker to move, within 3')
    """

    inner: Position
    letters: tuple[str, str]
    """Maker and Breaker, as the inner game calls them."""
    to_move: Player = MAKER
    within: int = 0
    strong = False
    by_race = True

    @classmethod
    def read(cls, text: str) -> DominoPosition:
        """Read a position of Domineering, which of its players is Maker, and the rest of the rules.

        :raises ValueError: if it is none.
        """
        match = re.fullmatch(
            r"dominoes:(.+) : maker ([VH])(?:, (maker|breaker) to move)?(?:, within (\d{1,4}))?", text.strip(), re.ASCII
        )
        if match is None:
            raise ValueError(f"{text[:60]!r} is not understood: write 'dominoes: 4x5 : maker V, within 7'")
        inner = find_game(INNER).parse(match[1].strip())
        letters = ("V", "H") if match[2] == "V" else ("H", "V")
        found = cls(inner, letters, match[3] or MAKER)
        return replace(found, within=min(int(match[4] or found.longest), found.longest))

    @property
    def longest(self) -> int:
        """The most turns that a game can have from here, that without a move included."""
        rows, columns = self.inner.size
        return rows * columns // 2 + 1

    def letter(self, player: Player) -> str:
        return self.letters[player == BREAKER]

    @property
    def game(self) -> Game:
        from zermelo.positional.game import HYPERGRAPH

        return HYPERGRAPH

    @property
    def text(self) -> str:
        turn = "" if self.to_move == MAKER else f", {self.to_move} to move"
        within = "" if self.within >= self.longest else f", within {self.within}"
        return f"dominoes: {self.inner.text} : maker {self.letters[0]}{turn}{within}"

    def moves(self, player: Player) -> Sequence[str]:
        if player != self.to_move or not self.within:
            return ()
        return tuple(map(str, self.inner.moves(self.letter(player))))

    def after(self, move: Move | str) -> DominoPosition:
        if str(move) not in self.moves(self.to_move):
            raise ValueError(f"{str(move)[:40]!r} is no move of {self.to_move} here")
        return replace(
            self, inner=self.inner.after(str(move)), to_move=self.game.other(self.to_move), within=self.within - 1
        )

    def decided(self, player: Player) -> Player | None:
        if not self.within:
            return BREAKER
        return None if self.inner.moves(self.letter(self.to_move)) else self.game.other(self.to_move)

    def key(self) -> str:
        return f"dominoes {self.letter(self.to_move)} {self.within} {self.inner.key()}"

    def view(self) -> View:
        return self.inner.view()

    def move_view(self, move: Move) -> MoveView:
        return self.inner.move_view(move)

    def race(self, first: Player) -> Race:
        """Return the order of turns and the bound alone: dominoes have no goal that a race knows."""
        return Race(0, (Goal(), None), ((), ()), Turns((), (0, 1) if first == MAKER else (1, 0)), self.within)

    def ruled(self, turns: Turns, within: int | None) -> DominoPosition:
        if not turns.alternate:
            raise ValueError("in Domineering the players move in turn: leave out --turns")
        return replace(self, within=min(self.longest, within or self.longest))

    @property
    def moves_left(self) -> int:
        return self.within

    def solved(self, limits: Limits) -> Answer:
        """Say who wins: as without a bound where that settles it, else by the rules alone."""
        clock, letter = Clock(limits), self.letter(self.to_move)
        whole = self.inner.game.solve(self.inner, first=letter, limits=limits).starts[letter]
        if whole.winner != self.letters[0] or self.within >= self.longest:
            winner = None if whole.winner is None else (MAKER, BREAKER)[whole.winner == self.letters[1]]
            move = None if whole.move is None else str(whole.move)
            return replace(whole, first=self.to_move, winner=winner, move=move, certificate=None)
        clock.nodes = whole.nodes
        return PlainChooser(self.game, limits).answer(self, self.to_move, clock.left())

    def certify(self, path: Path, limits: Limits) -> Written:
        """Write a certificate of who wins without the bound, where that settles it.

        :raises ValueError: if it does not.
        """
        clock = Clock(limits)
        answer, whole = (one.solved(clock.left()) for one in (self, replace(self, within=self.longest)))
        if None not in (answer.winner, whole.winner) and answer.winner != whole.winner:
            raise ValueError("certificates of Domineering have no bound, and without it Maker wins")
        written = self.inner.game.prove(self.inner, self.letter(self.to_move), path, clock.left())
        return replace(written, winner=written.winner and (MAKER, BREAKER)[written.winner == self.letters[1]])

    # What only marks on squares have

    @property
    def board(self) -> RaceBoard:
        return RaceBoard(0, (Goal(), None))

    def marks(self, player: Player) -> tuple[int, ...]:
        return ()

    def name(self, vertex: int) -> str:
        raise ValueError("a domino has no vertex")

    def vertex(self, name: str) -> int:
        raise ValueError("a domino has no vertex")

    def square(self, vertex: int) -> Square:
        raise ValueError("a domino has no square")

    def _marked(self, player: Player, vertex: int) -> DominoPosition:
        raise ValueError("a domino is placed by its own name")
