"""The .pg files of published benchmarks: every code word, errors with their line, damaged files."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from zermelo.game import Limits
from zermelo.positional import HYPERGRAPH
from zermelo.positional.files import read_hypergraph
from zermelo.positional.pg import WORDS, parse_pg
from zermelo.positional.pg_board import BOARD_WORDS

RANDOM_FILES = int(os.environ.get("ZERMELO_PG_FUZZ", "1500"))
SQUARE = "#positions a b c d\n"
BOUND = "#times t1 t2 t3\n#blackturns t1 t3\n"
BORDERS = SQUARE + BOUND + "#neighbours\na b c\nb a d\nc a d\nd b c\n#startboarder a\n#endboarder d\n"
EDGES = SQUARE + BOUND + "#edges\na b\nc d\ns a\ns c\nt b\nt d\n#source s\n#target t\n"
GRID = "#positions a1 a2 b1 b2\n#times t1 t2 t3 t4\n#blackturns t1 t3\n#neighbours\n"
SHAPES = GRID + "%format\na1 a2 b1\na2 na b2\nb1 b2 na\nb2 na na\n#blackgoal\nside(p0,p1)\nup(p0,p1)\n#firstmoves a1\n"

SQUARES = "#boardsize\n4 1\n#init\n#depth\n3\n#blackgoal\nblack(1,1) black(2,1) \nblack(2,1) black(3,1)\n#whitegoal\n"
SHIFTS = "#boardsize 2 2\n#init white(2,2)\n#depth 9\n#blackgoal\nblack(?x,?y) black(?x+1,?y)\n"
SHIFTS += "black(?x,?y) black(?x,?y-1)\n"
OCCUPY = "#{0}actions\n:action occupy\n:parameters (?x, ?y)\n:precondition (open(?x,?y))\n:effect ({0}(?x,?y))\n"

FILES = {  # a file, and the position as text
    SQUARE + "#blackwins\na b\nc d\n": "a b / c d",
    SQUARE + "#times t1 t2 t3 t4\n#blackturns t1 t3\n#blackwins\na b\nc d\n": "a b / c d : maker to move",
    SQUARE + BOUND + "#blackwins\na b\nc d\n": "race: a b / c d : within 3",
    "% a picture\n" + SQUARE + "#blackwins\na b % the first\nc d\n": "a b / c d",
    SQUARE + "#version\n1.0\n#blackwins\na b\n#whitewins\nc d\n": "race: a b | c d",
    SQUARE + "#blackwins\na b\nc d\n#whitewins\nd c\na b\n": "strong: a b / c d : maker to move",
    SQUARE + "#blackwins\na b\nc d\n#whitewins\nd c\na b\n#firstmoves\na\n": "race: a b / c d | same : first a",
    SQUARE + "#times t4 t5 t6 t7\n#blackturns t5 t7\n#blackwins\na b c\n": "race: a b c : free d, turns (bm)",
    SQUARE + "#times 1 2 3 4\n#blackturns 1 2\n#blackwins\na b c\n": "race: a b c : free d, turns mm(b)",
    SQUARE + "#times 1 2 3 4\n#blackturns 2 3\n#blackwins\na b c d\n": "race: a b c d : turns (bmm)",
    SQUARE + "#blackwins\na b\n#blackinitials\na\n#whiteinitials\nc d\n": "a b : free c d, maker a, breaker c d",
    BORDERS: "join: a-b a-c b-d c-d / a / d : within 3",
    EDGES: "join: a-b c-d / a c / b d : within 3",
    SHAPES: "race: a1 b1 / a2 b2 / a1 a2 / b1 b2 : first a1",
    SQUARES: "race: a1 b1 / b1 c1 : free d1, within 3",
    SHIFTS + OCCUPY.format("black") + OCCUPY.format("white"): (
        "a1 b1 / a2 b2 / a1 a2 / b1 b2 : breaker b2, maker to move"
    ),
    SHIFTS + "#whitegoal\nwhite(1,1)\n": "race: a1 b1 / a2 b2 / a1 a2 / b1 b2 | a1 : breaker b2",
    "#positions a,b c\n#blackwins\na,b\n#whitewins\nc\n#firstmoves\na,b\n": "race: a%2Cb | c : first a%2Cb",
    EDGES.replace("\ns a", "\ns t"): "race: s : free a b c d, maker s, within 3",
    "\ufeff" + SQUARE + "#blackwins\na b\nc d\n": "a b / c d",
    "#positions\n#times t1\n#blackturns t1\n#edges\n#source s\n#target t\n": "race:",
}
MANY = " ".join(f"v{number}" for number in range(380))
ROW = "\n".join(f"v{number} v{number + 1} na" for number in range(379)) + "\nv379 na na\n"
LARGE = {  # files that would take minutes or gigabytes if nothing were bounded
    "#positions "
    + MANY
    + "\n#neighbours\n"
    + ROW
    + "#blackgoal\n"
    + "\n".join(" ".join(f"up(p{i},p{i + 1})" for i in range(200)) for _ in range(300)): "line 410: the shapes have",
    "#positions "
    + MANY
    + "\n#neighbours\n"
    + ROW
    + "#blackgoal\n"
    + " ".join(f"up(p{i},p{i + 1})" for i in range(30_000)): "line 384: the shapes have",
    "#positions a b\n#blackwins\n" + "a b\n" * 200_000: "line 100003: at most 100,000 winning sets",
    "#positions " + MANY + "\n" + " ".join(f"w{i}" for i in range(200_000)): "line 2: at most 384 positions, and w4",
    "#boardsize 999999 999999\n#depth 3\n": "line 1: at most 384 squares",
    "#boardsize " + "9" * 100_000 + " 3\n#depth 3\n": "line 1: #boardsize needs two numbers",
    "#boardsize 19 19\n#depth 9\n#blackgoal\n" + "black(?x,?y) black(?x+1,?y)\n" * 3000: "marks",
}

ERRORS = {  # a file, and words of the error
    "a b\n": "line 1: a code word",
    "#blackwins\na b\n": "#positions is missing",
    "#nonsense\n": "line 1: no such code word",
    "#positions a a\n": "line 1: position a is named twice",
    SQUARE + "#blackwins\na x\n": "line 3: x is not in #positions",
    SQUARE + "#times t1 t1\n": "line 2: time t1 is named twice",
    SQUARE + "#times t1\n#blackturns t2\n": "line 3: t2 is not in #times",
    SQUARE + "#blackinitials a\n#whiteinitials a\n": "line 3: a is marked by both players",
    "#positions a\x00\n": "line 1: 'a\\x00' is no name",
    SQUARE + "#blackwins\na b\n#startboarder a\n#endboarder b\n": "line 5: give one goal only",
    SQUARE + "#startboarder a\n": "line 2: a graph needs #source and #target",
    EDGES + "#whitewins\na\n": "line 13: Black joins a graph, so White can only block",
    EDGES.replace("#source s", "#source a"): "line 11: #source and #target name one point each",
    EDGES.replace("\ns a", "\ns a b"): "line 7: an edge has two ends",
    SHAPES.replace("up(p0,p1)", "over(p0,p1)"): "line 12: 'over",
    SHAPES.replace("up(p0,p1)", "up(p0,p1) side(p3,p4)"): "hang together",
    SHAPES.replace("a1 a2 b1\n", "a1 a2\n"): "line 6: a shape needs",
    SHAPES.replace("#firstmoves a1", "#firstmoves a1 #blackinitials"): "not in #positions",
    SQUARES.replace("4 1", "4"): "line 2: #boardsize needs two numbers such as 4 3",
    SQUARES.replace("4 1", "40 40"): "line 2: at most 384 squares",
    SQUARES.replace("#depth\n3\n", ""): "#depth needs a number such as 7",
    SQUARES.replace("#depth\n3", "#depth\n0"): "line 5: #depth needs a number such as 7",
    SQUARES.replace("black(3,1)", "black(5,1)"): "line 8: black(5,1) lies outside the board of 4 x 1",
    SQUARES.replace("black(3,1)", "white(3,1)"): "line 8: 'white(3,1)' is not understood: write marks such",
    SQUARES.replace("#init", "#init white(?x,1)"): "line 3: 'white(?x,1)' is not understood",
    SQUARES.replace("black(3,1)", "NOT(open(?x,?y))"): "line 8: 'NOT(open(?x,?y))' is not understood",
    "#boardsize 4 3\n#depth 8\n#blackactions\n:action v\n:parameters (?x,?y)\n"
    ":precondition (open(?x,?y) open(?x,?y+1))\n:effect (black(?x,?y) black(?x,?y+1))\n": "domineering 3x4 --first V",
    "#boardsize 4 4\n#depth 8\n#blackgoal\nFalse\n": "line 4: a game without winning sets",
    SQUARES + "#blackwinboards\nwhite(1,1)\n": "line 10: no such code word: #blackwinboards",
    SQUARES + OCCUPY.format("black").replace("open(?x,?y)", "open(?x,?y) open(?x,?y+1)"): "action of black",
    SQUARES + OCCUPY.format("black").replace("#black", "#white"): "line 11: the one action of white must be",
    SQUARES.replace("#init", "#init white(1,1) black(1,1)"): "line 1: a1 is marked by both players",
    SQUARES + "#positions a\n": "line 10: #positions and #boardsize do not go together",
    SQUARE + "#init\n": "line 2: #init belongs to files with #boardsize",
    SHAPES + "#blackinitials a1\n": "none of the first moves is free",
}


@pytest.mark.parametrize("number", range(len(FILES)))
def test_file_is_read_as_its_position(number: int) -> None:
    text, spec = list(FILES.items())[number]
    position = parse_pg(text)
    if spec != "race:":
        assert position.text == spec
        assert HYPERGRAPH.parse(spec).text == spec
    assert HYPERGRAPH.solve(position, limits=Limits(seconds=5)).known


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_mistake_is_named_with_its_line(number: int) -> None:
    text, words = list(ERRORS.items())[number]
    with pytest.raises(ValueError) as error:
        parse_pg(text)
    assert words in str(error.value) and len(str(error.value).splitlines()) == 1


def test_file_answers_its_question_and_the_one_without_the_bound(tmp_path: Path) -> None:
    path = tmp_path / "square.pg"
    path.write_text(SQUARE + "#times t1\n#blackturns t1\n#blackwins\na b\nb c\n")
    position = read_hypergraph(path)
    (bounded,), (free,) = (
        HYPERGRAPH.solve(position, options=options).starts.values() for options in ({}, {"unbounded": True})
    )
    assert bounded.winner == "breaker" and "no win within 1 move" in bounded.why
    assert free.winner == "maker" and free.details["within"] == 3


@pytest.mark.parametrize("number", range(len(LARGE)))
def test_work_for_a_file_is_bounded(number: int) -> None:
    text, words = list(LARGE.items())[number]
    begin = time.process_time()
    with pytest.raises(ValueError) as error:
        parse_pg(text)
    assert words in str(error.value) and len(str(error.value)) < 300
    assert time.process_time() - begin < 5


def test_damaged_files_give_one_sentence_or_a_position() -> None:
    rng = random.Random(5)
    texts = list(FILES)
    read = 0
    for _ in range(2000):
        words = rng.choice(texts)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(words) + 1)
            cut = at + rng.choice((0, 0, 1, 5))
            other = rng.choice(texts)
            start = rng.randrange(len(other))
            piece = rng.choice(["", "#", "%", "\n", " ", "a", "na", "\x00", "é", "(", other[start : start + 9]])
            words = words[:at] + piece + words[cut:]
        try:
            position = parse_pg(words)
        except ValueError as error:
            assert len(str(error).splitlines()) == 1, words
        else:
            read += 1
            assert HYPERGRAPH.parse(position.text).text == position.text, words
            assert position.decided("maker") in (None, "maker", "breaker", "draw")
    assert read > 100


def test_random_files_give_one_sentence_or_a_position() -> None:
    """Any sections in any order, with words that fit or do not; most positions are small, and are solved."""
    rng, read = random.Random(6), 0
    names = ["a", "b", "c", "d", "e", "s", "t", "na", "t1", "t2", "t3", "t4", "9", "2 2", "4 1", "up(p,q)", "side(q,r)"]
    names += ["black(1,1)", "black(?x,?y)", "black(?x+1,?y-1)", "white(2,1)", "False", "% #", "é", "\x00", "x" * 300]
    for _ in range(RANDOM_FILES):
        words = rng.choice([WORDS, WORDS, BOARD_WORDS, WORDS + BOARD_WORDS])
        lines = [rng.choice([SQUARE, SQUARE + BOUND, GRID, "#boardsize 3 2\n#depth 5\n", ""])]
        for word in rng.choices(words, k=rng.randint(1, 6)):
            most = rng.choice([3, 8, len(names)])
            body = [" ".join(rng.choices(names[:most], k=rng.randint(1, 3))) for _ in range(rng.randint(0, 4))]
            lines += [f"#{word} {body.pop() if body and rng.random() < 0.5 else ''}", *body]
        text = "\n".join(lines)
        try:
            position = parse_pg(text)
        except ValueError as error:
            assert str(error).startswith("line ") or "#positions is missing" in str(error) or "needs" in str(error), (
                text
            )
            assert len(str(error).splitlines()) == 1 and len(str(error)) < 400, text
        else:
            read += 1
            assert HYPERGRAPH.parse(position.text).text == position.text, text
            HYPERGRAPH.solve(position, limits=Limits(nodes=200))
    assert read > RANDOM_FILES // 20
