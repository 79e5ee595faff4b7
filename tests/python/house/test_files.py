"""The one way to write a file: all of it or nothing, whatever happens on the way."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path
from types import FrameType

import pytest

from zermelo import files
from zermelo.files import scratch_name, whole_file, write_file


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with whole_file(path) as out:
        out.write(b"half")
        assert not path.exists() and len(list(tmp_path.iterdir())) == 1
        out.write(b" and whole")
    assert path.read_bytes() == b"half and whole"
    assert write_file(path, "über") == 5 and path.read_text() == "über"
    assert list(tmp_path.iterdir()) == [path]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_what_goes_wrong_leaves_the_folder_as_it_was(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(error), whole_file(path) as out:
        out.write(b"new")
        raise error
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
    with pytest.raises(error), scratch_name(path):
        raise error
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_it_did_not_make_are_left_alone(tmp_path: Path) -> None:
    path, neighbours = tmp_path / "a.zc", [tmp_path / "a.zc.part", tmp_path / ".a.zc.part", tmp_path / "a.zc.raw"]
    for neighbour in neighbours:
        neighbour.write_text("mine")
    write_file(path, b"proof")
    assert all(neighbour.read_text() == "mine" for neighbour in neighbours)
    link = tmp_path / "link"
    link.symlink_to(path)
    write_file(link, b"new")
    assert link.is_symlink() and path.read_bytes() == b"new"


def test_devices_are_written_and_folders_refused(tmp_path: Path) -> None:
    write_file("/dev/null", b"gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    with pytest.raises(OSError, match="directory"):
        write_file(tmp_path, b"")
    with pytest.raises(OSError, match="missing"):
        write_file(tmp_path / "missing" / "a", b"")
    assert not list(tmp_path.iterdir())


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a file that Python closes itself
def test_ctrl_c_at_any_step_leaves_a_whole_file_or_none(tmp_path: Path) -> None:
    def write(stop: int) -> int:
        """Write a file; Ctrl-C comes at so many steps of Python."""
        steps = 0

        def trace(frame: FrameType, event: str, _: object) -> object:
            nonlocal steps
            if frame.f_code.co_filename != files.__file__:
                return None
            frame.f_trace_opcodes = True
            steps += event == "opcode"
            if event == "opcode" and steps == stop:
                sys.settrace(None)
                raise KeyboardInterrupt
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        with contextlib.suppress(KeyboardInterrupt):
            write_file(tmp_path / "a.txt", "whole")
        sys.settrace(before)
        return steps

    for stop in range(1, write(-1)):
        write(stop)
        assert [file.read_text() for file in tmp_path.iterdir()] in ([], ["whole"]), stop
        (tmp_path / "a.txt").unlink(missing_ok=True)
