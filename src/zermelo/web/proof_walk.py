"""A certificate as the visitor walks it: she plays the loser, the strategy answers, down to a leaf and its picture."""

from __future__ import annotations

import threading
from typing import Literal, Protocol

from pydantic import BaseModel

from zermelo._core import CancelToken
from zermelo.domineering import Move, Player, Position
from zermelo.domineering.position import opponent
from zermelo.draw import Area, svg
from zermelo.positional import MnkGame
from zermelo.proof._old import describe_node
from zermelo.proof._old import old_claim as read_claim
from zermelo.proof.container import Bytes, Claim
from zermelo.proof.positional_strategy import PASS, PositionalStrategy, Standing
from zermelo.proof.strategy import DomineeringStrategy, Node
from zermelo.web.analysis import Budget
from zermelo.web.domineering import view as domineering_view
from zermelo.web.mnk import at, pair_areas, square_of
from zermelo.web.mnk import view as mnk_view
from zermelo.web.values import shown, value_of
from zermelo.web.view import AreaView, MoveView, Overlay, Piece, View

Kind = Literal["answers", "move", "leaf", "same"]


class NodeView(BaseModel):
    """One position of the strategy."""

    view: View
    kind: Kind
    """The loser's moves are all answered; the winner moves; a witness ends the branch; as a position before."""
    text: str
    move: str | None
    """The winner's move, where she is to move; `-` is a pass."""
    goes_on: bool
    """Whether the loser may choose a move here."""
    loser_to_move: bool
    overlay: Overlay


class Walk(Protocol):
    """The strategy of one certificate."""

    claim: Claim

    def node(self, moves: list[str]) -> NodeView:
        """Describe the position after some moves.

        :raises ValueError: if the strategy never plays that way.
        """


def walk_of(payload: bytes, *, memory: int, budget: Budget, token: CancelToken) -> Walk:
    """Read a certificate's strategy, within limits.

    :raises ValueError: if it is malformed, too large, or of a kind that has no moves to walk.
    """
    claim = read_claim(Bytes(payload))
    if claim.game == "domineering":
        strategy = DomineeringStrategy(payload)
        strategy.build_index(memory=memory, seconds=budget.seconds, cancel=token)
        return DomineeringWalk(strategy)
    if claim.game == "mnk":
        return MnkWalk(PositionalStrategy(payload, seconds=budget.seconds))
    if claim.game == "rectangle":
        raise ValueError(f"This certificate derives {claim.spec} by rules; it has no moves to walk: see Who wins?")
    raise ValueError("A certificate of a hypergraph has no board to walk on; use zermelo check.")


# ---- Domineering


class DomineeringWalk:
    """A walk on the board of the claim."""

    def __init__(self, strategy: DomineeringStrategy) -> None:
        self.claim = strategy.claim
        self._strategy = strategy
        self._lock = threading.Lock()  # The strategy reads its bytes with one cursor.

    def node(self, moves: list[str]) -> NodeView:
        played = [Move.parse(text) for text in moves]
        with self._lock:
            return domineering_node(self._strategy, played)


def domineering_node(strategy: DomineeringStrategy, played: list[Move]) -> NodeView:
    """Describe the node after some moves; a reference shows the position it refers to."""
    claim = strategy.claim
    dominoes = [strategy.domino_of(move.player, move.row - 1, move.col - 1) for move in played]
    node = strategy.after(dominoes)
    winner: Player = "V" if claim.winner == "V" else "H"
    to_move = opponent(winner) if node.loser_to_move else winner
    text = describe_node(strategy, node)
    kind: Kind = "answers"
    if node.kind == "ref":
        kind, node = "same", strategy.referred(node)
    elif node.kind == "move":
        kind = "move"
    elif node.kind not in ("all", "keep"):
        kind = "leaf"
    spec = claim.spec + (":" + ";".join(map(str, played)) if played else "")
    grid = strategy.picture(node.free).replace("\n", "/")
    if claim.topology != "rectangle":
        grid = f"{claim.topology}:{grid}"
    position = Position.from_text(grid)
    if kind == "same" or not follows(spec, position):
        spec = grid
    seen = domineering_view(position, spec, to_move)
    if kind == "answers" and not seen.moves:
        text = f"{to_move} has no move left and loses"
        kind = "leaf"
    return NodeView(
        view=seen,
        kind=kind,
        text=text,
        move=strategy.domino_name(node.move) if node.kind == "move" else None,
        goes_on=kind in ("answers", "same"),
        loser_to_move=node.loser_to_move,
        overlay=leaf_overlay(strategy, node),
    )


