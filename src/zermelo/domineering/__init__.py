"""Domineering: positions, who wins, and why."""

from __future__ import annotations

from zermelo.domineering.explain import explain
from zermelo.domineering.game import GAME
from zermelo.domineering.position import Move, Player, Position

__all__ = ["GAME", "Move", "Player", "Position", "explain"]
