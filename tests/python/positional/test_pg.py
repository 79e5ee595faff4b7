"""The .pg files of published benchmarks: every code word, errors with their line, damaged files."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from test_race import Rules

from zermelo.game import Limits
from zermelo.positional import HYPERGRAPH
from zermelo.positional.files import read_hypergraph
from zermelo.positional.pg import WORDS, parse_pg
from zermelo.positional.pg_board import BOARD_WORDS
from zermelo.proof import check_file

RANDOM_FILES = int(os.environ.get("ZERMELO_PG_FUZZ", "1500"))
ANSWERED = int(os.environ.get("ZERMELO_PG_ANSWERED", "150"))
SEED = int(os.environ.get("ZERMELO_SEED", "1"))
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

DOMINO = ":action {0}\n:parameters (?x,?y)\n:precondition (open(?x,?y) open({1}))\n:effect ({2}(?x,?y) {2}({1}))\n"
DOMINOES = "#boardsize 4 3\n#depth 8\n#blackactions\n" + DOMINO.format("up", "?x,?y+1", "black")
DOMINOES += "#whiteactions\n" + DOMINO.format("across", "?x+1,?y", "white")
NO_GOALS = "#blackgoal\nFalse\n#whitegoal\nFalse\n"

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
    BORDERS.replace("a b c\n", "a b na NA c\n") + "#blackwins\na b d\n": "join: a-b a-c b-d c-d / a / d : within 3",
    "#boardsize 3 2\n#depth 9\n#blackinitials c2\n#blackgoal\nblack(xmax, ?y) black(xmax-1,?y) ge(?y,ymin+1)\n": (
        "b2 c2 : free a1 b1 c1 a2, maker c2, maker to move"
    ),
    DOMINOES.replace("8", "6"): "dominoes: 3x4 : maker V, within 6",
    DOMINOES.replace(":precondition", ":indexbounds (ge(?x,xmin) le(?y,ymax))\n:precondition") + NO_GOALS: (
        "dominoes: 3x4 : maker V"
    ),
    DOMINOES.replace("black", "grey").replace("white", "black").replace("grey", "white") + "#init white(2,3)\n": (
        "dominoes: ..../..../.#.. : maker H"
    ),
    "#boardsize 2 5\n#depth 3\n" + NO_GOALS: "dominoes: 5x2 : maker V, within 3",
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
    DOMINOES.replace("open(?x,?y+1)", "open(?x,?y)"): "line 4: an action of black must mark open squares, and",
    DOMINOES.replace("?y+1", "ymax"): "line 4: an action of black must mark open squares, and",
    DOMINOES + "#blackgoal\nblack(1,1)\n": "line 4: the one action of black must be to mark an open square",
    DOMINOES.replace("?x+1,?y", "?x+2,?y"): "line 4: the one action of black must be to mark",
    SQUARES.replace("black(3,1)", "black(3,1) le(?x,?x)"): "line 8: ?x is no bound: write xmax-1",
    SQUARES.replace("black(3,1)", "black(xmax,?z)"): "line 8: '?z' is not understood: write 2, ?y, ?y+1",
    SQUARES.replace("black(3,1)", "open(3,1)"): "line 8: a goal is a set of marks",
    SQUARES + "#blackwinboards\nwhite(1,1)\n": "line 10: no such code word: #blackwinboards",
    SQUARES + OCCUPY.format("black").replace("open(?x,?y)", "open(?x,?y) open(?x,?y+1)"): "an action of black",
    SQUARES + OCCUPY.format("black").replace("#black", "#white"): "line 11: an action of white must mark",
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


@pytest.mark.parametrize("board", ["2x3", "3x3", "3x4", "..#/.../#..", "5x2", "1x4", "4x1"])
@pytest.mark.parametrize("black", ["V", "H"])
def test_domineering_with_a_bound_equals_the_rules(board: str, black: str) -> None:
    rows = board.split("/") if "." in board else ["." * int(board[2])] * int(board[0])
    start = frozenset((row, col) for row, line in enumerate(rows) for col, mark in enumerate(line) if mark == ".")

    @cache
    def black_wins(free: frozenset[tuple[int, int]], blacks: bool, turns: int) -> bool:
        down, right = (1, 0) if blacks == (black == "V") else (0, 1)
        after = [
            free - {(row, col), (row + down, col + right)} for row, col in free if (row + down, col + right) in free
        ]
        if not turns or not after:
            return turns > 0 and not blacks
        return (any if blacks else all)(black_wins(one, not blacks, turns - 1) for one in after)

    for within in range(1, len(start) // 2 + 3):
        position = HYPERGRAPH.parse(f"dominoes: {board} : maker {black}, within {within}")
        (answer,) = HYPERGRAPH.solve(position).starts.values()
        assert answer.winner == ("maker" if black_wins(start, True, within) else "breaker"), within
    assert HYPERGRAPH.solve(position.text, options={"unbounded": True}).starts["maker"].winner == answer.winner


def test_domineering_with_a_bound_is_certified_where_the_bound_does_not_matter(tmp_path: Path) -> None:
    for text, winner in (("dominoes: 4x4 : maker V", "maker"), ("dominoes: 5x5 : maker H, within 5", "breaker")):
        assert HYPERGRAPH.prove(HYPERGRAPH.parse(text), "maker", tmp_path / "domino.zc").winner == winner
        assert check_file(tmp_path / "domino.zc").verified
    with pytest.raises(ValueError, match="without it Maker wins"):
        HYPERGRAPH.prove(HYPERGRAPH.parse("dominoes: 4x4 : maker V, within 5"), "maker", tmp_path / "domino.zc")


def test_actions_are_read_from_a_domain_file_beside_the_board(tmp_path: Path) -> None:
    size, actions = DOMINOES.split("#blackactions")
    (tmp_path / "board.pg").write_text(size)
    (tmp_path / "domain.ig").write_text(f"#blackactions{actions}")
    assert read_hypergraph(tmp_path / "board.pg").text == "dominoes: 3x4 : maker V"


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
    assert read > 60


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


Own = frozenset[str]
Wins = Callable[[Own], bool]


def has_one(sets: list[set[str]]) -> Wins:
    return lambda own: any(one <= own for one in sets)


def joins(edges: list[list[str]], first: set[str], last: set[str]) -> Wins:
    def found(own: Own) -> bool:
        seen = first & own
        while more := {v for edge in edges for u, v in (edge, edge[::-1]) if u in seen and v in own} - seen:
            seen |= more
        return bool(seen & last)

    return found


def random_goal(rng: random.Random, names: list[str]) -> tuple[dict[str, list[str]], Wins, Wins]:
    """Return sections with goals, and what they mean for Black and for White."""

    def some(least: int = 1, most: int = 4) -> list[str]:
        return rng.sample(names, min(len(names), rng.randint(least, most)))

    def lines(sets: list[list[str]]) -> list[str]:
        return [" ".join(one) for one in sets]

    kind = rng.choice(("sets", "sets", "edges", "borders", "shapes"))
    edges = [rng.sample(names, 2) for _ in range(rng.randint(1, 2 * len(names)))]
    ends = [some(0, 2), some(0, 2)]
    if kind == "edges":
        outer = [[end, v] for end, of in zip("ST", ends, strict=True) for v in of]
        listed = [one if rng.random() < 0.5 else one[::-1] for one in edges + outer]
        return {"edges": lines(listed), "source": ["S"], "target": ["T"]}, joins(edges, *map(set, ends)), has_one([])
    if kind == "borders":
        sections = {"neighbours": lines(edges), "startboarder": lines(ends[:1]), "endboarder": lines(ends[1:])}
        return sections, joins(edges, *map(set, ends)), has_one([])
    if kind == "shapes":
        columns, torus = rng.choice((2, 3)), rng.random() < 0.3
        rows = [names[i : i + columns] for i in range(0, len(names) // columns * columns, columns)]
        place = {name: (x, y) for y, row in enumerate(rows) for x, name in enumerate(row)}
        near: dict[tuple[str, int, int], str] = {}
        for name, (x, y) in place.items():
            for dx, dy in ((1, 0), (0, 1)):
                if torus or (x + dx < columns and y + dy < len(rows)):
                    near[name, dx, dy] = rows[(y + dy) % len(rows)][(x + dx) % columns]
        steps = rng.choices([(1, 0), (0, 1), (-1, 0), (0, -1)], k=rng.randint(1, 3))
        words, sets = list[str](), list[set[str]]()
        for at, (dx, dy) in enumerate(steps):
            one, two = (at, at + 1) if dx + dy > 0 else (at + 1, at)
            words.append(f"{'side' if dx else 'up'}(p{one},p{two})")
        for start in place:
            walk = [start]
            for dx, dy in steps:
                before = [name for (name, x, y), to in near.items() if (x, y, to) == (-dx, -dy, walk[-1])]
                after = near.get((walk[-1], dx, dy)) if dx + dy > 0 else next(iter(before), None)
                walk += [after] if after else []
            sets += [set(walk)] if len(walk) == len(steps) + 1 else []
        grid = [f"{name} {near.get((name, 0, 1), 'na')} {near.get((name, 1, 0), 'na')}" for name in place]
        return {"neighbours": grid, "blackgoal": [" ".join(rng.sample(words, len(words)))]}, has_one(sets), has_one([])
    sets, rivals = [some() for _ in range(rng.randint(0, 6))], [some() for _ in range(rng.choice((0, 0, 1, 4)))]
    rivals = sets[::-1] if rng.random() < 0.3 else rivals
    return (
        {"blackwins": lines(sets), "whitewins": lines(rivals)},
        has_one([*map(set, sets)]),
        has_one([*map(set, rivals)]),
    )


def random_file(rng: random.Random) -> tuple[str, Rules, list[str], list[str], list[str], list[str]]:
    """Return a file with any sections, its rules, Black's and White's marks, free positions and first moves."""
    names = [f"{rng.choice('abv')}{number}" for number in range(1, rng.randint(2, 7) + 1)]
    sections, black_wins, white_wins = random_goal(rng, names)
    marks = {name: rng.choice(("black", "white")) for name in names if rng.random() < 0.2}
    sides = [[name for name in marks if marks[name] == side] for side in ("black", "white")]
    free = [name for name in names if name not in marks]
    cycle = rng.choice(("mb", "mb", "bm", "mbb", "mmbb", "bbmm", "m", "mbm"))
    order = (rng.choice(("", "", "m", "b", "mb")) + cycle * 9)[: rng.randint(0, len(names) + 2)]
    times = [f"t{number}" for number in rng.sample(range(99), len(order))]
    first = rng.sample(free, min(2, len(free))) if rng.random() < 0.3 else []
    sections |= {
        "positions": [" ".join(names)], "times": [" ".join(times)], "blackinitials": sides[0],
        "blackturns": [" ".join(time for time, player in zip(times, order, strict=True) if player == "m")],
        "whiteinitials": [" ".join(sides[1])], "firstmoves": first, "version": ["1.0"],
    }  # fmt: skip
    sections = {word: [line for line in sections[word] if line] for word in rng.sample(sorted(sections), len(sections))}
    text = rng.choice(("", "% a picture\n%  X #\n"))
    for word, body in sections.items():
        if body or word in ("times", "startboarder", "endboarder", "positions") or rng.random() < 0.5:
            text += (
                f"#{word}{rng.choice((chr(10), ' ')) if body else chr(10)}"
                + "\n".join(body)
                + rng.choice(("\n", "\n\n", " % note\n", "\n%\n"))
            )
    return text, Rules(black_wins, white_wins, order[: len(free)]), *sides, free, first


def test_random_files_are_answered_by_their_own_rules() -> None:
    rng = random.Random(SEED)
    for _ in range(ANSWERED):
        text, rules, black, white, free, first = random_file(rng)
        state = frozenset(black), frozenset(white), frozenset(free), 0
        value = rules.value(*state)
        if first and rules.turns and not rules.maker_wins(state[0]) and not rules.breaker_wins(state[1]):
            values = [one for name, one in rules.options(*state).items() if name in first]
            value = (max if rules.turns[0] == "m" else min)(values)
        text = text.replace("\n", rng.choice(("\n", "\r\n")))
        if rules.maker_wins(state[0]) and rules.breaker_wins(state[1]):
            continue
        position = parse_pg(text)
        (answer,) = HYPERGRAPH.solve(position, first=position.to_move or "maker").starts.values()
        assert (answer.winner == "maker") == (value == 1), (text, answer)
        assert value < 0 or answer.winner != "breaker" or not position.strong, (text, answer)
