"""Positions of m,n,k games and hypergraphs: text, files, keys, and what cannot be built."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import pytest

from zermelo.game import Game, SquareText
from zermelo.positional import HYPERGRAPH, MNK, HypergraphPosition, MnkPosition, read_hypergraph


def game_of(text: str) -> Game:
    return MNK if text[0].isdigit() and "," in text else HYPERGRAPH


@pytest.mark.parametrize("text", ["30,8,4:aa1", "a b : free c, maker a, breaker c, maker to move", "1 2 / 2 3"])
def test_text_round_trips(text: str) -> None:
    position = game_of(text).parse(text)
    assert position.text == text and pickle.loads(pickle.dumps(position)) == position


def test_handicap_in_a_strong_game_makes_a_race() -> None:
    for marks, text in (
        ("maker a c", "race: a b / c d | same : maker a c"), ("breaker a, breaker to move", "race: a b / c d | same : "
        "breaker a, turns (bm)"), ("maker a", "strong: a b / c d : maker a"),
        ("breaker a, maker to move", "strong: a b / c d : breaker a"),
    ):  # fmt: skip
        assert HYPERGRAPH.parse(f"strong: a b / c d : {marks}").text == text


@pytest.mark.parametrize(
    ("text", "word"),
    [("0,0,0", "at least 1"), ("7,7", "columns,rows,k"), ("999,999,5", "too large"), ("7,7,5:z9", "not a square"),
     ("7,7,5:d4,d4", "taken"), ("99999999,1,1", "columns,rows,k"), ("3,3,3:a1,a2,b1,b2,c1,c2", "over before c2"),
     ("3,3,3:a١", "not a square"),
     ("a / / b", "at least one vertex"), ("a b : maker c", "name it as free"),
     ("a b : nobody a", "not understood"),
     ("a a b", "named twice"), ("a b : maker a, breaker a", "both players"), ("game.hyp", "name of a file")],
)  # fmt: skip
def test_bad_text_is_one_sentence(text: str, word: str) -> None:
    with pytest.raises(ValueError, match=word) as error:
        game_of(text).parse(text)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize(
    "build",
    [lambda: MnkPosition(0, 3, 3), lambda: MnkPosition(3, 3, 3, (99,)), lambda: MnkPosition(3, 3, 3, (-1,)),
     lambda: MnkPosition(3, 3, 3, (4, 4)), lambda: MnkPosition(3, 3, 3, (0, 3, 1, 4, 2, 5)),
     lambda: MnkPosition(3, 3, 3).after("d1"), lambda: MnkPosition(3, 3, 3, (4,)).after("b2"),
     lambda: MnkPosition(3, 1, 1, (0,)).after("b1"), lambda: HypergraphPosition(("a",), ((1,),)),
     lambda: HypergraphPosition(("a", "a"), ((0, 1),)), lambda: HypergraphPosition(("a",), ((),)),
     lambda: HypergraphPosition(("a b",), ((0,),)), lambda: HypergraphPosition(("a",), ((0,),), (0,), (0,)),
     lambda: HypergraphPosition(("a", "b"), ((0, 1),), to_move="X"),
     lambda: HypergraphPosition(("a", "b"), ((0, 1),), (0, 1), strong=True),
     lambda: HypergraphPosition(("a", "b"), ((0,), (1,)), (0,), (1,), strong=True),
     lambda: HYPERGRAPH.parse("a b").after("a"), lambda: HYPERGRAPH.parse("a b : maker to move").after("breaker a"),
     lambda: HYPERGRAPH.parse("a b : maker a, breaker to move").after("a")],
)  # fmt: skip
def test_nothing_can_build_a_corrupt_position(build: object) -> None:
    with pytest.raises(ValueError):
        build()  # type: ignore[operator]


def test_text_is_taken_like_numbers() -> None:
    assert MnkPosition("3,3,3:b2") == MnkPosition(3, 3, 3, (4,)) == MNK.parse(" 3,3,3:b2")
    with pytest.raises(TypeError):
        MnkPosition("3,3,3", 3, 3)  # type: ignore[call-overload]


def test_any_names_round_trip() -> None:
    rng = random.Random(3)
    letters = "ab%/:,#.~ä1hyp"
    for _ in range(300):
        names = list({"".join(rng.choices(letters, k=rng.randint(1, 6))) for _ in range(6)})
        edges = [rng.sample(names, rng.randint(1, len(names))) for _ in range(rng.randint(1, 4))]
        used = sorted({name for edge in edges for name in edge})
        marks = rng.sample(used, min(len(used), 2))
        strong = len(marks) == 2 and all(len(edge) > 1 for edge in edges)
        position = HypergraphPosition.from_edges(edges, maker=marks[:1], breaker=marks[1:], strong=strong)
        assert HYPERGRAPH.parse(position.text) == position, position.text


def test_hypergraph_from_lists_keeps_names() -> None:
    position = HypergraphPosition.from_edges([[1, 2], [2, 3]], maker=[2], also=["pass"])
    assert position.text == "1 2 / 2 3 : free pass, maker 2"
    with pytest.raises(ValueError, match="'x' is marked but on no hyperedge"):
        HypergraphPosition.from_edges([["a"]], maker=["x"])


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_hyp_file_is_read_with_its_rules(tmp_path: Path) -> None:
    path = write(tmp_path, "path.hyp", "a b # edge\n\nb c\n")
    assert HYPERGRAPH.read(str(path)).text == "a b / b c" and HYPERGRAPH.read(f"strong:{path}").strong
    assert HYPERGRAPH.solve(HYPERGRAPH.read(str(path))).outcome == "first"


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [("x.hyp", "a b\n   \n", "line 2"), ("x.hyp", "a a b\n", "line 1"),
     ("x.hyp", " ".join(f"v{i}" for i in range(2000)), "at most 256"),
     ("x.hyp", "\n".join(f"{i & 63} a{i >> 6 & 63} b{i >> 12}" for i in range(5000)), "hyperedges"),
     ("x.hyp", "a \x00b\n", "line 1"), ("x.txt", "a b\n", ".hyp or .pg"), ("none.hyp", None, "cannot be read"),
     ("x.pg", "a b\n", "x.pg: line 1")],
)  # fmt: skip
def test_bad_hypergraph_file_is_one_sentence(tmp_path: Path, name: str, text: str | None, word: str) -> None:
    path = tmp_path / name if text is None else write(tmp_path, name, text)
    with pytest.raises(ValueError, match=word) as error:
        read_hypergraph(path)
    assert len(str(error.value).splitlines()) == 1


def test_views_show_marks_names_and_edges() -> None:
    view = MNK.parse("4,3,3:a1,d3").view()
    assert (view.rows, view.cols, view.row_labels, view.col_labels) == (3, 4, ("3", "2", "1"), ("a", "b", "c", "d"))
    assert [(piece.player, piece.squares, piece.last) for piece in view.pieces] == [
        ("X", ((3, 1),), False),
        ("O", ((1, 4),), True),
    ]
    shown = HYPERGRAPH.parse("a b c / c d e : maker c").view()
    assert (shown.rows, shown.cols, len(shown.blocked), len(shown.edges)) == (2, 3, 1, 2)
    assert SquareText((1, 3), "c") in shown.texts and shown.pieces[0].squares == ((1, 3),)
