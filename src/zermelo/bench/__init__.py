"""Benchmarks: published tables regenerated, our figures beside them, every speed claim as a ratio of one run."""

from __future__ import annotations
