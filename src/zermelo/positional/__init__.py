"""Positional games: m,n,k games and hypergraphs; who wins, why, and how to play it."""

from __future__ import annotations

from zermelo.positional.files import HypergraphGame, read_hypergraph
from zermelo.positional.mnk import MnkGame
from zermelo.positional.player import BreakerPlayer, likely_square
from zermelo.positional.solving import HypergraphResult, MnkResult, solve_hypergraph, solve_mnk

__all__ = [
    "BreakerPlayer",
    "HypergraphGame",
    "HypergraphResult",
    "MnkGame",
    "MnkResult",
    "likely_square",
    "read_hypergraph",
    "solve_hypergraph",
    "solve_mnk",
]
