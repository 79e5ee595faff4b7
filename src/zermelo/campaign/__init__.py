"""Campaigns: proofs too big for one sitting, cut into work units, on one machine or on a cluster."""