def follows(spec: str, position: Position) -> bool:
    """Whether a spec leads to the position: after a reference the strategy goes on from another board."""
    try:
        return Position.from_text(spec) == position
    except ValueError:
        return False


def leaf_overlay(strategy: DomineeringStrategy, node: Node) -> Overlay:
    """Show what a leaf rests on. Where moves are still to be answered, a cut may be enough for some of them only."""
    if node.kind == "cover":
        return cover_overlay(strategy, node)
    return strips_overlay(strategy, node) if node.kind == "strips" else Overlay(areas=[], caption=[])


def strips_overlay(strategy: DomineeringStrategy, node: Node) -> Overlay:
    """Show the pieces of a strips leaf, with their values where they are small."""
    areas: list[Area] = []
    caption: list[str] = []
    for squares in pieces(strategy, node):
        letter = chr(97 + len(areas) % 26)
        areas.append(Area(squares, letter, svg.CYCLE[len(areas) % len(svg.CYCLE)]))
        if len(squares) > 1 and len(caption) < 16:
            value = shown(value_of(piece_spec(squares)))
            if value is not None:
                caption.append(f"{letter} = {value}")
    if areas:
        winner = strategy.claim.winner
        caption.insert(
            0,
            f"{winner} promises never to cross the cuts; the pieces together are already enough for "
            f"{winner} (values count for V).",
        )
    return Overlay(areas=[AreaView.of(area) for area in areas], caption=caption)


def cover_overlay(strategy: DomineeringStrategy, node: Node) -> Overlay:
    """Show the areas of a cover leaf: protective ones of four squares, dominoes of two (FORMAT.md 5.5)."""
    areas = []
    for index, area in enumerate(node.areas):
        squares = squares_of(strategy, area)
        colour = svg.BLUE if len(squares) == 4 else svg.GREEN
        areas.append(Area(squares, chr(97 + index % 26), colour))
    winner = strategy.claim.winner
    caption = [
        f"{winner} covers the board with areas that the loser cannot all spoil: of the blue ones she is sure of two "
        "moves for every two, of the green ones of one for every two or three, and the loser runs out of squares first."
    ]
    return Overlay(areas=[AreaView.of(area) for area in areas], caption=caption)


def squares_of(strategy: DomineeringStrategy, squares: int) -> list[tuple[int, int]]:
    """Return a bit set of the turned board as squares (row, column from 0) of the claim's board."""
    found = [divmod(s, strategy.cols) for s in range(squares.bit_length()) if squares >> s & 1]
    return [(col, row) for row, col in found] if strategy.turned else found


def piece_spec(squares: list[tuple[int, int]]) -> str:
    """Return a piece alone, as a spec."""
    kept = set(squares)
    rows = range(min(row for row, _ in kept), max(row for row, _ in kept) + 1)
    cols = range(min(col for _, col in kept), max(col for _, col in kept) + 1)
    return "/".join("".join("." if (row, col) in kept else "#" for col in cols) for row in rows)


def pieces(strategy: DomineeringStrategy, node: Node) -> list[list[tuple[int, int]]]:
    """Return the squares (row, column from 0, of the claim's board) of each piece of a strips leaf.

    A component falls into strips at its cuts, and in a strip every run of columns is a piece (FORMAT.md 5.1).
    """
    found: list[list[tuple[int, int]]] = []
    for part, gaps in node.cuts:
        squares = [divmod(s, strategy.cols) for s in range(part.bit_length()) if part >> s & 1]
        strip_of = {row: (gaps & ((1 << row) - 1)).bit_count() for row, _ in squares}
        for strip in sorted(set(strip_of.values())):
            inside = [square for square in squares if strip_of[square[0]] == strip]
            columns = sorted({col for _, col in inside})
            run: list[int] = []
            for col in columns:
                if run and col != run[-1] + 1:
                    found.append([square for square in inside if square[1] in run])
                    run = []
                run.append(col)
            found.append([square for square in inside if square[1] in run])
    if strategy.turned:
        found = [[(col, row) for row, col in squares] for squares in found]
    return found


# ---- m,n,k games

