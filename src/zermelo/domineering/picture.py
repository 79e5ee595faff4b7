"""Pictures of Domineering positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from zermelo._core import parse_spec
from zermelo.draw import Area, Domino, board_svg, svg

if TYPE_CHECKING:
    from zermelo.domineering.position import Position


def position_svg(position: Position, *, areas: Iterable[Area] = (), caption: Sequence[str] = ()) -> str:
    """Draw a position, with areas over it and a caption below."""
    return board_svg(
        position.rows,
        position.cols,
        lambda row, col: position.is_free(row + 1, col + 1),
        areas=areas,
        caption=caption,
        title=f"Domineering position {position.spec}",
    )


def spec_svg(text: str) -> str:
    """Draw the position that a spec means, each domino it names in its player's colour.

    >>> spec_svg("3x3:V1,1;H3,2").count('rx="7"')
    2

    :raises ValueError: if the spec is not understood.
    """
    from zermelo.domineering.position import Move, Position

    position = Position.from_text(text)
    dominoes = []
    for core_move in parse_spec(text).moves:
        move = Move.from_core(core_move)
        row, col = move.row - 1, move.col - 1
        down, right = (1, 0) if move.player == "V" else (0, 1)
        other = ((row + down) % position.rows, (col + right) % position.cols)
        colour = svg.BLUE if move.player == "V" else svg.ORANGE
        dominoes.append(Domino(((row, col), other), colour))
    covered = {square for domino in dominoes for square in domino.squares}
    return board_svg(
        position.rows,
        position.cols,
        lambda row, col: (row, col) in covered or position.is_free(row + 1, col + 1),
        dominoes=dominoes,
        title=f"Domineering position {text}",
    )
