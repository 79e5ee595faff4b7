"""Write a picture to a file, whole or not at all; the name's ending says SVG or PNG."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a crash leaves the old one or the new one, never half of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent or Path(), prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_picture(path: Path, svg: str) -> None:
    """Write an SVG picture to ``path``, as PNG if the name ends so.

    :raises ValueError: if the name ends otherwise or the folder does not exist.
    """
    if path.suffix not in (".svg", ".png"):
        raise ValueError(f"picture file {path.name!r} must end in .svg or .png")
    if not path.parent.is_dir():
        raise ValueError(f"folder {str(path.parent)!r} does not exist")
    if path.suffix == ".png":
        import resvg_py

        content = bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=2))
    else:
        content = svg.encode()
    write_atomically(path, content)
