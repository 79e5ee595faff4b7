"""The notion of a game: positions, answers, and the services that all commands and the page use.

A game is one object, found by name in the registry (entry points of the group ``zermelo.games``). Rules and a picture
are enough: :class:`Game` has a plain, slow and short version of every service. A game that can do better says so by
overriding it. Nothing outside a game's own folder knows a game by name.
"""

from zermelo.game.answers import Answer, Explanation, Mark, Regions, Report, Result, Source, Step, ValuedRegion, Written
from zermelo.game.limits import Clock, Limit, Limits, OnProgress, Progress, unknown_words
from zermelo.game.positions import DRAW, Move, MoveView, Piece, Player, Position, Square, SquareText, View, join_sets
from zermelo.game.registry import find_game, game_names, games
from zermelo.game.services import Chooser, Game, Machine, Option, Replay

__all__ = [
    "DRAW",
    "Answer",
    "Chooser",
    "Clock",
    "Explanation",
    "Game",
    "Limit",
    "Limits",
    "Machine",
    "Mark",
    "Move",
    "MoveView",
    "OnProgress",
    "Option",
    "Piece",
    "Player",
    "Position",
    "Progress",
    "Regions",
    "Replay",
    "Report",
    "Result",
    "Source",
    "Square",
    "SquareText",
    "Step",
    "ValuedRegion",
    "View",
    "Written",
    "find_game",
    "game_names",
    "games",
    "join_sets",
    "unknown_words",
]
