"""A read-only file, no store at all, a wrong address: errors are one line, and nothing is changed."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from processes import ZERMELO
from test_store_units import campaign_with_units

from zermelo.store import Store, StoreError, open_store


def make_units(path: Path, count: int) -> None:
    with open_store(str(path)) as store:
        campaign_with_units(store, count)


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
