"""`zermelo play domineering 2x1000`: a game in the terminal against a player who wins what can be won."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING

import typer

from zermelo.cli import verbs
from zermelo.cli.options import player_case
from zermelo.cli.output import print_json

if TYPE_CHECKING:
    from zermelo.domineering.position import Move, Player
    from zermelo.domineering.strategy.long_board import LongBoard
    from zermelo.domineering.strategy.thinker import Thinker

LARGEST = 100_000
SEARCHED = 256
"""A position of so many squares at most may be searched as a whole."""
BY_TEXT = {
    "strategy": "I play {move}",
    "search": "I play {move}",
    "guess": "I play {move}, a guess: no winning move was found in the time",
    "lost": "I play {move}, as every move loses",
}


@verbs.play.command("domineering")
def play(
    spec: str = typer.Argument(..., help="An empty board of any size, as 2x1000 or torus:2x60."),
    you: str = typer.Option("V", "--you", callback=player_case, help="The side you play: V or H."),
    first: str = typer.Option("V", "--first", callback=player_case, help="Who moves first: V or H."),
    seconds: float = typer.Option(
        5.0, "--time", min=0.001, help="Seconds to think about a move at most; then it is a guess."
    ),
    as_json: bool = typer.Option(False, "--json", help="One JSON object a move."),
) -> None:
    """Play against a winning strategy. Type row,column of your domino's upper or left square."""
    from zermelo.domineering.position import opponent
    from zermelo.domineering.rules.sizes import Size
    from zermelo.domineering.strategy import Strategy, find_plan
    from zermelo.domineering.strategy.long_board import LongBoard
    from zermelo.domineering.strategy.thinker import OutOfTimeError, Thinker

    size = Size.parse(spec)
    if size.area > LARGEST:
        raise ValueError(f"{spec} has more than {LARGEST} squares")
    if you not in ("V", "H") or first not in ("V", "H"):
        raise ValueError("--you and --first are V (vertical) or H (horizontal)")
    human: Player = "V" if you == "V" else "H"
    machine = opponent(human)
    board = LongBoard(size)
    thinker = Thinker(seconds)
    winning: Strategy | None = None
    try:
        plan = find_plan(size, machine, first=first == machine)
    except ValueError as error:
        say(as_json, note=f"{error}: I play as well as I can")
    else:
        winning = Strategy(size, machine, plan, thinker.find_reply)
        regions = len(plan.regions)
        by = "1 region" if regions == 1 else f"{regions} regions"
        say(as_json, note=f"{machine} wins this board; {by}")
    rng = random.Random(1)
    to_move: Player = "V" if first == "V" else "H"
    answer_to: Move | None = None
    while board.can_move(to_move):
        if to_move == human:
            answer = ask(board, human, as_json)
            if answer is None:
                return
            move = answer_to = answer
        else:
            by = "strategy"
            try:
                if winning is None:
                    move, by = best_try(board, machine, thinker, rng)
                else:
                    move = winning.open() if answer_to is None else winning.reply(answer_to)
            except OutOfTimeError:
                winning = None  # from now on the board as a whole is all that counts
                move, by = greedy(board, machine, rng), "guess"
            say(as_json, move=str(move), by=by)
        board.play(move)
        if not as_json:
            print(board.window(move.col))
        to_move = opponent(to_move)
    say(as_json, winner=opponent(to_move), note=f"{to_move} cannot move: {opponent(to_move)} wins")


def best_try(board: LongBoard, player: Player, thinker: Thinker, rng: random.Random) -> tuple[Move, str]:
    """Return a winning move where a search finds one (the human may have slipped), else a greedy one; and which.

    :raises OutOfTimeError: if the search takes too long.
    """
    from zermelo.domineering.position import Position

    if board.size.area > SEARCHED:
        return greedy(board, player, rng), "guess"
    try:
        return thinker.find_reply(Position.from_text(board.spec), player), "search"
    except ValueError:
        return greedy(board, player, rng), "lost"


def greedy(board: LongBoard, player: Player, rng: random.Random) -> Move:
    """Return a move that looks good; asked only when the player can move."""
    move = board.greedy_move(player, rng)
    assert move is not None
    return move


def say(as_json: bool, **words: str) -> None:
    """Print an event, as text or as an object."""
    if as_json:
        print_json(words)
        sys.stdout.flush()
    else:
        print(words.get("note") or BY_TEXT[words["by"]].format(**words))


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
