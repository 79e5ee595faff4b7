"""Positional games: m,n,k games and hypergraphs; who wins, why, and how to play it."""

from __future__ import annotations

from zermelo.positional.files import parse_hypergraph, read_hypergraph
from zermelo.positional.game import HYPERGRAPH, MNK
from zermelo.positional.position import HypergraphPosition, MnkPosition
from zermelo.positional.solve import PositionalChooser

__all__ = [
    "HYPERGRAPH",
    "MNK",
    "HypergraphPosition",
    "MnkPosition",
    "PositionalChooser",
    "parse_hypergraph",
    "read_hypergraph",
]
