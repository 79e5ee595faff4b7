"""Positional games: m,n,k games and hypergraphs; who wins, why, and how to play it."""

from __future__ import annotations

from zermelo.positional.files import HypergraphGame, parse_hypergraph, read_hypergraph
from zermelo.positional.game import HYPERGRAPH, MNK
from zermelo.positional.mnk import MnkGame
from zermelo.positional.player import BreakerPlayer, likely_square
from zermelo.positional.position import HypergraphPosition, MnkPosition
from zermelo.positional.solve import PositionalChooser
from zermelo.positional.solving import HypergraphResult, MnkResult, solve_hypergraph, solve_mnk

__all__ = [
    "HYPERGRAPH",
    "MNK",
    "BreakerPlayer",
    "HypergraphGame",
    "HypergraphPosition",
    "HypergraphResult",
    "MnkGame",
    "MnkPosition",
    "MnkResult",
    "PositionalChooser",
    "likely_square",
    "parse_hypergraph",
    "read_hypergraph",
    "solve_hypergraph",
    "solve_mnk",
]
