"""Measurements: published tables beside ours, files of them, and the comparison of two."""

SUITES = {"mnk": "zermelo.positional.benchmark"}
"""Suites that a game's folder measures by itself: the command's name, and the module."""
