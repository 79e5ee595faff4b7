"""Print how the tree of a game grows, ply by ply, all moves of both players counted: article figure 10, thesis 5.1.

  python tools/growth.py GAME SPEC [--positions 5000]

The thesis has 1, 25, 1,944 and 81,609 positions for 10x10; there are 81,412 at ply 3 (--positions 2000 finds them).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from zermelo.game import Position, find_game


def growth(start: Position, player: str, most: int) -> Iterator[tuple[int, float]]:
    """Yield the number of different positions of each ply, and their average number of different children.

    Transpositions and symmetric copies count once. Ends at the first ply with more than ``most`` positions.
    """
    level = {start.key(): start}
    while level:
        children: dict[str, Position] = {}
        moves = 0
        if len(level) <= most:
            for position in level.values():
                if position.decided(player) is None:
                    below = {child.key(): child for child in position.options(player)}
                    moves += len(below)
                    children |= below
        yield len(level), moves / len(level)
        level, player = children, start.game.other(player)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("spec")
    parser.add_argument("--positions", type=int, default=5_000, help="go on while a ply has at most so many")
    given = parser.parse_args(words)
    position = find_game(given.game).parse(given.spec)
    first = position.to_move or position.game.players[0]
    print("ply   positions  children")
    for ply, (count, children) in enumerate(growth(position, first, given.positions)):
        print(f"{ply:>3} {count:>11,} {f'{children:.1f}' if children else '':>9}")


if __name__ == "__main__":
    main()
