"""Certificates of races (checker/FORMAT.md 10): claims with the whole game in them, and proofs by the race search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from zermelo import _core
from zermelo.game import DRAW, Answer, Clock, Limits, Player, Progress, Written
from zermelo.positional.position import BREAKER, MAKER
from zermelo.positional.race import MAX_SETS, MAX_VERTICES, Goal, Race, RacePosition
from zermelo.positional.race_solve import RaceChooser
from zermelo.positional.turns import Turns
from zermelo.proof.container import Bytes, Claim, varint, write_payload
from zermelo.running import run_cancellable

RACE = 8
"""The game byte."""
PLAYERS = (MAKER, BREAKER, DRAW)
SETS, GRAPH, TWO_FAMILIES, ONE_FAMILY = range(4)
MAX_TURNS = 1024


def claimed(race: Race, winner: int) -> tuple[Race, int]:
    """Return the race that a certificate speaks of, and its winner: 0, 1, or -1 for a draw.

    If each player wants to join ends of a graph, the winner is Maker.

    :raises ValueError: if nobody joins the ends within the bound.
    """
    two = race.goals[1]
    if two is None or not two.joins:
        return race, winner
    if winner < 0:
        raise ValueError("there is no certificate that neither player joins the ends within the bound")
    turns = Turns(*(tuple(int(player != winner) for player in part) for part in (race.turns.prefix, race.turns.cycle)))
    goal = two if winner else race.goals[0]
    return replace(race, goals=(goal, None), marks=(race.marks[winner], race.marks[1 - winner]), turns=turns), 0


def claim_bytes(race: Race, winner: int) -> bytes:
    """Return the claim as the format writes it: the winner 0, 1, or -1 for a draw."""
    race, winner = claimed(race, winner)
    one, two = race.goals

    def cells(of: Iterable[int]) -> bytes:
        listed = list(of)
        return varint(len(listed)) + b"".join(map(varint, listed))

    def sets(goal: Goal) -> bytes:
        return varint(len(goal.sets)) + b"".join(map(cells, goal.sets))

    if one.joins:
        edges = b"".join(varint(u) + varint(v) for u, v in one.edges)
        goals = bytes([GRAPH]) + varint(len(one.edges)) + edges + cells(one.first) + cells(one.last)
    elif two is None:
        goals = bytes([SETS]) + sets(one)
    else:
        goals = bytes([ONE_FAMILY]) + sets(one) if one == two else bytes([TWO_FAMILIES]) + sets(one) + sets(two)
    marked = {v for marks in race.marks for v in marks}
    first = [v for v in race.first if v not in marked]
    lists = b"".join(map(cells, (*race.marks, race.turns.prefix, race.turns.cycle)))
    head = bytes([RACE]) + varint(race.vertices) + goals + lists
    return head + varint(race.moves_left) + cells(first) + varint(winner % 3)


def read_claim(payload: Bytes) -> tuple[Claim, RacePosition]:
    """Read a claim after its game byte; return it, and its position.

    :raises ValueError: if it is not possible.
    """
    count, kind = payload.varints(2)
    if count > MAX_VERTICES or kind > ONE_FAMILY:
        raise ValueError("the certificate's claim is not possible")

    def numbers(most: int, below: int) -> tuple[int, ...]:
        found = payload.varints(size) if (size := payload.varint()) <= most else [below]
        if any(number >= below for number in found):
            raise ValueError("the certificate's claim is not possible")
        return tuple(found)

    def many(read: Callable[[], tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
        if (size := payload.varint()) > MAX_SETS:
            raise ValueError(f"the certificate has more than {MAX_SETS:,} winning sets or edges")
        return tuple(read() for _ in range(size))

    def cells() -> tuple[int, ...]:
        return numbers(count, count)

    goals: tuple[Goal, Goal | None]
    if kind == GRAPH:
        edges = tuple((u, v) for u, v in many(lambda: tuple(payload.varints(2))))
        if any(end >= count for edge in edges for end in edge):
            raise ValueError("the certificate's claim is not possible")
        goals = Goal((), edges, cells(), cells()), None
    else:
        one = Goal(many(cells))
        goals = one, None if kind == SETS else one if kind == ONE_FAMILY else Goal(many(cells))
    marks = cells(), cells()
    turns = Turns(numbers(MAX_TURNS, 2), numbers(MAX_TURNS, 2))
    within, first, winner = payload.varint(), cells(), payload.varint()
    if not turns.cycle or winner > 2:
        raise ValueError("the certificate's claim is not possible")
    bound = None if within == count - len(marks[0]) - len(marks[1]) else within
    position = RacePosition(tuple(map(str, range(count))), goals, *marks, turns, bound, first)
    return Claim("hypergraph", position.text, position.to_move, PLAYERS[winner], RACE), position


def prove(
    race: Race, chooser: RaceChooser, players: Sequence[Player], answer: Answer, path: Path, limits: Limits
) -> Written:
    """Write the certificate of an answer about a race."""
    token = limits.cancel or _core.CancelToken()
    clock, progress = Clock(limits.with_(cancel=token)), _core.PositionalProgress()
    winner = (*players, DRAW).index(answer.winner or DRAW)
    winner = -1 if winner == len(players) else winner
    payload = claim_bytes(race, winner)
    # A player wins by reaching the goal; one without a goal by stopping the other; a draw stops both.
    attackers = (0, 1) if winner < 0 else (winner,) if race.goals[winner] else (0,)
    records = 0

    def report() -> None:
        if limits.on_progress is not None:
            limits.on_progress(Progress(max(progress.nodes, clock.nodes), clock.seconds, None))

    for attacker in attackers:

        def write(_: object, attacker: int = attacker) -> _core.RaceProof:
            return chooser.prove(race, attacker, clock, token, progress)

        proof = run_cancellable(write, token, report)
        if not proof.records:
            return Written(None, None, nodes=clock.nodes)
        if proof.wins != (winner == attacker):
            raise ValueError("the search that writes the proof found another answer")
        payload += proof.bytes
        records += proof.records
    return Written(answer.winner, path, write_payload(payload, path), records, clock.nodes)
