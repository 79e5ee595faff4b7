"""Sums of positions of different games, and negatives of games that cannot turn their boards round.

A sum is a position like any other: a move is a move in one of its terms. Left is the first player of every game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from zermelo.game.positions import Move, MoveView, Piece, Player, Position, Square, SquareText, View
from zermelo.game.registry import find_game
from zermelo.game.services import Game, left_right_outcomes
from zermelo.game.values import Ledger, PlainValues
from zermelo.game.watch import Watch

Term = tuple[Position, int]
"""A position, and 1; or -1, where the players are exchanged in it."""
LEFT, RIGHT = "Left", "Right"


@dataclass(frozen=True)
class SumMove:
    """A move in one term, counted from 1: ``2:V1,1``."""

    term: int
    move: Move

    def __str__(self) -> str:
        return f"{self.term}:{self.move}"


@dataclass(frozen=True, repr=False)
class Sum(Position):
    """A sum of positions, each perhaps with the players exchanged."""

    terms: tuple[Term, ...]

    @classmethod
    def of(cls, *terms: Term) -> Sum:
        """Return the sum of terms, those of sums among them.

        :raises ValueError: if a term is of a game that does not end when a player cannot move.
        """
        flat: list[Term] = []
        for position, sign in terms:
            if not position.game.normal_play:
                raise ValueError(
                    f"positions of {position.game.title} have no sum: it is not lost by the player who cannot move"
                )
            flat += (
                [(one, sign * own) for one, own in position.terms] if isinstance(position, Sum) else [(position, sign)]
            )
        return cls(tuple(flat))

    @property
    def game(self) -> Game:
        return IMPARTIAL_SUM if all(position.game.impartial for position, _ in self.terms) else SUM

    @property
    def text(self) -> str:
        return " + ".join(f"{'-' if sign < 0 else ''}{one.game.name} {one.text}" for one, sign in self.terms)

    def moves(self, player: Player) -> tuple[SumMove, ...]:
        return tuple(
            SumMove(number, move)
            for number, (position, sign) in enumerate(self.terms, 1)
            for move in position.moves(_player(position, sign, player))
        )

    def after(self, move: Move | str) -> Sum:
        number, _, text = str(move).partition(":")
        if not re.fullmatch("[1-9][0-9]{0,3}", number) or int(number) > len(self.terms):
            raise ValueError(f"{str(move)[:40]!r} is not a move here: write the number of a term, : and a move in it")
        at = int(number) - 1
        position, sign = self.terms[at]
        after = position.after(move.move if isinstance(move, SumMove) else text)
        return Sum((*self.terms[:at], (after, sign), *self.terms[at + 1 :]))

    def key(self) -> str:
        """Return the keys of the terms in order, without pairs that are worth nothing together."""
        counts = dict[str, int]()
        for position, sign in self.terms:
            name = f"{position.game.name} {position.key()}"
            counts[name] = (counts.get(name, 0) + 1) % 2 if position.game.impartial else counts.get(name, 0) + sign
        return " + ".join(f"{count} {name}" for name, count in sorted(counts.items()) if count)

    def decided(self, player: Player) -> Player | None:
        over = (position.decided(_player(position, sign, player)) for position, sign in self.terms)
        return SUM.other(player) if all(over) else None

    @property
    def components(self) -> tuple[Sum, ...]:
        """The parts of the terms, each as a sum of one term."""
        return tuple(Sum(((part, sign),)) for position, sign in self.terms for part in position.components)

    def component_squares(self) -> list[list[Square]]:
        return [
            list(_moved(squares, left))
            for (position, _), left in zip(self.terms, self._lefts, strict=True)
            for squares in position.component_squares()
        ]

    def __neg__(self) -> Sum:
        return Sum(tuple((position, -sign) for position, sign in self.terms))

    @cached_property
    def _lefts(self) -> tuple[int, ...]:
        """The columns before each term: they stand side by side with a wall between them."""
        return tuple(sum(one.size[1] + 1 for one, _ in self.terms[:at]) for at in range(len(self.terms)))

    def view(self) -> View:
        views = [position.view() for position, _ in self.terms]
        rows = max((view.rows for view in views), default=1)
        cols = max(1, sum(view.cols + 1 for view in views) - 1)
        pieces, open_squares = list[Piece](), set[Square]()
        texts, edges = list[SquareText](), list[tuple[Square, ...]]()
        for view, left, (position, sign) in zip(views, self._lefts, self.terms, strict=True):
            for piece in view.pieces:
                pieces.append(Piece(_side(position, sign, piece.player), _moved(piece.squares, left)))
            texts += [SquareText(_moved([text.square], left)[0], text.text) for text in view.texts]
            edges += [_moved(edge, left) for edge in view.edges]
            every = ((row, col) for row in range(1, view.rows + 1) for col in range(1, view.cols + 1))
            open_squares |= {*_moved(every, left)} - {*_moved(view.blocked, left)}
        every_square = ((row, col) for row in range(1, rows + 1) for col in range(1, cols + 1))
        return View(
            rows,
            cols,
            tuple(map(str, range(1, rows + 1))),
            tuple(map(str, range(1, cols + 1))),
            tuple(pieces),
            tuple(square for square in every_square if square not in open_squares),
            texts=tuple(texts),
            edges=tuple(edges),
        )

    def move_view(self, move: Move) -> MoveView:
        one = cast(SumMove, move)
        left, position = self._lefts[one.term - 1], self.terms[one.term - 1][0]
        return MoveView(str(move), _moved(position.move_view(one.move).squares, left))


def _moved(squares: Iterable[Square], left: int) -> tuple[Square, ...]:
    """Return squares so many columns to the right."""
    return tuple((row, col + left) for row, col in squares)


def _player(position: Position, sign: int, player: Player) -> Player:
    """Return the player of a term's game who moves there."""
    SUM.other(player)
    return position.game.players[(player == LEFT) != (sign > 0)]


