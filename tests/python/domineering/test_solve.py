"""Who wins, through the Python API, against published outcomes and a brute force of a few lines."""

from __future__ import annotations

import functools
import json
import random
import threading
import time
from pathlib import Path

import pytest

import zermelo
from zermelo.domineering.engine import DEFAULT_OPTIONS, DOMI_OPTIONS, OBSEQUI_OPTIONS, SearchOptions, make_options
from zermelo.domineering.position import Player, Position, opponent

# Published outcomes with their source, for tests and benchmark reports only.
PUBLISHED = json.loads((Path(zermelo.__file__).parent / "bench" / "published.json").read_text())
FIGURE_12 = [row for row in PUBLISHED["obsequi"]["rows"] if row["nodes"] <= 2_023_301 or row["board"] in ("7x9",)]

Square = tuple[int, int]


@functools.cache
def mover_wins(free: frozenset[Square], player: str) -> bool:
    """The definition: a player who cannot move loses."""
    other = "H" if player == "V" else "V"
    for row, col in free:
        after = (row + 1, col) if player == "V" else (row, col + 1)
        if after in free and not mover_wins(free - {(row, col), after}, other):
            return True
    return False


def squares(position: Position) -> frozenset[Square]:
    cells = [(r, c) for r in range(1, position.rows + 1) for c in range(1, position.cols + 1)]
    return frozenset(cell for cell in cells if position.is_free(*cell))


def random_positions(count: int, seed: int) -> list[Position]:
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        rows, cols = chance.randint(1, 4), chance.randint(1, 5)
        share = chance.uniform(0.5, 1)
        grid = ["".join("." if chance.random() < share else "#" for _ in range(cols)) for _ in range(rows)]
        found.append(Position.from_text("/".join(grid)))
    return found


def test_figure_12_holds_all_boards() -> None:
    assert len(FIGURE_12) == 34  # 2x2 to 8x8, 7x9 and the 6x9 below it


@pytest.mark.parametrize("row", FIGURE_12, ids=lambda row: row["board"])
def test_published_outcome_is_met(row: dict[str, str]) -> None:
    assert zermelo.solve(row["board"]).outcome == row["outcome"]


@pytest.mark.parametrize(("spec", "outcome"), [("4x13", "2"), ("5x5", "2"), ("13x4", "2"), ("2x31", "H")])
def test_quoted_outcome_is_met(spec: str, outcome: str) -> None:
    assert zermelo.solve(spec).outcome == outcome


@pytest.mark.parametrize("options", [DEFAULT_OPTIONS, OBSEQUI_OPTIONS, DOMI_OPTIONS], ids=["best", "cover", "real"])
@pytest.mark.parametrize("seed", range(4))
def test_solve_agrees_with_the_definition(options: SearchOptions, seed: int) -> None:
    for position in random_positions(60, seed):
        result = zermelo.solve(position, options=options)
        for first in ("V", "H"):
            wins = mover_wins(squares(position), first)
            start = result.starts[first]
            assert start.winner == (first if wins else opponent(first)), position.spec
            assert (start.move is not None) == wins


def test_winning_move_wins() -> None:
    for spec in ("6x6", "6x9", "5x7", "4x9", "7x7"):
        result = zermelo.solve(spec)
        for first, start in result.starts.items():
            if start.move is None:
                continue
            position = Position.from_text(spec)
            position = position.after(start.move)
            assert zermelo.solve(position, first=opponent(first)).starts[opponent(first)].winner == first


@pytest.mark.parametrize("options", [DEFAULT_OPTIONS, OBSEQUI_OPTIONS], ids=["best", "cover"])
def test_threads_never_change_an_answer(options: SearchOptions) -> None:
    for spec in ("5x6", "6x6", "6x7", "6x8", "7x7", "..#./.##./....", "4x11"):
        assert zermelo.solve(spec, threads=2, options=options).outcome == zermelo.solve(spec, options=options).outcome


@pytest.mark.parametrize("options", [DEFAULT_OPTIONS, OBSEQUI_OPTIONS], ids=["best", "cover"])
def test_single_thread_nodes_are_deterministic(options: SearchOptions) -> None:
    assert zermelo.solve("6x8", options=options).nodes == zermelo.solve("6x8", options=options).nodes


@pytest.mark.parametrize("topology", ["torus", "hcylinder", "vcylinder"])
def test_rings_agree_with_the_definition(topology: str) -> None:
    @functools.cache
    def wins(free: frozenset[Square], player: str, rows: int, cols: int) -> bool:
        for row, col in free:
            after = (row + 1, col) if player == "V" else (row, col + 1)
            if topology in ("torus", "vcylinder"):
                after = (after[0] % rows, after[1])
            if topology in ("torus", "hcylinder"):
                after = (after[0], after[1] % cols)
            if after in free and after != (row, col):
                other = "H" if player == "V" else "V"
                if not wins(free - {(row, col), after}, other, rows, cols):
                    return True
        return False

    for rows in range(1, 5):
        for cols in range(1, 5):
            free = frozenset((r, c) for r in range(rows) for c in range(cols))
            result = zermelo.solve(f"{topology}:{rows}x{cols}")
            for first in ("V", "H"):
                expected = first if wins(free, first, rows, cols) else opponent(first)
                assert result.starts[first].winner == expected, (topology, rows, cols, first)


@pytest.mark.parametrize("options", [DEFAULT_OPTIONS, OBSEQUI_OPTIONS], ids=["best", "cover"])
def test_node_limit_gives_unknown(options: SearchOptions) -> None:
    result = zermelo.solve("10x10", first="V", nodes=100, options=options)
    assert result.starts["V"].winner is None
    assert not result.known
    assert result.starts["V"].move is None


@pytest.mark.parametrize("options", [DEFAULT_OPTIONS, OBSEQUI_OPTIONS], ids=["best", "cover"])
def test_cancel_token_stops_the_search(options: SearchOptions) -> None:
    token = zermelo.CancelToken()
    timer = threading.Timer(1.0, token.cancel)
    timer.start()
    begin = time.monotonic()
    result = zermelo.solve("10x10", first="V", cancel=token, options=options)
    assert result.starts["V"].winner is None
    assert time.monotonic() - begin < 30


def test_progress_is_reported() -> None:
    seen: list[tuple[Player, int]] = []
    zermelo.solve(
        "10x10",
        first="V",
        seconds=1.5,
        options=OBSEQUI_OPTIONS,
        on_progress=lambda player, progress: seen.append((player, progress.nodes)),
    )
    assert seen
    assert all(player == "V" for player, _ in seen)


@pytest.mark.parametrize(
    "bad", [{"first": "X"}, {"threads": 0}, {"seconds": 0}, {"seconds": float("nan")}, {"nodes": 0}]
)
def test_bad_option_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        zermelo.solve("2x2", **bad)  # type: ignore[arg-type]


def test_unknown_names_are_listed() -> None:
    with pytest.raises(ValueError, match="real, cover, strip"):
        make_options(bounds=["magic"])
    with pytest.raises(ValueError, match="protective"):
        make_options(without=["magic"])
    with pytest.raises(ValueError, match="find-first"):
        make_options(replacement="magic")
