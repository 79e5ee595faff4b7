"""How certificates of Domineering are written: by any number of threads, in bounded memory, all of it or nothing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tiny
from proving import prove

from zermelo import _core
from zermelo.domineering import GAME
from zermelo.domineering.position import Player, Position, core_player
from zermelo.game import Limits, Progress
from zermelo.proof import check_file
from zermelo.proof.container import BLOCK, HEADER, compress_proof, head_of_payload, read_payload

POSITION_BYTES = 96  # of memory, for each position that may be referred to


def proof_of(
    spec: str, first: Player, winner: Player, raw: Path, *, threads: int = 1, memory: int = 2**24
) -> _core.DomineeringProofStats:
    """Write the proof of a claim that is known to be true."""
    position = Position(spec)
    board, chooser = position.board, GAME.proof_chooser(Limits(memory=2**28))
    engine = chooser.component_search(position)
    found = engine.solve(board, core_player(first), _core.Limits())
    assert (found.verdict == _core.Verdict.WIN) == (first == winner)
    stats = _core.write_domineering_proof(
        engine, board, core_player(first), core_player(winner), str(raw), memory, threads, _core.Limits()
    )
    assert stats.stopped == _core.StopReason.FINISHED
    assert stats.bytes == raw.stat().st_size
    return stats


def test_one_thread_writes_the_same_bytes_every_time(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    proof_of("6x8", "V", "H", one)
    proof_of("6x8", "V", "H", two)
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("threads", [1, 3])
def test_little_memory_makes_a_longer_certificate(tmp_path: Path, threads: int) -> None:
    raw, file = tmp_path / "raw", tmp_path / "proof.zc"
    enough = proof_of("6x8", "V", "H", raw, threads=threads)
    little = proof_of("6x8", "V", "H", raw, threads=threads, memory=20 * POSITION_BYTES)
    assert (enough.segments > 0) == (threads > 1)
    assert little.references < enough.references
    assert little.positions > enough.positions
    compress_proof(GAME.claim_bytes(Position("6x8"), "V", "H"), raw, file)
    assert check_file(file).verified
    none = proof_of("5x5", "V", "H", raw, threads=threads, memory=0)
    assert none.references == 0
    compress_proof(GAME.claim_bytes(Position("5x5"), "V", "H"), raw, file)
    assert check_file(file).verified


@pytest.mark.parametrize("threads", [1, 3])
def test_cancelling_leaves_nothing(tmp_path: Path, threads: int) -> None:
    token = _core.CancelToken()
    told: list[int] = []

    def stop(progress: Progress) -> None:
        told.append(progress.nodes)
        token.cancel()

    written = prove("6x11", "H", tmp_path / "proof.zc", threads=threads, cancel=token, on_progress=stop)
    assert told
    assert written.path is None
    assert written.winner is None
    assert not list(tmp_path.iterdir())


def test_ctrl_c_while_writing_leaves_nothing(tmp_path: Path) -> None:
    """Writing begins when the answer is printed, and takes about a second on this board."""
    command = [sys.executable, "-m", "zermelo", "solve", "domineering", "6x11", "--first", "H"]
    process = subprocess.Popen(
        [*command, "--proof", str(tmp_path / "proof.zc")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    assert b"H wins" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_missing_is_named_before_the_search(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        prove("12x12", "V", tmp_path / "missing" / "proof.zc")


def test_neighbours_of_a_target_are_left_alone(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    solve, neighbours = "solve domineering 4x5 --first V --proof", [tmp_path / "u.zc.part", tmp_path / "u.zc.raw"]
    for neighbour in neighbours:
        neighbour.write_text("mine")
    for line in (f"{solve} 4x5.zc", "proof trim 4x5.zc u.zc", f"{solve} u.zc", "proof derive 2x30 H u.zc"):
        assert run(*line.split()).code == 0
        assert [neighbour.read_text() for neighbour in neighbours] == ["mine"] * 2, line


def test_what_was_solved_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One chooser solves for either starter, and writes for both, since a square is its own transpose."""
    for solved, wanted in (("V", ("V", "H")), ("H", ("H",))):
        position, chooser = Position("8x8"), GAME.proof_chooser(Limits())
        answers = {solved: chooser.answer(position, solved, Limits())}
        monkeypatch.setattr(chooser, "answer", None)
        for first in wanted:
            answer = answers.get(first) or GAME.turned_round(position, first, answers)
            written = prove(position, first, tmp_path / "proof.zc", chooser=chooser, answer=answer)
            assert written.winner == first and written.nodes == answer.nodes
            report = tiny.FAST.check(tmp_path / "proof.zc")
            assert report.verified and report.said["starter"] == first


@pytest.mark.parametrize("threads", [1, 3])
def test_blocks_make_one_zlib_stream(tmp_path: Path, threads: int) -> None:
    raw, file = tmp_path / "raw", tmp_path / "packed"
    for size in (0, 1, BLOCK, 3 * BLOCK + 7):
        content = random.Random(size).randbytes(64) * (size // 64) + b"x" * (size % 64)
        raw.write_bytes(content)
        assert compress_proof(b"claim", raw, file, threads=threads) == file.stat().st_size
        stream = zlib.decompressobj()
        assert stream.decompress(file.read_bytes()[len(HEADER) :]) == b"claim" + content
        assert stream.eof
        assert not stream.unused_data


def test_packing_that_is_cancelled_leaves_nothing(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    raw.write_bytes(b"proof")
    assert compress_proof(b"claim", raw, tmp_path / "packed", cancelled=lambda: True) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["raw"]


@pytest.mark.parametrize(("data", "message"), [(b"ZCERT\x07\1\0", "format version 7, not 1"), (b"ZCERT", "not a cert")])
def test_foreign_files_are_refused_by_all_readers(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "foreign.zc"
    path.write_bytes(data)
    for read in (read_payload, head_of_payload):
        with pytest.raises(ValueError, match=message):
            read(path)
