"""Pictures of Domineering positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from zermelo.draw import Area, board_svg

if TYPE_CHECKING:
    from zermelo.domineering.position import Position


def position_svg(
    position: Position, *, areas: Iterable[Area] = (), caption: Sequence[str] = ()
) -> str:
    """Draw a position, with areas over it and a caption below."""
    return board_svg(
        position.rows,
        position.cols,
        lambda row, col: position.is_free(row + 1, col + 1),
        areas=areas,
        caption=caption,
        title=f"Domineering position {position.spec}",
    )
