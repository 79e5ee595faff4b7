"""`--memory` means the same in every command that has it: 512M, 2G, or a plain number of MiB."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import typer

from zermelo.cli import app
from zermelo.cli.options import parse_memory

MIB = 2**20


def commands_with_memory() -> Iterator[tuple[str, ...]]:
    """Yield the words of every command that has the option, wherever it stands."""
    waiting: list[tuple[tuple[str, ...], object]] = [((), typer.main.get_command(app.build_app()))]
    while waiting:
        words, command = waiting.pop()
        for name, below in getattr(command, "commands", {}).items():
            waiting.append(((*words, name), below))
        if any("--memory" in option.opts for option in getattr(command, "params", [])):
            yield words


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1", MIB), ("1024", 1024 * MIB), ("512M", 512 * MIB), ("2G", 2048 * MIB), ("2g", 2048 * MIB),
        ("1.5G", 1536 * MIB), ("4GB", 4096 * MIB), ("4GiB", 4096 * MIB), ("2048K", 2 * MIB),
        ("1T", 2**40), (" 1M ", MIB),
    ],
)  # fmt: skip
def test_memory_of_a_size_is_its_bytes(text: str, size: int) -> None:
    assert parse_memory(text) == size


@pytest.mark.parametrize("text", ["lots", "", "-1", "2X", "M", "1e9", "0x10", "nan", "1" * 5000])
def test_memory_that_is_no_size_says_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match="is not understood: write a size such as 512M"):
        parse_memory(text)


@pytest.mark.parametrize("text", ["0", "1023K", "2T", "1073741824"])
def test_memory_out_of_range_says_the_range(text: str) -> None:
    with pytest.raises(ValueError, match="from 1M to 1T"):
        parse_memory(text)


def test_every_command_with_memory_takes_the_same_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    found = set(commands_with_memory())
    assert {
        ("solve", "domineering"), ("solve", "mnk"), ("solve", "hypergraph"), ("value", "domineering"),
        ("check",), ("campaign", "run"), ("serve",), ("bench", "mnk"),
    } <= found  # fmt: skip
    for words in found:
        assert app.run([*words, "--help"]) == 0
        told = " ".join(capsys.readouterr().out.split())
        assert "--memory SIZE" in told, words
        assert "such as 512M or 2G. A plain number is MiB" in told, words


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "domineering", "2x2"), ("solve", "mnk", "3,3,3"), ("value", "game", "1"),
        ("check", "no-such-file"), ("campaign", "run"), ("bench", "mnk"), ("serve",),
    ],
)  # fmt: skip
def test_wrong_memory_is_one_line_in_every_command(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run([*words, "--memory", "2X"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (
        "zermelo: memory '2X' is not understood: write a size such as 512M or 2G, or a number of MiB\n"
    )


def test_search_with_any_size_answers(capsys: pytest.CaptureFixture[str]) -> None:
    for size in ("16", "16M", "0.25G"):
        assert app.run(["solve", "mnk", "3,3,3", "--memory", size]) == 0
        assert "draw" in capsys.readouterr().out


def test_memory_that_the_machine_refuses_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("zermelo.game.Game.solve", refuse)
    assert app.run(["solve", "mnk", "3,3,3"]) == 2
    assert capsys.readouterr().err == ("zermelo: this machine has not that much memory; a smaller --memory may do\n")
