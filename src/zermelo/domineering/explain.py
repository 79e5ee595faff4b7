"""Why a bound says what it says: the cover as in the papers' figures, its counts, both formulas evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from zermelo import _core
from zermelo.domineering.explain_strip import explain_strip
from zermelo.domineering.position import PLAYERS, Player, Position, core_player, opponent
from zermelo.domineering.searcher import SearchOptions, cover_switches
from zermelo.draw import Area, svg, view_svg

COUNT_NAMES = ("prot", "vuln2", "vuln1", "safe", "vuln2_p", "vuln1_p", "op1", "op2", "op3", "unavail", "squares")

# Label and colour of each kind of area, lettered as in figures 4 and 8 of the article.
KINDS: dict[str, tuple[str, str]] = {
    "PROTECTIVE": ("P", svg.BLUE),
    "VULNERABLE2": ("V2", svg.ORANGE),
    "VULNERABLE1": ("V1", svg.YELLOW),
    "SAFE": ("S", svg.GREEN),
    "OPTION1": ("O1", svg.PURPLE),
    "OPTION2": ("O2", svg.PURPLE),
    "OPTION3": ("O3", svg.PURPLE),
    "UNAVAILABLE": ("x", svg.SKY),
}
LEGEND = (
    "P, prot: protective areas, worth 2 moves for every two",
    "V2, vuln2: vulnerable areas with another area across from them, worth 1 move for every three",
    "V1, vuln1: vulnerable areas without one, worth 1 move for every two; vuln2_p, vuln1_p: with a protected square",
    "S, safe: safe areas, worth 1 move",
    "O1 to O3, op1 to op3: free squares beyond safe areas; every two of them cost the opponent 1 to 3 squares",
    "x, unavail: squares outside the areas that the opponent cannot use",
    "f: 1 if some vulnerable areas of both kinds are left over, which make one more move together; else 0",
)
"""What the letters and counts mean; docs/theory-cover.md has the theorems."""


class Explanation(Protocol):
    """A bound's verdict with its reasons, for people and for programs."""

    def text(self) -> str:
        """Return the reasons as lines of text."""

    def areas(self) -> list[Area]:
        """Return what to draw over the board."""

    def caption(self) -> list[str]:
        """Return the sentences that belong below the picture."""

    def svg(self) -> str:
        """Return them as a picture."""

    def to_json(self) -> dict[str, Any]:
        """Return them as a JSON object."""


