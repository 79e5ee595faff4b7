"""A disk that fills in the middle of a campaign: nothing is lost, and it goes on when there is room again."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest
from test_store_units import campaign_with_units, result

from zermelo.store import Store, StoreError, open_store
from zermelo.store.database import PostgresDatabase

ROOM = 17 << 20
"""Bytes of a file at most: more than PostgreSQL's log needs, less than the results."""
UNITS = 48
SIZE = 1 << 20


def writer_of(store: Store) -> int:
    """The process that writes: this one, or the server's for this connection."""
    if isinstance(store.database, PostgresDatabase):
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


def fill_all_but_a_little(connection: psycopg.Connection[Any]) -> int:
    """Make the file of certificates larger than the server's log, its last page nearly full; return its size."""

    def add(count: int) -> int:
        connection.execute(
            "INSERT INTO certificates SELECT md5(random()::text), decode(repeat('ab', 150), 'hex')"
            " FROM generate_series(1, %s)",
            (count,),
        )
        row = connection.execute("SELECT pg_relation_size('certificates')").fetchone()
        assert row is not None
        return int(row[0])

    size, a_page = add(ROOM // 190), 1
    while (now := add(1)) == size:
        pass
    while add(1) == now:
        a_page += 1
    return add(a_page - 10)


def test_full_disk_of_the_server_ends_a_run_in_one_line_and_it_goes_on(postgres_url: str) -> None:
    def zermelo(*words: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", "zermelo", "campaign", *words, "--store", postgres_url]
        return subprocess.run(line, capture_output=True, text=True)

    def found() -> dict[int, bytes | None]:
        with open_store(postgres_url, read_only=True) as reader:
            return recorded(reader)

    assert zermelo("new", "domineering", "6x6", "--cut", "2").returncode == 0
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        size = fill_all_but_a_little(connection)
        backend = Path(f"/proc/{connection.info.backend_pid}/stat").read_text()
        server = int(backend.rpartition(")")[2].split()[1])  # whose limits new connections have
        limit_files(server, str(size))
        try:
            run = zermelo("run", "--workers", "0")
        finally:
            limit_files(server, "unlimited")
    assert (run.returncode, len(run.stderr.splitlines())) == (2, 1), (run.stdout, run.stderr)
    before = found()
    assert zermelo("run", "--workers", "0").returncode == 0
    assert 0 < len(before) < len(found()) and before.items() <= found().items()
