"""Certificates: written by the solvers, read and cut here, verified by the independent checkers."""

from __future__ import annotations

from zermelo.proof.checking import CheckReport, check_file

__all__ = ["CheckReport", "check_file"]
