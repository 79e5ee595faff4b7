"""Toads and Frogs (Richard Guy; Winning Ways, chapter 1), and Elephants and Rhinos, which cannot jump."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from zermelo.game.local import ACROSS, BOTH, DEAD, LEFT_ONLY, RIGHT_ONLY, Letters, LocalGame, Rules, line

RIGHTWARDS, LEFTWARDS = [(0, 1)], [(0, -1)]


class ToadsAndFrogs(LocalGame):
    name, title = "toads", "Toads and Frogs"
    players = ("T", "F")
    player_names: Mapping[str, str] = {"T": "Left", "F": "Right"}
    rules = (
        "Left's toads T move to the right, Right's frogs F to the left. "
        "A move steps onto the next cell, if it is free, or jumps over one of the opponent onto the free cell behind. "
        "Who cannot move loses."
    )
    spec_help = (
        "rows with / between (T.TF.F; . is free, # no cell), or a size (1x7: TTT.FFF); then moves (1x7:T1,3-1,4)"
    )
    examples = ("1x7", "TTT...FF", "T.TF.F/TT..FF", "1x9:T1,4-1,5")
    letters: ClassVar[Letters] = {"#": DEAD, ".": BOTH, "T": LEFT_ONLY, "F": RIGHT_ONLY}
    left: ClassVar[Rules] = (line("T.", ".T", RIGHTWARDS), line("TF.", ".FT", RIGHTWARDS))
    right: ClassVar[Rules] = (line("F.", ".F", LEFTWARDS), line("FT.", ".TF", LEFTWARDS))
    stones: ClassVar[Letters] = {"T": 0, "F": 1}
    ways = ACROSS

    def filled(self, rows: int, cols: int) -> str | None:
        beasts = (cols - 1) // 2
        return ("T" * beasts + "." * (cols - 2 * beasts) + "F" * beasts) * rows


class ElephantsAndRhinos(ToadsAndFrogs):
    name, title = "elephants", "Elephants and Rhinos"
    players = ("E", "R")
    player_names: Mapping[str, str] = {"E": "Left", "R": "Right"}
    rules = (
        "Left's elephants E move to the right, Right's rhinos R to the left. "
        "A move steps onto the next cell, if it is free. Who cannot move loses."
    )
    spec_help = "rows with / between (E.R.E; . is free, # no cell); then moves (E..R:E1,1-1,2)"
    examples = ("E..R.E.R", "EE...RR", "E.R../.E..R", "E...R:E1,1-1,2")
    letters: ClassVar[Letters] = {"#": DEAD, ".": BOTH, "E": LEFT_ONLY, "R": RIGHT_ONLY}
    left: ClassVar[Rules] = (line("E.", ".E", RIGHTWARDS),)
    right: ClassVar[Rules] = (line("R.", ".R", LEFTWARDS),)
    stones: ClassVar[Letters] = {"E": 0, "R": 1}

    def filled(self, rows: int, cols: int) -> str | None:
        return None


TOADS_AND_FROGS, ELEPHANTS_AND_RHINOS = ToadsAndFrogs(), ElephantsAndRhinos()
