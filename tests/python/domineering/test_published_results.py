"""Published results follow from the shipped facts: every outcome, every statement about all long boards, every why.

The published outcomes stand here and nowhere in the program; sources: Lachmann, Moore and Rapaport (2002), Bullock
(2002), the chart of each in src/zermelo/data/domineering-charts.json.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from charts import confirmation, disagreements, known_before, new_outcomes

from zermelo.domineering.lattice import Lattice
from zermelo.domineering.rules.charts import literature, load
from zermelo.domineering.rules.derive import Closure
from zermelo.domineering.rules.facts import Fact, FactBook
from zermelo.domineering.rules.knowledge import Knowledge, boards_up_to, shipped
from zermelo.domineering.rules.outcomes import SETS, H, is_decided, mirrored
from zermelo.domineering.rules.table import chart as chart_of

Run = Callable[..., Any]

TWO_ROWS = "2V11HV11HV11H211HH11HHH1HHH1" + "H" * 33  # n = 0 .. 60


def why(spec: str) -> str:
    return "\n".join(shipped().decide(Lattice.parse(spec)).text)


def starts() -> dict[int, int]:
    """For each width the first length from which H is proved to win all boards."""
    return {
        rows: statement.start
        for rows in range(1, 14)
        for statement in shipped().eventual(rows)
        if statement.step == 1 and statement.outcomes == H
    }


def test_two_rows_are_as_published() -> None:
    got = "".join(shipped().decide(Lattice(2, n)).name for n in range(1, 61))
    assert "2" + got == TWO_ROWS


def test_long_boards_are_settled_as_published_or_earlier() -> None:
    got = starts()
    assert got[2] == 28
    assert (got[3], got[5], got[7]) == (4, 6, 8)
    assert [str(statement) for statement in shipped().eventual(5)] == ["[5 x n] = H for all n >= 6"]
    assert got[4] == 14
    assert got[9] <= 22 and got[11] <= 56


def test_width_six_is_settled_for_multiples_of_four_as_published() -> None:
    for cols in range(8, 200, 4):
        assert shipped().decide(Lattice(6, cols)).outcome == "H"


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("2x26", ["[2x26] <= [2x13] + [2x13]", "[2x13] = second"]),
        ("2x31", ["Berlekamp's formula: [2x31] = {2|0||-1/2|-2|||-5/2} < 0", "also [2x31] is 2h (<= 0)   searched"]),
        ("6x12", ["double square: [6x12] <= 0", "[6x12] <= [6x4] + [6x8]"]),
        ("4x22", ["[4x22] <= [4x8] + [4x14]"]),
    ],
)
def test_why_argues_as_the_paper_does(spec: str, parts: list[str]) -> None:
    text = why(spec)
    assert f"[{spec}] = H" in text
    for part in parts:
        assert part in text, text


def test_large_table_takes_seconds() -> None:
    begin = time.process_time()
    table = chart_of(33, 33, knowledge=Knowledge(FactBook.load()))
    assert time.process_time() - begin < 8
    assert table.counts["decided"] >= 450


def test_the_only_mistake_of_the_charts_is_4x13() -> None:
    for chart in load():
        found = disagreements(shipped(), chart)
        assert len(chart.cells) == chart.side**2
        assert all("searched" in reason for reason in found.values())
        assert {size.spec for size in found} == ({"4x13", "13x4"} if chart.rests_on else set())


def test_new_outcomes_are_many_and_those_searched_have_certificates() -> None:
    new = new_outcomes(shipped())
    facts = shipped().facts.facts
    proved = [known.size for known, _ in new if (fact := facts.get((known.size, "search"))) and fact.certificates]
    assert len(new) >= 50 and len(proved) >= 20
    for known, before in new:
        assert known.outcome and not is_decided(before) and known.outcomes & before
    before_us = {size for claims in literature().values() for size, mask in claims.items() if is_decided(mask)}
    assert not before_us & {known.size for known, _ in new}


def test_what_follows_from_published_outcomes_is_not_new() -> None:
    before = known_before(shipped())
    assert is_decided(before.decide(Lattice.parse("hcylinder:5x9")).outcomes)  # H may keep off the seam of 5x9
    assert before.decide(Lattice(4, 13)).outcomes == SETS["2"]  # Bullock's; the chart of 2002 is wrong there
    found = confirmation(shipped(), {Lattice(4, 13): SETS["V"], Lattice(11, 11): SETS["1"], Lattice(8, 8): SETS["1"]})
    assert [len(found[kind]) for kind in ("confirmed", "in part", "not known here", "contradicted")] == [1, 0, 1, 1]


def test_charts_are_symmetric_and_say_how_they_were_read() -> None:
    for chart in load():
        assert chart.notes and all(mirrored(chart.cells[c, r]) == cell for (r, c), cell in chart.cells.items())


def test_chart_of_2002_is_what_its_rules_make_of_its_searches() -> None:
    """The scan lost empty cells; this is why we know where the others stand."""
    chart = next(chart for chart in load() if chart.rests_on)
    # Section 3 adds the values of width 9, which no rule of the chart has.
    searched = chart.rests_on | {(9, n): SETS["H"] for n in range(22, 34)}
    facts = [Fact(Lattice(*board), outcome, "search", "2002", nodes=1) for board, outcome in searched.items()]
    closure = Closure(set(boards_up_to(chart.side, chart.side)), FactBook.of(facts))
    assert not [board for board, cell in chart.cells.items() if closure.known(Lattice(*board)) != cell]


def test_published_results_are_shown_where_nothing_is_known_here(run: Run) -> None:
    first = "published (Uiterwijk 2016): the first player wins; not confirmed here"
    code, out, _ = run("why", "11x11")
    assert code == 3 and first in out
    code, out, _ = run("solve", "11x11", "--nodes", "1")
    assert code == 3 and first in out
    assert "published (Uiterwijk 2016): H wins whoever starts; not confirmed here" in run("why", "6x17")[1]
    assert "V wins whoever starts; contradicted here" in run("why", "4x13")[1]
    assert "not confirmed here: " in run("table", "12")[1] and "11x11 first (Uiterwijk 2016)" in run("table", "12")[1]
    (said,) = json.loads(run("solve", "11x11", "--nodes", "1", "--json")[1])["published"]
    assert (said["board"], said["outcomes"], said["here"]) == ("11x11", ["first"], "not confirmed")
    assert run("why", "8x8")[0] == 0 and "published" not in run("why", "8x8")[1]


def test_no_answer_reads_published_results() -> None:
    work = (
        "import sys, zermelo; from zermelo.domineering.rules import knowledge;"
        "zermelo.solve('11x11', nodes=1); zermelo.solve('8x10'); knowledge.shipped().table(33, 33);"
        "print('zermelo.domineering.rules.charts' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", work], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_tori_are_as_published() -> None:
    width_two = "V1HH21HH21HHH1" + "H" * 16
    got = "".join(shipped().decide(Lattice(2, n, "torus")).name for n in range(1, 31))
    assert got == width_two
    squares = "".join(shipped().decide(Lattice(n, n, "torus")).name for n in range(1, 8))
    assert squares == "2121212"  # n = 7 is ours: the conjectured alternation goes on
