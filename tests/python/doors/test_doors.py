"""The same question gets the same answer through every door: Python, command line, HTTP, the hints of play, campaigns.

Same winner for each starter, same kind of source, and no "unknown" where another door knows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from zermelo.game import Limits, find_game

SECONDS = 20.0
"""For each question. Nearly all need far less: nodes are what limits the hints, so that they do not depend on luck."""
NODES = 50_000
FEW_MOVES = 40
"""Of positions with so many moves at most, the hint of play is asked for, too."""
RECTANGLES = (
    "1x1 1x2 2x1 2x2 2x3 3x3 4x4 4x5 5x5 5x6 6x6 7x7 4x12 6x8 8x8 7x9 2x13 "  # searched
    "9x9 8x9 10x10 8x10 6x14 2x29 100x100 61x61 3x1000 1000x3 60x120 2x100 61x121"  # facts, rules, nothing known
)
SHAPES = (
    "..#./..../#... ...../.###./..... .##./..../.##. ###/### torus:4x6 torus:3x3 torus:5x5 hcylinder:3x8 hcylinder:4x5 "
    "vcylinder:3x8 vcylinder:5x4 torus:2x9 torus:../.. hcylinder:2x100 # torus:1x1 vcylinder:1x2 "
    "torus:5x34 hcylinder:1000x5 "
    # 9x9 with a margin, also on more squares than are searched
    + " ".join("/".join(["#........." + "#" * more] * 9 + ["#" * (10 + more)] * more) for more in (0, 10))
)
MID_GAME = "4x4:V1,1 5x5:V1,1;H3,3 6x6:V2,2;H4,4 8x8:V1,2 8x8:V1,2;H3,4 7x7:V1,1;H7,1;V3,3 2x2:V1,1 2x3:V1,1;H1,2"
IN_A_ROW = (
    "3,3,3 3,3,3:b2 3,3,3:a1,b2 3,3,3:b2,a2 3,3,3:a1,b1,a2,b2 3,3,3:a1,b1,a2,b2,a3 4,3,3 4,3,3:b2,a1 4,4,4 5,5,4 "
    "5,5,4:c3,b2 5,5,5 6,6,5 7,6,5 7,7,5 7,7,5:d4,c3 6,6,4 2,5,2 3,3,2 1,1,1 3,3,9 9,1,2 1,1,2:a1 "
    "3,3,3:a1,a2,b1,b2,c3,c2"
)
EDGES = (
    "a b / b c / c d / d a",
    "a b / b c / c d",
    "a b c / d e f / g h i / a d g / b e h / c f i / a e i / c e g",
    "strong: a b c / d e f / g h i / a d g / b e h / c f i / a e i / c e g",
    "a b c / c d e / e f a / b d f / a d / b e",
    "a",
    "a b / b a / a b : free c",
    "strong: a b : maker a, breaker b",
    "",
)
OTHERS = "3x3 4x5 3x5 4x4:h1,1 .../.#./..."
QUESTIONS = [
    *(("domineering", spec) for spec in f"{RECTANGLES} {SHAPES} {MID_GAME}".split()),
    *(("mnk", spec) for spec in IN_A_ROW.split()),
    *(("hypergraph", spec) for spec in EDGES),
    *(("cram", spec) for spec in OTHERS.split()),
]
Run = Callable[..., Any]
Starts = Mapping[str, tuple[str | None, str]]
"""For each starter the winner, and the kind of source."""


def winners(starts: Mapping[str, Mapping[str, Any]]) -> Starts:
    """Read the answers of a door; an answer that was turned round has the source of the other starter's."""
    sources = {player: start["by"] for player, start in starts.items()}
    return {
        player: (start["winner"], next((by for by in (start["by"], *sources.values()) if by != "symmetry"), "symmetry"))
        for player, start in starts.items()
    }


def typed(run: Run, *words: str, lines: str = "") -> tuple[int, list[dict[str, Any]]]:
    """Run a command line and return its exit code and what it printed."""
    said = run(*words, typed=lines)
    return said.code, [json.loads(line) for line in said.out.splitlines()]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    testing = pytest.importorskip("starlette.testclient")
    from zermelo.web.app import create_app
    from zermelo.web.settings import Settings

    settings = Settings(seconds=SECONDS, workers=1, memory_mib=256)
    with testing.TestClient(create_app(settings), base_url="http://127.0.0.1:8000") as made:
        yield made


@pytest.mark.parametrize(("name", "spec"), QUESTIONS, ids=lambda word: word.replace(" ", ""))
def test_every_door_says_the_same(name: str, spec: str, client: Any, run: Run) -> None:
    game = find_game(name)
    limits = Limits(seconds=SECONDS, memory=256 << 20)
    result = game.solve(spec, limits=limits)
    python = winners({player: {"winner": a.winner, "by": a.by} for player, a in result.starts.items()})

    code, (said,) = typed(run, "solve", name, spec, "--time", str(SECONDS), "--memory", "256M", "--json")
    assert (winners(said["starts"]), said["outcome"]) == (python, result.outcome)
    assert code == (0 if result.known else 3)

    answer = client.get(f"/api/{name}/solve", params={"spec": spec})
    assert answer.status_code == 200, answer.text
    assert (winners(answer.json()["starts"]), answer.json()["outcome"]) == (python, result.outcome)

    for player, (winner, source) in python.items():
        position = game.parse(spec).turn_of(player)
        if position.decided(player) is None:
            few = len(position.moves(player)) <= FEW_MOVES
            words = ("play", name, spec, "--first", player, "--you", player, "--time", str(SECONDS), "--json")
            words += ("--nodes", str(NODES), "--memory", "256M")
            _, (opening, *hints) = typed(run, *words, lines="?\n" if few else "")
            assert (opening["winner"], opening["by"]) == (winner, source)
            for event in hints:
                hint, marks = event["hint"], set(event["hint"]["marks"].values())
                assert (hint["winner"], len(hint["marks"])) == (winner, len(position.moves(player)))
                if winner == player:
                    assert marks & {"win", "unknown"}
                elif winner == "draw":
                    assert marks & {"draw", "unknown"} and "win" not in marks
                elif winner is not None:
                    assert marks == {"loss"}


@pytest.mark.parametrize("kind", ["", "hcylinder:", "vcylinder:", "torus:"])
def test_why_says_what_the_table_says_whatever_its_size(kind: str, run: Run) -> None:
    _, (table,) = typed(run, "table", f"{kind}12x40", "--json")
    _, (small,) = typed(run, "table", f"{kind}7x9", "--json")
    assert small["outcomes"] == [row[:9] for row in table["outcomes"][:7]]
    for rows in (5, 7, 12):
        for cols in range(1, 41):
            _, (said,) = typed(run, "why", f"{kind}{rows}x{cols}", "--json")
            assert said["outcomes"] == table["outcomes"][rows - 1][cols - 1], said["spec"]


@pytest.mark.parametrize(
    ("name", "spec"),
    [("domineering", "5x5"), ("domineering", "4x5"), ("domineering", "6x6:V2,2;H4,4"), ("cram", "3x4")],
)
def test_campaign_proves_what_the_others_say(name: str, spec: str, tmp_path: Path, run: Run) -> None:
    game = find_game(name)
    answer = next(iter(game.solve(spec).starts.values()))
    store = str(tmp_path / "campaigns.db")
    words = f"campaign new {name} {spec} --first {answer.first} --winner {answer.winner} --store {store} --json".split()
    assert typed(run, *words)[0] == 0
    code, (report, *_) = typed(run, "campaign", "run", "--workers", "0", "--store", store, "--json")
    assert (code, report["status"]) == (0, "proved")
