"""For doors that are not rebuilt yet: gone with them."""

# mypy: ignore-errors
from __future__ import annotations

from pathlib import Path

from zermelo.domineering.prove import LARGEST_PROOF_TABLE, proof_memory, strips_version  # noqa: F401
from zermelo.game import Limits, Written, find_game


def write_domineering(position, first, path, *, memory=1 << 30, threads=1, seconds=None, cancel=None) -> Written:
    """Write a certificate of a position or its spec."""
    game = find_game("domineering")
    position = game.parse(position) if isinstance(position, str) else position
    limits = Limits(seconds=seconds, memory=memory, threads=threads)
    return game.prove(position, first, Path(path), limits=limits, cancel=cancel)


def write_positional(game, path, *, starter=None, memory=1 << 30, threads=1, seconds=None, cancel=None) -> Written:
    """Write a certificate of a positional game."""
    position = find_game("mnk").parse(game) if isinstance(game, str) else game
    limits = Limits(seconds=seconds, memory=memory, threads=threads)
    starter = starter or position.to_move or "maker"
    return position.game.prove(position, starter, Path(path), limits=limits, cancel=cancel)
