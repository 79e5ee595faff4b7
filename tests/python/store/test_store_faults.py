"""A store to read, no store at all, a wrong address. Every fault of files: tests/python/faults."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_store_units import campaign_with_units

from zermelo.store import StoreError, open_store


def test_reader_sees_what_a_writer_commits_and_cannot_write(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(str(path)) as writer, open_store(str(path), read_only=True) as reader:
        campaign = campaign_with_units(writer, 10)
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
