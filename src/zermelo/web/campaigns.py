"""Routes for campaigns: the state of each, and its progress over time."""

from __future__ import annotations

import asyncio
import time
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request

from zermelo.campaign.service import campaign_report
from zermelo.store import Store, StoreError, open_store
from zermelo.web.http import refusals, settings_of
from zermelo.web.view import Model

router = APIRouter(prefix="/campaigns", tags=["Campaigns"])

POINTS = 200
"""Points of a history; of more results some are left out."""
HISTORY = 200_000


class CampaignList(Model):
    """All campaigns of the store that the server shows."""

    store: bool
    """Whether the server was started with a store."""
    campaigns: list[dict[str, Any]]
    """One report each, with the keys of `zermelo campaign status --json`."""


class History(Model):
    """Units finished and nodes searched over time, in seconds since the first result."""

    seconds: list[float]
    units: list[int]
    nodes: list[int]


@lru_cache(maxsize=1)
def reports_at(url: str, second: int) -> list[dict[str, Any]]:
    """Return a report of every campaign; ``second`` is now, so that the store is read at most once a second."""
    with open_to_read(url) as store:
        return [campaign_report(store, campaign) for campaign in store.campaigns()]


def open_to_read(url: str) -> Store:
    """Open the store for reading, as `campaign status` does; a missing file is not made.

    :raises HTTPException: 404 if it cannot be opened.
    """
    if "://" not in url and not Path(url).is_file():
        raise HTTPException(404, "The campaign store does not exist yet.")
    try:
        return open_store(url, read_only=True)
    except (StoreError, ValueError) as error:
        raise HTTPException(404, f"The campaign store cannot be read: {error}") from None


@router.get("", summary="All campaigns and their state", responses=refusals(404))
async def get_campaigns(request: Request) -> CampaignList:
    url = settings_of(request).store
    if url is None:
        return CampaignList(store=False, campaigns=[])
    return CampaignList(store=True, campaigns=await asyncio.to_thread(reports_at, url, int(time.monotonic())))


@router.get("/{name}/history", summary="The progress of a campaign over time", responses=refusals(404, 422))
async def get_history(request: Request, name: str) -> History:
    url = settings_of(request).store
    if url is None:
        raise HTTPException(404, "This server shows no campaigns.")
    return await asyncio.to_thread(history, url, name)


def history(url: str, name: str) -> History:
    """Read the results in order of time, thinned to a few points."""
    with open_to_read(url) as store:
        try:
            campaign = store.campaign(name)
        except ValueError:
            raise HTTPException(404, "There is no campaign of this name.") from None
        results = store.history(campaign, limit=HISTORY)
    step, totals = max(1, len(results) // POINTS), list(accumulate(nodes for _, nodes in results))
    shown = [at for at in range(len(results)) if (at + 1) % step == 0 or at + 1 == len(results)]
    return History(
        seconds=[round(results[at][0] - results[0][0], 3) for at in shown],
        units=[at + 1 for at in shown],
        nodes=[totals[at] for at in shown],
    )
