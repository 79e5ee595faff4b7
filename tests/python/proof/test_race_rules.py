"""Every rule of FORMAT.md 10, against the meaning of a claim, by brute force over all positions that it speaks of."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

import races
import tiny
from tiny import zformat

from zermelo.positional.race import RacePosition
from zermelo.positional.race_proof import claim_bytes

zrace = tiny.load("zrace")
GAMES = int(os.environ.get("ZERMELO_RACE_RULES", "400"))
SEED = int(os.environ.get("ZERMELO_SEED", "1"))
NAMES = {zrace.GOAL: "goal", zrace.HOLD: "hold", zrace.STEP: "step", zrace.GUARDED_STEP: "guarded"}


class Meaning:
    """A race in which players may pass, by its definition; the hero is player ``hero`` of the checker's game."""

    def __init__(self, game: zrace.Race) -> None:  # type: ignore[name-defined]
        self.game, self.hero = game, game.hero
        self.wins, self.safe = cache(self.plain_wins), cache(self.plain_safe)

    def has_goal(self, player: int, own: int) -> bool:
        game = self.game
        if game.kind != zrace.GRAPH:
            return any(not one & ~own for one in game.sets[player])
        seen = game.ends[0] & own
        while more := sum(
            1 << v for v in range(game.cells) if own >> v & 1 and not seen >> v & 1 and game.near[v] & seen
        ):
            seen |= more
        return player == 0 and bool(seen & game.ends[1])

    def turn(self, ply: int) -> int:
        phase = 0
        for _ in range(ply):
            phase = self.game.following[phase]
        return int(self.game.turns[phase])

    def moves(self, own: int, other: int, ply: int) -> Iterator[tuple[int, int]]:
        """Yield the marks after each move, or a pass."""
        for mark in (0, *(1 << v for v in range(self.game.cells) if not (own | other) >> v & 1)):
            yield (own | mark, other) if self.turn(ply) == self.hero else (own, other | mark)

    def plain_wins(self, own: int, other: int, ply: int, left: int) -> bool:
        """Whether the hero has a goal within so many moves, and first."""
        if self.has_goal(self.hero, own):
            return True
        if left <= 0 or self.has_goal(1 - self.hero, other):
            return False
        values = (self.wins(*marks, ply + 1, left - 1) for marks in self.moves(own, other, ply))
        return any(values) if self.turn(ply) == self.hero else all(values)

    def plain_safe(self, own: int, other: int, ply: int, left: int) -> bool:
        """Whether the opponent has no goal within so many moves, unless the hero has one before."""
        if self.has_goal(1 - self.hero, other):
            return False
        if left <= 0 or self.has_goal(self.hero, own):
            return True
        values = (self.safe(*marks, ply + 1, left - 1) for marks in self.moves(own, other, ply))
        return any(values) if self.turn(ply) == self.hero else all(values)

    def positions(self, claim: zrace.Derived) -> Iterator[tuple[int, int, int]]:  # type: ignore[name-defined]
        """Yield the worst positions of a claim: both players' marks, and the moves made."""
        game, phase = self.game, 0
        for ply in range(game.moves + 1):
            mine = [self.turn(i) for i in range(ply)].count(self.hero)
            if claim.phase in (None, phase) and (not game.attack or ply <= game.moves - claim.moves):
                own = game.own | claim.held
                there = [v for v in range(game.cells) if not (own | claim.need | game.other) >> v & 1]
                if (
                    (claim.held & ~game.own).bit_count() <= mine
                    and not own & game.other
                    and not claim.need & game.other
                ):
                    for marked in combinations(there, min(ply - mine, len(there))):
                        yield own, game.other | tiny.mask_of(marked), ply
            phase = game.following[phase]

    def holds(self, claim: zrace.Derived) -> bool:  # type: ignore[name-defined]
        for own, other, ply in self.positions(claim):
            if claim.by_goal and self.has_goal(1 - self.hero, other):
                continue
            if not (self.wins if self.game.attack else self.safe)(
                own, other, ply, min(claim.moves, self.game.moves - ply)
            ):
                return False
        return True


