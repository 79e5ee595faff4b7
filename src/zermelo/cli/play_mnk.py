"""`zermelo play mnk 5,5,5`: a game in the terminal against a second player who holds every draw that can be proved."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from zermelo.cli import verbs
from zermelo.cli.output import print_json

if TYPE_CHECKING:
    from zermelo.positional import MnkGame


@verbs.play.command("mnk")
def play(
    spec: str = typer.Argument(help="columns,rows,k and moves, as in 7,7,5 or 7,7,5:d4,c3."),
    seconds: float = typer.Option(
        5.0, "--time", min=0.001, help="Seconds to think about a move at most; then it is a guess."
    ),
    as_json: bool = typer.Option(False, "--json", help="One JSON object a move."),
) -> None:
    """Play first against one who holds every draw. End with an empty line."""
    from zermelo.positional import BreakerPlayer, MnkGame, likely_square

    game = MnkGame.from_text(spec)
    if not game.first_to_move:
        raise ValueError("give a position in which the first player is to move")
    player = BreakerPlayer(game)
    if not as_json:
        print(game.grid())
    while game.free and game.winner() is None:
        square = ask(game, as_json)
        if square is None:
            return
        game = game.play(square)
        if game.winner() is None and game.free:
            by = "search"
            try:
                answer = player.reply(game, seconds=seconds)
            except ValueError:  # no draw is there, or none was found in the time
                answer, by = likely_square(game), "guess"
            game = game.play(answer)
            if as_json:
                print_json({"move": game.name(answer), "by": by})
                sys.stdout.flush()
            else:
                guess = ", a guess: no draw was proved in the time" if by == "guess" else ""
                print(f"my square: {game.name(answer)}{guess}")
        if not as_json:
            print(game.grid())
    winner = game.winner()
    if as_json:
        print_json({"outcome": winner or "draw", "spec": game.text})
    else:
        print("draw" if winner is None else f"the {winner} player wins")


def ask(game: MnkGame, as_json: bool) -> int | None:
    """Read a free square; None at the end of the input or when the user quits."""
    while True:
        if not as_json:
            print("your square: ", end="", flush=True)
        word = sys.stdin.readline().strip()
        if word in ("", "quit", "q"):
            return None
        try:
            square = game.square(word)
            game.play(square)
            return square
        except ValueError as error:
            if as_json:
                raise
            print(error)
