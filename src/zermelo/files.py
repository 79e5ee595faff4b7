"""Reads files, and writes them: first under a temporary name, then, when the file is whole, under its own.

A reader never sees half a file. After an error (a full disk, Ctrl-C) the folder is as before.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

NO_CACHE = "no place for a cache was found: set ZERMELO_CACHE"


@contextmanager
def scratch_name(path: Path) -> Iterator[Path]:
    """Make an empty file beside ``path`` under a new name. It is removed in the end, if it is still there.

    :raises OSError: about ``path``, if the folder or the file cannot be written.
    """
    name = path.with_name(f".{path.name[:100]}.{os.urandom(8).hex()}.part")
    try:
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))  # Ctrl-C may come when it is there
        yield name
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(name)):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None
    except RuntimeError as error:
        # The core, which writes its payloads to such files, knows only one kind of error.
        if "cannot be written" not in str(error):
            raise
        raise OSError(f"{path}: {error}") from None
    finally:
        with suppress(OSError):  # most often it has its final name, or could not be made
            name.unlink()


@contextmanager
def whole_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for writing that appears under its name when the block ends well, and not before.

    A device (``/dev/stdout``) is written as it is. A link stays, and its target is replaced.

    :raises OSError: about ``path``; nothing is left behind then.
    """
    target = Path(path)
    if target.exists() and not target.is_file() and not target.is_dir():
        with target.open("wb") as device:
            yield device
        return
    target = target.resolve()
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "Is a directory", str(path))
    with scratch_name(target) as name:
        try:
            with name.open("wb") as out:
                yield out
                out.flush()
                os.fsync(out.fileno())
            name.replace(target)
            folder = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            if error.filename in (None, str(name)):
                raise OSError(error.errno, error.strerror, str(path)) from None
            raise


def write_file(path: str | Path, content: str | bytes) -> int:
    """Write a whole file; return its size in bytes."""
    data = content.encode() if isinstance(content, str) else content
    with whole_file(path) as out:
        out.write(data)
    return len(data)


def read_file(path: str | Path) -> bytes:
    """Return the bytes of a file or a pipe. They are read in pieces, so that Ctrl-C and limits work.

    :raises OSError: if it cannot be read; also about a device, which may have no end.
    """
    pieces = []
    with Path(path).open("rb") as file:
        if stat.S_ISCHR(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "a device, not a file", str(path))
        while piece := file.read(1 << 22):
            pieces.append(piece)
    return b"".join(pieces)