NAMES = {"maker": "Maker (X)", "breaker": "Breaker (O)"}
MARKS = {"maker": "X", "breaker": "O"}


class MnkWalk:
    """A walk through a Maker-Breaker strategy: X is Maker, O is Breaker."""

    def __init__(self, strategy: PositionalStrategy) -> None:
        self.claim = strategy.claim
        self._strategy = strategy
        self._lock = threading.Lock()
        self._board = MnkGame(strategy.columns, strategy.rows, strategy.k)
        self.loser = "maker" if self.claim.winner == "breaker" else "breaker"

    def node(self, moves: list[str]) -> NodeView:
        played = [None if name == PASS else self._board.square(name) for name in moves]
        with self._lock:
            standing, move, winner_to_move = self._strategy.after(played)
            if winner_to_move:
                return self._winner_moves(standing, move, played)
            return self._loser_moves(standing, played)

    def _winner_moves(self, standing: Standing, move: int | None, played: list[int | None]) -> NodeView:
        winner = NAMES[self.claim.winner]
        name = PASS if move is None else self._board.name(move)
        text = f"{winner} passes" if move is None else f"{winner} plays {name}"
        return NodeView(
            view=self._view(standing, played, self.claim.winner),
            kind="move",
            text=text,
            move=name,
            goes_on=False,
            loser_to_move=False,
            overlay=Overlay(areas=[], caption=[]),
        )

    def _loser_moves(self, standing: Standing, played: list[int | None]) -> NodeView:
        records = [(part, self._strategy.record(part.record)) for part in standing.parts]
        leaf = all(record.kind != "step" for _, record in records)
        taken = standing.loser | standing.winner
        pairs = [
            (part.place[one], part.place[two])
            for part, record in records
            for one, two in record.pairs
            if part.place[one] not in taken and part.place[two] not in taken
        ]
        lines = [
            [part.place[cell] for cell in self._strategy.edges[record.edge]]
            for part, record in records
            if record.kind == "edge"
        ]
        zone = {s for part, _ in records for s in self._strategy.zone(part)} - taken
        winner, loser = NAMES[self.claim.winner], NAMES[self.loser]
        free = self._strategy.cells - len(taken)
        if lines:
            text, areas = f"{winner} has completed a line", lines_areas(self._board, lines)
            caption = [f"{winner} holds all squares of the line: the game is won."]
        elif leaf:
            text = f"{winner} wins by {len(pairs)} pairs"
            areas = pair_areas(self._board, pairs)
            caption = [
                f"Whenever {loser} takes a square with a letter, {winner} takes the other one with the same "
                "letter; every line that is still open holds such a pair. Squares without a letter do not matter."
            ]
        else:
            text = f"{loser} to move: each of {free} moves is answered"
            areas = [Area([at(self._board, s) for s in sorted(zone)], "", svg.GREEN)]
            caption = [f"{winner} answers on the shaded squares, the zone of her strategy."]
            if len(zone) < free:
                caption.append("Moves elsewhere do not matter: she passes.")
            areas += pair_areas(self._board, pairs)
        view = self._view(standing, played, self.loser)
        return NodeView(
            view=view,
            kind="leaf" if leaf else "answers",
            text=text,
            move=None,
            goes_on=bool(view.moves) and not lines,
            loser_to_move=True,
            overlay=Overlay(areas=[AreaView.of(area) for area in areas], caption=caption),
        )

    def _view(self, standing: Standing, played: list[int | None], to_move: str) -> View:
        last = next((square for square in reversed(played) if square is not None), None)
        empty = mnk_view(self._board)
        marks = {self.loser: standing.loser, self.claim.winner: standing.winner}
        taken = standing.loser | standing.winner
        pieces = [
            Piece(player=MARKS[player], squares=[square_of(self._board, square)], last=square == last)
            for player in ("maker", "breaker")
            for square in sorted(marks[player])
        ]
        moves = [
            MoveView(id=self._board.name(s), squares=[square_of(self._board, s)])
            for s in self._board.free
            if s not in taken
        ]
        return empty.model_copy(
            update={
                "pieces": pieces,
                "moves": moves,
                "to_move": MARKS[to_move],
                "player_names": {MARKS[player]: name for player, name in NAMES.items()},
            }
        )


def lines_areas(game: MnkGame, lines: list[list[int]]) -> list[Area]:
    return [Area([at(game, square) for square in line], "", svg.VERMILION) for line in lines]
