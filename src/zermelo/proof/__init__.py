"""Certificates: written by the solvers, read and cut here, verified by the independent checkers."""

from __future__ import annotations

from zermelo.proof.checking import Checker, CheckReport, check_file
from zermelo.proof.container import Claim
from zermelo.proof.writing import Written, write_domineering, write_positional

__all__ = ["CheckReport", "Checker", "Claim", "Written", "check_file", "write_domineering", "write_positional"]
