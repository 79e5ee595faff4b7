"""Hex: two players join opposite sides of a board of hexagons. Exactly one of them can."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

from zermelo.game import DRAW, Answer, Game, Player, Position, View
from zermelo.positional.game import RULES, SHORTEST, PositionalGame
from zermelo.positional.position import GridPosition, bits
from zermelo.positional.race import MAX_VERTICES, Goal, Race, RaceBoard
from zermelo.positional.turns import IN_TURN, Turns

BLACK, WHITE = "B", "W"
STEPS = ((1, 0), (0, 1), (1, -1))
"""Columns and rows to the neighbours of a hexagon, and back."""


@lru_cache(maxsize=64)
def hex_board(columns: int, rows: int) -> RaceBoard:
    """Return the board: Black joins the first row and the last, White the first column and the last."""
    cells = [(column, row) for row in range(rows) for column in range(columns)]
    index = {cell: number for number, cell in enumerate(cells)}
    edges = tuple(
        (index[column, row], index[column + right, row + down])
        for column, row in cells
        for right, down in STEPS
        if (column + right, row + down) in index
    )

    def line(axis: int, at: int) -> tuple[int, ...]:
        return tuple(index[cell] for cell in cells if cell[axis] == at)

    black = Goal((), edges, line(1, 0), line(1, rows - 1))
    return RaceBoard(len(cells), (black, Goal((), edges, line(0, 0), line(0, columns - 1))))


@dataclass(frozen=True, init=False)
class HexPosition(GridPosition):
    """A Hex board and the cells played in turn, Black first. Rows are counted from the top.

    >>> position = HexPosition("4x4:b2,c3")
    >>> position.to_move, position.after("c2").text
    ('B', '4x4:b2,c3,c2')
    """

    columns: int
    rows: int
    played: tuple[int, ...] = ()
    turns: Turns = IN_TURN
    within: int | None = None
    upward = False
    by_race = True

    def __init__(self, text: str) -> None:
        """Read columns x rows, with ``within 7`` or ``turns bww`` behind, and the cells played in turn.

        :raises ValueError: with one sentence about the mistake.
        """
        size, _, moves = text.strip().partition(":")
        match = re.fullmatch(r"(\d{1,3})\s*x\s*(\d{1,3})(\s.*)?", size.strip(), re.ASCII)
        if match is None:
            raise ValueError(f"{text[:60]!r} is not a Hex board: write columns x rows as in 5x5 or 5x5:c3,b2")
        columns, rows = map(int, match.groups()[:2])
        if not (columns >= 1 and rows >= 1 and columns * rows <= MAX_VERTICES):
            raise ValueError(f"a Hex board has 1 to {MAX_VERTICES} cells, not {columns} x {rows}")
        vars(self).update(columns=columns, rows=rows, played=())
        self._read_rules(match[3] or "")
        for name in moves.split(",") if moves.strip() else ():
            after = self.after(name.strip())
            vars(self).clear()
            vars(self).update(vars(after))

    @property
    def game(self) -> Game:
        return HEX

    @property
    def board(self) -> RaceBoard:
        return hex_board(self.columns, self.rows)

    @property
    def _size(self) -> str:
        return f"{self.columns}x{self.rows}"

    def race(self, first: Player) -> Race:
        return replace(super().race(first), goals=self.board.goals, drawless=True)

    def owner_of_edge(self) -> Player | None:
        for player, goal in zip((BLACK, WHITE), self.board.goals, strict=True):
            if goal and goal.reached(bits(self.marks(player))):
                return player
        return None

    def decided(self, player: Player) -> Player | None:
        return self.owner_of_edge() or (None if self.moves_left else DRAW)

    def _marked(self, player: Player, vertex: int) -> Self:
        return self._changed(played=(*self.played, vertex))

    def view(self) -> View:
        return replace(super().view(), slants=True)

    def key(self) -> str:
        marks, last = list(map(self.marks, self.game.players)), self.board.vertices - 1
        both = (sorted(cells) for cells in marks), (sorted(last - v for v in cells) for cells in marks)
        return f"{self._start} {min(map(list, both))}"


class HexGame(PositionalGame):
    """Hex on a board of any two lengths."""

    name = "hex"
    title = "Hex"
    players = (BLACK, WHITE)
    player_names: Mapping[str, str] = {BLACK: "Black", WHITE: "White"}
    rules = (
        "Black and White take turns to take a free cell; Black begins. "
        "Black wins by joining the first row to the last, White by joining the first column to the last. "
        "A cell touches its row and column neighbours, and those above right and below left; there is no draw."
    )
    spec_help = "columns x rows, and the cells played in turn: 5x5, 4x4:b2,c3"
    rules_example = "5x5:c3,b4,d2,c2,d3"
    glossary: Mapping[str, str] = {"cell": "A hexagon of the board; it touches up to six others."}
    shapes: Mapping[str, str] = {"Hex 4x4": "4x4", "Hex 5x5": "5x5"}
    aliases: Mapping[str, str] = {"hex": "5x5"}
    examples = ("4x4", "3x3", "5x5", "5x5:c3,b4")
    explain_examples = ("4x4", "3x3", "5x5:c3,b4")  # an empty 5x5 takes ten seconds
    outcomes: Mapping[str, str] = {"black": "Black wins", "white": "White wins", "unknown": "a limit was reached"}
    explanations: Mapping[str, str] = {"moves": "Who wins, and with which moves"}
    solve_options = (SHORTEST, *RULES)
    claim_codes = ()
    needs_name = True

    def parse(self, text: str) -> HexPosition:
        return HexPosition(self.aliases.get(text.strip().lower(), text))

    def rules_of(self, position: Position) -> str:
        assert isinstance(position, HexPosition)
        return self.rules + self._rules_of_race(position)

    def ending(self, position: Position, player: Player) -> str:
        if position.decided(player) == DRAW:
            return "No move is left within the bound."
        return f"The first {'row' if position.decided(player) == BLACK else 'column'} and the last are joined."

    def outcome(self, starts: Mapping[Player, Answer]) -> str | None:
        (answer,) = starts.values()
        return {BLACK: "black", WHITE: "white"}.get(answer.winner or "", "unknown")


HEX = HexGame()
