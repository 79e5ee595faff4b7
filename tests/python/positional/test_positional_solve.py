"""Who wins m,n,k games and hypergraphs: published results, sources, limits, and what the answers name."""

from __future__ import annotations

import resource
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path

import pytest
import tiny
from tiny import lines_of

from zermelo.bench import hsu
from zermelo.game import DRAW, Answer, Limits, Progress
from zermelo.positional import HYPERGRAPH, MNK, MnkPosition
from zermelo.positional.position import bits
from zermelo.positional.solve import PositionalChooser
from zermelo.proof import check_file


def answer_of(spec: str, **options: object) -> Answer:
    (answer,) = MNK.solve(spec, **options).starts.values()  # type: ignore[arg-type]
    return answer


@pytest.mark.parametrize(
    ("spec", "outcome", "by", "maker_breaker"),
    [("3,3,3", "draw", "strong-game search", "maker"), ("4,3,3", "first", "threats", "maker"),
     ("4,4,4", "draw", "Maker-Breaker search", "breaker"), ("5,5,4", "draw", "strong-game search", "maker"),
     ("6,5,4", "first", "threats", "maker"), ("5,5,5", "draw", "pairing strategy", "breaker"),
     ("4,5,4", "draw", "Maker-Breaker search", "breaker"), ("4,6,4", "draw", "Maker-Breaker search", "breaker"),
     ("4,7,4", "draw", "Maker-Breaker search", "breaker"), ("6,6,5", "draw", "Maker-Breaker search", "breaker"),
     ("7,7,5", "draw", "Maker-Breaker search", "breaker"), ("5,5,9", "draw", "pairing strategy", "breaker")],
)  # fmt: skip
def test_outcome_is_the_published_one(spec: str, outcome: str, by: str, maker_breaker: str) -> None:
    result = MNK.solve(spec)
    report = MNK.to_json(result)
    assert (report["outcome"], report["proved_by"], report["maker_breaker"]) == (outcome, by, maker_breaker)
    assert report["move"] in MnkPosition(spec).moves("X")


@pytest.mark.parametrize(("spec", "move"), [("5,5,5", None), ("5,2,3:a1", "c1")])
def test_pairs_are_those_of_the_position_after_the_move(spec: str, move: str | None) -> None:
    answer, position = answer_of(spec), MnkPosition(spec)
    if move is not None:
        assert (answer.winner, answer.move) == (DRAW, move)
        position = position.after(move)
    pairs = [[position.vertex(name) for name in pair] for pair in answer.details["pairs"]]
    squares = [square for pair in pairs for square in pair]
    assert len(squares) == len(set(squares))
    blocked = bits(position.marks("O"))
    for line in lines_of(position.columns, position.rows, position.k):
        assert line & blocked or any(line >> u & 1 and line >> v & 1 for u, v in pairs)


PROBLEMS = [line for line in (tiny.DATA / "gomoku.txt").read_text().splitlines() if line[0] != "#"]


@pytest.mark.parametrize("number", range(len(PROBLEMS)))
def test_published_problem_of_gomoku_is_solved_at_once_and_certified(number: int, tmp_path: Path) -> None:
    source, stones = PROBLEMS[number].split(" | ")
    position, path = MnkPosition(f"15,15,5:{stones}"), tmp_path / "problem.zc"
    chooser, limits = MNK.proof_chooser(Limits(), folder=tmp_path), Limits(nodes=3_000)
    answer = chooser.answer(position, "X", limits)
    assert (answer.winner, answer.details["proved_by"]) == ("X", "threats"), source
    assert MNK.prove(position, "X", path, Limits(), chooser, answer).winner == "X" and check_file(path).verified, source


def test_a_limit_gives_unknown_and_says_how_far_it_came() -> None:
    seen: list[Progress] = []
    result = MNK.solve("8,8,5", limits=Limits(seconds=0.3), on_progress=lambda player, progress: seen.append(progress))
    report = result.starts["X"]
    assert (result.outcome, report.by, report.winner) == ("unknown", "limit", None)
    assert report.why.startswith("unknown within 0.3 s")
    assert seen and 0 < seen[-1].nodes <= report.nodes
    stopped = answer_of("8,8,5", limits=Limits(nodes=300))
    assert stopped.winner is None and stopped.why.startswith("unknown within 30")


def test_switches_change_no_winner_and_unknown_ones_are_refused() -> None:
    for names in combinations(["zones", "carriers", "pairs", "symmetry", "forcing"], 2):
        assert answer_of("4,5,4", options={"without": names}).details["maker_breaker"] == "breaker"
    with pytest.raises(ValueError, match="'magic' is not known"):
        MNK.chooser(Limits(), {"without": ["magic"]})
    with pytest.raises(ValueError, match="no option 'method'"):
        MNK.chooser(Limits(), {"method": "search"})


