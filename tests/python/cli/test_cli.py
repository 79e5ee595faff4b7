"""The command line as a user meets it: answers, JSON, one-line errors, exit codes, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from zermelo import cli
from zermelo.cli import app

ZERMELO = [sys.executable, "-m", "zermelo"]


def zermelo(*words: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*ZERMELO, *words], capture_output=True, text=True, timeout=timeout)


def test_solve_says_who_wins_and_how() -> None:
    result = zermelo("solve", "domineering", "6x6")
    assert result.returncode == 0, result.stderr
    assert "the first player wins" in result.stdout
    assert "V starts: V wins with V" in result.stdout
    assert "H starts: H wins with H" in result.stdout
    assert "nodes" in result.stdout


def test_solve_json_has_the_documented_keys() -> None:
    result = zermelo("solve", "domineering", "4x5", "--json")
    data = json.loads(result.stdout)
    assert data["game"] == "domineering"
    assert data["spec"] == "4x5"
    assert data["outcome"] == "V"
    assert data["starts"]["V"]["winner"] == "V"
    assert data["starts"]["H"]["winner"] == "V"
    assert data["starts"]["H"]["move"] is None
    assert len(data["starts"]["V"]["move"]) == 2
    assert {"nodes", "seconds", "threads", "version"} <= set(data)


def test_solve_for_one_starter_answers_that_only() -> None:
    data = json.loads(zermelo("solve", "domineering", "3x3", "--first", "H", "--json").stdout)
    assert list(data["starts"]) == ["H"]
    assert data["outcome"] is None


@pytest.mark.parametrize("limit", [("--nodes", "50"), ("--time", "0.001")])
def test_limit_gives_unknown_and_exit_code_3(limit: tuple[str, str]) -> None:
    result = zermelo("solve", "domineering", "10x10", "--method", "search", "--first", "V", "--json", *limit)
    assert result.returncode == 3, result.stderr
    assert json.loads(result.stdout)["starts"]["V"]["winner"] is None


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "domineering", "8x"),
        ("solve", "domineering", "0x5"),
        ("solve", "domineering", "../."),
        ("solve", "domineering", "8x8:V8,1"),
        ("solve", "domineering", "8x8", "--frist", "V"),
        ("solve", "domineering", "8x8", "--first", "X"),
        ("solve", "domineering", "8x8", "--bounds", "magic"),
        ("solve", "domineering", "8x8", "--without", "magic"),
        ("solve", "domineering", "8x8", "--replacement", "magic"),
        ("solve", "domineering", "8x8", "--memory", "lots"),
        ("solve", "domineering", "8x8", "--threads", "0"),
        ("solve", "domineering", "8x8", "--time", "-1"),
        ("solve", "domineering", "8x8", "--nodes", "0"),
        ("solve", "mnk", "3,3,3", "--time", "-1"),
        ("solve", "mnk", "3,3,3", "--time", "nan"),
        ("solve", "mnk", "3,3,3", "--nodes", "0"),
        ("facts", "list", "/no/such/file"),
        ("solve", "domineering"),
        ("solve", "domineering", "4x4", "--proof", "/"),
        ("solve", "hypergraph", "/no/such/file.hyp"),
        ("solve", "chess", "8x8"),
        ("dissolve", "domineering", "8x8"),
        ("explain", "domineering", "8x8", "--svg", "/no/such/folder/a.svg"),
        ("explain", "domineering", "8x8", "--svg", "a.jpg"),
        ("explain", "domineering", "8x8", "--player", "Z"),
        ("bench", "papers", "figure-99"),
        ("bench", "compare", "/no/such/file.csv", "/no/such/other.csv"),
        ("bench", "plot", "/no/such/file.csv", "/no/such/folder"),
        ("bench", "versus", "/no/such/solver"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: tuple[str, ...]) -> None:
    result = zermelo(*words)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("zermelo: ")
    assert len(result.stderr.splitlines()) == 1
    assert "Traceback" not in result.stderr


def test_solve_says_how_to_find_a_move_where_the_rules_tell_only_who_wins() -> None:
    hint = json.loads(zermelo("solve", "domineering", "9x9", "--json").stdout)["hint"]
    assert hint.endswith("zermelo solve domineering 9x9 --first V --method search")
    assert hint in zermelo("solve", "domineering", "9x9").stdout
    assert json.loads(zermelo("solve", "domineering", "8x9", "--json").stdout)["hint"] is None


def test_wrong_word_is_answered_with_those_to_choose_from() -> None:
    assert "zermelo solve takes: domineering, hypergraph, mnk" in zermelo("solve", "8x8").stderr
    assert "solve, explain, play" in zermelo("dissolve", "domineering", "8x8").stderr
    assert "see zermelo solve mnk --help" in zermelo("solve", "mnk").stderr
    assert zermelo("solve", "mnk", "-h").returncode == 0
    ring = zermelo("solve", "domineering", "ring:5x5")
    assert "torus, hcylinder or vcylinder" in ring.stderr
    assert "Errno" not in zermelo("solve", "hypergraph", "/no/such/file.hyp").stderr
    assert json.loads(zermelo("solve", "domineering", "4x4", "--first", "v", "--json").stdout)


def test_lists_of_commands_show_whole_sentences() -> None:
    for words in ((), *((verb,) for verb in app.FILES)):
        listed = zermelo(*words, "--help").stdout.partition("Commands:")[2]
        assert "..." not in listed, words


def commands(group: Any, name: str = "zermelo") -> Iterator[tuple[str, Any]]:
    """Every command with its full name."""
    for word, command in getattr(group, "commands", {}).items():
        yield from commands(command, f"{name} {word}")
    if not hasattr(group, "commands"):
        yield name, group


def test_every_command_that_answers_takes_json() -> None:
    found = dict(commands(typer.main.get_command(app.build_app())))
    assert len(found) > 30
    without = {
        name for name, command in found.items() if not any("--json" in parameter.opts for parameter in command.params)
    }
    assert without == {"zermelo serve"}  # it answers in the browser


def test_unreadable_file_is_one_line(tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_bytes(b"\xff\xfe\x00rubbish")
    result = zermelo("bench", "compare", str(bad), str(bad))
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "after"),
    [
        (("solve", "domineering", "10x10", "--method", "search", "--first", "V"), 4),
        (("value", "domineering", "8x8"), 1.5),
        (("value", "game", "heat(*1000,1000)"), 1.5),
    ],
)
def test_ctrl_c_stops_at_once(words: tuple[str, ...], after: float) -> None:
    process = subprocess.Popen([*ZERMELO, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(after)
    begin = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=20)
    assert process.returncode == 130, stderr
    assert time.monotonic() - begin < 5
    assert stderr in ("", "zermelo: interrupted\n")  # nothing while it is still loading


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "domineering", "8x12", "--method", "search"),
        ("solve", "domineering", "8x12", "--proof", "8x12.zc"),
        ("explain", "domineering", "8x12", "--bound", "strip"),
    ],
)
def test_ctrl_c_stops_the_building_of_strip_tables(words: tuple[str, ...], tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    process = subprocess.Popen(
        [*ZERMELO, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        env={**os.environ, "ZERMELO_CACHE": str(cache)},
    )  # fmt: skip
    while not (cache / "strips.lock").exists():  # until it builds the first of them
        assert process.poll() is None
        time.sleep(0.01)
    begin = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (130, "zermelo: interrupted\n")
    assert time.monotonic() - begin < 2
    assert [file.name for file in cache.iterdir()] == ["strips.lock"]
    assert [file.name for file in tmp_path.iterdir()] == ["cache"]


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_explain_writes_a_picture(tmp_path: Path, suffix: str) -> None:
    picture = tmp_path / f"cover.{suffix}"
    result = zermelo("explain", "domineering", "6x10:V2,2;H5,5", f"--{suffix}", str(picture))
    assert result.returncode == 0, result.stderr
    assert "moves(V)" in result.stdout
    assert picture.read_bytes()[:4] in (b"<svg", b"\x89PNG")


def test_help_and_version_answer() -> None:
    assert zermelo("--version").stdout.startswith("zermelo ")
    assert "solve" in zermelo("--help").stdout
    assert zermelo("solve").returncode == 2


@pytest.mark.parametrize("words", [("why", "6x20"), ("facts", "list"), ("--help",), ("solve",)])
def test_closed_pipe_ends_quietly(words: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)  # as `| head` does once it has its lines
    result = subprocess.run([*ZERMELO, *words], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writer)
    assert (result.returncode, result.stderr) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk to write to")
@pytest.mark.parametrize("buffered", [True, False])
def test_full_disk_is_one_line(buffered: bool) -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [*ZERMELO, "why", "6x20"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
            env={**os.environ, "PYTHONUNBUFFERED": "" if buffered else "1"},
        )  # fmt: skip
    assert result.returncode == 2
    assert "No space left" in result.stderr and result.stderr.count("\n") == 1


def test_ctrl_c_while_loading_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "main", interrupted)
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 130


def modules_after(*words: str) -> set[str]:
    probe = (
        f"import sys; from zermelo.cli.app import run; run({list(words)!r});"
        "print('modules', *(name for name in sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    return set(result.stdout.rpartition("modules ")[2].split())


def test_call_loads_only_what_its_verb_and_its_game_need() -> None:
    loaded = modules_after("value", "domineering", "2x2")
    for heavy in ("pydantic", "rich", "numpy", "matplotlib", "sqlite3", "asyncio", "zermelo.cli.campaign"):
        assert heavy not in loaded
    assert "zermelo.domineering.game" in loaded
    assert "zermelo.positional" not in loaded


def test_help_loads_no_game() -> None:
    loaded = modules_after("--help")
    assert "zermelo.cli.app" in loaded
    assert not {"zermelo.domineering", "zermelo.positional", "importlib.metadata"} & loaded


def test_words_tell_which_verb_and_game_are_loaded() -> None:
    assert app.wanted(["dissolve"]) == app.wanted(["--help"]) == (app.FILES, ())
    assert app.wanted(["--help", "why", "6x6"]) == (["why"], None)
    assert app.wanted(["solve", "mnk", "3,3,3"]) == (["solve"], ("mnk",))
