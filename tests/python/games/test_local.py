"""Games by local rules against brute force on random boards; ZERMELO_BOARDS=100000 takes many more."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import pytest
from brute import (
    OUTCOMES,
    Brute,
    Bush,
    Graph,
    Rules,
    amazons,
    arc_kayles,
    cannibal,
    clobber,
    clobber_graph,
    col,
    col_graph,
    cram,
    dawson,
    domineering,
    elephants,
    fission,
    hackenbush,
    kayles,
    konane,
    legal_nogo,
    nogo,
    snort,
    snort_graph,
    toads,
)

from zermelo.cgt import Value
from zermelo.domineering.position import Position as Domino
from zermelo.game import Game, Limits, Position, find_game
from zermelo.game.local import Board, LocalPosition, Step, core_moves
from zermelo.game.normal_play import NormalPlayChooser
from zermelo.game.values import PlainValues
from zermelo.games.amazons import AMAZONS
from zermelo.games.clobber import CANNIBAL_CLOBBER, CLOBBER
from zermelo.games.colouring import COL, SNORT
from zermelo.games.fission import FISSION
from zermelo.games.hackenbush import HACKENBUSH, HackenbushPosition
from zermelo.games.kayles import ARC_KAYLES, DAWSONS_KAYLES, KAYLES, ArcKayles
from zermelo.games.kit import TINTS
from zermelo.games.konane import KONANE
from zermelo.games.nogo import NOGO
from zermelo.games.toads import ELEPHANTS_AND_RHINOS, TOADS_AND_FROGS

BOARDS = int(os.environ.get("ZERMELO_BOARDS", "400"))


def lines_of(position: LocalPosition) -> tuple[str, ...]:
    cols = position.board.cols
    return tuple(position.letters[start : start + cols] for start in range(0, len(position.letters), cols))


def rows_of(position: Domino) -> tuple[str, ...]:
    return tuple(position.lattice.grid(position.blocked, "|").split("|"))


def outcome_of(position: Position, code: str | None) -> str | None:
    left, right = position.game.players
    return {left: "Left", right: "Right"}.get(code or "", code)


def graph_of(position: LocalPosition) -> Graph:
    names = position.board.names
    edges = frozenset((names[one], names[two]) for one, two in position.board.edges or ())
    return edges, tuple(sorted(zip(names, position.letters, strict=True)))


def bush_of(position: HackenbushPosition) -> Bush:
    return frozenset((number, *position.edges[number]) for number in position.standing)


def boards(letters: str, most: int, may_be: Callable[[Any], bool] = bool) -> Callable[[random.Random], str]:
    """Return a function that draws a board with these letters and at most so many squares."""

    def drawn(rng: random.Random) -> str:
        while True:
            rows = rng.randint(1, 3)
            cols = rng.randint(1, most // rows)
            board = tuple("".join(rng.choice(letters) for _ in range(cols)) for _ in range(rows))
            if may_be(board):
                return "/".join(board)

    return drawn


def graphs(letters: str, most: int) -> Callable[[random.Random], str]:
    """Return a function that draws a graph."""

    def drawn(rng: random.Random) -> str:
        names = "abcdefgh"[: rng.randint(1, most)]
        edges = [f"{one}-{two}" for one in names for two in names if one < two and rng.random() < 0.4]
        return " ".join(edges + [f"{name}={rng.choice(letters)}" for name in names])

    return drawn


def bush(rng: random.Random) -> str:
    """Draw a position of Hackenbush whose edges may form circles."""
    vertices, edges = ["0"], list[str]()
    for _ in range(rng.randint(1, 7)):
        grows = rng.random() < 0.75
        one, two = rng.choice(vertices), "abcdefghi"[len(vertices)] if grows else rng.choice(vertices)
        vertices += [two] if grows else []
        edges.append(one + rng.choice("BRG") + two)
    return " ".join(edges)


TESTED: list[tuple[Game, Rules, Callable[[Any], Any], Callable[[random.Random], str]]] = [
    (find_game("domineering"), domineering, rows_of, boards("...#", 14)),
    (CLOBBER, clobber, lines_of, boards("x.o", 10)),
    (SNORT, snort, lines_of, boards(".xo#", 6)),
    (COL, col, lines_of, boards(".xo#", 7)),
    (TOADS_AND_FROGS, toads, lines_of, boards("TF.", 9)),
    (ARC_KAYLES, cram, lines_of, boards(".#.", 12)),
    (KAYLES, kayles, lines_of, boards(".#.", 10)),
    (NOGO, nogo, lines_of, boards(".xo.", 6, legal_nogo)),
    (CANNIBAL_CLOBBER, cannibal, lines_of, boards("x.o", 7)),
    (DAWSONS_KAYLES, dawson, lines_of, boards("..#.", 12)),
    (ELEPHANTS_AND_RHINOS, elephants, lines_of, boards("ER.", 9)),
    (KONANE, konane, lines_of, boards("xo..#", 12)),
    (FISSION, fission, lines_of, boards("..x.#", 10)),
    (AMAZONS, amazons, lines_of, boards(".#x.o#", 6)),
    (HACKENBUSH, hackenbush, bush_of, bush),
    (SNORT, snort_graph, graph_of, graphs("..xo", 6)),
    (COL, col_graph, graph_of, graphs("..xo", 6)),
    (CLOBBER, clobber_graph, graph_of, graphs("xxo.", 7)),
    (ARC_KAYLES, arc_kayles, graph_of, graphs("..#", 8)),
]
"""Each game, its rules by hand, what they are played on, and how positions are drawn."""


def test_values_nimbers_and_outcomes_are_those_of_brute_force() -> None:
    rng, brute, misere = random.Random(1), Brute(), Brute(misere=True)
    for number in range(BOARDS):
        game, rules, state_of, drawn = TESTED[number % len(TESTED)]
        position: Any = game.parse(drawn(rng))
        state, value = state_of(position), position.value
        assert brute.equal(rules, state, value), (game.name, position.text)
        outcome = OUTCOMES[brute.outcome((rules, state))]
        assert outcome_of(position, position.outcome) == outcome, (game.name, position.text)
        assert (-position).value == -value
        assert sum((part.value for part in position.components), Value(0)) == value
        if game.impartial:
            assert position.nimber == brute.nimber(rules, state)
        for player in (0, 1):
            afters = {state_of(position.after(move)) for move in position.moves(game.players[player])}
            assert afters == set(rules(state, player)), (game.name, position.text)
        if number % 4 == 0:
            other_game, other_rules, other_state, other_drawn = TESTED[rng.randrange(len(TESTED))]
            other = other_game.parse(other_drawn(rng))
            while sum(len(other.moves(player)) for player in other_game.players) > 6:
                other = other_game.parse(other_drawn(rng))
            whole = position + other
            both = OUTCOMES[brute.outcome((rules, state), (other_rules, other_state(other)))]
            assert outcome_of(whole, whole.outcome) == both, (position.text, other.text)
            both = OUTCOMES[misere.outcome((rules, state), (other_rules, other_state(other)))]
            assert outcome_of(whole, whole.misere_outcome) == both, (position.text, other.text)
        if len(brute) + len(misere) > 2_000_000:
            brute, misere = Brute(), Brute(misere=True)


@pytest.mark.parametrize(("at", "spec"), [(1, "xoxo/oxox/xoxo"), (3, "3x4"), (5, "......./.......")])
def test_searches_agree_on_boards_without_small_parts(at: int, spec: str) -> None:
    game, rules, state_of, _ = TESTED[at]
    position, brute = game.parse(spec), Brute()
    for number, player in enumerate(game.players):
        wins = brute.wins(((rules, state_of(position)),), number)
        for chooser in (game.chooser(Limits()), NormalPlayChooser(game, Limits())):
            answer = chooser.answer(position, player, Limits())
            assert (answer.winner == player) == wins == (answer.move is not None)
            if answer.move is not None:
                assert not brute.wins(((rules, state_of(position.after(answer.move))),), 1 - number)


def test_core_and_plain_values_agree() -> None:
    rng = random.Random(2)
    for game, _, _, drawn in TESTED:
        plain = PlainValues(game)
        for _ in range(10):
            position = game.parse(drawn(rng))
            assert plain.value(position) == position.value


def test_graphs_are_read_back_and_an_edge_that_is_written_twice_is_one() -> None:
    for game in (CLOBBER, SNORT, NOGO, ARC_KAYLES):
        once, twice = (game.parse(f"a-b b-c {more}c-d") for more in ("", "b-a c-b b-c "))
        assert once == twice and once.value == twice.value
        assert game.parse((alone := game.parse("a b c d-b a-e")).text) == alone


def test_a_sum_shows_the_letters_and_edges_of_its_terms() -> None:
    view = (COL.parse("1x3:x1,2") + HACKENBUSH.parse("BG")).view()
    assert [(text.square, text.text) for text in view.texts] == [((1, 1), "o"), ((1, 3), "o"), ((1, 5), "G")]
    assert view.edges == (((2, 5), (1, 5)),)


def test_images_share_a_key_and_negatives_do_not() -> None:
    game = CLOBBER
    keys = {game.parse(spec).key() for spec in ("xxo", "oxx", "x/x/o", "..../.oxx", "o/x/x")}
    assert len(keys) == 1
    assert game.parse("oox").key() not in keys
    assert game.parse("xo").core.symmetries == 16


@pytest.mark.parametrize(
    ("cells", "changes", "words"),
    [
        ((0,), ({"x": ".", "o": "."},), "too much"),  # neither bit alone says x or o
        ((0,), ({".": "x", "x": "."},), "too much"),
        ((0, 9), ({".": "#"}, {".": "#"}), "near"),
        ((0,), ({"#": "."},), "not dead"),
    ],
)
def test_moves_that_the_core_cannot_take_are_refused(
    cells: tuple[int, ...], changes: tuple[dict[str, str], ...], words: str
) -> None:
    class Bad(ArcKayles):
        letters = TINTS

        def steps(self, board: Board, player: int) -> Any:
            yield Step(cells, changes, cells)

    with pytest.raises(ValueError, match=words):
        core_moves([Step(cells, changes, cells)], TINTS)
        _ = Bad().parse("..../....").value


@pytest.mark.parametrize("spec", ["", "x", "9x9", "17x4", "..", "..../...", "....:x9,9", "....:1,1", "ä" * 5, "." * 65])
def test_bad_boards_get_a_sentence(spec: str) -> None:
    game = CLOBBER
    if spec in ("x", ".."):
        assert game.parse(spec).value == 0
        return
    with pytest.raises(ValueError) as caught:
        game.parse(spec)
    assert "\n" not in str(caught.value)


def test_limits_leave_a_question_open() -> None:
    position = CLOBBER.parse("xoxoxo/oxoxox/xoxoxo/oxoxox")
    result = position.solve(nodes=5)
    assert not result.known and {answer.limit for answer in result.starts.values()} == {"nodes"}
    assert result.nodes <= 12
