"""Domineering: positions, who wins, and why."""

from __future__ import annotations

from zermelo.domineering.position import Move, Player, Position

__all__ = ["Move", "Player", "Position"]
