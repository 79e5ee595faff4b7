"""Campaigns: proofs too big for one sitting, cut into work units, on one machine or on a cluster."""

from __future__ import annotations

from zermelo.campaign.planner import Planner

__all__ = ["Planner"]