def test_a_warm_chooser_answers_threads_alike() -> None:
    chooser = MNK.chooser(Limits(memory=1 << 22))
    start = MnkPosition("5,4,4")
    positions = [start.after(move) for move in start.moves("X")]

    def ask(_: int) -> list[str | None]:
        return [chooser.answer(position, "O", Limits(seconds=60)).winner for position in positions]

    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(ask, range(3))) == [[DRAW] * len(positions)] * 3


def test_a_warm_chooser_searches_less() -> None:
    chooser = MNK.chooser(Limits(memory=1 << 24))
    start, after = MNK.parse("5,5,4"), MNK.parse("5,5,4:c3")
    cold = MNK.chooser(Limits(memory=1 << 24)).answer(after, "O", Limits()).nodes
    chooser.answer(start, "X", Limits())
    assert chooser.answer(after, "O", Limits()).nodes < cold / 3


@pytest.mark.parametrize(
    ("spec", "outcome"),
    [("a b / b c", "first"), ("a b / c d", "breaker"), ("a b / b c / c d / d a", "maker"), ("a : breaker a", "breaker"),
     ("strong: a b / b c", "first"), ("strong: a b / c d", "draw"),
     ("strong: a b c / d e f : maker a, breaker d, maker to move", None),
     ("strong: a b / c d e / e f / c f : maker a, breaker b", "first"),
     ("strong: a b c / d e : maker a, breaker d", "draw-breaker")],
)  # fmt: skip
def test_hypergraphs_under_both_rules(spec: str, outcome: str | None) -> None:
    result = HYPERGRAPH.solve(spec)
    assert result.outcome == outcome
    assert outcome is None or outcome in HYPERGRAPH.outcomes
    assert HYPERGRAPH.to_json(result)["rules"] == ("strong" if spec.startswith("strong") else "maker-breaker")


def test_nodes_fall_with_n_as_in_table_2() -> None:
    nodes = []
    for n in (1, 2, 3):
        result = hsu.as_published("7,7,5", branching=n, seconds=600)
        assert result.winner.name == "BREAKER"
        nodes.append(result.nodes)
    assert nodes[0] > nodes[1] > nodes[2]
    assert answer_of("7,7,5").nodes * 3 < nodes[1]


def test_bench_marks_rows_that_a_limit_cut_short() -> None:
    rows = list(hsu.tables(seconds=0.2))
    assert len(rows) > 8 and {row.answer for row in rows} == {"breaker", "unknown"}
    assert all(row.cut == (row.answer == "unknown") for row in rows)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/statm")
def test_tables_of_many_boards_stay_within_the_memory() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    chooser, lines, before = PositionalChooser(Limits(memory=32 << 20)), MnkPosition("5,5,4").board.edges, resident()
    for left_out in lines[:8]:
        rest = " / ".join(" ".join(f"v{vertex}" for vertex in line) for line in lines if line != left_out)
        answer = chooser.answer(HYPERGRAPH.parse(f"strong: {rest}"), "maker", Limits(nodes=6000))
        assert answer.nodes >= 6000  # 17 MiB of pages, some 0.4 MiB of entries
    assert resident() - before < 64 << 20


def test_a_proof_takes_no_second_search(tmp_path: Path) -> None:
    position, chooser = MNK.parse("7,6,5"), MNK.proof_chooser(Limits(), folder=tmp_path)
    answer = chooser.answer(position, "X", Limits(), want_move=False)
    written = MNK.prove(position, "X", tmp_path / "proof.zc", chooser=chooser)
    assert answer.nodes > 200 > 10 > written.nodes
    assert check_file(tmp_path / "proof.zc").verified


def test_a_proof_searches_once_with_a_chooser_that_does_not_record(tmp_path: Path) -> None:
    """As on the page, whose chooser answers all visitors; what it knows of the strong game is not searched again."""
    limits = Limits(memory=1 << 24)
    for spec, known in (("7,7,5", 1.0), ("5,5,4", 0.2)):
        position, chooser = MnkPosition(spec), MNK.chooser(limits)
        nodes = MNK.solve(position, limits=limits).nodes
        for most in (1.2 * nodes, known * 1.01 * nodes):
            written = MNK.prove(position, "X", tmp_path / "game.zc", limits=limits, chooser=chooser)
            assert written.nodes <= most, (spec, written.nodes, nodes)
            assert check_file(tmp_path / "game.zc").verified
