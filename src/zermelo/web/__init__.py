"""The web page and its REST API: parses, asks the solvers, shows. No rules and no search live here."""

from __future__ import annotations
