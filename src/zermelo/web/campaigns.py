"""Routes for campaigns: the state of each, and its progress over time."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Query, Request, Response

from zermelo.campaign.service import campaign_report
from zermelo.campaign.view import duration, human, nodes, status_lines
from zermelo.draw.plot import bars_svg, line_svg
from zermelo.game import find_game
from zermelo.store import Campaign, Store, StoreError, open_store
from zermelo.web.http import refusals, settings_of
from zermelo.web.pictures import FileKind, Save, drawing, picture
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
    """One report each, with the keys of `zermelo campaign status --json`; `lines` has it in words."""


@dataclass(frozen=True)
class History:
    """Units finished and nodes searched over time, in seconds since the first result."""

    seconds: list[float]
    units: list[int]
    nodes: list[int]


@lru_cache(maxsize=1)
def reports_at(url: str, second: int) -> list[dict[str, Any]]:
    """Return a report of every campaign; ``second`` is now, so that the store is read at most once a second."""
    with open_to_read(url) as store:
        return [with_lines(campaign_report(store, campaign)) for campaign in store.campaigns()]


def with_lines(report: dict[str, Any]) -> dict[str, Any]:
    """Add the report in words, with the full names of the players."""
    game, (_, *lines) = find_game(report["game"]), status_lines(report)
    names = game.player_names
    claim = f"{names[report['winner']]} wins {game.title} {report['spec']} if {names[report['first']]} starts"
    speed = f"{nodes(report['nodes_per_second'])} a second and worker, {duration(report['seconds'])} of computing"
    return report | {"lines": [("claim", claim), *lines, ("speed", speed)]}


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


@drawing(router, "/{name}/picture", "The progress of a campaign over time, or its plan, as a picture", also=(404,))
async def get_picture(
    request: Request,
    name: str,
    of: Annotated[Literal["units", "nodes", "plan"], Query(description="What to show")] = "units",
    file: FileKind = "svg",
    save: Save = False,
) -> Response:
    url = settings_of(request).store
    if url is None:
        raise HTTPException(404, "This server shows no campaigns.")
    drawn = await asyncio.to_thread(plan_svg if of == "plan" else partial(history_svg, of=of), url, name)
    return picture(drawn, file, name=of, save=save)


def plan_svg(url: str, name: str) -> str:
    """Draw how many positions the plan has at each ply."""
    with open_to_read(url) as store:
        plies = store.plan(found(store, name)).by_ply()
    return bars_svg("Positions of the plan by ply", [(str(one["ply"]), one["positions"]) for one in plies])


def history_svg(url: str, name: str, *, of: str) -> str:
    """Draw the progress over time."""
    seen = history(url, name)
    title, values = ("Units finished", seen.units) if of == "units" else ("Nodes searched", seen.nodes)
    high, far = values[-1:] or [0], seen.seconds[-1:] or [0.0]
    return line_svg(title, seen.seconds or [0.0], values or [0], duration(far[0]), human(high[0]))


def found(store: Store, name: str) -> Campaign:
    """Return a campaign.

    :raises HTTPException: 404 if there is none.
    """
    try:
        return store.campaign(name)
    except ValueError:
        raise HTTPException(404, "There is no campaign of this name.") from None


def history(url: str, name: str) -> History:
    """Read the results in order of time, thinned to a few points."""
    with open_to_read(url) as store:
        results = store.history(found(store, name), limit=HISTORY)
    step, totals = max(1, len(results) // POINTS), list(accumulate(nodes for _, nodes in results))
    shown = [at for at in range(len(results)) if (at + 1) % step == 0 or at + 1 == len(results)]
    return History(
        seconds=[round(results[at][0] - results[0][0], 3) for at in shown],
        units=[at + 1 for at in shown],
        nodes=[totals[at] for at in shown],
    )
