"""The web page and its REST API. It has no rules and no search of its own."""

from __future__ import annotations
