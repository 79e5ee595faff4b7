"""`zermelo play domineering 2x1000`: a game in the terminal against a player who wins what can be won."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING

import typer

from zermelo.cli import verbs
from zermelo.cli.output import print_json

if TYPE_CHECKING:
    from zermelo.domineering.position import Move, Player
    from zermelo.domineering.strategy.long_board import LongBoard

LARGEST = 100_000
SEARCHED = 40
"""With so few free squares left a search finds at once whether there is a winning move."""


@verbs.play.command("domineering")
def play(
    spec: str = typer.Argument(..., help="An empty board of any size, as 2x1000 or torus:2x60."),
    you: str = typer.Option("V", "--you", help="The side you play: V or H."),
    first: str = typer.Option("V", "--first", help="Who moves first: V or H."),
    as_json: bool = typer.Option(False, "--json", help="One JSON object a move."),
) -> None:
    """Play against a winning strategy: type row,column of your domino's upper or left square."""
    from zermelo.domineering.position import opponent
    from zermelo.domineering.rules.sizes import Size
    from zermelo.domineering.strategy import Strategy, strategy
    from zermelo.domineering.strategy.long_board import LongBoard

    size = Size.parse(spec)
    if size.area > LARGEST:
        raise ValueError(f"{spec} has more than {LARGEST} squares")
    if you not in ("V", "H") or first not in ("V", "H"):
        raise ValueError("--you and --first are V (vertical) or H (horizontal)")
    human: Player = "V" if you == "V" else "H"
    machine = opponent(human)
    board = LongBoard(size)
    winning: Strategy | None = None
    try:
        winning = strategy(size, machine, first=first == machine)
    except ValueError as error:
        say(as_json, note=f"{error}: I play as well as I can")
    else:
        say(as_json, note=f"{machine} wins this board; {len(winning.plan.regions)} regions")
    rng = random.Random(1)
    to_move: Player = "V" if first == "V" else "H"
    answer_to: Move | None = None
    while board.can_move(to_move):
        if to_move == human:
            move = ask(board, human, as_json)
            if move is None:
                return
            answer_to = move
        else:
            if winning is None:
                move = best_try(board, machine, rng)
            else:
                move = winning.open() if answer_to is None else winning.reply(answer_to)
            say(as_json, move=str(move))
        board.play(move)
        if not as_json:
            print(board.window(move.col))
        to_move = opponent(to_move)
    say(as_json, winner=opponent(to_move), note=f"{to_move} cannot move: {opponent(to_move)} wins")


def best_try(board: LongBoard, player: Player, rng: random.Random) -> Move:
    """Return a winning move where a quick search finds one (the human may have slipped), else a greedy one."""
    from zermelo.domineering.position import Position
    from zermelo.domineering.strategy.replies import find_reply

    if len(board.free) <= SEARCHED:
        try:
            return find_reply(Position.from_text(board.spec), player)
        except ValueError:
            pass  # every move loses
    move = board.greedy_move(player, rng)
    assert move is not None, "asked only when the player can move"
    return move


def say(as_json: bool, **words: str) -> None:
    """Print an event, as text or as an object."""
    if as_json:
        print_json(words)
        sys.stdout.flush()
    else:
        print(words.get("note") or f"I play {words['move']}")


def ask(board: LongBoard, human: Player, as_json: bool) -> Move | None:
    """Read a legal move; None at the end of the input or when the user quits."""
    from zermelo.domineering.position import Move

    while True:
        if not as_json:
            print(f"{human} row,column (or quit): ", end="", flush=True)
        line = sys.stdin.readline()
        text = line.strip()
        if not line or text in ("quit", "q"):
            return None
        try:
            move = Move.parse(text if text[:1] in ("V", "H") else human + text)
            if move.player != human or not board.is_legal(move):
                raise ValueError(f"{text} is not a legal move of {human} here")
            return move
        except ValueError as error:
            if as_json:
                raise
            print(error)