@dataclass(frozen=True)
class CoverExplanation:
    """The cover of one player: areas, counts, and the theorems' formulas with the numbers put in."""

    position: Position
    player: Player
    to_move: Player
    witness: _core.CoverWitness

    @property
    def wins(self) -> bool:
        """Whether the bound proves that the player wins."""
        return self.witness.bound.wins

    def verdict(self) -> str:
        """Say what follows."""
        bound = self.witness.bound
        rival = opponent(self.player)
        sign = ">" if self.to_move == self.player else ">="
        if self.wins:
            return f"{self.player} wins: {bound.moves} {sign} {bound.opponent} with {self.to_move} to move"
        return (
            f"no verdict: {self.player} makes at least {bound.moves} and {rival} at most {bound.opponent} moves; "
            f"{bound.moves} {sign} {bound.opponent} would be needed with {self.to_move} to move"
        )

    def formulas(self) -> list[str]:
        """Return both formulas (theorems 1 and 2 of the article), evaluated."""
        bound, used = self.witness.bound, self.witness.bound.used
        me, rival = self.player, opponent(self.player)
        return [
            f"moves({me}) = 2*[{used.prot}/2] + [{used.vuln2}/3] + [{used.vuln1}/2] + {used.safe} + f = {bound.moves}",
            f"unplayable({rival}) = {bound.unplayable}, unavail({rival}) = {used.unavail}",
            f"avail({rival}) = {used.squares} - 2*{bound.moves} - {used.unavail} - {bound.unplayable}, "
            f"so {rival} makes at most {bound.opponent} moves",
        ]

    def text(self) -> str:
        """Return the cover as a grid of letters, the counts, the formulas and the verdict."""
        rows, cols = self.position.rows, self.position.cols
        grid = [[" ." if self.position.is_free(r + 1, c + 1) else " #" for c in range(cols)] for r in range(rows)]
        for area in self.witness.areas:
            label = KINDS[area.kind.name][0]
            for square in area.squares:
                grid[square // cols][square % cols] = f"{label:>2}"
        counts = self.witness.counts
        named = ", ".join(f"{name} {getattr(counts, name)}" for name in COUNT_NAMES)
        lines = [f"{self.player}'s cover of {self.position.spec}, {self.to_move} to move"]
        lines += [" ".join(row) for row in grid]
        lines += [named]
        if self.to_move == self.player:
            lines.append(
                f"{self.player} is on turn and first plays in one of her areas (the counts below are after that)"
            )
        return "\n".join([*lines, *self.formulas(), self.verdict(), "where", *(f"  {line}" for line in LEGEND)])

    def areas(self) -> list[Area]:
        """Return the cover's areas in their colours."""
        cols = self.position.cols
        areas = []
        for area in self.witness.areas:
            label, colour = KINDS[area.kind.name]
            squares = [(square // cols, square % cols) for square in area.squares]
            areas.append(
                Area(squares, label + ("'" if area.has_protected_square else ""), colour, dashed=label[0] in "Ox")
            )
        return areas

    def caption(self) -> list[str]:
        """Return the formulas and the verdict."""
        return [*self.formulas(), self.verdict()]

    def svg(self) -> str:
        """Return the cover as a picture."""
        return view_svg(
            self.position.view(), players=PLAYERS, areas=self.areas(), caption=self.caption(), title=self.position.text
        )

    _repr_svg_ = svg

    def to_json(self) -> dict[str, Any]:
        """Return the cover as a JSON object; squares are [row, column] from 1."""
        cols = self.position.cols
        bound = self.witness.bound
        return {
            "game": "domineering",
            "spec": self.position.spec,
            "bound": "cover",
            "player": self.player,
            "to_move": self.to_move,
            "wins": self.wins,
            "moves": bound.moves,
            "opponent_moves": bound.opponent,
            "unplayable": bound.unplayable,
            "counts": {name: getattr(self.witness.counts, name) for name in COUNT_NAMES},
            "counts_used": {name: getattr(bound.used, name) for name in COUNT_NAMES},
            "areas": [
                {
                    "kind": area.kind.name.lower(),
                    "label": KINDS[area.kind.name][0],
                    "protected_square": area.has_protected_square,
                    "squares": [[square // cols + 1, square % cols + 1] for square in area.squares],
                }
                for area in self.witness.areas
            ],
        }


def explain_cover(position: Position, player: Player, to_move: Player, features: frozenset[str]) -> CoverExplanation:
    """Explain the cover bound of a player."""
    witness = _core.cover_witness(position.board, core_player(player), to_move == player, cover_switches(features))
    return CoverExplanation(position, player, to_move, witness)


def explain(
    position: Position | str,
    *,
    player: Player = "V",
    to_move: Player | None = None,
    bound: str = "cover",
    without: tuple[str, ...] = (),
    added: tuple[str, ...] = (),
) -> Explanation:
    """Explain a bound of a player; the opponent is to move if nothing else is said.

    >>> print(explain("2x2", player="V", to_move="V").text().splitlines()[-1])
    V wins: 2 > 0 with V to move

    :raises ValueError: if the position, a player or a name is bad.
    """
    if isinstance(position, str):
        position = Position.from_text(position)
    core_player(player)
    to_move = opponent(player) if to_move is None else to_move
    core_player(to_move)
    if bound == "cover":
        features = SearchOptions().leaving_out(*without).adding(*added).features
        return explain_cover(position, player, to_move, features)
    if bound == "strip":
        return explain_strip(position, player, to_move)
    raise ValueError(f"bound {bound[:40]!r} cannot be explained: cover or strip")
