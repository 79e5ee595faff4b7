"""A disk that fills in the middle of a campaign: nothing is lost, and it goes on when there is room again."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest
from test_store_units import campaign_with_units, result

from zermelo.store import Store, StoreError, open_store

ROOM = 17 << 20
"""Bytes of a file at most: more than PostgreSQL's log needs, less than the results."""
UNITS = 48
SIZE = 1 << 20


def writer_of(store: Store) -> int:
    """The process that writes: this one, or the server's for this connection."""
    if store.database.server:
        return int(store.database.rows("SELECT pg_backend_pid()")[0][0])
    return os.getpid()


def limit_files(process: int, size: str) -> None:
    """Limit the files of a process, as its own user: even root may not do that to others everywhere."""
    owner = Path(f"/proc/{process}").stat()
    run_as = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []} if owner.st_uid != os.geteuid() else {}
    words = ["prlimit", "--pid", str(process), f"--fsize={size}:"]
    subprocess.run(words, check=True, **run_as)


def recorded(store: Store) -> dict[int, bytes | None]:
    """The certificates of all results, by unit."""
    return {node: store.certificate(node) for (node,) in store.database.rows("SELECT node FROM results")}


def test_full_disk_in_the_middle_of_a_campaign_loses_nothing(store: Store, store_url: str) -> None:
    campaign, draw = campaign_with_units(store, UNITS), random.Random(1)
    units = [unit.id for unit in store.plan(campaign).units()]
    certificates = {unit: draw.randbytes(SIZE) for unit in units}
    process, said = writer_of(store), set()
    limit_files(process, str(ROOM))
    try:
        with pytest.raises(StoreError) as error:
            for unit in units:
                store.record(campaign, [result(unit, certificate=certificates[unit])])
                said.add(unit)
    finally:
        limit_files(process, "unlimited")
    assert len(str(error.value).splitlines()) == 1
    assert 0 < len(said) < UNITS
    with open_store(store_url, read_only=True) as reader:
        assert set(recorded(reader)) == said
    # With room again the same runner goes on.
    for unit in units:
        if unit not in said:
            store.record(campaign, [result(unit, certificate=certificates[unit])])
    assert recorded(store) == certificates
