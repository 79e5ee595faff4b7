"""A position beside some free moves of one player: what "she wins even with k moves given away" means as a board."""

from __future__ import annotations

from collections.abc import Sequence


def beside(rows: Sequence[str], bonus: int) -> str:
    """Return the spec of a drawn position plus so many free moves of V (negative: of H).

    >>> beside(["..", "..", ".."], 1)
    '..#./..#./..##'
    >>> beside(["...", "..."], -1)
    '.../.../###/..#'
    """
    if bonus < 0:
        turned = beside(_turned(rows), -bonus)
        return "/".join(_turned(turned.split("/")))
    heights: list[int] = []
    moves = bonus
    lines = list(rows)
    if len(lines) == 1 and moves:
        lines.append("#" * len(lines[0]))
    while moves > 0:
        here = min(moves, len(lines) // 2)
        heights.append(2 * here)
        moves -= here
    return "/".join(
        line + "".join("#" + ("." if number < height else "#") for height in heights)
        for number, line in enumerate(lines)
    )


def _turned(rows: Sequence[str]) -> list[str]:
    return ["".join(column) for column in zip(*rows, strict=True)]
