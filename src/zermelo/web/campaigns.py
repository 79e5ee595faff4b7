"""Routes for campaigns: where each stands, and how it got there."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from pydantic import ConfigDict

from zermelo.campaign.service import campaign_report
from zermelo.store import Store, StoreError, open_store
from zermelo.web.http import refusals, settings_of
from zermelo.web.view import Model

router = APIRouter(prefix="/campaigns", tags=["Campaigns"])

FRESH_SECONDS = 1.0
POINTS = 200
HISTORY = 200_000


class CampaignList(Model):
    """All campaigns of the store that the server shows."""

    store: bool
    """Whether the server was started with a store."""
    campaigns: list[dict[str, Any]]
    """One report each, with the keys of `zermelo campaign status --json`."""


class History(Model):
    """Units finished and nodes searched over time, in seconds since the first result."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"seconds": [0.0, 1.5], "units": [1, 2], "nodes": [1200, 4100]}]}
    )

    seconds: list[float]
    units: list[int]
    nodes: list[int]


class Reports:
    """The latest reports, read at most once a second however many pages are open."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._lock = asyncio.Lock()
        self._read_at = -FRESH_SECONDS
        self._reports: list[dict[str, Any]] = []

    async def latest(self) -> list[dict[str, Any]]:
        async with self._lock:
            if time.monotonic() - self._read_at > FRESH_SECONDS:
                self._reports = await asyncio.to_thread(self._read)
                self._read_at = time.monotonic()
            return self._reports

    def _read(self) -> list[dict[str, Any]]:
        with opened(self.url) as store:
            return [campaign_report(store, campaign) for campaign in store.campaigns()]


def opened(url: str) -> Store:
    """Open the store for reading, as `campaign status` does; a file that is not there is not made.

    :raises HTTPException: 404 if it cannot be opened.
    """
    if "://" not in url and not Path(url).is_file():
        raise HTTPException(404, "The campaign store does not exist yet.")
    try:
        return open_store(url, read_only=True)
    except (StoreError, ValueError) as error:
        raise HTTPException(404, f"The campaign store cannot be read: {error}") from None


@router.get("", summary="All campaigns and where they stand", responses=refusals(404))
async def get_campaigns(request: Request) -> CampaignList:
    url = settings_of(request).store
    if url is None:
        return CampaignList(store=False, campaigns=[])
    if not hasattr(request.app.state, "reports"):
        request.app.state.reports = Reports(url)
    return CampaignList(store=True, campaigns=await request.app.state.reports.latest())


@router.get("/{name}/history", summary="How a campaign got where it is", responses=refusals(404, 422))
async def get_history(request: Request, name: str) -> History:
    url = settings_of(request).store
    if url is None:
        raise HTTPException(404, "This server shows no campaigns.")
    return await asyncio.to_thread(history, url, name)


def history(url: str, name: str) -> History:
    """Read the results in order of time, thinned to a few points."""
    with opened(url) as store:
        try:
            campaign = store.campaign(name)
        except ValueError:
            raise HTTPException(404, "There is no campaign of this name.") from None
        results = store.history(campaign, limit=HISTORY)
    step = max(1, len(results) // POINTS)
    begin = results[0][0] if results else 0.0
    seen = History(seconds=[], units=[], nodes=[])
    total = 0
    for index, (finished, nodes) in enumerate(results, start=1):
        total += nodes
        if index % step == 0 or index == len(results):
            seen.seconds.append(round(finished - begin, 3))
            seen.units.append(index)
            seen.nodes.append(total)
    return seen
