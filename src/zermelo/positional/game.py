"""The two positional games as the doors see them: m,n,k games and games on hypergraphs."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.game import (
    DRAW,
    Answer,
    Chooser,
    Clock,
    Explanation,
    Game,
    Limits,
    Move,
    Option,
    Player,
    Position,
    Replay,
    Result,
    Written,
)
from zermelo.positional import prove, strong_proof
from zermelo.positional.explain import KINDS, explain
from zermelo.positional.files import parse_hypergraph, read_hypergraph
from zermelo.positional.position import HypergraphPosition, MnkPosition, PositionalPosition, masks_of
from zermelo.positional.replay import PositionalReplay, RecordReader
from zermelo.positional.solve import SWITCHES, PositionalChooser, weights
from zermelo.words import capital

if TYPE_CHECKING:
    from zermelo.proof.container import Bytes, Claim


class PositionalGame(Game):
    """The services that both games share."""

    solve_options = (
        Option(
            "without", "Switch off one idea of the Maker-Breaker search (repeatable).", kind="texts", choices=SWITCHES
        ),
    )
    explanations = KINDS
    theory: Mapping[str, str] = {"theory-positional": "Lines, pairings and zones"}

    def chooser(self, limits: Limits, options: Mapping[str, Any] = {}) -> Chooser:
        return PositionalChooser(limits, self.options_given(options).get("without", ()))

    def explain(
        self, position: Position, kind: str, *, limits: Limits = Limits(seconds=10), options: Mapping[str, Any] = {}
    ) -> Explanation:
        assert isinstance(position, PositionalPosition)
        maker = self.options_given(options, self.explain_options).get("maker", self.players[0])
        if maker != self.players[0] and not position.strong:
            raise ValueError("Breaker wants no hyperedge: the option 'maker' belongs to strong games")
        return explain(position, kind, maker=maker, limits=limits)

    # Certificates

    def proof_chooser(
        self, limits: Limits, options: Mapping[str, Any] = {}, folder: Path | None = None
    ) -> PositionalChooser:
        """Return a chooser that records the results of its Maker-Breaker searches."""
        without = self.options_given(options).get("without", ())
        return PositionalChooser(limits, without, recording=folder or tempfile.gettempdir())

    def prove(
        self,
        position: Position,
        first: Player,
        path: Path,
        limits: Limits = Limits(),
        chooser: Chooser | None = None,
        answer: Answer | None = None,
    ) -> Written:
        assert isinstance(position, PositionalPosition)
        mine = chooser if isinstance(chooser, PositionalChooser) else PositionalChooser(limits)
        clock, over = Clock(limits.with_(on_progress=None)), position.decided(first)
        if position.strong and over not in (None, DRAW):
            what = "line" if position.board.size else "hyperedge"
            raise ValueError(f"the game is over: {over} has a {what} already, so that nothing is left to prove")
        with mine.recorder(position.board, path.parent) as recorder:
            write = partial(prove.prove, position, first)
            if position.strong:
                answer = answer or recorder.answer(position, first, limits, want_move=False)
                clock.nodes = answer.nodes
                if answer.winner is None:
                    return Written(None, None, nodes=answer.nodes)
                empty = not any(position.marks(player) for player in self.players)
                # A draw of an empty m,n,k board in which O need only block has the short Maker-Breaker certificate.
                if not (empty and position.board.size and answer.details["maker_breaker"] == "breaker"):
                    write = partial(strong_proof.prove, position, answer)
            written = write(path, clock.left(), recorder)
        return replace(written, nodes=clock.nodes + written.nodes)

    def claim_bytes(self, position: Position, starter: Player, winner: Player) -> bytes:
        """Return the claim by the rules of the position; the winner "maker" or "breaker" of m,n,k is Maker-Breaker."""
        assert isinstance(position, PositionalPosition)
        real = position.strong and winner in (*self.players, DRAW)
        return (prove.strong_claim_bytes if real else prove.claim_bytes)(position, starter, winner)

    def read_claim(self, code: int, payload: Bytes) -> Claim:
        return prove.read_claim(code, payload)

    def claim_words(self, claim: Claim) -> str:
        if claim.code != self.claim_codes[1]:
            return super().claim_words(claim)
        words = self.winner_words(claim.winner)
        return f"{capital(words)} in {claim.spec}, {self.player_names[claim.starter]} to move."

    def replay(self, payload: bytes, *, limits: Limits = Limits()) -> Replay:
        if payload[0] in self.claim_codes[1:]:
            return strong_proof.StrongReplay(self, payload, limits)
        return PositionalReplay(RecordReader(payload, limits))

    def proof_counts(self, payload: bytes) -> Mapping[str, int]:
        if payload[0] in self.claim_codes[1:]:
            return strong_proof.StrongReplay(self, payload).counts
        return RecordReader(payload).counts

    def detail_line(self, name: str, text: str) -> str:
        if name != "maker_breaker":
            return super().detail_line(name, text)
        one, two = self.player_names.values()
        return {
            "maker": f"by blocking alone {two} could not stop {one}",
            "breaker": f"by blocking alone {two} can stop {one}",
        }.get(text, f"whether {two} can stop {one} by blocking alone is not known")

    def likely(self, position: Position, player: Player, moves: Sequence[Move]) -> Move:
        assert isinstance(position, PositionalPosition)
        value = weights(position.board, *masks_of(position, player))
        return max(moves, key=lambda move: value[position.vertex(str(move).split()[-1])])


class MnkGameRules(PositionalGame):
    """m,n,k games: tic-tac-toe, gomoku and all others of that kind."""

    name = "mnk"
    explain_options = (
        Option("maker", "Whose lines the other player blocks: X if not given.", default="X", choices=("X", "O")),
    )
    title = "m,n,k games"
    players = ("X", "O")
    player_names: Mapping[str, str] = {"X": "X", "O": "O"}
    rules = (
        "X and O take turns to mark a free square of a board with m columns and n rows; X begins. "
        "The first player with k marks in a row, a column or a diagonal wins. "
        "If the board is full and neither has a line, the game is a draw."
    )
    spec_help = "columns,rows,k and the moves played in turn: 3,3,3 or 7,7,5:d4,c3; or tictactoe, gomoku"
    rules_example = "5,5,4:c3,b2,d4,b4,b3,d3"
    glossary: Mapping[str, str] = {
        "line": "Squares in a row, a column or a diagonal, as many as are needed to win.",
        "pairing": "Squares in pairs that hit every line: whenever one player takes one of a pair, the other takes "
        "its partner, and so stops every line.",
        "zone": "The squares that decide; moves elsewhere change nothing.",
        "potential": "A weight of all open lines; where it is small enough, blocking the heaviest squares is enough.",
        "Maker, Breaker": "The player who wants a line, and the one who only blocks.",
    }
    shapes: Mapping[str, str] = {
        "Tic-tac-toe": "3,3,3",
        "Four in a row, 5x5": "5,5,4",
        "Five in a row, 7x7": "7,7,5",
        "Four in a row, 6 columns": "6,5,4",
    }
    examples = ("3,3,3", "4,4,4", "4,3,3", "5,5,5", "5,5,4", "7,7,5")
    aliases: Mapping[str, str] = {"tictactoe": "3,3,3", "tic-tac-toe": "3,3,3", "gomoku": "15,15,5"}
    """Well-known names, in small letters, and their specs."""
    outcomes: Mapping[str, str] = {
        "first": "the first player, X, wins",
        "draw": "a draw",
        "second": "the second player, O, wins (only after moves)",
        "unknown": "a limit was reached",
    }
    claim_codes = (2, 6)

    def parse(self, text: str) -> MnkPosition:
        return MnkPosition(self.aliases.get(text.strip().lower(), text))

    def outcome(self, starts: Mapping[Player, Answer]) -> str | None:
        (answer,) = starts.values()
        return {"X": "first", "O": "second", DRAW: "draw", None: "unknown"}[answer.winner]

    def ending(self, position: Position, player: Player) -> str:
        assert isinstance(position, MnkPosition)
        return "The board is full." if position.decided(player) == DRAW else f"{position.k} in a row."

    def claim_words(self, claim: Claim) -> str:
        """Return the claim in words: by the real rules, or in the game in which O only blocks, where X is Maker."""
        if claim.code == self.claim_codes[1]:
            return super().claim_words(claim)
        place = claim.place(MnkPosition(claim.spec).name)
        if claim.winner == "breaker":
            return f"O can stop every line of X in {place}, so X cannot win; from an empty board it is a draw."
        return f"X gets a line in {place} if O only blocks (Maker-Breaker); that alone does not win the real game."

    def to_json(self, result: Result) -> dict[str, Any]:
        (answer,) = result.starts.values()
        keys = ("maker_breaker", "proved_by", "pairs")
        return super().to_json(result) | {"move": answer.move} | {key: answer.details.get(key) for key in keys}


class HypergraphGame(PositionalGame):
    """Maker-Breaker games and strong games on any hypergraph."""

    name = "hypergraph"
    explain_options = (
        Option("maker", "Whose hyperedges the other player blocks; for strong games.", choices=("maker", "breaker")),
    )
    title = "games on hypergraphs"
    players = ("maker", "breaker")
    player_names: Mapping[str, str] = {"maker": "Maker", "breaker": "Breaker"}
    rules = (
        "Maker and Breaker take turns to mark a free vertex; either may begin. "
        "Maker wins by marking all vertices of a hyperedge, and Breaker wins by stopping that. "
        "In a strong game both want a hyperedge; the first player who has one wins, and a game without one is a draw."
    )
    spec_help = (
        "hyperedges separated by '/', marks after ':', 'strong:' in front for the strong game: "
        "'a b c / c d : maker a, breaker d', or a .hyp or .pg file"
    )
    rules_example = "a b c / d e f / g h i / a d g / b e h / c f i / a e i / c e g : maker e c, breaker a"
    glossary: Mapping[str, str] = {
        "vertex": "A point that the players mark: it has a name, and is drawn as a square.",
        "hyperedge": "A set of vertices; Maker wants all vertices of one. Here each is a ribbon.",
        "strong game": "Both players want a hyperedge, and the first who has one wins.",
        "pairing": "Vertices in pairs that hit every hyperedge: whenever Maker takes one of a pair, Breaker takes the "
        "other.",
        "zone": "The vertices that decide; moves elsewhere change nothing.",
        "potential": "A weight of all open hyperedges; where it is small enough, Breaker wins by taking the "
        "heaviest vertex.",
    }
    shapes: Mapping[str, str] = {
        "Triangle": "a b / b c / c a",
        "Fano plane": "1 2 3 / 1 4 5 / 1 6 7 / 2 4 6 / 2 5 7 / 3 4 7 / 3 5 6",
        "Fano plane, strong": "strong: 1 2 3 / 1 4 5 / 1 6 7 / 2 4 6 / 2 5 7 / 3 4 7 / 3 5 6",
        "Tic-tac-toe, Maker against Breaker": "a b c / d e f / g h i / a d g / b e h / c f i / a e i / c e g",
    }
    examples = (
        "a b / b c / c d / d a",
        "a b c / d e f / g h i / a d g / b e h / c f i / a e i / c e g",
        "strong: a b c / d e f / g h i / a d g / b e h / c f i / a e i / c e g",
    )
    outcomes: Mapping[str, str] = {
        "maker": "Maker wins, whoever begins",
        "breaker": "Breaker wins, whoever begins",
        "first": "whoever begins wins",
        "draw": "a draw, whoever begins",
        "maker-draw": "Maker wins if Maker begins, else a draw",
        "draw-breaker": "a draw if Maker begins, else Breaker wins",
        "unknown": "a limit was reached",
    }
    claim_codes = (3, 7)

    def parse(self, text: str) -> HypergraphPosition:
        return parse_hypergraph(text)

    def read(self, text: str) -> HypergraphPosition:
        name = text.strip().removeprefix("strong:").strip()
        if name.endswith((".hyp", ".pg")):
            return read_hypergraph(Path(name), strong=name != text.strip())
        return parse_hypergraph(text)

    def outcome(self, starts: Mapping[Player, Answer]) -> str | None:
        winners = [starts[player].winner for player in self.players if player in starts]
        if None in winners:
            return "unknown"
        if len(winners) == 1:
            return None
        return _TOGETHER.get((str(winners[0]), str(winners[1])))

    def turned_round(self, position: Position, player: Player, starts: Mapping[Player, Answer]) -> Answer | None:
        assert isinstance(position, HypergraphPosition)
        known = starts.get("maker")
        if player != "breaker" or known is None or known.winner is None or position.decided(player) is not None:
            return None
        if known.winner == "breaker":
            move = self.likely(position, player, position.moves(player))
            why = "Breaker wins even if Maker begins; a move more never hurts"
            return Answer(player, "breaker", "symmetry", move, why, details=dict(known.details))
        if position.strong and not (position.maker or position.breaker):
            winner = "breaker" if known.winner == "maker" else known.winner
            why = "as if Maker begins, with the players exchanged"
            move = None if known.move is None else str(known.move).replace("maker ", "breaker ", 1)
            return Answer(player, winner, "symmetry", move, why, details=dict(known.details))
        return None

    def to_json(self, result: Result) -> dict[str, Any]:
        position = self.parse(result.spec)
        return super().to_json(result) | {
            "rules": "strong" if position.strong else "maker-breaker",
            "vertices": len(position.vertices),
            "hyperedges": len(position.edges),
            "pairs": next(filter(None, (answer.details.get("pairs") for answer in result.starts.values())), []),
        }


_TOGETHER = {
    ("maker", "maker"): "maker",
    ("breaker", "breaker"): "breaker",
    ("maker", "breaker"): "first",
    (DRAW, DRAW): "draw",
    ("maker", DRAW): "maker-draw",
    (DRAW, "breaker"): "draw-breaker",
}

MNK = MnkGameRules()
HYPERGRAPH = HypergraphGame()
