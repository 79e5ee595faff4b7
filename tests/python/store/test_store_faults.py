"""A read-only file, a process killed while it writes: the last commit stays, errors are one line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import ZERMELO
from test_store_units import campaign_with_units

from zermelo.store import Store, StoreError, open_store

WRITER = """
import sys
from zermelo.store import open_store
from zermelo.store import Status, UnitResult
store = open_store(sys.argv[1])
campaign = store.campaign()
ids = [unit.id for unit in store.plan(campaign).units()]
for begin in range(0, len(ids), 10):
    store.record(campaign, [
        UnitResult(i, Status.PROVED, 7, 0.0, bytes(500) + str(i).encode(), worker="w")
        for i in ids[begin:begin + 10]
    ])
    print(begin + 10, flush=True)
"""


def make_units(path: Path, count: int) -> None:
    with open_store(str(path)) as store:
        campaign_with_units(store, count)


def recorded(path: Path) -> int:
    with open_store(str(path)) as store:
        counts = store.counts(store.campaign())
        assert counts.nodes == 7 * counts.proved
        return counts.proved


def test_killed_writer_leaves_what_it_had_committed(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    make_units(path, 20_000)
    said = 0
    for wait in (0.05, 0.13, 0.21):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(wait)
            os.kill(writer.pid, signal.SIGKILL)
            said = max(said, max((int(line) for line in writer.stdout.read().split()), default=0))
        found = recorded(path)
        assert found >= said
        assert found % 10 == 0


def on_read_only_disk(folder: Path) -> list[str]:
    """Words before a command that let it see a folder on a read-only file system (only root may do that)."""
    mount = f"mount --bind {folder} {folder} && mount -o remount,bind,ro {folder}"
    words = ["unshare", "--mount", "sh", "-c", f'{mount} && exec "$@"', "sh"]
    if subprocess.run([*words, "true"], capture_output=True).returncode:
        pytest.skip("root without the right to mount: nothing is read-only here")
    return words


def test_store_that_cannot_be_written_is_one_line_and_can_still_be_read(tmp_path: Path) -> None:
    """As a user by the file's mode, as root by a read-only file system."""
    folder = tmp_path / "disk"
    folder.mkdir()
    path = folder / "store.db"
    make_units(path, 10)
    before = path.read_bytes()
    prefix = on_read_only_disk(folder) if os.geteuid() == 0 else []
    path.chmod(0o444)
    folder.chmod(0o555)
    zermelo = [*prefix, ZERMELO, "campaign"]
    where = ["--store", str(path), "--json"]
    try:
        run = subprocess.run([*zermelo, "run", "--workers", "0", *where], capture_output=True, text=True)
        status = subprocess.run([*zermelo, "status", *where], capture_output=True, text=True)
    finally:
        folder.chmod(0o755)
    assert run.returncode == 2, run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert "store" in run.stderr
    assert status.returncode == 0, status.stderr
    assert json.loads(status.stdout)["units"] == 10
    assert path.read_bytes() == before


def test_reader_sees_what_a_writer_commits_and_cannot_write(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    make_units(path, 10)
    with open_store(str(path)) as writer, open_store(str(path), read_only=True) as reader:
        campaign = writer.campaign()
        writer.lease(campaign, "a", limit=4, seconds=60)
        assert reader.counts(campaign).leased == 4
        with pytest.raises(StoreError, match="readonly"):
            reader.lease(campaign, "b", limit=1, seconds=60)


def test_file_that_is_no_store_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_text("this is not a database, but long enough to be taken for one\n" * 100)
    with pytest.raises(StoreError, match="not a database"):
        open_store(str(path))


@pytest.mark.parametrize(("url", "message"), [("mysql://x/y", "neither a file"), ("/no/such/folder/a.db", "folder")])
def test_address_that_is_not_understood_is_refused(url: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        open_store(url)


def test_password_is_never_shown() -> None:
    with pytest.raises(StoreError) as error:
        open_store("postgresql://user:secret@127.0.0.1:1/none")
    assert "secret" not in str(error.value)


def test_store_closes_itself(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "store.db")) as store:
        assert isinstance(store, Store)
    with pytest.raises(StoreError):
        store.campaigns()
