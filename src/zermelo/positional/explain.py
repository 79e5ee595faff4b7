"""Why one player can stop the other: pairs, zones and potentials, in words, as data and over the board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from zermelo import _core
from zermelo.draw import svg
from zermelo.draw.board import Area
from zermelo.draw.text import grid
from zermelo.game import DRAW, Explanation, Limits, Player
from zermelo.positional.any_size import WideBoard
from zermelo.positional.position import MAX_SEARCHED, PositionalPosition, marks_of, masks_of
from zermelo.positional.solve import Inquiry, PositionalChooser, winner_name
from zermelo.running import run_cancellable
from zermelo.words import capital, counted, letters

KINDS: Mapping[str, str] = {
    "pairing": "An answer to every move",
    "zone": "The vertices that decide the game",
    "potential": "The worth of each vertex",
}
Pairs = Sequence[tuple[int, int]]


def explain(position: PositionalPosition, kind: str, *, maker: Player | None = None, limits: Limits) -> Explanation:
    """Explain the Maker-Breaker game in a position; ``maker`` is whose hyperedges are to be blocked.

    :raises ValueError: if the game is over.
    """
    if kind not in KINDS:
        raise ValueError(f"explanation {kind!r} is not known: {', '.join(KINDS)}")
    maker = maker or position.game.players[0]
    first = position.to_move or maker
    if position.decided(first) is not None:
        raise ValueError("the game is over: there is nothing to explain")
    board = position.board
    if isinstance(board, WideBoard):
        own, theirs = masks_of(position, maker)
        if kind != "pairing" or not board.blocked(own, theirs):
            raise ValueError(f"over {MAX_SEARCHED} squares only a pairing is explained, and only where one is known")
        return PairExplainer(position, maker, board.live(theirs)).by_pairs(board.pairs(own, theirs))
    with PositionalChooser(limits).inquiry(board, limits) as inquiry:
        explainer = SearchExplainer(position.turn_of(first), maker, first, inquiry)
        kinds = {"pairing": explainer.pairing, "zone": explainer.zone, "potential": explainer.potential}
        return run_cancellable(lambda _: kinds[kind](), inquiry.token)


class PairExplainer:
    """Explains one position without a search, with one player as Maker and the other as Breaker."""

    def __init__(self, position: PositionalPosition, maker: Player, live: int) -> None:
        self.position, self.maker = position, maker
        self.breaker = position.game.other(maker)
        names = position.game.player_names
        self.maker_name, self.breaker_name = names[maker], names[self.breaker]
        lines = counted(live, "line" if position.board.size else "hyperedge")
        self.head = f"{position.text}: {lines} that {self.breaker_name} has not hit"

    def names(self, vertices: Iterable[int]) -> list[str]:
        return [self.position.name(v) for v in vertices]

    def words(self, words: Mapping[int, str]) -> str:
        """Show words on vertices: on the board, or behind the names where vertices have names of their own."""
        if not self.position.board.size:
            return ", ".join(f"{self.position.name(v)} {word}".strip() for v, word in sorted(words.items()))
        return grid(self.position.view(), {self.position.square(v): word for v, word in words.items()})

    def explanation(
        self, lines: Sequence[str], caption: Sequence[str], words: Mapping[int, str], data: Mapping[str, Any]
    ) -> Explanation:
        """Put words over the picture; equal words have one colour."""
        colours: dict[str, str] = {}
        for word in words.values():
            colours.setdefault(word, svg.CYCLE[len(colours) % len(svg.CYCLE)])
        view, named = self.position.view(), not self.position.board.size
        areas = [
            Area([self.position.square(v)], f"{self.position.name(v)} {word}".strip() if named else word, colours[word])
            for v, word in words.items()
        ]
        hidden = {self.position.square(v) for v in words}
        view = replace(view, texts=tuple(one for one in view.texts if one.square not in hidden))
        players = self.position.game.players
        # Where both want a line, to block means only that the other does not win, and a line may come too late.
        maker, breaker = (None, DRAW) if self.position.strong else (self.maker, self.breaker)
        winner = {"maker": maker, "breaker": breaker}.get(str(data.get("maker_breaker")))
        caption = tuple(f"{capital(line)}." for line in caption)
        limited = data.get("maker_breaker") == "unknown"
        return Explanation(tuple(lines), caption, tuple(areas), view, data, players, winner=winner, limited=limited)

    def by_pairs(self, pairs: Pairs) -> Explanation:
        """Show one pairing that serves every line."""
        words, rule, named = self.labels(pairs), self.rule(pairs), self.position.name_pairs(pairs)
        data = {"maker_breaker": "breaker", "pairing": named, "answers": []}
        return self.explanation([self.head, rule, self.words(words)], [rule], words, data)

    def rule(self, pairs: Pairs) -> str:
        if not pairs:
            return f"{self.maker_name} has no line left"
        mark = "letter" if self.position.board.size else "number"
        return (
            f"{counted(len(pairs), 'pair')}: whenever {self.maker_name} takes one of a pair, "
            f"{self.breaker_name} takes the one with the same {mark}"
        )

    def labels(self, pairs: Pairs) -> dict[int, str]:
        """Give both of each pair the same letters, as the papers draw them, or numbers beside names."""
        name = letters if self.position.board.size else lambda index: str(index + 1)
        return {v: name(index) for index, pair in enumerate(pairs) for v in pair}


class SearchExplainer(PairExplainer):
    """Explains a position by a search."""

    def __init__(self, position: PositionalPosition, maker: Player, first: Player, inquiry: Inquiry) -> None:
        self.first, self.inquiry = first, inquiry
        self.facts = inquiry.describe(position, maker)
        super().__init__(position, maker, self.facts.live)

    def search(self, position: PositionalPosition, first: Player) -> _core.MakerBreakerResult:
        return self.inquiry.blocking(*marks_of(position, self.maker), first == self.maker)

    def result(self, result: _core.MakerBreakerResult) -> str:
        """Say whether Breaker can stop Maker, and the consequence where both want a hyperedge."""
        name, what = winner_name(result.winner), "line" if self.position.board.size else "hyperedge"
        if name == "unknown":
            return f"whether {self.breaker_name} can stop {self.maker_name} is not known within the limit"
        if name == "breaker":
            means = f", so {self.maker_name} cannot win" if self.position.strong else ""
            return f"{self.breaker_name} can stop every {what} of {self.maker_name}{means}"
        if not self.position.strong:
            return f"{self.breaker_name} cannot stop every {what}: {self.maker_name} wins"
        return f"{self.maker_name} gets a {what} if {self.breaker_name} only blocks; counter-threats may do more"

    # Pairs

    def pairing(self) -> Explanation:
        """One pairing for everything, or the reply to each move, with the pairs that then serve the rest."""
        if self.first == self.maker and self.facts.has_pairing:
            return self.by_pairs(self.facts.pairing)
        result = self.search(self.position, self.first)
        answers, caption = self.answers(result), [self.result(result)]
        lines = [self.head, f"no single pairing serves them all; by search: {caption[0]}"]
        for move, reply, pairs in answers:
            line = f"{move}: reply {reply}" if move else f"reply {reply}"
            lines.append(line + (f", then {counted(len(pairs), 'pair')}" if pairs else ", then search"))
        data = {
            "maker_breaker": winner_name(result.winner),
            "pairing": None,
            "answers": [
                {"move": move or None, "reply": reply, "pairs": self.position.name_pairs(pairs)}
                for move, reply, pairs in answers
            ],
        }
        words = {}
        shown = next((answer for answer in answers if answer[2]), None)
        if shown is not None:  # the picture shows one of them
            moves, words = [move for move in shown[:2] if move], self.labels(shown[2])
            for move in moves:
                self.position = self.position.after(move)
            caption.append(f"after {' '.join(moves)}: {self.rule(shown[2])}")
            lines += [caption[-1], self.words(words)]
        return self.explanation(lines, caption, words, data)

    def answers(self, result: _core.MakerBreakerResult) -> list[tuple[str, str, Pairs]]:
        """Return Breaker's reply to each Maker move, one of each kind, and the pairs that serve the rest; in names."""
        position, found = self.position, list[tuple[str, str, Pairs]]()
        if winner_name(result.winner) != "breaker":
            return found
        if self.first == self.breaker:
            if result.reply.vertex >= 0:
                found.append(("", position.name(result.reply.vertex), self.rest(result)))
            return found
        kinds = {position.after(move).key(): str(move) for move in reversed(position.moves(self.maker))}
        for move in sorted(kinds.values(), key=position.vertex):
            after = position.after(move)
            if self.inquiry.clock.over or after.decided(self.breaker) is not None:
                continue
            reply = self.search(after, self.breaker)
            if winner_name(reply.winner) == "breaker" and reply.reply.vertex >= 0:
                found.append((move, position.name(reply.reply.vertex), self.rest(reply)))
        return found

    @staticmethod
    def rest(result: _core.MakerBreakerResult) -> Pairs:
        return tuple(result.reply.pairs) if result.reply.by_pairing else ()

    # Zone

    def zone(self) -> Explanation:
        """The vertices that the proof needs: the zone in which Breaker stops Maker, or in which Maker wins."""
        result = self.search(self.position, self.first)
        name, zone = winner_name(result.winner), list(result.zone)
        alone = "this one alone is" if len(zone) == 1 else f"these {len(zone)} alone are"
        meaning = {
            "breaker": f"marks on {alone} enough for {self.breaker_name}",
            "maker": f"{alone} enough for {self.maker_name}, whatever happens elsewhere",
            "unknown": "no zone is known",
        }[name]
        words = dict.fromkeys(zone, "+" if self.position.board.size else "")
        lines = [self.head, self.result(result), meaning, *([self.words(words)] if zone else [])]
        data = {"maker_breaker": name, "zone": self.names(zone)}
        shown = self.explanation(lines, [self.result(result), meaning], {}, data)
        return replace(shown, areas=(Area(list(map(self.position.square, zone)), "", svg.GREEN),) if zone else ())

    # Potential

    def potential(self) -> Explanation:
        """Weights, dominated vertices, and the sum that may decide by itself."""
        position, facts = self.position, self.facts
        limit = 1.0 if self.first == self.breaker else 0.5
        summary = f"potential: the sum of 2^-(free vertices) over these is {facts.beck:.4g}"
        stops = facts.beck < limit
        if stops:
            summary += f", below {limit:g}: {self.breaker_name} stops them all by taking the heaviest vertex"
        words = {v: f"{weight:g}" for v, weight in facts.weights}
        lines = [self.head, summary]
        if words:
            lines += ["weight of each vertex:", self.words(words)]
        if facts.redundant:
            lines.append("on none of them: " + " ".join(self.names(facts.redundant)))
        if facts.pairs:
            pairs = " ".join("-".join(pair) for pair in position.name_pairs(facts.pairs))
            lines.append(f"pairs that may be taken out, as each is as good as the other: {pairs}")
        if facts.dominated:
            dominated = " ".join("<".join(pair) for pair in position.name_pairs(facts.dominated))
            lines.append(f"never better than another (a<b: b is as good or better): {dominated}")
        data = {
            "maker_breaker": "breaker" if stops else None,
            "lines": facts.live,
            "beck": facts.beck,
            "weights": {position.name(v): weight for v, weight in facts.weights},
            "removed_pairs": position.name_pairs(facts.pairs),
            "dominated": dict(position.name_pairs(facts.dominated)),
            "redundant": self.names(facts.redundant),
        }
        return self.explanation(lines, [summary], words, data)
