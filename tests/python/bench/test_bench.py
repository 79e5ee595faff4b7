"""Benchmark files round-trip, and the papers' figures are met."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from zermelo.bench import papers
from zermelo.bench.papers import ABLATIONS, FIGURES
from zermelo.bench.record import Measurement, compare, geometric_mean, published, read_csv, write_csv

ROWS = [
    Measurement("s", "8x8", "cover", "1", 2_000_000, 0.5, 2_023_301, "1", 7),
    Measurement("s", "6x6", "cover, without x", "unknown", 900, 0.001, None, None),
]


def test_csv_round_trips(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", ROWS)
    assert read_csv(tmp_path / "a.csv") == ROWS


def test_compare_gives_ratios_of_common_rows(tmp_path: Path) -> None:
    new = [Measurement("s", "8x8", "cover", "1", 1_000_000, 1.0), Measurement("s", "9x9", "cover", "1", 1, 1.0)]
    ((before, after),) = compare(ROWS, new)
    assert after.ratios(before) == {"node_ratio": 0.5, "time_ratio": 2.0}
    assert geometric_mean([2.0, 8.0]) == pytest.approx(4.0)


def test_runs_that_a_limit_cut_short_have_no_mean(tmp_path: Path, run: Any) -> None:
    file = str(tmp_path / "cut.csv")
    write_csv(Path(file), [Measurement("s", "9x9", "cover", "unknown", 900, 0.5, cut=True)])
    told = json.loads(run("bench", "compare", file, file, "--json")[1], parse_constant=pytest.fail)
    assert (told["node_ratio"], told["rows"][0]["node_ratio"]) == (None, 1.0)
    code, text, _ = run("bench", "compare", file, file)
    assert code == 0 and "cut short by the limit" in text and "nan" not in text


def test_wrong_answer_is_seen() -> None:
    assert Measurement("s", "8x8", "x", "2", 1, 1.0, None, "1").wrong
    assert not Measurement("s", "8x8", "x", "1", 1, 1.0, None, "1").wrong


def test_8x8_needs_the_published_nodes_and_its_ablation_has_the_order_of_figure_15() -> None:
    """Every enhancement removed costs nodes, and their order by what they cost is the published one."""
    nodes = {}
    for name, features in ABLATIONS.items():
        result = papers.run("8x8", {"without": features}, first="V")
        assert result.starts["V"].winner == "V"
        nodes[name] = result.nodes
    assert nodes["all"] <= 2_100_000  # 4 percent more
    there = {name: count for name, count in published()["ablation_8x8"]["rows"] if name in nodes}
    assert sorted(nodes, key=nodes.__getitem__) == sorted(there, key=there.__getitem__)


def test_published_figures_name_their_sources() -> None:
    for key, table in published().items():
        assert key == "about" or table["source"]


# The measurements that the documentation shows are those of this program: small boards are measured again

DOCS = Path(__file__).resolve().parents[3] / "docs"
SHOWN = {row.key: row for row in read_csv(DOCS / "measured" / "papers.csv")}


@pytest.mark.parametrize(("figure", "seconds"), [("domi", 0.2), ("obsequi", 0.2), ("growth", 0.05)])
def test_shown_nodes_are_measured_again_and_no_answer_is_wrong(figure: str, seconds: float) -> None:
    again, rows = 0, list(FIGURES[figure](seconds))
    assert len(rows) > 20
    for row in rows:
        assert not row.wrong
        if row.answer == "unknown" or row.key not in SHOWN:
            continue
        again += 1
        assert (row.nodes, row.answer) == (SHOWN[row.key].nodes, SHOWN[row.key].answer), row.case
    assert again >= 15


def test_no_shown_answer_contradicts_a_published_one() -> None:
    assert len(SHOWN) > 80
    assert not [row.case for row in SHOWN.values() if row.wrong]


def test_folder_of_pg_files_is_answered_family_by_family(tmp_path: Path, run: Any) -> None:
    files = {
        "one/won.pg": "#times 1 2 3\n#blackturns 1 3\n#positions a b c\n#blackwins\na b\nb c\n",
        "one/short.pg": "#times 1\n#blackturns 1\n#positions a b c\n#blackwins\na b\n",
        "two/bad.pg": "#nonsense\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    code, text, _ = run("bench", "pg", str(tmp_path), "--csv", str(tmp_path / "pg.csv"))
    assert code == 0 and "not answered: two/bad.pg: refused: bad.pg: line 1" in text.replace(tmp_path.name + "/", "")
    told = json.loads(run("bench", "pg", str(tmp_path), "--json")[1])
    counts = [(line["files"], line["answered"], line["black"]) for line in told["families"]]
    assert counts == [(2, 2, 1), (1, 0, 0), (3, 2, 1)]
    answers = [(row.case, row.answer) for row in read_csv(tmp_path / "pg.csv")]
    assert answers[:2] == [("short", "White"), ("won", "Black")]
    assert run("bench", "pg", str(tmp_path / "none"))[0] == 2
