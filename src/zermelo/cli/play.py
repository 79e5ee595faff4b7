"""`zermelo play GAME SPEC`: any game in the terminal, against a machine that plays every win it can prove."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from zermelo.cli.options import Memory, NodeLimit, game_command, parse_memory, player_of, time_option
from zermelo.cli.output import counted, print_json
from zermelo.cli.solve import examples
from zermelo.draw.text import grid
from zermelo.game import (
    Answer,
    Game,  # Typer reads the signatures
    Limits,
    Mark,
    Move,
    Player,
    Position,
    unknown_words,
)
from zermelo.game.marking import Choice, mark_moves
from zermelo.words import capital, letter

MANY_MOVES = 400
"""A hint marks every move of positions with so many at most; of larger ones it names one good move."""
LONG_TEXT = 80
"""A start with a longer text is called as the player has typed it."""
HELP = "Type a move, ? for a hint, undo, board, or quit."
MARKS: dict[Mark, str] = {"win": "wins", "draw": "draws", "loss": "loses", "unknown": "not known within the limits"}
WRAPS = {(True, False): "left and right", (False, True): "top and bottom", (True, True): "opposite"}


def add_play(group: typer.Typer, game: Game) -> None:
    text = f"{capital(game.title)}: play against the machine. {game.rules}"
    group.command(game.name, epilog=examples("play", game))(game_command(game, play, game.rule_options, text))


def play(
    game: Game,
    spec: str,
    you: Annotated[str | None, typer.Option(help="The side you play. The one that moves first if not given.")] = None,
    first: Annotated[str | None, typer.Option(help="Who moves first, where the game leaves it open.")] = None,
    seconds: Annotated[
        float, time_option("Think this many seconds about a move at most. After that the move is a guess.")
    ] = 5.0,
    nodes: NodeLimit = None,
    memory: Memory = "1G",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a move.")] = False,
    options: Mapping[str, Any] = {},
) -> None:
    """Play a game; the end of the input ends it well."""
    position = game.read(spec)
    starter = player_of(game, "--first", first) or position.to_move or game.players[0]
    game.starters(position, starter)  # refuses a starter whose turn it is not
    position = game.apply_rules(position, options, starter)
    human = player_of(game, "--you", you) or starter
    limits = Limits(seconds=seconds, nodes=nodes, memory=parse_memory(memory))
    table = Played(position, starter, human, limits, as_json)
    table.open(position.text if len(position.text) <= LONG_TEXT else spec)
    while table.go_on():
        pass


class Played:
    """A game that is being played: the positions so far, and both players."""

    def __init__(self, position: Position, to_move: Player, human: Player, limits: Limits, as_json: bool) -> None:
        self.game, self.human, self.limits, self.as_json = position.game, human, limits, as_json
        self.chooser = self.game.chooser(limits)
        self.line: list[tuple[Position, Player]] = [(position, to_move)]
        """Every position of the game, with whose turn it was: the present one last."""
        self.machine = self.game.machine(position, self.game.other(human), limits, self.chooser)

    @property
    def position(self) -> Position:
        """The present position; it knows whose turn it is, where the game can tell."""
        return self.line[-1][0].turn_of(self.to_move)

    @property
    def to_move(self) -> Player:
        return self.line[-1][1]

    def say(self, text: str, **data: Any) -> None:
        """Print a line, or its data."""
        if self.as_json:
            print_json({**data, "note": text} if "note" not in data else data)
        else:
            print(text, flush=True)

    def show(self) -> None:
        if not self.as_json:
            print(f"\n{grid(self.position.view())}\n", flush=True)

    # The game

    def open(self, name: str) -> None:
        """Print the name of the start, the sides, the expected winner with the reason, and the board."""
        game, names, machine = self.game, self.game.player_names, self.game.other(self.human)
        if not self.as_json:
            print(f"{capital(game.title)}, {name}. {game.rules_of(self.position)}")
            print(
                f"You are {title(names, self.human)}, I am {title(names, machine)}. {names[self.to_move]} moves first."
            )
            view = self.position.view()
            if edges := WRAPS.get((view.wraps_rows, view.wraps_cols)):
                print(f"The {edges} edges are joined.")
            print(HELP)
        if self.position.decided(self.to_move) is None:
            answer = self.chooser.answer(self.position, self.to_move, self.limits, want_move=False)
            self.say(
                f"{self.forecast(answer)}.", winner=answer.winner, by=answer.by, why=answer.why, to_move=self.to_move
            )
        self.show()

    def forecast(self, answer: Answer) -> str:
        """Say who wins with best play, and how that is known."""
        if answer.winner is None:
            return f"Who wins is not known ({answer.why})"
        return f"With best play: {self.game.winner_words(answer.winner)} ({answer.why or answer.by})"

    def go_on(self) -> bool:
        """Make one move, or carry out one line of input; return whether the game goes on."""
        winner = self.position.decided(self.to_move)
        if winner is not None:
            self.end(winner)
            return False
        if self.to_move != self.human:
            choice = self.machine.reply(self.position)
            assert choice.move is not None
            self.say(self.machine_line(choice), **choice_json(choice))
            self.play(choice.move)
            return True
        if not self.as_json:
            print(f"{self.game.player_names[self.human]}, your move: ", end="", flush=True)
        typed = sys.stdin.readline() if sys.stdin is not None else ""
        if not typed or typed.strip().lower() in ("quit", "exit"):
            if not self.as_json:
                print()
            return False
        self.take(typed.strip())
        return True

    def take(self, word: str) -> None:
        """Carry out one line of input: a move, or one of the other words.

        :raises ValueError: if it is none of them, and a program is playing.
        """
        others = {"?": self.hint, "hint": self.hint, "undo": self.undo, "board": self.show, "": self.show}
        move = find_move(self.position, self.human, word)
        if move is not None:
            self.play(move)
        elif word.lower() in others:
            others[word.lower()]()
        else:
            legal = self.position.moves(self.human)[0]
            message = f"{word[:40]!r} is not a legal move here. {HELP} A legal move: {legal}"
            if self.as_json:
                raise ValueError(message)
            print(message)

    def play(self, move: Move) -> None:
        """Make a move of the player to move, and show the board."""
        after = self.position.after(move)
        self.line.append((after, after.player_after(self.to_move)))
        self.show()

    def undo(self) -> None:
        """Take back the human's last move and every later move."""
        for index in range(len(self.line) - 2, -1, -1):
            if self.line[index][1] == self.human:
                del self.line[index + 1 :]
                self.say("Your last move is taken back.", undo=True, spec=self.position.text)
                self.show()
                return
        self.say("There is no move of yours to take back.", undo=False, spec=self.position.text)

    def machine_line(self, choice: Choice) -> str:
        """Return the machine's move in words, and how certain it is."""
        words = {
            "win": f": it wins ({choice.answer.why or choice.answer.by})",
            "draw": f": it holds the draw ({choice.answer.why or choice.answer.by})",
            "loss": ", as every move loses",
            "unknown": f", a guess: whether it is good is {unknown_words(self.limits)}",
        }
        return f"I play {choice.move}{words[choice.mark]}."

    def hint(self) -> None:
        """Mark every move, or name a good one where there are very many."""
        moves = self.position.moves(self.human)
        if len(moves) > MANY_MOVES:
            choice = self.game.machine(self.position, self.human, self.limits, self.chooser).reply(self.position)
            sure = f"it {MARKS[choice.mark]}" if choice.mark != "unknown" else "a guess"
            self.say(f"{counted(len(moves), 'move')}. Play {choice.move}: {sure}.", hint=choice_json(choice))
            return
        marks: dict[str, Mark] = {str(move): "unknown" for move in moves}
        answer: Answer | None = None
        for found in mark_moves(self.position, self.human, self.chooser, self.limits):
            marks.update(dict.fromkeys(map(str, found.moves), found.mark))
            answer = found.answer if not found.moves else answer
        assert answer is not None
        if self.as_json:
            print_json({"hint": {"marks": marks, "winner": answer.winner, "by": answer.by, "why": answer.why}})
            return
        print(self.forecast(answer) + ".")
        for mark, words in MARKS.items():
            if named := [move for move in marks if marks[move] == mark]:
                print(f"{words}: {' '.join(named)}")

    def end(self, winner: str) -> None:
        """Print how the game ended."""
        outcome = self.game.outcome({self.to_move: Answer(self.to_move, winner, "over")})
        text = f"{self.game.ending(self.position, self.to_move)} {capital(self.game.winner_words(winner))}."
        self.say(text, winner=winner, outcome=outcome, spec=self.position.text)


def title(names: Mapping[str, str], player: Player) -> str:
    """Return a player's name with the letter of the pieces.

    >>> title({"V": "Vertical"}, "V"), title({"X": "X"}, "X")
    ('Vertical (V)', 'X')
    """
    return names[player] if names[player] == letter(player) else f"{names[player]} ({letter(player)})"


def choice_json(choice: Choice) -> dict[str, Any]:
    """Return a choice as plain data; ``by`` says how it was found."""
    found = "strategy" if choice.answer.by == "rules" else "search"
    by = {"unknown": "guess", "loss": "lost"}.get(choice.mark, found)
    return {"move": str(choice.move), "by": by, "mark": choice.mark, "why": choice.answer.why}


def find_move(position: Position, player: Player, word: str) -> Move | None:
    """Return the legal move that a person typed: in full, or without the player's name."""
    wanted = word.replace(" ", "").lower()
    for move in position.moves(player):
        full = str(move).replace(" ", "").lower()
        if wanted in (full, full.removeprefix(player.lower())):
            return move
    return None
