"""Writes strategies in the order of play (checker/FORMAT.md 4, 8 and 9), for every game."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar, cast

ALL, KEEP, REF, FIRST_MOVE = 0, 1, 2, 8
OVER = 0
"""Tags: of the other player's positions, of the first move of the player whose strategy it is, and of a game's end."""

Node = TypeVar("Node")
Chunk = bytes | bytearray


def write_strategy(
    root: Node,
    others_turn: bool,
    *,
    answer: Callable[[Node], tuple[Chunk, Node | None]],
    replies: Callable[[Node], Sequence[Node] | Chunk],
    key: Callable[[Node], Hashable],
    settle: Callable[[Node], Chunk | None] = lambda node: None,
    keep_all: bool = False,
    put: Callable[[Chunk], object] | None = None,
) -> tuple[list[Chunk], int]:
    """Write every move of the other player and an answer to each; return the proof in pieces, and its positions.

    :param answer: the bytes of the player's move, and the other player's position after it; None at an end.
    :param replies: the positions after the other player's moves, or bytes that take their place.
    :param settle: bytes for a position of the other player that needs no reference, looked up before one is written.
    :param keep_all: remember every position, also one that nothing refers to.
    :param put: takes each piece, so that none is in memory; only with ``keep_all``.
    """
    out, kept, needed, positions = list[Chunk](), dict[Hashable, int](), set[int](), 0
    # The nodes that are still to be written, the next one last. A number instead of a turn: the position with this key,
    # which begins there, has been written with everything below it.
    todo: list[tuple[object, bool | None, int]] = [(root, others_turn, 0)]
    add = put or out.append
    while todo:
        item, turn, start = todo.pop()
        if turn is None:
            kept[item] = start
            continue
        here, positions = cast(Node, item), positions + 1
        if not turn:
            text, after = answer(here)
            add(text)
            if after is not None:
                todo.append((after, True, 0))
            continue
        settled = settle(here)
        if settled is not None:
            add(settled)
            continue
        name = key(here)
        if name in kept:
            add(bytes([REF]))
            needed.add(kept[name])
            continue
        below = replies(here)
        if isinstance(below, (bytes, bytearray)):
            add(below)
            continue
        todo.append((name, None, len(out)))
        add(bytes([KEEP if keep_all else ALL]))
        todo += [(after, False, 0) for after in reversed(below)]
    for start in () if keep_all else needed:
        out[start] = bytes([KEEP])
    return out, positions