def random_record(rng: random.Random, game: zrace.Race) -> bytes:  # type: ignore[name-defined]
    cells, earlier = game.cells, len(game.claims)

    def some(most: int) -> bytes:
        chosen = rng.sample(range(cells), rng.randint(0, min(most, cells)))
        return bytes([len(chosen), *chosen])

    phase = rng.randrange(len(game.turns))
    if not earlier or rng.random() < 0.35:
        if game.attack or (game.both and rng.random() < 0.4):
            goal = rng.choice(game.sets[game.hero]) & ~game.own if game.sets[game.hero] else 0
            listed = [v for v in range(cells) if goal >> v & 1]
            return bytes([zrace.GOAL, len(listed), *listed]) if listed and rng.random() < 0.9 else b"\x01" + some(4)
        return bytes([zrace.HOLD, phase, rng.randint(0, game.moves)]) + some(rng.choice((0, 2))) + some(cells)
    while game.turns[phase] == game.hero and rng.random() < 0.95:
        phase = rng.randrange(len(game.turns))
    record = bytes([zrace.STEP, phase])
    count = rng.randint(1, 4)
    record += bytes([count]) + b"".join(reply(rng, game, game.following[phase]) for _ in range(count))
    return bytes([zrace.GUARDED_STEP]) + record[1:] + some(2) + some(3) if rng.random() < 0.3 else record


def reply(rng: random.Random, game: zrace.Race, phase: int) -> bytes:  # type: ignore[name-defined]
    """Return a reply that mostly fits the turns."""
    back = rng.randint(1, min(len(game.claims), 6))
    after, count = game.claims[-back], 0
    while game.turns[phase] == game.hero and count < 3 and (after.phase not in (None, phase) or rng.random() < 0.7):
        phase, count = game.following[phase], count + 1
    wanted = [v + 1 for v in range(game.cells) if (after.held & ~game.own) >> v & 1]
    codes = (rng.sample(wanted, len(wanted)) + [rng.randint(0, game.cells) for _ in range(3)])[:count]
    return bytes([back, len(codes), *codes])


def test_every_derived_claim_is_true(tmp_path: Path) -> None:
    """And a certificate of these records has one verdict from both checkers, and is true if it is verified."""
    rng, kinds, verdicts = random.Random(SEED), Counter[str](), Counter[int]()
    for _ in range(GAMES):
        position = RacePosition.read(races.random_race(rng, 6))
        if position.decided(position.to_move) is not None:
            continue
        winner = rng.choice((0, 1, 2) if position.strong else (0, 1))
        claim = claim_bytes(position.race(), -1 if winner == 2 else winner)
        game = zrace.Race(tiny.FakeReader(claim[1:]), zformat.Budget(1e9, 8192))
        attack = winner == 0 or (winner == 1 and position.strong)
        way = bytes([rng.randrange(2)]) if game.kind == zrace.GRAPH and not attack else b""
        game.reader = tiny.FakeReader(way)
        game.begin(winner if winner < 2 else 1, attack=attack)
        meaning, proof = Meaning(game), claim + way
        for _ in range(25):
            record = random_record(rng, game)
            game.reader = tiny.FakeReader(record[1:])
            try:
                derived = game.derive(record[0])
            except zformat.Stop as stop:
                kinds[stop.reason[:40]] += 1
                continue
            assert meaning.holds(derived), (position.text, winner, record.hex(), derived)
            game.claims.append(derived)
            proof += record
            kinds[NAMES[record[0]]] += 1
        if game.claims:
            first = game.first and game.turns[0] != game.hero
            end = b"\x05\x02" + b"".join(reply(rng, game, game.following[0]) for _ in range(2)) if first else b""
            ends = [b"\x00" + reply(rng, game, 0) for _ in range(3)] + [end] * bool(end)
            for end in ends:
                verdicts[tiny.verdicts(tiny.container(proof + end, False), tmp_path / "race.zc")[0]] += 1
    print(dict(kinds), dict(verdicts))
    assert all(kinds[name] for name in NAMES.values()) and verdicts[zformat.VERIFIED] and verdicts[zformat.REJECTED]
