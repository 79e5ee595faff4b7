"""Measurements: published tables beside ours, files of them, and the comparison of two."""

SUITES = {"mnk": "zermelo.bench.hsu"}
"""Suites beyond Domineering: the command's name, and the module."""
