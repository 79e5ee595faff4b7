"""The database file from Python and from the command line."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import ZERMELO

from zermelo import _core
from zermelo.cgt import Value
from zermelo.domineering import Position
from zermelo.domineering.catalogue import connected
from zermelo.domineering.values import build_database, domineering_value, use_database


def zermelo(*words: str, cache: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "ZERMELO_CACHE": str(cache)}
    return subprocess.run([ZERMELO, *words], capture_output=True, text=True, timeout=120, env=env)


def test_database_holds_every_polyomino_with_its_value(tmp_path: Path) -> None:
    path, arena = tmp_path / "small.zdb", _core.ValueArena()
    report = build_database(8, path)
    assert (report.squares, report.shapes) == (8, 532)
    arena.use_database(_core.ComponentDatabase.open(str(path)))
    assert arena.text(arena.domineering_value(Position("2x4").board), 99) == "miny(2)"
    assert arena.sizes()[1] == 1  # looked up, not computed
    for entry in connected(8, at_most=True):
        for position in (Position(entry.position), Position(entry.position).transposed()):
            assert arena.text(arena.domineering_value(position.board), 9999) == str(domineering_value(position))
    try:
        assert use_database(path) is not None and domineering_value("2x4") == Value("miny(2)")
    finally:
        use_database(None)


def test_command_builds_uses_and_refuses(tmp_path: Path) -> None:
    built = zermelo("value", "build-db", "--squares", "6", "--json", cache=tmp_path)
    assert built.returncode == 0, built.stderr
    file = Path(json.loads(built.stdout)["file"])
    assert file.parent == tmp_path and json.loads(built.stdout)["shapes"] == 55
    used = zermelo("value", "domineering", "2x4", cache=tmp_path)
    assert used.stdout.startswith("2x4 = miny(2)") and used.stderr == ""

    damaged = bytearray(file.read_bytes())
    damaged[-1] ^= 1
    file.write_bytes(damaged)
    ignored = zermelo("value", "domineering", "2x4", "--json", cache=tmp_path)
    assert json.loads(ignored.stdout)["canonical"] == "miny(2)"
    assert "checksum" in ignored.stderr and ignored.stderr.count("\n") == 1
    again = zermelo("value", "build-db", "--squares", "6", "--json", cache=tmp_path)
    assert json.loads(again.stdout)["resumed_from"] == 0
    assert zermelo("value", "domineering", "2x4", cache=tmp_path).stderr == ""


def test_value_command_explains_and_draws(run: Callable[..., Any], tmp_path: Path) -> None:
    svg, png = tmp_path / "t.svg", tmp_path / "t.png"
    answer = json.loads(run("value", "game", "{2|-1/2}", "--json", "--svg", str(svg), "--png", str(png)).out)
    expected = {
        "canonical": "{2|-1/2}", "outcome": "first", "left_stop": "2", "right_stop": "-1/2",
        "mean": "3/4", "temperature": "5/4",
    }  # fmt: skip
    assert {key: answer[key] for key in expected} == expected
    assert answer["thermograph"]["left"][-1] == ["5/4", "3/4"]
    assert svg.read_text().startswith("<svg") and png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("game", "1|2|3"), 2, "bars"),
        (("game", "1/3"), 2, "powers of two"),
        (("domineering", "2y4"), 2, "board"),
        (("domineering", "8x8", "--time", "0.2"), 3, "time limit"),
        (("domineering", "torus:10x10", "--time", "0.2"), 3, "time limit"),
        (("domineering", "8x8", "--memory", "8"), 3, "memory limit"),
        (("domineering", "1000x1000"), 2, "256 squares"),
        (("game", "1/2^100000"), 3, "ups"),
        (("game", "1" + "0" * 10000), 2, "too large"),
        (("game", "{" * 5000), 2, "nested"),
        (("game", "100000.{3|1||0|-7}", "--time", "0.2"), 3, "time limit"),
        (("build-db", "--squares", "1"), 2, "--squares"),
    ],
)
def test_value_command_answers_faults_in_one_line(
    run: Callable[..., Any], words: tuple[str, ...], code: int, message: str
) -> None:
    done = run("value", *words)
    assert (done.code, done.out) == (code, "")
    assert message in done.err and done.err.count("\n") == 1


def test_database_needs_a_place(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """There is one answer to where files are kept, and nowhere is one too."""
    for name in ("ZERMELO_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    assert _core.cache_folder() == ""
    done = run("value", "build-db", "--squares", "3")
    assert (done.code, done.out) == (2, "") and "set ZERMELO_CACHE" in done.err
    assert run("value", "domineering", "2x3").code == 0
    with pytest.raises(ValueError, match="set ZERMELO_CACHE"):
        build_database(3)
