"""Results and work units: a SQLite file by default, a PostgreSQL server by URL."""

from __future__ import annotations

from zermelo.store.database import StoreError
from zermelo.store.records import Campaign, Counts, Kind, PlanNode, Status, UnitResult
from zermelo.store.store import Store, open_store

__all__ = ["Campaign", "Counts", "Kind", "PlanNode", "Status", "Store", "StoreError", "UnitResult", "open_store"]
