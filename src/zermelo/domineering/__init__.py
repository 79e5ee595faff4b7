"""Domineering: positions, who wins, and why."""

from __future__ import annotations

from zermelo.domineering.answer import who_wins
from zermelo.domineering.explain import explain
from zermelo.domineering.position import Move, Player, Position
from zermelo.domineering.solve import Result, solve

__all__ = ["Move", "Player", "Position", "Result", "explain", "solve", "who_wins"]
