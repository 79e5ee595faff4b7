"""Why the strip bound says what it says: the pieces of the cut board, what each is worth, and their sum."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo import _core
from zermelo.domineering.position import PLAYERS, Player, Position, core_player
from zermelo.draw import Area, svg, view_svg
from zermelo.running import run_cancellable

# Neighbouring pieces get different colours by turns.
COLOURS = (svg.BLUE, svg.ORANGE, svg.GREEN, svg.PURPLE, svg.SKY, svg.YELLOW, svg.VERMILION)


def fraction(units: int) -> Fraction:
    """Return a value of the core, kept in 1/64, as a fraction."""
    return Fraction(units, _core.STRIP_UNIT)


def worth(piece: _core.StripPiece) -> str:
    """Say what a piece is worth to the player who cuts: a number, or a number and a switch."""
    value = str(fraction(piece.value))
    return f"{value} +- {fraction(piece.temperature)}" if piece.is_switch else value


@dataclass(frozen=True)
class StripExplanation:
    """The cut that proves a win, or None: the bound says nothing then."""

    position: Position
    player: Player
    to_move: Player
    witness: _core.StripWitness | None

    @property
    def wins(self) -> bool:
        """Whether the bound proves that the player wins."""
        return self.witness is not None

    def verdict(self) -> str:
        """Say what follows."""
        if self.witness is None:
            return f"no verdict: no cut proves that {self.player} wins with {self.to_move} to move"
        switches = "".join(f" +- {fraction(t)}" for t in self.witness.unpaired)
        return (
            f"{self.player} wins with {self.to_move} to move: the pieces are worth at least "
            f"{fraction(self.witness.sum)}{switches} to {self.player}"
        )

    def names(self) -> list[str]:
        """Letter the pieces: a, b, ..., z, a2, b2, ..."""
        count = 0 if self.witness is None else len(self.witness.pieces)
        return [chr(97 + i % 26) + (str(i // 26 + 1) if i >= 26 else "") for i in range(count)]

    def text(self) -> str:
        """Return the cut as a grid of letters, what each piece is worth, and the verdict."""
        rows, cols = self.position.rows, self.position.cols
        cells = [[" ." if self.position.is_free(r + 1, c + 1) else " #" for c in range(cols)] for r in range(rows)]
        lines = [f"{self.player}'s cut of {self.position.spec}, {self.to_move} to move"]
        worths = []
        if self.witness is not None:
            for name, piece in zip(self.names(), self.witness.pieces, strict=True):
                for square in piece.squares:
                    cells[square // cols][square % cols] = f"{name:>2}"
                worths.append(f"{name} >= {worth(piece)}")
        lines += ["".join(row) for row in cells]
        return "\n".join([*lines, *worths, self.verdict()])

    def areas(self) -> list[Area]:
        """Return the pieces in their colours."""
        cols = self.position.cols
        pieces = [] if self.witness is None else self.witness.pieces
        return [
            Area([(square // cols, square % cols) for square in piece.squares], worth(piece), COLOURS[i % len(COLOURS)])
            for i, piece in enumerate(pieces)
        ]

    def caption(self) -> list[str]:
        """Return the verdict."""
        return [self.verdict()]

    def svg(self) -> str:
        """Return the cut as a picture."""
        return view_svg(
            self.position.view(), players=PLAYERS, areas=self.areas(), caption=self.caption(), title=self.position.text
        )

    _repr_svg_ = svg

    def to_json(self) -> dict[str, Any]:
        """Return the cut as a JSON object; numbers are exact fractions as strings, squares [row, column] from 1."""
        cols = self.position.cols
        witness = self.witness
        return {
            "game": "domineering",
            "spec": self.position.spec,
            "bound": "strip",
            "player": self.player,
            "to_move": self.to_move,
            "wins": self.wins,
            "sum": None if witness is None else str(fraction(witness.sum)),
            "unpaired": [] if witness is None else [str(fraction(t)) for t in witness.unpaired],
            "pieces": [
                {
                    "squares": [[square // cols + 1, square % cols + 1] for square in piece.squares],
                    "value": str(fraction(piece.value)),
                    "temperature": str(fraction(piece.temperature)) if piece.is_switch else None,
                }
                for piece in ([] if witness is None else witness.pieces)
            ],
        }


def explain_strip(position: Position, player: Player, to_move: Player) -> StripExplanation:
    """Explain the strip bound of a player."""
    players = core_player(player), core_player(to_move)
    witness = run_cancellable(lambda token: _core.strip_bound(position.board, *players, cancel=token))
    return StripExplanation(position, player, to_move, witness)
