"""Frank Harary's achievement games: Maker wants an animal, a shape of squares, in any place of the board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from zermelo.positional.position import MAX_SEARCHED, HypergraphPosition
from zermelo.words import letters

ANIMALS = {
    "elam": "X",
    "domino": "XX",
    "el": "XX/X.",
    "tic": "XXX",
    "elly": "XX/X./X.",
    "fatty": "XX/XX",
    "knobby": "X./XX/X.",
    "skinny": "XXXX",
    "tippy": ".X/XX/X.",
    "l": "XX/X./X./X.",
    "y": "X./XX/X./X.",
    "z": "XX./.X./.XX",
    "snaky": ".X/XX/X./X./X.",
}
"""The shapes that Frank Harary's achievement games ask for, rows from the top."""
Cell = tuple[int, ...]


def animal_game(text: str) -> HypergraphPosition | None:
    """Return the game of a name such as ``harary tippy 5x5``; None if it is none.

    >>> game = animal_game("harary domino 2x2")
    >>> game.text if game else None
    'a1 a2 / a1 b1 / b1 b2 / a2 b2'

    :raises ValueError: if an animal is not known, or the board too large.
    """
    strong = text.startswith("strong:")
    words = text.removeprefix("strong:").lower().split()
    if words[:1] != ["harary"]:
        return None
    size = re.fullmatch(r"(\d{1,3})x(\d{1,3})", words[2], re.ASCII) if len(words) == 3 else None
    if size is None or words[1] not in ANIMALS:
        raise ValueError(f"write an animal and a board, as in 'harary tippy 5x5'; animals: {', '.join(ANIMALS)}")
    columns, rows = map(int, size.groups())
    if not 1 <= columns * rows <= MAX_SEARCHED:
        raise ValueError(f"a board of {columns} x {rows} squares is too large: at most {MAX_SEARCHED} squares")
    squares = [f"{letters(column)}{row + 1}" for row in range(rows) for column in range(columns)]
    placed = [[squares[row * columns + column] for column, row in cells] for cells in places(words[1], columns, rows)]
    covered = {name for one in placed for name in one}
    rest = [name for name in squares if name not in covered]
    return HypergraphPosition.from_edges(placed, also=rest, strong=strong)


def places(animal: str, columns: int, rows: int) -> Iterator[list[Cell]]:
    """Yield the cells (column, row) of an animal in every place of a board, turned and flipped in every way."""
    picture = ANIMALS[animal].split("/")
    cells = [(x, y) for y, line in enumerate(picture) for x, mark in enumerate(line) if mark == "X"]
    seen = set[tuple[Cell, ...]]()
    for swap, flip_x, flip_y in product((False, True), repeat=3):
        turned = [((y, x) if swap else (x, y)) for x, y in cells]
        turned = [(-x if flip_x else x, -y if flip_y else y) for x, y in turned]
        left, low = min(x for x, _ in turned), min(y for _, y in turned)
        seen.add(tuple(sorted((x - left, y - low) for x, y in turned)))
    for row, column, shape in product(range(rows), range(columns), sorted(seen)):
        if all(column + x < columns and row + y < rows for x, y in shape):
            yield sorted((column + x, row + y) for x, y in shape)
