"""Races: bounds, orders of turns, first moves, two goals, graphs; every answer and mark against brute force."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from functools import cache

import pytest

from zermelo._core import CancelToken, PositionalProgress
from zermelo.game import DRAW, Limits
from zermelo.game.distance import distances
from zermelo.game.marking import mark_moves
from zermelo.positional import HYPERGRAPH, MNK
from zermelo.positional.hex import HEX
from zermelo.positional.race import Goal, Race, RacePosition
from zermelo.positional.turns import Turns

RACES = int(os.environ.get("ZERMELO_RACES", "150"))
"""Random races; the full test has 20,000."""
LARGE = 25
"""One race in so many has up to 11 vertices."""
LIMITS = Limits(memory=1 << 20)


class Rules:
    """A race by its definition: sets and marks of names, turns as a string, plain minimax."""

    def __init__(self, maker_wins, breaker_wins, turns: str) -> None:  # type: ignore[no-untyped-def]
        self.maker_wins, self.breaker_wins, self.turns = maker_wins, breaker_wins, turns
        self.value = cache(self.plain_value)

    def plain_value(self, maker: frozenset[str], breaker: frozenset[str], free: frozenset[str], ply: int) -> int:
        """Return 1 if Maker wins, -1 if Breaker wins, 0 if nobody has a goal at the end."""
        if self.maker_wins(maker):
            return 1
        if self.breaker_wins(breaker):
            return -1
        if ply == len(self.turns) or not free:
            return 0
        return (max if self.turns[ply] == "m" else min)(self.options(maker, breaker, free, ply).values())

    def least(self, first: list[str], state, best: int) -> int:  # type: ignore[no-untyped-def]
        """Return the least number of moves that give this value."""
        for moves in range(1, len(self.turns) + 1):
            cut = Rules(self.maker_wins, self.breaker_wins, self.turns[:moves])
            values = [value for v, value in cut.options(*state).items() if not first or v in first]
            if (max if self.turns[0] == "m" else min)(values) == best:
                return moves
        raise AssertionError

    def options(self, maker: frozenset[str], breaker: frozenset[str], free: frozenset[str], ply: int) -> dict[str, int]:
        """Return the value after each move."""
        mine = self.turns[ply] == "m"
        return {
            v: self.value(maker | {v} if mine else maker, breaker if mine else breaker | {v}, free - {v}, ply + 1)
            for v in free
        }


def random_race(rng: random.Random, most: int = 7) -> tuple[str, Rules, list[str], list[str], list[str], list[str]]:
    """Return a text, its rules, and the marks, free vertices and first moves."""
    names = [chr(ord("a") + i) for i in range(rng.randint(2, most))]

    def some(least: int, most: int) -> list[str]:
        return sorted(rng.sample(names, min(len(names), rng.randint(least, most))))

    if rng.random() < 0.4:
        edges = {tuple(sorted(rng.sample(names, 2))) for _ in range(rng.randint(1, 2 * len(names)))}
        ends = some(1, 2), some(1, 2)
        head = f"join: {' '.join('-'.join(edge) for edge in sorted(edges))} / {' '.join(ends[0])} / {' '.join(ends[1])}"
        named = {v for edge in edges for v in edge} | set(ends[0]) | set(ends[1])

        def maker_wins(own: frozenset[str]) -> bool:
            seen = set(ends[0]) & own
            while more := {v for u, v in [*edges, *((v, u) for u, v in edges)] if u in seen and v in own} - seen:
                seen |= more
            return bool(seen & set(ends[1]))

        rivals: list[list[str]] = []
    else:
        sets = [some(1, 4) for _ in range(rng.randint(1, 6))]
        rivals = rng.choice([[], sets, [some(1, 4) for _ in range(rng.randint(1, 6))]])
        head = (
            "race: " + " / ".join(map(" ".join, sets)) + (" | " + " / ".join(map(" ".join, rivals)) if rivals else "")
        )
        named = {v for one in sets + rivals for v in one}

        def maker_wins(own: frozenset[str]) -> bool:
            return any(set(one) <= own for one in sets)

    marks = {v: rng.choice("mb") for v in rng.sample(names, rng.randint(0, 2))}
    maker, breaker = ([v for v in marks if marks[v] == player] for player in "mb")
    free = [v for v in names if v not in marks]
    prefix = "".join(rng.choice("mb") for _ in range(rng.randint(0, 2)))
    cycle = rng.choice(["mb", "bm", "mbb", "mmbb", "b", "mbm"])
    within = rng.choice([None, rng.randint(0, len(names))])
    first = rng.sample(free, 2) if len(free) > 2 and rng.random() < 0.3 else []
    order = (prefix + cycle * 10)[: len(free) if within is None else min(within, len(free))]
    parts = {
        "free": [v for v in names if v not in named], "maker": maker, "breaker": breaker,
        "turns": [f"{prefix}({cycle})"], "within": [] if within is None else [str(within)], "first": first,
    }  # fmt: skip
    tail = ", ".join(f"{word} {' '.join(of)}" for word, of in parts.items() if of)
    rules = Rules(maker_wins, lambda own: any(set(one) <= own for one in rivals), order)
    return f"{head} : {tail}", rules, maker, breaker, free, first


def races(seed: int, count: int) -> Iterator[tuple[str, Rules, list[str], list[str], list[str], list[str]]]:
    rng = random.Random(seed)
    return (random_race(rng, 7 if number % LARGE else 11) for number in range(count))


@pytest.mark.parametrize("seed", range(2))
def test_races_and_all_moves_equal_brute_force(seed: int) -> None:
    chooser, shortest = HYPERGRAPH.chooser(LIMITS), 0
    for text, rules, maker, breaker, free, first in races(seed, RACES // 2):
        position = RacePosition.read(text)
        assert HYPERGRAPH.parse(position.text) == position and RacePosition.read(position.text).text == position.text
        state = frozenset(maker), frozenset(breaker), frozenset(free), 0
        options = rules.options(*state) if rules.turns and rules.plain_value(*state) is not None and free else {}
        over = rules.maker_wins(state[0]) or rules.breaker_wins(state[1]) or not rules.turns or not free
        options = {} if over else {v: value for v, value in options.items() if not first or v in first}
        mover = position.to_move
        best = (max if mover == "maker" else min)(options.values()) if options else rules.value(*state)
        nobody = DRAW if position.strong else "breaker"
        names = {1: "maker", 0: nobody, -1: "breaker"}
        answer = chooser.answer(position, mover, LIMITS)
        assert answer.winner == names[best], text
        if answer.details.get("within"):
            assert answer.details["within"] == rules.least(first, state, best), text
            shortest += 1
        if answer.winner in (mover, DRAW) and answer.by != "over":
            assert names[options[str(answer.move)]] == answer.winner, (text, answer)
        if over or answer.by == "over":
            continue
        for found in mark_moves(position, mover, chooser, LIMITS):
            for move in found.moves:
                winner = names[options[str(move)]]
                mark = "draw" if winner == DRAW else "win" if winner == mover else "loss"
                assert found.mark == mark, (text, move)
    assert shortest > RACES // 8


def test_within_and_shortest_agree_with_each_other() -> None:
    for spec in ("3,3,2", "4,3,3:b2,a1", "3,3,3:b2,a2", "4,4,3"):
        (whole,) = MNK.solve(spec, options={"shortest": True}).starts.values()
        assert whole.winner == MNK.parse(spec).to_move, spec
        moves = whole.details["within"]
        for within in range(1, moves + 2):
            result = MNK.solve(spec, options={"within": within})
            (answer,) = result.starts.values()
            assert (answer.winner == whole.winner) == (within >= moves), (spec, within)
            assert result.outcome is None


def test_boards_too_wide_for_other_searches_are_raced_with_their_lines() -> None:
    for spec, options, winner in (
        ("17,17,3", {"within": 5}, "X"), ("17,17,3", {"within": 4}, DRAW), ("19,19,2", {"turns": "xoo"}, "O"),
        ("19,19,6:a1,b2", {"turns": "xxoo", "within": 3}, DRAW), ("17,17,3", {"shortest": True}, "X"),
    ):  # fmt: skip
        assert MNK.solve(spec, options=options).starts["X"].winner == winner, (spec, options)
    connect6 = MNK.solve("connect6", limits=Limits(nodes=1_000)).starts["X"]
    assert connect6.winner is None and connect6.why.startswith("unknown within 1,000 nodes")
    for spec, options in (("20,20,5", {"within": 7}), ("20,20,5 turns xoo", {}), ("20,20,5", {"shortest": True})):
        with pytest.raises(ValueError, match="at most 384 squares"):
            MNK.solve(spec, options=options)


def test_limit_leaves_a_race_unknown() -> None:
    position = MNK.parse("6,6,5")
    (answer,) = MNK.solve(position, limits=Limits(nodes=500), options={"turns": "xxo"}).starts.values()
    assert answer.winner is None or answer.nodes <= 500
    (answer,) = MNK.solve("5,5,4", limits=Limits(nodes=300), options={"within": 17}).starts.values()
    assert answer.winner is None and answer.by == "limit"


@pytest.mark.parametrize(
    ("options", "word"),
    [({"within": 0}, "1 to"), ({"within": 2.5}, "1 to"), ({"turns": "xyz"}, "order of turns"),
     ({"within": 3, "unbounded": True}, "not both"), ({"turns": "ox"}, "begins with O")],
)  # fmt: skip
def test_bad_question_is_one_sentence(options: dict[str, object], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        MNK.solve("3,3,3", options=options)


@pytest.mark.parametrize(
    "text",
    ["race:  : within 2", "race: a / / b", "race: a b : within x", "race: a b : turns q", "race: a : b",
     "join: a-b / a", "join: a-b-c / a / b", "join:", "race: a b : maker c", "race: a b : maker a, breaker a",
     "race: a b : within 999",
     "race: a b : within 2, within 3", "race: a b : maker a, first a", "join: a-b / a / b | a"],
)  # fmt: skip
def test_bad_race_is_one_sentence(text: str) -> None:
    try:
        HYPERGRAPH.parse(text)
    except ValueError as error:
        assert len(str(error).splitlines()) == 1
    else:
        assert text == "race:  : within 2"


def test_orders_of_turns_are_read_in_their_shortest_form() -> None:
    assert Turns.read("mbmb", "mb") == Turns() == Turns.read("m(bm)", "mb")
    for order in ("m", "mb", "bm", "mbb", "m(bbmm)", "bb(m)", "mbbmb(mmb)"):
        turns = Turns.read(order, "mb")
        assert Turns.read(turns.write("mb"), "mb") == turns
        plain = (order.partition("(")[0] + (order.partition("(")[2].rstrip(")") or order) * 9)[:20]
        if "(" not in order:
            plain = (order * 20)[:20]
        walked = turns
        for letter in plain:
            assert "mb"[walked.next] == letter
            walked = walked.advanced()
        assert Turns.of_moves([("mb").index(one) for one in plain]).next == turns.next


def test_rules_of_play_stand_in_the_text_of_a_position() -> None:
    for text, moves in (
        ("4,3,3 within 5", "b2 a1 c2"),
        ("3,3,3 turns xx(o)", "b2 a2 a1 c1"),
        ("3x3 within 4", "a1 b2"),
    ):
        game = HEX if "x3 " in text else MNK
        position = game.parse(text)
        for move in moves.split():
            position = position.after(move)
            assert game.parse(position.text) == position and game.parse(position.text).to_move == position.to_move
        assert position.history[0] == text
    assert MNK.parse("3,3,3  within 4 turns xoo").text == "3,3,3 within 4 turns (xoo)"
    assert MNK.parse("3,3,3 within 9").text == "3,3,3" == MNK.parse("3,3,3 turns xo").text
    assert HEX.parse("3x3 within 4:a1,b2,a2,c1").decided("B") == DRAW
    for wrong in (
        "3,3,3 with 4",
        "3,3,3 within 0",
        "3,3,3 turns ab",
        "3,3,3 within 2:a1,b2,c3",
        "3,3,3 within 2 within 3",
    ):
        with pytest.raises(ValueError):
            MNK.parse(wrong)
    with pytest.raises(ValueError, match="the game is over before c3"):
        MNK.parse("3,3,3 within 2:a1,b2").after("c3")


def test_rules_of_play_are_told_in_words() -> None:
    for game, text, words in (
        (MNK, "3,3,3 within 5:b2", "The game ends after 4 more moves."),
        (HEX, "3x3 turns bww", "The order of turns is (bww)."),
        (HYPERGRAPH, "join: a-b / a / b", "Maker wins who has joined the two ends of the graph, and Breaker wins by"),
        (
            HYPERGRAPH,
            "race: a | b : first a",
            "Each has hyperedges of their own. The first who has marked every vertex",
        ),
    ):
        assert words in game.rules_of(game.parse(text))


def test_options_make_the_same_positions_as_the_text() -> None:
    for spec, options, text in (
        ("4,3,3:b2", {"within": 4}, "4,3,3 within 5:b2"), ("3,3,3:b2", {"turns": "oox"}, "3,3,3 turns (xoo):b2"),
        ("3,3,3 within 4", {"unbounded": True}, "3,3,3"), ("3x3 within 4:a1", {"within": 9}, "3x3:a1"),
    ):  # fmt: skip
        game = HEX if "x3" in spec else MNK
        position = game.apply_rules(game.parse(spec), options)
        assert position.text == text and game.apply_rules(position, options).text == text
        assert (
            game.solve(text).starts[position.to_move].winner
            == game.solve(spec, options=options).starts[position.to_move].winner
        )


def test_distances_are_those_of_the_rules() -> None:
    for game, text in (
        (MNK, "4,3,3:b2,a1"),
        (HEX, "3x3:b2"),
        (HYPERGRAPH, "a b / b c / c d : maker to move"),
        (MNK, "4,3,3 within 7"),
    ):
        position = game.parse(text)
        player, limits = position.to_move, Limits(nodes=100_000)
        winners = {}
        for move in position.moves(player):
            after = position.after(move)
            winner = game.solve(after).starts[after.player_after(player)].winner
            if winner != DRAW:
                winners[move] = winner
        assert winners
        found = game.distances(position, player, winners, limits)
        assert found == distances(position, player, winners, limits)
        assert all(distance.exact for distance in found.values())


def test_boards_that_differ_in_free_vertices_have_solvers_of_their_own() -> None:
    chooser = HYPERGRAPH.chooser(LIMITS)
    one, two = (Race(vertices, (Goal(((0, 1),)), None), ((), ()), Turns()) for vertices in (2, 3))
    with chooser.races.solver(one, 0) as solver:
        assert solver.knows(one, 0) and not solver.knows(two, 0)
        with pytest.raises(ValueError, match="outside the board"):
            solver.core.solve([2], [], 0, 2, [], 100, 1.0, CancelToken(), PositionalProgress())
