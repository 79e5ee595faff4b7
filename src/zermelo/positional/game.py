"""The two positional games as the doors see them: m,n,k games and games on hypergraphs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
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
    Progress,
    Result,
    Written,
)
from zermelo.game.distance import Distance
from zermelo.positional import prove, race_proof, strong_proof
from zermelo.positional.dominoes import DominoPosition
from zermelo.positional.explain import KINDS, explain
from zermelo.positional.files import AnyPosition, cube_text, parse_hypergraph, read_hypergraph
from zermelo.positional.position import HypergraphPosition, MnkPosition, NamedPosition, PositionalPosition, masks_of
from zermelo.positional.race import MAX_VERTICES, Race, RacePosition
from zermelo.positional.race_replay import RaceReplay
from zermelo.positional.race_solve import RaceChooser
from zermelo.positional.replay import PositionalReplay, RecordReader
from zermelo.positional.solve import SWITCHES, PositionalChooser, weights
from zermelo.positional.turns import Turns
from zermelo.words import capital, counted

if TYPE_CHECKING:
    from zermelo.proof.container import Bytes, Claim


RULES: tuple[Option, ...] = (
    Option("within", "End the game after so many moves; the moves of both players count.", kind="number"),
    Option("turns", "Another order of turns, as the players' first letters: xo, xoo for ever, x(ooxx).", kind="text"),
    Option("unbounded", "Leave out the bound on the moves that a file gives.", kind="flag"),
)
SHORTEST = Option("shortest", "Say within how many moves the winner wins.", kind="flag")
WITHOUT = Option(
    "without", "Switch off one idea of the Maker-Breaker search (repeatable).", kind="texts", choices=SWITCHES
)
DISTANCE_NODES = 400_000
"""Nodes of the searches for all distances from one position, if the limits do not say otherwise."""


class PositionalGame(Game):
    """The services that both games share."""

    rule_options = RULES
    solve_options = (WITHOUT, SHORTEST, *RULES)
    explanations = KINDS
    theory: Mapping[str, str] = {"theory-positional": "Lines, pairings and zones"}

    def chooser(self, limits: Limits, options: Mapping[str, Any] = {}) -> Chooser:
        given = self.options_given(options)
        return PositionalChooser(limits, given.get("without", ()), shortest="shortest" in given)

    def apply_rules(self, position: Position, options: Mapping[str, Any], first: Player | None = None) -> Position:
        assert isinstance(position, PositionalPosition)
        within, text, unbounded = (options.get(option.name) for option in RULES)
        if within is not None and (within != int(within) or not 1 <= within <= MAX_VERTICES):
            raise ValueError(f"--within takes a number of moves from 1 to {MAX_VERTICES}, not {within:g}")
        if within is not None and unbounded:
            raise ValueError("give --within or --unbounded, not both")
        if within is None and not text and not unbounded:
            return position
        race = position.race(first or position.to_move or self.players[0])
        turns = self._turns(text) if text else race.turns
        starter = self.players[turns.next]
        if first not in (None, starter) or position.to_move not in (None, starter):
            raise ValueError(f"the order of turns begins with {starter}, and it is the turn of another player")
        return position.ruled(turns, None if unbounded else race.within if within is None else int(within))

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
        position = self.parse(position) if isinstance(position, str) else position
        given, names = self.options_given(options), [option.name for option in RULES]
        ruled, rest = ({name: given[name] for name in given if (name in names) == rule} for rule in (True, False))
        if resume is not None and (ruled or "shortest" in rest or position.by_race):  # type: ignore[attr-defined]
            raise ValueError("only a search of the game itself can be resumed: leave out --within and the like")
        if not ruled:
            result = super().solve(
                position, first=first, limits=limits, options=rest, chooser=chooser, on_progress=on_progress,
                resume=resume,
            )  # fmt: skip
            return result if self._bound(position) is None else replace(result, outcome=None)
        if "turns" in ruled and position.to_move is None:  # the order says who begins
            first = first or self.players[self._turns(ruled["turns"]).next]
        clock, starts, starters = Clock(limits), dict[Player, Answer](), self.starters(position, first)
        for number, player in enumerate(starters):
            game = self.apply_rules(position, ruled, player)
            result = self.solve(
                game, first=player, limits=clock.left(len(starters) - number), options=rest, chooser=chooser,
                on_progress=on_progress,
            )  # fmt: skip
            clock.nodes += result.nodes
            starts |= result.starts
        outcome = self.outcome(starts) if self._bound(game) is None else None
        return replace(result, spec=position.text if len(starts) > 1 else result.spec, starts=starts, outcome=outcome)

    def _bound(self, position: Position) -> int | None:
        """Return the bound on the moves. The words for outcomes speak of games without one."""
        assert isinstance(position, PositionalPosition)
        return position.race(position.to_move or self.players[0]).within if position.by_race else None

    def _rules_of_race(self, position: PositionalPosition) -> str:
        """Say in words what is special about the order of turns, the end and the first move."""
        if not position.by_race:
            return ""
        race = position.race(position.to_move or self.players[0])
        order = "" if race.turns.alternate else f" The order of turns is {self._write_turns(race.turns)}."
        end = "" if race.within is None else f" The game ends after {counted(race.within, 'more move')}."
        names = " ".join(position.name(v) for v in race.first[:20]) + ("" if len(race.first) <= 20 else " ...")
        return order + end + (f" The next move is one of {names}." if race.first else "")

    def _write_turns(self, turns: Turns) -> str:
        return turns.write("".join(player[0].lower() for player in self.players))

    def _turns(self, text: str) -> Turns:
        return Turns.read(text, "".join(player[0].lower() for player in self.players))

    def distances(
        self, position: Position, player: Player, winners: Mapping[Move, Player], limits: Limits = Limits()
    ) -> dict[Move, Distance]:
        """Ask the race search, but about a player who only blocks: then the game is over when nobody can win."""
        assert isinstance(position, PositionalPosition)
        if isinstance(position, DominoPosition) or position.board.vertices > MAX_VERTICES:
            return super().distances(position, player, winners, limits)
        clock = Clock(limits.with_(nodes=limits.nodes or DISTANCE_NODES, on_progress=None))
        chooser, found, others = RaceChooser(limits), dict[Move, Distance](), dict[Move, Player]()
        for number, (move, winner) in enumerate(winners.items()):
            after = position.turn_of(player).after(move)
            race = after.race(after.player_after(player))
            side = self.players.index(winner) if winner in self.players else -1
            if side < 0 or race.goals[side] is None or after.decided(after.player_after(player)) is not None:
                others[move] = winner
                continue
            one = chooser.ask_alone(race, side, clock, clock.left(len(winners) - number).nodes)
            found[move] = Distance(1 + one.within if one.wins else 2 + one.within, exact=bool(one.wins))
        return found | (super().distances(position, player, others, clock.left()) if others else {})

    def explain(
        self, position: Position, kind: str, *, limits: Limits = Limits(seconds=10), options: Mapping[str, Any] = {}
    ) -> Explanation:
        assert isinstance(position, PositionalPosition)
        if position.by_race:
            found = super().explain(position, kind, limits=limits)
            winners = {start["winner"] for start in found.data["starts"].values()}
            return replace(found, winner=winners.pop() if len(winners) == 1 else None)
        maker = self.options_given(options, self.explain_options).get("maker", self.players[0])
        if maker != self.players[0] and not position.strong:
            raise ValueError("Breaker wants no hyperedge: the option 'maker' belongs to strong games")
        return explain(position, kind, maker=maker, limits=limits)

    # Certificates

    def proof_chooser(
        self, limits: Limits, options: Mapping[str, Any] = {}, folder: Path | None = None
    ) -> PositionalChooser:
        """Return a chooser that records the results of its Maker-Breaker searches."""
        given = self.options_given(options)
        folder = folder or Path(tempfile.gettempdir())
        return PositionalChooser(limits, given.get("without", ()), folder, shortest="shortest" in given)

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
        if (race := mine.race_of(position, first)) is not None:
            return self._prove_race(race, position, first, path, limits, mine, answer)
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

    def _prove_race(
        self,
        race: Race,
        position: PositionalPosition,
        first: Player,
        path: Path,
        limits: Limits,
        chooser: PositionalChooser,
        answer: Answer | None,
    ) -> Written:
        if position.decided(first) is not None:
            raise ValueError("the game is over, so that nothing is left to prove")
        if isinstance(position, DominoPosition):
            return position.certify(path, limits)
        clock = Clock(limits.with_(on_progress=None))
        answer = answer or chooser.answer(position, first, limits, want_move=False)
        clock.nodes += answer.nodes
        if answer.winner is None:
            return Written(None, None, nodes=clock.nodes)
        if chooser.shortest and answer.details.get("within"):  # the certificate says how soon
            race = replace(race, within=answer.details["within"])
        written = race_proof.prove(race, chooser.races, self.players, answer, path, clock.left())
        return replace(written, nodes=clock.nodes + written.nodes)

    def claim_bytes(self, position: Position, starter: Player, winner: Player) -> bytes:
        """Return the claim by the rules of the position; the winner "maker" or "breaker" of m,n,k is Maker-Breaker."""
        assert isinstance(position, PositionalPosition)
        if position.by_race:
            players = (*self.players, DRAW)
            return race_proof.claim_bytes(position.race(starter), players.index(winner) if winner != DRAW else -1)
        real = position.strong and winner in (*self.players, DRAW)
        return prove.claim_bytes(position, starter, winner, strong=real)

    def read_claim(self, code: int, payload: Bytes) -> Claim:
        return (race_proof.read_claim(payload) if code == race_proof.RACE else prove.read_claim(code, payload))[0]

    def claim_words(self, claim: Claim) -> str:
        if claim.code == self.claim_codes[0]:
            return super().claim_words(claim)
        words = self.winner_words(claim.winner)
        return f"{capital(words)} in {claim.spec}, {self.player_names[claim.starter]} to move."

    def replay(
        self, payload: bytes, *, limits: Limits = Limits()
    ) -> PositionalReplay | RaceReplay | strong_proof.AnyReplay:
        if payload[0] == race_proof.RACE:
            return RaceReplay(payload, limits)
        if payload[0] in self.claim_codes[1:]:
            return strong_proof.replay(payload, limits)
        return PositionalReplay(RecordReader.of(payload, limits))

    def proof_counts(self, payload: bytes) -> Mapping[str, int]:
        return self.replay(payload).counts

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
        if isinstance(position, DominoPosition):
            return super().likely(position, player, moves)
        value, rows, cols = weights(position.board, *masks_of(position, player)), *position.size

        def worth(move: Move) -> tuple[int, int]:
            vertex = position.vertex(str(move).split()[-1])
            row, col = position.square(vertex)
            return value[vertex], -max(abs(2 * row - rows - 1), abs(2 * col - cols - 1))

        return max(moves, key=worth)


def won_words(position: PositionalPosition) -> str:
    """Return the names of the squares with which the game was won."""
    won = set(position.won())
    return ", ".join(position.name(v) for v in range(position.board.vertices) if position.square(v) in won)


class MnkGameRules(PositionalGame):
    """m,n,k games: tic-tac-toe, gomoku and all others of that kind."""

    name = "mnk"
    explain_options = (
        Option("maker", "Whose lines the other player blocks: X if not given.", default="X", choices=("X", "O")),
    )
    title = "k in a row"
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
    famous: Mapping[str, str] = {"Tic-tac-toe": "3,3,3", "Gomoku": "15,15,5"}
    examples = ("3,3,3", "4,4,4", "4,3,3", "5,5,5", "5,5,4", "7,7,5")
    aliases: Mapping[str, str] = {
        "tictactoe": "3,3,3",
        "tic-tac-toe": "3,3,3",
        "gomoku": "15,15,5",
        "connect6": "19,19,6 turns x(ooxx)",
    }
    outcomes: Mapping[str, str] = {
        "first": "the first player, X, wins",
        "draw": "a draw",
        "second": "the second player, O, wins (only after moves)",
        "unknown": "a limit was reached",
    }
    claim_codes = (2, 6)
    largest_page_board = 225

    def parse(self, text: str) -> MnkPosition:
        return MnkPosition(self.aliases.get(text.strip().lower(), text))

    def outcome(self, starts: Mapping[Player, Answer]) -> str | None:
        (answer,) = starts.values()
        return {"X": "first", "O": "second", DRAW: "draw", None: "unknown"}[answer.winner]

    def rules_of(self, position: Position) -> str:
        assert isinstance(position, MnkPosition)
        return (
            f"X and O take turns to mark a free square; X begins. The first player with {position.k} marks in a row, "
            "a column or a diagonal wins. If the board is full and neither has that, the game is a draw."
            + self._rules_of_race(position)
        )

    def ending(self, position: Position, player: Player) -> str:
        assert isinstance(position, MnkPosition)
        if position.won():
            return f"{position.k} in a row: {won_words(position)}."
        return "No move is left within the bound." if position.free else "The board is full."

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
        "'a b c / c d : maker a, breaker d', or a .hyp or .pg file; or qubic"
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
    aliases: Mapping[str, str] = {"qubic": cube_text(4), "harary": "harary tippy 5x5"}
    famous: Mapping[str, str] = {"Qubic, 4x4x4": "qubic"}
    shapes: Mapping[str, str] = {
        "Harary's Tippy, 5x5": "harary tippy 5x5",
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
        "first": "the player who begins wins",
        "draw": "a draw, whoever begins",
        "maker-draw": "Maker wins if Maker begins, else a draw",
        "draw-breaker": "a draw if Maker begins, else Breaker wins",
        "unknown": "a limit was reached",
    }
    claim_codes = (3, 7, race_proof.RACE)

    def parse(self, text: str) -> AnyPosition:
        return parse_hypergraph(self.aliases.get(text.strip().lower(), text))

    def read(self, text: str) -> AnyPosition:
        name = text.strip().removeprefix("strong:").strip()
        if name.endswith((".hyp", ".pg")):
            return read_hypergraph(Path(name), strong=name != text.strip())
        return self.parse(text)

    def rules_of(self, position: Position) -> str:
        if isinstance(position, DominoPosition):
            return (
                f"Domineering: Maker is {position.letters[0]}. A player who cannot move loses; "
                "but Breaker wins if that does not happen within the bound."
            )
        assert isinstance(position, NamedPosition)
        point, line, cube = "vertex", "hyperedge", ""
        if position.cube:
            point, line, cube = "cell", "straight line", "The layers of a cube stand side by side. "
        own, apart = f"marked every {point} of a {line}", ""
        if isinstance(position, RacePosition):
            if position.goals[0].joins:
                own = "joined the two ends of the graph"
            elif position.goals[1] not in (None, position.goals[0]):
                own, apart = "marked every vertex of one", "Each has hyperedges of their own. "
        if position.strong:
            ends = f"{apart}The first who has {own} wins; if nobody has, the game is a draw."
        else:
            ends = f"Maker wins who has {own}, and Breaker wins by stopping that."
        turns = f"Maker and Breaker take turns to mark a free {point}."
        return f"{cube}{turns} {ends}{self._rules_of_race(position)}"

    def ending(self, position: Position, player: Player) -> str:
        if isinstance(position, DominoPosition):
            return super().ending(position, player) if position.within else "No move is left within the bound."
        if isinstance(position, RacePosition) and position.within == 0 and position.owner_of_edge() is None:
            return "No move is left within the bound."
        assert isinstance(position, PositionalPosition)
        winner = position.decided(player)
        if position.won() and winner in self.players:
            return f"{self.player_names[str(winner)]} has all of {won_words(position)}."
        return super().ending(position, player) if winner == DRAW or position.by_race else "Every hyperedge is blocked."

    def outcome(self, starts: Mapping[Player, Answer]) -> str | None:
        winners = [starts[player].winner for player in self.players if player in starts]
        if None in winners:
            return "unknown"
        if len(winners) == 1:
            return None
        return _TOGETHER.get((str(winners[0]), str(winners[1])))

    def turned_round(self, position: Position, player: Player, starts: Mapping[Player, Answer]) -> Answer | None:
        known = starts.get("maker")
        if player != "breaker" or known is None or known.winner is None or position.decided(player) is not None:
            return None
        assert isinstance(position, HypergraphPosition)
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
            "vertices": position.board.vertices,
            "hyperedges": len(position.board.edges),
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
