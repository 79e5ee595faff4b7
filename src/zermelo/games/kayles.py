"""Kayles (Dudeney, 1908) and Dawson's Kayles, the octal games 0.77 and 0.07 (Guy, Smith: The G-values of various games,
1956), and Arc Kayles (Schaefer: On the complexity of some two-person perfect-information games, 1978)."""

from __future__ import annotations

from typing import ClassVar

from zermelo.game.local import ACROSS, Rules, line
from zermelo.games.kit import BOARD, Impartial


class Kayles(Impartial):
    name, title = "kayles", "Kayles"
    rules = "Pins stand in rows. A move knocks down one pin, or two that stand side by side. Who cannot move loses."
    spec_help = BOARD.format("..../..#., . is a pin, # is none", "1,2-1,3")
    examples = ("1x7", "1x20", "...#....", "1x9:1,5")
    left: ClassVar[Rules] = (line(".", "#"), line("..", "##", ACROSS))
    ways = ACROSS


class DawsonsKayles(Kayles):
    name, title = "dawson", "Dawson's Kayles"
    rules = "Pins stand in rows. A move knocks down two pins that stand side by side. Who cannot move loses."
    examples = ("1x9", "1x20", "...#....", "1x9:1,5-1,6")
    left = (line("..", "##", ACROSS),)


class ArcKayles(Impartial):
    name, title = "arckayles", "Arc Kayles"
    rules = (
        "A move takes away an edge of a graph with both its ends, and all edges that end there. "
        "On a board it places a domino, across or down. Who cannot move loses."
    )
    spec_help = BOARD.format("..../.#.., # is no cell", "1,2-2,2")
    examples = ("5x6", "../..", "3x4:1,2-2,2", "a-b b-c c-d d-a a-e b-e")
    left: ClassVar[Rules] = (line("..", "##"),)
    graphs = True


KAYLES, DAWSONS_KAYLES, ARC_KAYLES = Kayles(), DawsonsKayles(), ArcKayles()
