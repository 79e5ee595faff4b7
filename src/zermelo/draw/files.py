"""Write a picture to a file, whole or not at all; the name's ending says SVG, PNG or TikZ."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from zermelo.draw.tikz import tikz_of
from zermelo.files import write_file


def font_file() -> str:
    """Find a sans-serif font: the renderer has none of its own and would leave the letters out.

    :raises ValueError: if there is none.
    """
    spec = importlib.util.find_spec("matplotlib")
    if spec is not None and spec.origin is not None:
        bundled = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf"
        if bundled.exists():
            return str(bundled)
    for folder in (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts"):
        for found in sorted(folder.rglob("*Sans*.ttf")):
            return str(found)
    raise ValueError("PNG pictures need a font: pip install 'zermelo[plot]', or write .svg")


def png_bytes(svg: str) -> bytes:
    """Render a picture, two pixels to a unit."""
    try:
        import resvg_py
    except ImportError:
        raise ValueError("PNG pictures need resvg-py: pip install 'zermelo[plot]', or write .svg") from None

    font = font_file()
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=2, font_files=[font], sans_serif_family="DejaVu Sans"))


def picture_bytes(svg: str, kind: str) -> bytes:
    """Return an SVG picture as ``svg``, ``png`` or ``tex`` (TikZ).

    :raises ValueError: if there is nothing here to make a PNG with.
    """
    return png_bytes(svg) if kind == "png" else (tikz_of(svg) if kind == "tex" else svg).encode()


def write_picture(path: Path, svg: str) -> None:
    """Write an SVG picture to ``path``, as PNG or TikZ if the name ends so.

    :raises ValueError: if the name ends otherwise or the folder does not exist.
    """
    if path.suffix not in (".svg", ".png", ".tex"):
        raise ValueError(f"picture file {path.name!r} must end in .svg, .png or .tex")
    if not path.parent.is_dir():
        raise ValueError(f"folder {str(path.parent)!r} does not exist")
    write_file(path, picture_bytes(svg, path.suffix[1:]))
