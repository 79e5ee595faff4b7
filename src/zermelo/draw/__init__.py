"""Pictures: pure functions from plain data to SVG. This room knows no game, so every other may use it."""

from __future__ import annotations

from zermelo.draw.board import Area, Domino, board_svg
from zermelo.draw.files import write_picture

__all__ = ["Area", "Domino", "board_svg", "write_picture"]
