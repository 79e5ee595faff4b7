"""Why Breaker holds a position: pairs, zones, dominated squares and potentials, as data, text and picture."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo import _core
from zermelo.draw.pairing import pairing_svg
from zermelo.positional.mnk import MnkGame, pair_labels
from zermelo.positional.solving import ask, make_solver, winner_name

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Answer:
    """How Breaker answers one Maker move: the reply, and the pairs that serve the rest if no search is needed."""

    move: int
    reply: int
    zone: tuple[int, ...]
    pairs: Pairs


@dataclass(frozen=True)
class Explanation:
    """What can be said about an m,n,k position seen as Maker-Breaker; ``pairing`` is empty when none was found."""

    game: MnkGame
    winner: str
    live: int
    beck: float
    weights: tuple[tuple[int, float], ...]
    removed: Pairs
    dominated: Pairs
    redundant: tuple[int, ...]
    has_pairing: bool
    pairing: Pairs
    zone: tuple[int, ...]
    answers: tuple[Answer, ...]

    def text(self) -> str:
        """Return the explanation in words and grids."""
        name = self.game.name
        lines = [f"{self.game.text}: {self.live} lines that Breaker has not hit"]
        lines.append(
            f"potential: sum of 2^-(free squares) over these lines = {self.beck:.4g}"
            + (" (below 1/2: Breaker wins by weight alone)" if self.beck < 0.5 else "")
        )
        if self.weights:
            lines.append("potential weight of each square:")
            lines.append(self.game.grid({v: f"{weight:g}" for v, weight in self.weights}))
        if self.redundant:
            lines.append("on no open line: " + " ".join(map(name, self.redundant)))
        if self.removed:
            lines.append(
                "taken out in pairs (mutual domination): " + " ".join(f"{name(u)}-{name(v)}" for u, v in self.removed)
            )
        if self.dominated:
            lines.append("dominated squares: " + " ".join(f"{name(v)}<{name(u)}" for v, u in self.dominated))
        if self.has_pairing:
            lines.append("a pairing strategy: answer a letter with the same letter")
            lines.append(self.game.grid(pair_labels(self.pairing)))
        elif self.winner == "unknown":
            lines.append("no pairing strategy found here; who wins is not known within the limit")
        else:
            lines.append(f"no pairing strategy found here; by search: {self.winner} wins")
        if self.zone and not self.has_pairing:
            lines.append(f"Breaker's zone, {len(self.zone)} squares:")
            lines.append(self.game.grid(dict.fromkeys(self.zone, "+")))
        for answer in self.answers:
            how = f", then {len(answer.pairs)} pairs" if answer.pairs else ", then search"
            lines.append(f"{name(answer.move)}: reply {name(answer.reply)}{how}, zone {len(answer.zone)}")
        return "\n".join(lines)

    def svg(self) -> str:
        """Draw the pairing if there is one, else the zone and the reply to the first answer."""
        game = self.game
        first, second = list(game.first), list(game.second)
        pairs, zone = self.pairing, self.zone
        caption = [f"{game.text}: {self.winner} wins the Maker-Breaker game"]
        if not self.has_pairing and self.answers:
            shown = next((a for a in self.answers if a.pairs), self.answers[0])
            first.append(shown.move)
            second.append(shown.reply)
            pairs, zone = shown.pairs, shown.zone
            caption.append(f"after {game.name(shown.move)} {game.name(shown.reply)}")
        return pairing_svg(
            game.columns,
            game.rows,
            pairs=pairs,
            first=first,
            second=second,
            zone=zone,
            caption=caption,
            title=f"Breaker's strategy for {game.text}",
        )

    _repr_svg_ = svg


def _orbit_leaders(game: MnkGame) -> list[int]:
    """Return one free square per symmetry class of the board (all free squares after moves)."""
    if game.moves:
        return list(game.free)
    leaders = []
    for square in game.free:
        row, column = divmod(square, game.columns)
        images = [(r, c) for r in (row, game.rows - 1 - row) for c in (column, game.columns - 1 - column)]
        if game.rows == game.columns:
            images += [(c, r) for r, c in images]
        if min(r * game.columns + c for r, c in images) == square:
            leaders.append(square)
    return leaders


def explain_mnk(
    game: MnkGame | str, *, seconds: float = 10.0, memory: int | None = None, threads: int = 1
) -> Explanation:
    """Explain an m,n,k position with the first player as Maker; the search part stops after ``seconds``.

    >>> explain_mnk("5,5,5").has_pairing
    True

    :raises ValueError: if the game is over.
    """
    if isinstance(game, str):
        game = MnkGame.from_text(game)
    if game.winner() is not None:
        raise ValueError(f"{game.text}: the game is over")
    solver = make_solver(game, memory=memory, threads=threads)
    facts = solver.describe(maker=list(game.first), breaker=list(game.second))
    maker, breaker = _core.PositionalSide.MAKER, _core.PositionalSide.BREAKER
    side = maker if game.first_to_move else breaker
    result = ask(solver, game.first, game.second, side, seconds=seconds)
    answers: list[Answer] = []
    left = seconds - result.seconds
    has_pairing = bool(facts.has_pairing) and game.first_to_move
    if result.winner == _core.PositionalWinner.BREAKER and not has_pairing:
        moves: list[int | None] = list(_orbit_leaders(game)) if game.first_to_move else [None]
        for move in moves:
            if left <= 0:
                break
            own = game.first if move is None else (*game.first, move)
            reply = ask(solver, own, game.second, breaker, seconds=left)
            left -= reply.seconds
            if reply.winner == _core.PositionalWinner.BREAKER and reply.reply.vertex >= 0:
                pairs = tuple(reply.reply.pairs) if reply.reply.by_pairing else ()
                last = game.moves[-1] if move is None else move
                answers.append(Answer(last, reply.reply.vertex, tuple(reply.zone), pairs))
    return Explanation(
        game=game,
        winner=winner_name(result.winner),
        live=facts.live,
        beck=facts.beck,
        weights=tuple(facts.weights),
        removed=tuple(facts.pairs),
        dominated=tuple(facts.dominated),
        redundant=tuple(facts.redundant),
        has_pairing=has_pairing,
        pairing=tuple(facts.pairing) if has_pairing else (),
        zone=tuple(result.zone) if result.winner == _core.PositionalWinner.BREAKER else (),
        answers=tuple(answers),
    )
