"""Certificates of any game: read, described and cut here, verified by the independent checkers."""

from __future__ import annotations

from zermelo.proof.checking import Checker, CheckReport, check_file
from zermelo.proof.container import Claim

__all__ = ["CheckReport", "Checker", "Claim", "check_file"]
