"""Domineering as a game: its words, its options and its services."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from zermelo.domineering.explain import explain
from zermelo.domineering.position import LARGEST_BOARD, PLAYER_NAMES, PLAYERS, Move, Player, Position
from zermelo.domineering.prove import DomineeringProofs
from zermelo.domineering.solve import DomineeringChooser
from zermelo.game import Answer, Chooser, Clock, Explanation, Limits, Option, Replay, Result, Square
from zermelo.game import Move as AnyMove
from zermelo.game import Player as PlayerName
from zermelo.game import Position as AnyPosition

if TYPE_CHECKING:
    from zermelo.domineering.values import DomineeringValues
    from zermelo.game.services import Tables

OUTCOME_WORDS = {
    "V": "Vertical wins, whoever starts",
    "H": "Horizontal wins, whoever starts",
    "first": "the first player wins",
    "second": "the second player wins",
    "unknown": "unknown",
}
EXPLANATIONS = {"cover": "The cover bound", "strip": "The strip bound"}


class DomineeringGame(DomineeringProofs):
    """Domineering on rectangles, cylinders and tori of any size, and on any part of them."""

    name = "domineering"
    title = "Domineering"
    players = PLAYERS
    player_names = PLAYER_NAMES
    rules = (
        "Two players place dominoes on the free squares of a board, in turn. Vertical's dominoes stand upright, "
        "Horizontal's lie flat. Who cannot move loses."
    )
    spec_help = (
        "rows x columns as 8x8; torus:4x6, hcylinder:3x8, vcylinder:3x8; a drawn board ..#./....; moves 8x8:V1,2;H3,4"
    )
    rules_example = "5x6:V2,2;H1,4;V4,5;H5,1"
    glossary: Mapping[str, str] = {
        "Vertical, V, Left": "The player whose dominoes stand upright. Counts as positive in values.",
        "Horizontal, H, Right": "The player whose dominoes lie flat. Counts as negative in values.",
        "V, H, 1, 2": (
            "In tables: Vertical or Horizontal wins whoever starts, or the first or the second player wins. Two of "
            "them together mean that one of the two holds: 1/2 is “the first or the second player”."
        ),
        "cover": "Areas that do not overlap and in each of which a player is sure of a move, or of two in every two.",
        "strips": "Pieces into which the board is cut; each has a value that was worked out beforehand.",
        "value": "What a position is worth in moves, as Conway's theory counts: 2 means two moves ahead for Vertical.",
        "temperature": "How much it matters to move first: high in hot positions, below 0 where nobody wants to move.",
        "thermograph": "A picture of a value: who is how far ahead when each move costs a tax.",
        "torus, cylinder": "Boards whose edges are glued: dominoes may go over a dashed edge and come in opposite.",
    }
    shapes: Mapping[str, str] = {
        "Aztec diamond": "##..##/#....#/....../....../#....#/##..##",
        "Cross": "##..##/##..##/....../....../##..##/##..##",
        "Ring": "....../.####./.####./.####./.####./......",
        "Staircase": ".#####/..####/...###/....##/.....#/......",
        "Two rooms": "....#..../....#..../........./....#..../....#....",
        "Letter T": "......./......./##...##/##...##/##...##",
        "Chessboard without two corners": "#......./......../......../......../......../......../......../.......#",
        "Torus 4x6": "torus:4x6",
        "Cylinder 4x7": "hcylinder:4x7",
    }
    theory: Mapping[str, str] = {
        "theory-cover": "Covers",
        "theory-strips": "Strips",
        "theory-rules": "Boards of any size",
    }
    examples = ("8x8", "5x6", "3x1000", "torus:4x6", "..#./..../#...", "8x8:V1,2;H3,4")
    outcomes = OUTCOME_WORDS
    outcome_labels: Mapping[str, str] = {"V": "V", "H": "H", "first": "1", "second": "2"}
    solve_options = (
        Option("method", "Rules or search; auto asks the rules about empty boards of more than 64 squares first.",
               default="auto", choices=("auto", "search", "rules")),
        Option("bounds", "Which bounds may decide: strip, or for the search of the papers real,cover.", kind="texts",
               choices=("real", "cover", "strip")),
        Option("without", "Switch a feature of the papers' search off. An unknown name lists them.", kind="texts"),
        Option("with", "Switch on a feature that the papers lack: real-cap, four-packings.", kind="texts"),
        Option("replacement", "Replacement scheme of the papers' search."),
    )  # fmt: skip
    explain_options = (
        Option(
            "player",
            "Whose bound. If neither this nor --to-move is given, one that decides.",
            default="V",
            choices=PLAYERS,
        ),
        Option("to-move", "Who is to move. The opponent if not given.", choices=PLAYERS),
        Option("without", "Switch a feature of the cover off.", kind="texts"),
        Option("with", "Switch on a feature that the papers lack.", kind="texts"),
    )
    explanations = EXPLANATIONS
    explain_examples = ("8x8", "5x6", "torus:4x6")  # of at most 256 squares
    normal_play = True
    reshapes = True

    @cached_property
    def values(self) -> DomineeringValues:
        from zermelo.domineering.values import DomineeringValues

        return DomineeringValues(self)

    def parse(self, text: str) -> Position:
        return Position(text)

    def notations(self, position: AnyPosition) -> Mapping[str, str]:
        """Return the position for CGSuite, where it has no glued edges."""
        board = cast(Position, position)
        if board.topology != "rectangle":
            return {}
        return {"CGSuite": f'game.grid.Domineering("{board.lattice.grid(board.blocked, "|")}")'}

    def turned_round(
        self, position: AnyPosition, player: PlayerName, starts: Mapping[PlayerName, Answer]
    ) -> Answer | None:
        """Return the other starter's answer turned, where the position equals its own transpose."""
        earlier = starts.get(self.other(player))
        if earlier is None or earlier.by == "over" or cast(Position, position).transposed() != position:
            return None
        if earlier.winner is None:
            return Answer(player, None, "limit", why=earlier.why, limit=earlier.limit, remark=earlier.remark)
        domino = cast("Move | None", earlier.move)
        move = None if domino is None else Move(cast(Player, player), domino.col, domino.row)
        why = f"{earlier.why}; turned round, the players exchanged"
        winner = self.other(earlier.winner)
        return Answer(player, winner, "symmetry", move, why, certificate=earlier.certificate)

    def to_json(self, result: Result) -> dict[str, Any]:
        """Return the documented keys: a move is [row, column]."""
        data = result.to_json()
        for player, answer in result.starts.items():
            if isinstance(answer.move, Move):
                data["starts"][player]["move"] = [answer.move.row, answer.move.col]
        return data

    def explain(
        self, position: AnyPosition, kind: str, *, limits: Limits = Limits(seconds=10), options: Mapping[str, Any] = {}
    ) -> Explanation:
        board, given = cast(Position, position), self.options_given(options, self.explain_options)
        if board.lattice.area > LARGEST_BOARD:
            return self._explain_by_rules(board, given)
        if kind == "strip" and ("without" in given or "with" in given):
            raise ValueError("--without and --with belong to the cover bound")
        free = "player" not in given and "to-move" not in given
        first, clock = None, Clock(limits)
        for player, to_move in (("V", "H"), ("H", "V"), ("V", "V"), ("H", "H")) if free else (("V", None),):
            why = explain(
                board,
                player=given.get("player", player),
                to_move=given.get("to-move", to_move),
                bound=kind,
                without=tuple(given.get("without", ())),
                added=tuple(given.get("with", ())),
                limits=clock.left(),
            )
            if why.winner is not None:
                return why
            first = first or why
        assert first is not None
        return first

    def _explain_by_rules(self, board: Position, options: Mapping[str, Any]) -> Explanation:
        """Explain an empty board that is too large for the bounds."""
        from zermelo.domineering.rules.knowledge import shipped

        if options or not board.is_empty:
            raise ValueError(
                f"the bounds are for boards of at most {LARGEST_BOARD} squares, not for {board.lattice.spec}"
            )
        known = shipped().decide(board.lattice)
        winner = known.outcome if known.outcome in PLAYERS else None
        data = {key: said for key, said in known.data.items() if key not in ("outcome", "starts")}  # solve says these
        return Explanation(known.text, known.text[:1], data=data, words=known.text[:1], winner=winner)

    def reshaped(self, position: AnyPosition, square: Square) -> Position:
        shape, (row, col) = cast(Position, position), square
        if not (1 <= row <= shape.rows and 1 <= col <= shape.cols):
            raise ValueError(f"square {row},{col} is not on the board")
        return Position.of(shape.lattice, shape.start ^ 1 << (row - 1) * shape.cols + col - 1)

    def certificate_moves(self, position: AnyPosition, player: PlayerName, winner: PlayerName) -> Sequence[Move]:
        """Return the moves by rows; by columns where H wins, because the certificate turns the board then."""
        moves = cast(Position, position).moves(player)
        return moves if winner == "V" else sorted(moves, key=lambda move: (move.col, move.row))

    # Each service is loaded when it is first used, so that a command starts soon

    @property
    def tables(self) -> Tables:
        from zermelo.domineering.rules import table

        return table

    def chooser(self, limits: Limits, options: Mapping[str, Any] = {}) -> Chooser:
        return DomineeringChooser(limits, self.options_given(options))

    def replay(self, payload: bytes, *, limits: Limits = Limits()) -> Replay:
        from zermelo.domineering.replay import replay

        return replay(payload, limits=limits)

    def proof_counts(self, payload: bytes) -> Mapping[str, int]:
        from zermelo.domineering.replay import counts

        return counts(payload)

    def trimmed_proof(self, payload: bytes) -> bytes:
        from zermelo.domineering.replay import trimmed

        return trimmed(payload)

    def kept_tag(self, tag: int) -> int | None:
        from zermelo.domineering.replay import kept_tag

        return kept_tag(tag)

    def move_worth(self, position: AnyPosition, player: PlayerName) -> Callable[[AnyMove], Any]:
        from zermelo.domineering.move_order import move_worth

        if position.size[0] * position.size[1] > LARGEST_BOARD:
            return super().move_worth(position, player)
        return move_worth(cast(Position, position), cast(Player, player))


GAME = DomineeringGame()