def _side(position: Position, sign: int, player: Player) -> Player:
    return LEFT if (player == position.game.players[0]) == (sign > 0) else RIGHT


class SumValues(PlainValues):
    """The value of a sum is the sum of the values of its terms."""

    def id_in(self, ledger: Ledger, position: Position, watch: Watch) -> int:
        total, arena = 0, ledger.arena
        for term, sign in cast(Sum, position).terms:
            values = term.game.values
            assert values is not None
            value = values.id_in(ledger, term, watch)
            total = arena.add(total, value if sign > 0 else arena.negative(value))
        return total

    def cheap(self, position: Position) -> bool:
        games = ((term.game.values, term) for term, _ in cast(Sum, position).terms)
        return all(values is not None and values.cheap(term) for values, term in games)


class SumGame(Game):
    """Sums of positions: every service is the plain one. Its name is what a command says: ``solve plus "..."``."""

    name = "plus"
    title = "Sums"
    players = (LEFT, RIGHT)
    player_names: Mapping[Player, str] = {LEFT: "Left", RIGHT: "Right"}
    rules = "Several games stand side by side. A move is a move in one of them. Who cannot move in any loses."
    spec_help = "games and positions with ' + ' between them: domineering 2x2 + -domineering 2x3"
    examples = ("domineering 2x2 + -domineering 2x3", "domineering torus:2x3 + domineering 3x3:V1,2")
    outcomes: Mapping[str, str] = left_right_outcomes(players)
    normal_play = True

    def __init__(self, *, impartial: bool = False) -> None:
        self.impartial = impartial

    @cached_property
    def values(self) -> SumValues:
        return SumValues(self)

    def parse(self, text: str) -> Sum:
        terms: list[Term] = []
        for term in text.split(" + "):
            name, _, spec = term.strip().partition(" ")
            sign = -1 if name.startswith("-") else 1
            terms.append((find_game(name.lstrip("-")).parse(spec.strip()), sign))
        return Sum.of(*terms)


SUM, IMPARTIAL_SUM = SumGame(), SumGame(impartial=True)
