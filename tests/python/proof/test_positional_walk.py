"""The strategy in an m,n,k certificate answers every move, and never loses a line."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from zermelo.proof.container import read_payload
from zermelo.proof.positional_strategy import PositionalStrategy, show_positional
from zermelo.proof.writing import write_positional

CERTIFICATES = Path(__file__).resolve().parents[2] / "data" / "certificates"


def lines(columns: int, rows: int, k: int) -> list[set[int]]:
    """All lines of k squares, by the rules."""
    found = []
    for row in range(rows):
        for col in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, col + i * right) for i in range(k)]
                if all(r < rows and 0 <= c < columns for r, c in cells):
                    found.append({r * columns + c for r, c in cells})
    return found


@pytest.mark.parametrize("name", ["4-4-4.zc", "7-7-5.zc"])
def test_breaker_answers_all_and_hits_every_line(name: str) -> None:
    strategy = PositionalStrategy(read_payload(CERTIFICATES / name))
    chance = random.Random(5)
    for _ in range(20):
        standing = strategy.start()
        while free := set(range(strategy.cells)) - standing.loser - standing.winner:
            # Half the time Maker plays where it hurts: on a line that she nearly has.
            open_lines = [e for e in strategy.edges if not standing.winner & set(e)]
            wanted = [s for e in open_lines for s in e if s in free] if chance.random() < 0.5 else []
            reply, standing = strategy.answer(standing, chance.choice(wanted or sorted(free)))
            assert reply is None or reply in free
            zones = [strategy.zone(part) for part in standing.parts]
            assert sum(map(len, zones)) == len(frozenset().union(*zones))
        assert not [line for line in lines(strategy.columns, strategy.rows, strategy.k) if line <= standing.loser]


def test_maker_completes_a_line_whatever_breaker_does(tmp_path: Path) -> None:
    path = tmp_path / "4-4-3.zc"
    assert write_positional("4,4,3", path).winner == "maker"
    strategy = PositionalStrategy(read_payload(path))
    chance = random.Random(6)
    for _ in range(20):
        standing = strategy.start()
        while any(strategy.record(part.record).kind == "step" for part in standing.parts):
            free = set(range(16)) - standing.loser - standing.winner
            _, standing = strategy.answer(standing, chance.choice(sorted(free)))
        assert any(line <= standing.winner for line in lines(4, 4, 3))


def test_show_follows_the_strategy_and_refuses_others() -> None:
    file = CERTIFICATES / "7-7-5.zc"
    assert "each move is answered" in show_positional(file)
    assert "breaker plays" in show_positional(file, ["d4"])
    with pytest.raises(ValueError, match="another move"):
        show_positional(file, ["d4", "a1"])
    with pytest.raises(ValueError, match="not about an m,n,k game"):
        show_positional(CERTIFICATES / "5x5.V.zc")
    with pytest.raises(ValueError, match=r"truncated|no proof|unknown"):
        PositionalStrategy(read_payload(file)[:4000])
