"""Pictures: pure functions from plain data to SVG and text. This room knows no game, so every other may use it."""

from __future__ import annotations

from zermelo.draw.board import Area, pair_areas, view_svg
from zermelo.draw.files import picture_bytes, write_picture
from zermelo.draw.text import grid

__all__ = ["Area", "grid", "pair_areas", "picture_bytes", "view_svg", "write_picture"]
