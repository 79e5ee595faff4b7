"""The command line as a user meets it: answers, JSON, one-line errors, exit codes, Ctrl-C."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from worlds import COMMANDS

from zermelo.cli import app
from zermelo.cli.options import game_of, parse_memory
from zermelo.game import find_game, game_names

ZERMELO = [sys.executable, "-m", "zermelo"]
Run = Any


def as_json(run: Run, *words: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(run(*words, "--json")[1])
    return data


def options(command: Any) -> set[str]:
    return {name for parameter in command.params for name in parameter.opts}


# Answers


def test_solve_says_who_wins_and_how(run: Run) -> None:
    code, told, _ = run("solve", "domineering", "6x6")
    assert code == 0
    assert "6x6: the first player wins" in told
    assert "V starts: V wins with V" in told and "proved by search [1 node, " in told
    assert "H starts: H wins with H" in told and "the players exchanged" in told
    assert "43,640 nodes" in run("solve", "mnk", "5,5,4")[1]


def test_solve_json_has_the_documented_keys(run: Run) -> None:
    data = as_json(run, "solve", "domineering", "4x5")
    assert (data["game"], data["spec"], data["outcome"]) == ("domineering", "4x5", "V")
    assert (data["starts"]["V"]["winner"], data["starts"]["H"]["winner"]) == ("V", "V")
    assert data["starts"]["H"]["move"] is None and len(data["starts"]["V"]["move"]) == 2
    assert {"nodes", "seconds", "threads", "version", "hint"} <= set(data)
    mnk = as_json(run, "solve", "mnk", "5,5,5")
    assert (mnk["outcome"], mnk["maker_breaker"], mnk["nodes"]) == ("draw", "breaker", 0)


def test_solve_for_one_starter_answers_that_only(run: Run) -> None:
    data = as_json(run, "solve", "domineering", "3x3", "--first", "h")
    assert (list(data["starts"]), data["outcome"]) == (["H"], None)


def test_solve_reads_hypergraphs_from_files_and_words(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "path.hyp"
    file.write_text("a b\nb c\nc d\n")
    for spec in (str(file), "a b / b c / c d"):
        assert as_json(run, "solve", "hypergraph", spec)["outcome"] == "first"


@pytest.mark.parametrize("limit", [("--nodes", "50"), ("--time", "0.001")])
def test_limit_gives_unknown_and_exit_code_3(run: Run, limit: tuple[str, str]) -> None:
    words = ("solve", "domineering", "10x10", "--method", "search", "--first", "V", "--json", *limit)
    code, told, _ = run(*words)
    assert (code, json.loads(told)["starts"]["V"]["winner"]) == (3, None)
    assert run(*words[:-3], *limit)[1].startswith("  V starts: unknown within ")


@pytest.mark.parametrize("verb", ["build-db --squares 14", "domineering 5x7"])  # larger than any that a test knows
def test_value_that_a_limit_cut_short_says_so_as_json(run: Run, tmp_path: Path, verb: str) -> None:
    file = () if "domineering" in verb else ("--file", str(tmp_path / "values.db"))
    code, told, _ = run("value", *verb.split(), *file, "--memory", "1M", "--time", "20", "--json")
    data = json.loads(told)
    assert (code, data["outcome"]) == (3, "unknown") and "limit" in data["limit"]


def test_explanation_that_a_limit_cut_short_is_exit_code_3(run: Run) -> None:
    assert run("explain", "mnk", "8,8,5", "--nodes", "1")[0] == 3
    assert run("explain", "mnk", "3,3,3", "--time", "20")[0] == 0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_time_limit_holds_where_nobody_looks_at_a_clock(run: Run, tmp_path: Path) -> None:
    begin = time.monotonic()
    code, told, _ = run("table", "119x119", "--time", "0.1", "--json", "--picture", str(tmp_path / "a.svg"))
    assert (code, json.loads(told)["outcome"]) == (3, "unknown")
    assert time.monotonic() - begin < 10
    assert list(tmp_path.iterdir()) == []


def test_certificates_come_from_the_same_search(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "5x6.zc"
    data = as_json(run, "solve", "domineering", "5x6", "--proof", str(file))
    assert [Path(one["file"]).name for one in data["certificates"]] == ["5x6.V.zc", "5x6.H.zc"]
    for one in data["certificates"]:
        assert run("check", one["file"])[0] == 0


def test_solve_says_how_to_find_a_move_where_the_rules_tell_only_who_wins(run: Run) -> None:
    hint = as_json(run, "solve", "domineering", "6x13")["hint"]
    assert hint.endswith("zermelo solve domineering 6x13 --first V --method search")
    assert hint in run("solve", "domineering", "6x13", "--time", "0.2")[1]
    assert as_json(run, "solve", "domineering", "8x9")["hint"] is None
    assert "not known" in as_json(run, "solve", "domineering", "13x20", "--first", "H")["hint"]  # nor to be searched


def test_solve_says_of_a_finished_game_no_more_than_that(run: Run) -> None:
    assert run("solve", "domineering", "#")[1].count("cannot move [0 nodes") == 2
    assert len(run("solve", "mnk", "1,1,2:a1")[1].splitlines()) == 2


def test_answer_is_known_where_the_time_for_a_certificate_is_not_enough(run: Run, tmp_path: Path) -> None:
    words = ("solve", "domineering", "10x10", "--first", "V", "--time", "0.05", "--proof", str(tmp_path / "a.zc"))
    code, told, _ = run(*words)
    assert code == 3 and "V wins with V1,2; shipped fact" in told
    assert told.endswith("no certificate: a limit was reached\n")


@pytest.mark.parametrize("words", [("3x3",), ("domineering", "3x3"), ("5,5,4:c3",), ("a b / b c",)])
def test_draw_finds_the_game(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    assert run("draw", *words, str(tmp_path / "a.svg"))[0] == 0
    assert (tmp_path / "a.svg").read_text().startswith("<svg")


def test_signature_is_the_sum_of_its_rows(run: Run) -> None:
    data = as_json(run, "bench", "signature")
    assert data["signature"] == sum(row["nodes"] for row in data["rows"])
    nodes = {row["spec"]: row["nodes"] for row in data["rows"]}
    assert nodes["7,7,5"] == 2026


# Mistakes


@pytest.mark.parametrize(
    "line",
    [
        "solve domineering 8x", "solve domineering 0x5", "solve domineering ../.", "solve domineering 8x8:V8,1",
        "solve domineering 8x8 --frist V", "solve domineering 8x8 --first X", "solve domineering 8x8 --bounds magic",
        "solve domineering 8x8 --without magic", "solve domineering 8x8 --replacement magic",
        "solve domineering 8x8 --method magic", "solve domineering 8x8 --memory lots",
        "solve domineering 8x8 --threads 0", "solve domineering 8x8 --time -1", "solve domineering 8x8 --nodes 0",
        "solve domineering 8x8 --without vulnerable", "solve domineering 3x1000 --method rules --bounds cover",
        "solve mnk 3,3,3 --time -1", "solve mnk 3,3,3 --time nan", "solve mnk 3,3,3 --nodes 0",
        "solve mnk 3,3,3 --first O", "solve mnk 3,3,3 --without magic", "facts /no/such/file",
        "facts --game mnk", "why mnk 3,3,3", "why", "table a b c", "solve domineering",
        "solve domineering 4x4 --proof /", "solve hypergraph /no/such/file.hyp", "solve chess 8x8",
        "dissolve domineering 8x8", "explain domineering 8x8 --svg /no/such/folder/a.svg",
        "explain domineering 8x8 --svg a.jpg", "explain domineering 8x8 --player Z",
        "explain domineering 8x8 --kind magic", "bench papers figure-99",
        "bench compare /no/such/file.csv /no/such/other.csv",
        "serve --store /no/such/file.db", "serve --proofs /no/such/folder",
        "campaign status --store /no/such/file.db", "campaign new chess 8x8 --dry-run",
        "campaign run --store /no/such/file.db", "draw 4x4", "draw nonsense! a.svg", "value mnk 3,3,3",
        "check /no/such/file.zc", "proof info /no/such/file.zc", "table --csv --json",
        "play mnk 3,3,3 --you V",
        "play domineering 4x4 --you X", "play mnk 3,3,3 --first O", "play mnk 3,3,3:q9",
        "play domineering 4x4 --time 0", "table 5y6", "table 900x900", "why ..#/...", "why 0x3",
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_code_2(run: Run, line: str) -> None:
    code, told, error = run(*line.split())
    assert code == 2
    if not line.startswith("check"):  # a checker's verdict is its answer
        assert (told == "" or "--json" in line) and error.startswith("zermelo: ") and error.count("\n") == 1
        assert "this is a bug" not in error and "Errno" not in error


def test_option_without_effect_names_the_method_it_belongs_to(run: Run) -> None:
    assert "belongs to the search of the papers" in run("solve", "domineering", "8x8", "--without", "vulnerable")[2]
    for idle in ("--squares 3", "--at-most", "--file values.db"):
        assert "no effect with --within" in run("value", "list", "--within", "2x2", *idle.split())[2]
    assert "no effect with --count" in run("value", "list", "--count", "--rows", "3")[2]


def test_wrong_word_is_answered_with_those_to_choose_from(run: Run) -> None:
    assert "zermelo campaign takes: new, run, " in run("campaign", "8x8")[2]
    assert "solve, explain, play" in run("dissolve", "domineering", "8x8")[2]
    assert "see zermelo solve mnk --help" in run("solve", "mnk")[2]
    assert "zermelo value takes: domineering, " in run("value", "mnk", "3,3,3")[2]
    assert "torus, hcylinder or vcylinder" in run("solve", "domineering", "ring:5x5")[2]


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (TypeError("half a thought"), "TypeError: half a thought"),
        (MemoryError(), "zermelo: not enough memory; try a smaller --memory"),
    ],
)
def test_fault_of_ours_is_not_a_rejection(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception, says: str
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("zermelo.game.Game.solve", broken)
    code, _, told = run("solve", "mnk", "3,3,3")
    assert code == 2 and says in told and told.count("\n") == 1


@pytest.mark.parametrize(("number", "ends"), [(signal.SIGALRM, 3), (signal.SIGINT, 130)])
def test_stop_that_a_library_takes_for_an_error_is_a_stop(
    run: Run, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, ends: int
) -> None:
    def swallow(*_: object, **__: object) -> None:
        try:
            os.kill(os.getpid(), number)
            time.sleep(5)
        except BaseException:
            raise TypeError("incompatible function arguments") from None

    monkeypatch.setattr("zermelo.game.Game.solve", swallow)
    code, _, told = run("solve", "mnk", "3,3,3", "--time", "9")
    assert (code, told.count("\n")) == (ends, 1), told


# Memory


def test_memory_of_a_size_is_its_bytes() -> None:
    for text, size in (("1", 1), ("1024", 1024), ("512M", 512), ("2g", 2048), ("1.5G", 1536), ("4GiB", 4096),
                       ("2048K", 2), ("1T", 2**20), (" 1MB ", 1)):  # fmt: skip
        assert parse_memory(text) == size * 2**20


def test_memory_that_is_no_size_says_what_to_write() -> None:
    for text in ("lots", "", "-1", "2X", "M", "1e9", "0x10", "nan", "1" * 5000):
        with pytest.raises(ValueError, match="is not understood: write a size such as 512M"):
            parse_memory(text)
    for text in ("0", "1023K", "2T", "1073741824"):
        with pytest.raises(ValueError, match="from 1M to 1T"):
            parse_memory(text)


def test_every_command_with_memory_takes_the_same_sizes(run: Run) -> None:
    found = {words for words, command in COMMANDS.items() if "--memory" in options(command)}
    assert len(found) > 12 and {("check",), ("campaign", "run"), ("serve",)} <= found
    for words in found:
        told = " ".join(run(*words, "--help")[1].split())
        assert "--memory SIZE" in told and "such as 512M or 2G. A plain number is MiB" in told, words
    for line in ("solve domineering 2x2", "value game 1", "check no-such-file", "campaign run", "serve"):
        says = "zermelo: memory '2X' is not understood: write a size such as 512M or 2G, or a number of MiB\n"
        assert run(*line.split(), "--memory", "2X") == (2, "", says)


# Every verb, found by itself


def test_lists_of_commands_show_whole_sentences(run: Run) -> None:
    for words in ((), *((verb,) for verb in app.HELP)):
        listed = run(*words, "--help")[1].partition("Commands:")[2]
        assert "..." not in listed, words


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_command_has_help_json_and_limits(run: Run, words: tuple[str, ...]) -> None:
    code, told, _ = run(*words, "--help")
    assert code == 0 and "Usage: zermelo" in told
    taken = options(COMMANDS[words])
    assert "--json" in taken or words == ("serve",)  # it answers in the browser
    quick = {"draw", "doctor", "campaign status", "facts"}
    quick |= {"bench signature", "bench compare"}
    assert "--time" in taken or " ".join(words) in quick
    if words[0] in ("solve", "explain", "play"):
        assert {"--time", "--nodes", "--memory"} <= taken


@pytest.mark.parametrize("game", game_names())
def test_examples_of_explanations_are_explained(run: Run, game: str) -> None:
    shown = " ".join(run("explain", game, "--help")[1].partition("Examples: ")[2].split())
    for line in shown.split(", zermelo "):
        words = shlex.split(line.removeprefix("zermelo "))
        assert words[:2] == ["explain", game] and run(*words, "--time", "20")[0] == 0


def test_help_and_version_answer(run: Run) -> None:
    assert run("--version")[1].startswith("zermelo ")
    assert "solve" in run("--help")[1]
    assert run("solve")[0] == 2


# Interrupts, closed and full outputs


def ctrl_c(process: subprocess.Popen[str]) -> tuple[float, str]:
    """Interrupt a process; return the seconds it ran on, on a busy machine those of the processors, and its errors."""
    reaped, used = os.times(), sum(psutil.Process(process.pid).cpu_times()[:2])
    begin = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=20)
    took, now = time.monotonic() - begin, os.times()
    used = sum(now[2:4]) - sum(reaped[2:4]) - used
    return min(took, used), stderr


@pytest.mark.parametrize(
    "line",
    ["solve domineering 10x10 --method search --first V", "value domineering 8x8", "value game heat(*1000,1000)"],
)
def test_ctrl_c_stops_at_once(line: str) -> None:
    words = [*ZERMELO, *line.split()]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while sum(psutil.Process(process.pid).cpu_times()[:2]) < 0.8:  # it starts in a quarter of a second
        assert process.poll() is None
        time.sleep(0.02)
    took, stderr = ctrl_c(process)
    assert process.returncode == 130, stderr
    assert took < 5
    # Nothing while it is still loading; a search says how far it came.
    assert re.fullmatch(r"(zermelo: interrupted( after [0-9,]+ nodes and [0-9.]+ s)?\n)?", stderr), stderr
    assert " nodes and " in stderr or not line.startswith("solve")


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "domineering", "8x12", "--method", "search"),
        ("solve", "domineering", "8x12", "--method", "search", "--proof", "8x12.zc"),
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
        time.sleep(0.001)
    took, stderr = ctrl_c(process)
    assert process.returncode == 130 and re.match("zermelo: interrupted( after 0 nodes and .*)?\n$", stderr), stderr
    assert took < 2
    assert [file.name for file in cache.iterdir()] == ["strips.lock"]
    assert [file.name for file in tmp_path.iterdir()] == ["cache"]


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
@pytest.mark.parametrize("line", ["solve domineering 4x4", "play mnk 3,3,3", "solve domineering 4x"])
def test_closed_standard_files_are_no_traceback(line: str, closed: str) -> None:
    result = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m zermelo {line} {closed}"], capture_output=True, text=True, timeout=60
    )
    assert result.returncode == (2 if closed.startswith(">") or line.endswith("4x") else 0)
    assert result.stderr.count("\n") <= 1


def at_terminal(*words: str) -> str:
    """Run a command with its output and its errors on a terminal, and return what that shows."""
    master, slave = os.openpty()
    with subprocess.Popen([*ZERMELO, *words], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave):
        os.close(slave)
        shown = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while data := os.read(master, 1 << 16):
                shown += data
    os.close(master)
    return shown.decode()


@pytest.mark.parametrize(
    "line",
    [
        "solve mnk 7,7,5",
        "solve domineering 6x7 --method search --bounds real,cover",
        "solve domineering 5x5 --proof 5x5.zc",
        "explain mnk 3,3,3",
        "value domineering 3x3",
    ],
)
def test_terminal_shows_the_answer_and_no_leak(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(3):
        shown = at_terminal(*line.split())
        assert line.split()[2] in shown and "leaked" not in shown, shown


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk to write to")
@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize("words", [("why", "6x20"), ("play", "mnk", "3,3,3"), ("solve", "mnk", "3,3,3", "--json")])
def test_full_disk_is_one_line(words: tuple[str, ...], buffered: bool) -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [*ZERMELO, *words], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
            env={**os.environ, "PYTHONUNBUFFERED": "" if buffered else "1"},
        )  # fmt: skip
    assert result.returncode == 2
    assert "No space left" in result.stderr and result.stderr.count("\n") == 1


# What a call loads


def modules_after(*words: str) -> set[str]:
    probe = (
        f"import sys; from zermelo.cli.app import run; run({list(words)!r});"
        "print('modules', *(name for name in sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    return set(result.stdout.rpartition("modules ")[2].split())


@pytest.mark.parametrize("spec", ["3x3", "8x8", "5x6", "3,3,3", "a b / b c", "torus:4x6"])
def test_explain_says_first_who_wins(run: Run, spec: str) -> None:
    code, out, _ = run("explain", spec)
    solved = run("solve", spec)[1]
    assert code == 0 and out.splitlines()[0] == solved.splitlines()[0] and "no verdict" not in out
    assert len(out.splitlines()) > len(solved.splitlines())


def test_explain_takes_the_kind_that_decides(run: Run) -> None:
    assert "H wins with V to move: the pieces are worth" in run("explain", "5x6")[1]
    data = as_json(run, "explain", "5x6")
    assert (data["kind"], data["outcome"], data["player"], data["wins"]) == ("strip", "H", "H", True)
    assert "\nthis alone does not decide who wins" in run("explain", "5x6", "--kind", "cover", "--player", "V")[1]


def test_spec_that_one_game_reads_needs_no_game(run: Run) -> None:
    for line, said in (
        ("solve 6x6", "6x6: the first player wins"),
        ("solve tictactoe", "tictactoe: a draw"),
        ("solve mnk 3x3x3", "3x3x3: a draw"),
        ("solve gomoku --nodes 1", "gomoku: a limit was reached"),
        ("explain Tic-Tac-Toe --kind zone", "3,3,3: 8 lines"),
        ("value 2x2", "2x2 = +-1"),
        ("play 3,3,3", "K in a row, 3,3,3"),
    ):
        assert said in run(*line.split())[1], line
    assert "maker starts: maker wins" in run("solve", "a b c / c d : maker a, maker c")[1]
    assert run("table", "5")[1] == run("table", "5x5")[1]
    code, _, error = run("solve", "nonsense")
    assert code == 2 and "'nonsense' is no game and no position: domineering reads '8x8', hypergraph" in error


def test_spec_that_several_games_read_needs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    domineering, cram = find_game("domineering"), find_game("cram")
    assert game_of("4x5", [cram, domineering]) is domineering  # our games come first
    assert game_of("4x5:h1,2", [cram, domineering]) is cram
    monkeypatch.setattr(type(cram), "__module__", "zermelo.games.cram")
    with pytest.raises(ValueError, match="'4x5' is a position of cram and domineering"):
        game_of("4x5", [cram, domineering])


def test_bad_input_is_an_error_in_json_too(run: Run) -> None:
    for line in ("solve domineering 4x", "solve --bogus", "why 4x4x4", "nothing", "table 2x2 --csv"):
        code, out, error = run(*line.split(), "--json")
        assert (code, f"zermelo: {json.loads(out)['error']}\n") == (2, error)


def test_call_loads_only_the_modules_of_its_verb_and_its_game() -> None:
    loaded = modules_after("value", "domineering", "2x2")
    for heavy in ("pydantic", "rich", "numpy", "matplotlib", "sqlite3", "asyncio", "email", "zermelo.cli.campaign"):
        assert heavy not in loaded
    assert "zermelo.domineering.game" in loaded
    assert "zermelo.positional" not in loaded
    loaded = modules_after("--help")
    assert "zermelo.cli.app" in loaded
    assert not {"zermelo.domineering", "zermelo.positional", "importlib.metadata"} & loaded


def test_words_tell_which_verb_and_game_are_loaded() -> None:
    assert app.wanted(["dissolve"]) == app.wanted(["--help"]) == (app.HELP, ())
    assert app.wanted(["--help", "why", "6x6"]) == (["why"], game_names(shelf=False))
    assert app.wanted(["solve", "mnk", "3,3,3"]) == (["solve"], ("mnk",))
