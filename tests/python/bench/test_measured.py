"""The measurements that the documentation shows are those of this program: small boards are measured again."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.bench.papers import FIGURES
from zermelo.bench.record import read_csv

DOCS = Path(__file__).resolve().parents[3] / "docs"
SHOWN = {row.key: row for row in read_csv(DOCS / "measured" / "papers.csv")}


@pytest.mark.parametrize("figure", ["domi", "obsequi", "growth"])
def test_shown_nodes_are_measured_again(figure: str) -> None:
    again = 0
    for row in FIGURES[figure](0.05):
        if row.answer == "unknown" or row.key not in SHOWN:
            continue
        again += 1
        assert (row.nodes, row.answer) == (SHOWN[row.key].nodes, SHOWN[row.key].answer), row.case
    assert again >= 15


def test_no_shown_answer_contradicts_a_published_one() -> None:
    assert len(SHOWN) > 80
    assert not [row.case for row in SHOWN.values() if row.wrong]
