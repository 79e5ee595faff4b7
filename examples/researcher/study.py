"""A user's program: the hottest positions with one move on a small board. Checked with mypy --strict and pyright."""

from __future__ import annotations

from fractions import Fraction

import zermelo
from zermelo import MnkPosition, Position
from zermelo.cgt import Thermograph, Uptimal, Value, outcome_of_sum


def hottest(board: str) -> list[tuple[Fraction, Position]]:
    """Return the positions after one move, hottest first."""
    start = Position(board)
    after: list[Position] = [*start.options("V"), *start.options("H")]
    ranked = [(position.value.temperature, position) for position in after]
    return sorted(ranked, key=lambda pair: pair[0], reverse=True)


def about(game: Value) -> str:
    """Say what is known of a game in one line."""
    graph: Thermograph = game.thermograph
    expansion: Uptimal | None = game.uptimal
    left: list[Value] = game.left_options
    words = f"{game:unicode}: mean {graph.mean}, {game.outcome}, {len(left)} moves for Left"
    return words if expansion is None else f"{words}, {expansion}"


def main() -> None:
    """Print what was found."""
    for temperature, position in hottest("3x4")[:3]:
        print(temperature, position.text, about(position.value))
    result: zermelo.Result = zermelo.solve("5x5", seconds=60)
    print(result.outcome, outcome_of_sum("^", Value("*"), 1), (Value("^") + 2 * Value("*")).atomic_weight)
    total = Position("2x3") + Position("3x2")
    print(total.text, total.winning_moves("V"), MnkPosition(3, 3, 3).after("b2").outcome)


if __name__ == "__main__":
    main()
